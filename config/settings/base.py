"""What every environment shares. Values that differ come from the environment."""

from datetime import timedelta
from pathlib import Path

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

from config.logs import configure_logging

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()

DEBUG = False
ALLOWED_HOSTS: list[str] = []
SITE_NAME = "Aftermath"
SITE_URL = env.str("SITE_URL", default="").rstrip("/") or "http://localhost:8000"
"""Where mails that nobody asked for just now lead to; pages know it from their request."""

INSTALLED_APPS = [
    "accounts",
    "rules",
    "warbands",
    "market",
    "campaigns",
    "api",
    "panel",
    "config",
    "unfold.apps.BasicAppConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.forms",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "corsheaders",
    "csp",
    "django_htmx",
    "drf_spectacular_sidecar",
    "rest_framework",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "config.middleware.RequestLogMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "campaigns.acting.ActingMiddleware",
    "config.middleware.RefusalMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
            "builtins": ["config.templatetags.aftermath", "django.templatetags.i18n", "django.templatetags.static"],
        },
    }
]

# Services ---------------------------------------------------------------------------------------
DATABASES = {"default": env.db_url("DATABASE_URL") | {"ATOMIC_REQUESTS": False}}
DATABASES["default"].setdefault("OPTIONS", {}).setdefault("prepare_threshold", 5)
DATABASES["default"]["OPTIONS"].setdefault("options", "-c plan_cache_mode=force_generic_plan")
"""Statements that are written by hand (`warbands/statements.py`) are prepared once they have been sent so often, and
then planned no more: they go by keys, so one plan serves all, and left to itself PostgreSQL makes one each time."""
REDIS_URL = env.str("REDIS_URL")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "cache",
    }
}
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_ROUTES = {
    "campaigns.tasks.run_chunk": {"queue": "batches"},
    "campaigns.tasks.run_simulation": {"queue": "batches"},
}
"""Long work has a queue of its own, so that workers can be given to it; a worker of `make run` takes both."""
BATCH_QUIET_SECONDS = env.int("BATCH_QUIET_SECONDS", default=60)
"""A batch that has not moved for so long has lost its messages, with Redis or a worker, and gets new ones."""
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "worker-heartbeat": {"task": "config.tasks.beat_of_the_heart", "schedule": 5.0, "options": {"expires": 5}},
    "clear-expired-sessions": {"task": "config.tasks.clear_expired_sessions", "schedule": crontab("30", "4")},
    "reconcile-ledgers": {"task": "warbands.tasks.reconcile_ledgers", "schedule": crontab("10", "3")},
    "tend-batches": {"task": "campaigns.tasks.tend_batches", "schedule": crontab("*"), "options": {"expires": 60}},
    "finish-late-runs": {"task": "campaigns.tasks.finish_late_runs", "schedule": crontab("*/10")},
    "send-digests": {"task": "campaigns.tasks.send_digests", "schedule": crontab("20")},
    "publish-notices": {"task": "panel.tasks.publish_notices", "schedule": crontab("*"), "options": {"expires": 60}},
    "confirm-late-reports": {"task": "campaigns.tasks.confirm_late_reports", "schedule": crontab("*/5")},
    "tend-webhooks": {"task": "campaigns.tasks.tend_webhooks", "schedule": 15.0, "options": {"expires": 15}},
    "forget-old-answers": {"task": "api.tasks.forget_old_answers", "schedule": crontab("50")},
    "forget-deliveries": {"task": "campaigns.tasks.forget_deliveries", "schedule": crontab("40", "4")},
}

WEBHOOKS_ALLOW_PRIVATE = env.bool("WEBHOOKS_ALLOW_PRIVATE", default=False)
"""Whether webhooks may lead into private networks, such as the one that the site itself stands in."""

# The panel --------------------------------------------------------------------------------------
UNFOLD = {
    "SITE_TITLE": SITE_NAME,
    "SITE_HEADER": SITE_NAME,
    "SITE_SUBHEADER": _("Panel"),
    "SITE_URL": "/",
    "SITE_ICON": lambda _request: static("img/favicon.svg"),
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("img/favicon.svg")}],
    "STYLES": [lambda _request: static("css/tokens.css"), lambda _request: static("css/panel.css")],
    "SCRIPTS": [lambda _request: static("js/panel.js")],
    "SHOW_VIEW_ON_SITE": False,
    "ACCOUNT": {"navigation": [{"title": _("Your account"), "link": "/account/"}]},
}
"""Colours, fonts and shape are in `static/css/panel.css`, the sidebar in `panel/navigation.py`."""

# The API ----------------------------------------------------------------------------------------
REST_FRAMEWORK = {"UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser"}
API_RATES = {"read": env.int("API_READS_A_MINUTE", default=600), "act": env.int("API_ACTS_A_MINUTE", default=120)}
"""Calls a minute for one token; a person's pages count as one token."""
CORS_ALLOWED_ORIGINS = env.list("CORS_ALLOWED_ORIGINS", default=[])
"""Web apps of other hosts that may use the API with a token; none by default. Cookies are never theirs to send."""
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"]
CORS_EXPOSE_HEADERS = [
    "ETag", "Idempotency-Replayed", "Link", "Location", "RateLimit", "RateLimit-Policy", "Retry-After",
]  # fmt: skip

# People -----------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Aftermath: "
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
MFA_ADAPTER = "accounts.adapter.MFAAdapter"
MFA_FORMS = {
    "authenticate": "accounts.forms.AuthenticateForm",
    "reauthenticate": "accounts.forms.ReauthenticateByCodeForm",
    "activate_totp": "accounts.forms.ActivateTOTPForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Aftermath"

AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_FORM_FIELD = "login"
AXES_USERNAME_CALLABLE = "accounts.lockout.counted_name"
AXES_CLIENT_IP_CALLABLE = "accounts.lockout.client_ip"
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "accounts.lockout.locked_out"
AXES_ENABLE_ACCESS_FAILURE_LOG = False
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
DEMO_LOGINS = False
"""Development only: the sign-in page names the people of the demo campaign."""

DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Aftermath <aftermath@localhost>")

# Language and time ------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = ["config.formats"]
USE_TZ = True
TIME_ZONE = "UTC"

# Files ------------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_URL = "media/"
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default=str(BASE_DIR / "media")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Safety -----------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
FORM_RENDERER = "config.forms.Renderer"

# Logs -------------------------------------------------------------------------------------------
LOGGING_CONFIG = None
configure_logging(json=True, level=env.str("LOG_LEVEL", default="INFO"))
