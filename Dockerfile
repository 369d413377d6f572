# The first stage installs the locked packages; the second holds only what runs.
# The suite runs on this version of Python; the lock file fits newer ones too.
ARG PYTHON_VERSION=3.11

FROM python:${PYTHON_VERSION}-slim AS packages

RUN python -m venv /venv
COPY requirements.lock .
RUN /venv/bin/pip --disable-pip-version-check install --no-cache-dir --only-binary :all: --require-hashes -r requirements.lock


FROM python:${PYTHON_VERSION}-slim

ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=config.settings.production \
    MEDIA_ROOT=/srv/media \
    WEB_CONCURRENCY=2

# The number is fixed so that a shared media volume can be given to it on every host.
RUN useradd --uid 10001 --no-log-init --no-create-home --shell /usr/sbin/nologin aftermath \
    && install --directory --owner aftermath --group aftermath /srv/media

WORKDIR /srv/app
COPY --from=packages /venv /venv
COPY . .

# Settings refuse to load without these; the values are for this one command and stay nowhere.
RUN SECRET_KEY="$(python -c 'import secrets; print(secrets.token_hex(32))')" \
    ALLOWED_HOSTS=localhost \
    DATABASE_URL=postgres://nobody@127.0.0.1:1/none \
    REDIS_URL=redis://127.0.0.1:1/0 \
    python manage.py collectstatic --no-input

USER aftermath
VOLUME /srv/media
EXPOSE 8000

HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 CMD ["python", "bin/healthy.py"]

# WEB_CONCURRENCY is the number of processes; each of them answers with eight threads.
CMD ["gunicorn", "config.wsgi", "--config", "bin/gunicorn_settings.py"]
