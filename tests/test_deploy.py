"""What is shipped: the image, the compose file, the example environment and the production settings."""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from tests import check_production
from tests.check_production import PROJECT, run

COMPOSE = PROJECT / "docker-compose.yml"
DOCKERFILE = (PROJECT / "Dockerfile").read_text()
SETTINGS = PROJECT / "config" / "settings"
LONG_RUNNING = {"web", "worker", "beat", "postgres", "redis"}
FILLED_IN = {
    "SECRET_KEY": "example-" * 8,
    "ALLOWED_HOSTS": "aftermath.example",
    "POSTGRES_PASSWORD": "example",
    "DATABASE_URL": "postgres://aftermath:example@postgres:5432/aftermath",
}


def variables_read_by(settings: Path) -> set[str]:
    """The names in calls of the forms env.something("NAME") and required("NAME")."""
    calls = [node for node in ast.walk(ast.parse(settings.read_text())) if isinstance(node, ast.Call) and node.args]
    asking = [call for call in calls if re.fullmatch(r"env(iron)?\.\w+|required", ast.unparse(call.func))]
    return {str(call.args[0].value) for call in asking if isinstance(call.args[0], ast.Constant)}


def example() -> dict[str, str]:
    lines = (PROJECT / ".env.example").read_text().splitlines()
    pairs = (line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return dict(pairs)


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())["services"]
    return found


# The example environment --------------------------------------------------------------------------


def test_env_example_names_every_variable_that_something_reads() -> None:
    in_settings = variables_read_by(SETTINGS / "base.py") | variables_read_by(SETTINGS / "production.py")
    in_compose = set(re.findall(r"\$\{([A-Z_]+)", COMPOSE.read_text()))
    in_image = set(re.findall(r"\b([A-Z_]+)=", DOCKERFILE))
    assert {"SECRET_KEY", "DATABASE_URL", "LOG_LEVEL", "PROXY_COUNT"} <= in_settings
    assert in_settings | in_compose <= example().keys()
    assert example().keys() <= in_settings | in_compose | in_image


def test_every_line_of_env_example_is_explained() -> None:
    blocks = (PROJECT / ".env.example").read_text().strip().split("\n\n")
    unexplained = [block for block in blocks if "=" in block and not block.startswith("# ")]
    assert unexplained == []


def test_env_example_holds_no_secret() -> None:
    assert example()["SECRET_KEY"] == example()["POSTGRES_PASSWORD"] == ""


def test_the_filled_in_example_starts() -> None:
    done = run("-c", "from django.conf import settings; settings.DEBUG", **(example() | FILLED_IN))
    assert done.stdout == ""
    assert done.returncode == 0


# The compose file ---------------------------------------------------------------------------------


def test_compose_has_the_whole_site() -> None:
    assert services().keys() == LONG_RUNNING | {"migrate"}


@pytest.mark.parametrize("name", sorted(LONG_RUNNING))
def test_a_service_is_watched_and_started_again(name: str) -> None:
    service = services()[name]
    assert service["healthcheck"]["test"]
    assert service["restart"] == "unless-stopped"


def test_migrate_runs_once() -> None:
    migrate = services()["migrate"]
    assert migrate["restart"] == "no"
    assert migrate["healthcheck"] == {"disable": True}
    assert migrate["command"][-1] == "python manage.py migrate --no-input && python manage.py load_packs"


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_our_services_wait_for_the_servers_and_the_migrations(name: str) -> None:
    assert services()[name]["depends_on"] == {
        "postgres": {"condition": "service_healthy"},
        "redis": {"condition": "service_healthy"},
        "migrate": {"condition": "service_completed_successfully"},
    }


@pytest.mark.parametrize("name", ["web", "worker", "beat", "migrate"])
def test_our_services_read_the_environment_file_and_nothing_else(name: str) -> None:
    assert services()[name]["env_file"] == ".env"
    assert "environment" not in services()[name]


def test_the_worker_serves_every_queue_that_a_task_is_sent_to() -> None:
    routes = re.findall(r'"queue": "(\w+)"', (SETTINGS / "base.py").read_text())
    served = next(part for part in services()["worker"]["command"] if part.startswith("--queues="))
    assert {"celery", *routes} == set(served.removeprefix("--queues=").split(","))


def test_compose_holds_no_password() -> None:
    for service in services().values():
        for variable, value in service.get("environment", {}).items():
            if re.search("PASSWORD|SECRET|TOKEN|KEY", variable):
                assert value.startswith("${")
    assert not re.search(r"://[^/\s]*:[^/\s]*@", COMPOSE.read_text())
    assert "requirepass" not in COMPOSE.read_text()


def test_data_outlives_the_containers() -> None:
    volumes = yaml.safe_load(COMPOSE.read_text())["volumes"].keys()
    mounted = {mount.split(":")[0] for service in services().values() for mount in service["volumes"]}
    assert mounted == volumes == {"postgres", "redis", "media"}
    assert "--appendonly" in services()["redis"]["command"]


def test_only_the_web_server_is_published_and_only_to_this_host() -> None:
    assert [name for name, service in services().items() if "ports" in service] == ["web"]
    assert services()["web"]["ports"] == ["${PUBLISH:-127.0.0.1:8000}:8000"]


