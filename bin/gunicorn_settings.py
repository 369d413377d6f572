"""gunicorn in the container: its address and patience, and its own lines in the JSON of all others."""

import os
from typing import Any

from config.logs import configure_logging

bind = "0.0.0.0:8000"
threads = 8
timeout = 60
graceful_timeout = 30
max_requests = 2000
max_requests_jitter = 200
worker_tmp_dir = "/dev/shm"  # noqa: S108  # a disk that is slow to answer would look like a hung process
control_socket_disable = True
errorlog = os.devnull

configure_logging(json=True, level=os.environ.get("LOG_LEVEL", "INFO"))


def on_starting(server: Any) -> None:
    server.log.error_log.propagate = True
