"""Structured logs: one line an event, with the request it belongs to and nobody's personal data."""

import logging
import logging.config

import structlog

Event = structlog.typing.EventDict

PERSONAL = {"email", "login", "username", "ip_address", "password", "remote_addr", "name"}


def drop_personal_data(_: object, __: str, event: Event) -> Event:
    return {key: value for key, value in event.items() if key not in PERSONAL}


class WithoutPaths(logging.Filter):
    """Django names the address of a failed request, which may hold a secret link; the route is logged anyway."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith(("django.request", "django.security")) and record.args:
            record.msg, record.args = record.msg.partition(":")[0], tuple(record.args)[:1]
        return True


def configure_logging(*, json: bool, level: str) -> None:
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        drop_personal_data,
    ]
    renderer: structlog.typing.Processor = structlog.dev.ConsoleRenderer(colors=False)
    if json:
        renderer = structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "structured": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": shared,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        structlog.processors.format_exc_info,
                        renderer,
                    ],
                }
            },
            "filters": {"without_paths": {"()": WithoutPaths}},
            "handlers": {
                "stderr": {
                    "class": "logging.StreamHandler",
                    "formatter": "structured",
                    "filters": ["without_paths"],
                }
            },
            "root": {"handlers": ["stderr"], "level": level},
            "loggers": {
                "django.server": {"handlers": [], "propagate": False},
                "django.request": {"level": "ERROR"},
                "axes": {"level": "ERROR"},
            },
        }
    )
