import pytest

from config.embedded.errors import ServiceError
from config.embedded.reachable import check_postgres, check_redis

NOWHERE = "127.0.0.1:9"


@pytest.mark.parametrize(
    "url", ["localhost/aftermath", "mysql://localhost/aftermath", "postgres://h:99999999/x", "nonsense"]
)
def test_a_malformed_database_url_is_named(url: str) -> None:
    with pytest.raises(ServiceError, match="DATABASE_URL is no address"):
        check_postgres(url)


def test_an_unreachable_database_is_named_without_its_password() -> None:
    with pytest.raises(ServiceError, match=f"PostgreSQL at {NOWHERE} .DATABASE_URL. cannot be used") as refusal:
        check_postgres(f"postgres://someone:secret@{NOWHERE}/aftermath")
    assert "secret" not in str(refusal.value)
    assert "unset it to use the embedded one" in str(refusal.value)


def test_an_unreachable_redis_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.embedded.reachable.PATIENCE", 0.2)
    with pytest.raises(ServiceError, match=f"Redis at {NOWHERE} .REDIS_URL. cannot be used"):
        check_redis(f"redis://:secret@{NOWHERE}/0")


def test_no_address_means_nothing_to_check() -> None:
    check_postgres(None)
    check_redis("")
