"""Structured logs: one line an event, with the request it belongs to and nobody's personal data."""

import logging
import logging.config

import structlog

Event = structlog.typing.EventDict

PERSONAL = {"email", "login", "username", "ip_address", "password", "remote_addr", "name"}


def drop_personal_data(_: object, __: str, event: Event) -> Event:
    return {key: value for key, value in event.items() if key not in PERSONAL}


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
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
            "root": {"handlers": ["stderr"], "level": level},
            "loggers": {
                "django.server": {"handlers": [], "propagate": False},
                "axes": {"level": "ERROR"},
            },
        }
    )