def test_docker_accepts_the_compose_file(tmp_path: Path) -> None:
    docker = shutil.which("docker")
    if docker is None:
        pytest.skip("docker is not installed")
    if subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("this docker has no compose")
    shutil.copy(COMPOSE, tmp_path)
    lines = [f"{name}={value}" for name, value in (example() | FILLED_IN).items()]
    (tmp_path / ".env").write_text("\n".join(lines))
    command = [docker, "compose", "--project-directory", str(tmp_path), "config", "--format", "json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["services"].keys() == services().keys()


# The image ----------------------------------------------------------------------------------------


def test_the_image_runs_as_an_ordinary_user() -> None:
    users = re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE)
    assert users == ["aftermath"]
    assert re.search(r"useradd --uid [1-9]\d+ .*aftermath", DOCKERFILE)


def test_the_image_checks_its_health() -> None:
    check = re.search(r"^HEALTHCHECK .* CMD (.+)$", DOCKERFILE, re.MULTILINE)
    assert check is not None
    program = json.loads(check[1])[-1]
    assert (PROJECT / program).exists()


def test_the_image_installs_what_the_lock_says() -> None:
    assert re.search(r"pip .*--require-hashes -r requirements\.lock", DOCKERFILE)


def test_images_are_named_without_a_registry() -> None:
    named = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    named += re.findall(r"^ +image: (\S+)", COMPOSE.read_text(), re.MULTILINE)
    assert named
    assert [name for name in named if "/" in name] == []


def test_secrets_and_local_data_stay_out_of_the_image() -> None:
    ignored = (PROJECT / ".dockerignore").read_text().splitlines()
    assert {".env*", ".git", ".local", ".venv", "media"} <= set(ignored)


def test_the_web_server_accepts_its_settings() -> None:
    done = run("-m", "gunicorn", "--check-config", "--config", "bin/gunicorn_settings.py", "config.wsgi")
    assert done.returncode == 0, done.stdout


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """A web server: its port, and the names that it was asked by."""
    names: list[str] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            names.append(self.headers["Host"])
            self.send_response(200 if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with HTTPServer(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield str(server.server_port), names
        server.shutdown()


@pytest.mark.parametrize(
    ("hosts", "name"),
    [
        ("aftermath.example,www.aftermath.example", "aftermath.example"),
        (".aftermath.example", "aftermath.example"),
        ("*", "localhost"),
    ],
)
def test_the_health_check_asks_by_a_name_that_the_site_answers_to(
    asked: tuple[str, list[str]], hosts: str, name: str
) -> None:
    port, names = asked
    assert run("bin/healthy.py", port, ALLOWED_HOSTS=hosts).returncode == 0
    assert names == [name]


def test_the_health_check_fails_when_nobody_answers() -> None:
    done = run("bin/healthy.py", "1")
    assert done.returncode == 1
    assert done.stdout.startswith("/healthz does not answer: ")


# The production settings --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"SECRET_KEY": None}, "SECRET_KEY is not set: put a long random text there, and keep it. See .env.example."),
        (
            {"SECRET_KEY": "short"},
            "SECRET_KEY is shorter than 50 characters. See .env.example for how to make one.",
        ),
        (
            {"ALLOWED_HOSTS": None},
            "ALLOWED_HOSTS is not set: name the host names of the site, separated by commas. See .env.example.",
        ),
    ],
)
def test_production_refuses_to_start(changes: dict[str, str | None], sentence: str) -> None:
    done = run("manage.py", "check", **changes)
    assert done.returncode != 0
    assert done.stdout.splitlines()[-1].endswith(sentence)


def test_production_passes_djangos_deployment_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_production.main() == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_the_deployment_checks_notice_a_weak_setting() -> None:
    done = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", SECURE_SSL_REDIRECT="false")
    assert done.returncode != 0
    assert "security.W008" in done.stdout


ADDRESS = """
import django; django.setup()
from allauth.account.adapter import get_adapter
from axes.helpers import get_client_ip_address
from django.test import RequestFactory
request = RequestFactory().get("/", headers={"X-Forwarded-For": "203.0.113.9, 198.51.100.7, 192.0.2.5"})
print(get_client_ip_address(request), get_adapter().get_client_ip(request))
"""


@pytest.mark.parametrize(("proxies", "address"), [("0", "127.0.0.1"), ("1", "192.0.2.5"), ("2", "198.51.100.7")])
def test_sign_in_limits_count_by_the_address_in_front_of_our_proxies(proxies: str, address: str) -> None:
    done = run("-c", ADDRESS, PROXY_COUNT=proxies)
    assert done.stdout.split() == [address, address]


POOLER = """
from django.conf import settings
database = settings.DATABASES["default"]
print(database["DISABLE_SERVER_SIDE_CURSORS"], database["OPTIONS"]["prepare_threshold"])
"""


def test_a_pooler_switches_off_what_it_cannot_carry() -> None:
    assert run("-c", POOLER, DATABASE_POOLER="1").stdout.split() == ["True", "None"]
