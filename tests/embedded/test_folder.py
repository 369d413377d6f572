import multiprocessing
import os
import shutil
import signal
from pathlib import Path
from typing import NamedTuple

import pytest

from config.embedded.errors import ServiceError
from config.embedded.folder import DataFolder, InUse


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFTERMATH_DATA", str(tmp_path))
    return tmp_path


def test_a_folder_that_cannot_be_made_is_refused_with_a_way_out(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / "file").write_text("in the way")
    monkeypatch.setenv("AFTERMATH_DATA", str(data / "file"))
    with pytest.raises(ServiceError, match=r"cannot be written .* set AFTERMATH_DATA to another folder"):
        DataFolder("site").prepare()


def test_a_read_only_folder_is_refused() -> None:
    """A folder below /proc cannot be written by anybody, root included."""
    folder = DataFolder("site")
    folder.path = Path("/proc/1/aftermath")
    folder.logs = folder.path / "logs"
    with pytest.raises(ServiceError, match="cannot be written"):
        folder.prepare()


def test_a_full_disk_is_refused_before_a_server_breaks_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        total: int
        used: int
        free: int

    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9, 5 * 2**20))
    with pytest.raises(ServiceError, match="has 5 MB left and the embedded servers need 300"):
        DataFolder("site").prepare()


def test_a_second_holder_is_told_where_the_first_one_answers() -> None:
    folder = DataFolder("site")
    with folder.held():
        folder.write_note(site="http://localhost:8000")
        with pytest.raises(InUse, match="already running at http://localhost:8000"), DataFolder("site").held():
            pass


def _hold_and_die() -> None:
    DataFolder("site").held().__enter__()
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_holder_lets_go() -> None:
    holder = multiprocessing.get_context("fork").Process(target=_hold_and_die)
    holder.start()
    holder.join()
    assert holder.exitcode == -9
    with DataFolder("site").held():
        pass


def test_a_secret_is_made_once_and_kept_private() -> None:
    folder = DataFolder("site")
    folder.prepare()
    first = folder.secret("redis")
    assert folder.secret("redis") == first
    assert len(first) >= 24
    assert (folder.path / "redis.secret").stat().st_mode & 0o777 == 0o600
