"""A site that others can reach. It refuses to start half configured."""

from django.core.exceptions import ImproperlyConfigured

from config.settings.base import *


def required(variable: str, hint: str) -> str:
    value: str = env.str(variable, default="")
    if not value:
        raise ImproperlyConfigured(f"{variable} is not set: {hint} See .env.example.")
    return value


SECRET_KEY = required("SECRET_KEY", "put a long random text there, and keep it.")
if len(SECRET_KEY) < 50:
    raise ImproperlyConfigured("SECRET_KEY is shorter than 50 characters. See .env.example for how to make one.")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
_hosts = required("ALLOWED_HOSTS", "name the host names of the site, separated by commas.")
ALLOWED_HOSTS = [host.strip() for host in _hosts.split(",") if host.strip()]
SITE_URL = env.str("SITE_URL", default="").rstrip("/") or f"https://{ALLOWED_HOSTS[0].lstrip('.*')}"
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if not host.startswith((".", "*"))]

DATABASES["default"] |= {"CONN_HEALTH_CHECKS": True}
if env.bool("DATABASE_POOL", default=True):
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
        "min_size": 1,
        "max_size": env.int("POOL_SIZE", default=8),
    }
if env.bool("DATABASE_POOLER", default=False):
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    DATABASES["default"].setdefault("OPTIONS", {})["prepare_threshold"] = None
    DATABASES["default"]["OPTIONS"].pop("options", None)

SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=True)
SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=True)
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True

ALLAUTH_TRUSTED_PROXY_COUNT = env.int("PROXY_COUNT", default=1)

ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
