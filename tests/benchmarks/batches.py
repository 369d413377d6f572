"""Many battles in one action: against their rows alone, with two workers, and ten times as many.

`python -m tests.benchmarks.batches BATCH` is a worker: it resolves what a batch has left, and says how long that took
and how much memory. With BENCH_LARGE=1 ten thousand battles are measured too.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.benchmarks.measure import Measurement

ROUNDS, EACH = 8, 8
FEW, SHARED, MANY, LARGE = 100, 400, 1_000, 10_000
TURNS = 3
PROJECT = Path(__file__).resolve().parents[2]


def measurements() -> "Iterator[Measurement]":
    yield _against_its_rows()
    yield from _with_two_workers()
    yield from _ten_times_as_many()


def _start(count: int) -> int:
    from campaigns.services.start_batch import start_batch
    from tests.benchmarks.many_battles import many_battles

    return start_batch(actor=None, campaign=many_battles(count), send=False).pk


def _against_its_rows() -> "Measurement":
    """Some battles, then their rows again, in turns."""
    from campaigns.services.resolve_item import resolve_next
    from tests.benchmarks.measure import weigh
    from tests.benchmarks.rewriting import (
        forget,
        is_as_before,
        last_keys,
        transaction_number,
        write_again,
        written_since,
    )

    batch = _start(ROUNDS * EACH + EACH)
    for _number in range(EACH):
        resolve_next(batch=batch)
    times, floors = [], []
    for _round in range(ROUNDS):
        done = []
        for _number in range(EACH):
            before, first = last_keys(), transaction_number()
            began = time.perf_counter()
            resolve_next(batch=batch)
            times.append(time.perf_counter() - began)
            done.append(written_since(first, transaction_number(), before))
        for written in done:
            forget(written)
            began = time.perf_counter()
            write_again(written)
            floors.append(time.perf_counter() - began)
            assert is_as_before(written), "the floor did not write what the battle wrote"
    return weigh("a battle resolved over its rows alone", 1000 * median(times), 1000 * median(floors), 2, "ms")


def _with_two_workers() -> "Iterator[Measurement]":
    """As many battles for one worker and for two, in turns, and what Postgres takes of the machine meanwhile.

    The best of each counts: whatever else runs here takes a core from two workers sooner than from one.
    """
    from tests.benchmarks.measure import weigh

    turns = [(_worked(_start(SHARED), 1)[0], _worked(_start(SHARED), 2)) for _turn in range(TURNS)]
    alone, (together, share) = min(one for one, _two in turns), min(two for _one, two in turns)
    yield weigh(f"{SHARED} battles with two workers over one", together, alone, 1 / 1.5, "s")
    yield weigh("share of Postgres of all that was worked by two", share, 1, 1, "of 1")


def _ten_times_as_many() -> "Iterator[Measurement]":
    """Work is the processor time of the worker and of Postgres. Few are tried before and after: loads change."""
    from tests.benchmarks.measure import weigh

    for count in (MANY, LARGE) if os.environ.get("BENCH_LARGE") else (MANY,):
        before, many, after = _one_worker(FEW), _one_worker(count), _one_worker(FEW)
        few = {name: (before[name] + after[name]) / 2 for name in before}
        yield weigh(f"time for each of {count:,} battles over {FEW}", many["seconds"], few["seconds"], 1.2, "ms")
        yield weigh(f"work for each of {count:,} battles over {FEW}", many["worked"], few["worked"], 1.2, "ms")
        yield weigh(f"memory for {count:,} battles over {FEW}", many["megabytes"], few["megabytes"], 1.2, "MB")


# Workers in processes of their own --------------------------------------------------------------------


def _one_worker(count: int) -> dict[str, float]:
    """For so many battles: milliseconds for each, of them processor time, and the memory of the worker."""
    batch, database = _start(count), _postgres_seconds()
    told = _told(_worker(batch))
    worked = told["worked"] + _postgres_seconds() - database
    each = {"seconds": 1000 * told["seconds"] / count, "worked": 1000 * worked / count}
    return told | each


def _worked(batch: int, workers: int) -> tuple[float, float]:
    """Seconds from the moment when all are ready to the last battle, and the share of Postgres of the work.

    Each says how long it had battles to resolve; that a process takes a while to end is no part of it.
    """
    running = [_worker(batch, waits=True) for _number in range(workers)]
    for one in running:
        assert one.stdout is not None
        one.stdout.readline()
    database = _postgres_seconds()
    for one in running:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    told = [_told(one) for one in running]
    own, theirs = sum(one["worked"] for one in told), _postgres_seconds() - database
    return max(one["seconds"] for one in told), theirs / (own + theirs)


def _worker(batch: int, waits: bool = False) -> subprocess.Popen[str]:
    from django.db import connection

    where = connection.settings_dict
    address = f"postgres://{where['USER']}:{where['PASSWORD']}@{where['HOST']}:{where['PORT']}/{where['NAME']}"
    command = [sys.executable, "-m", "tests.benchmarks.batches", str(batch), *(["waits"] if waits else [])]
    environment = os.environ | {"DATABASE_URL": address}
    return subprocess.Popen(
        command, cwd=PROJECT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def _told(worker: subprocess.Popen[str]) -> dict[str, float]:
    out, _err = worker.communicate()
    if worker.returncode:
        raise RuntimeError(f"a worker ended with {worker.returncode}")
    found: dict[str, float] = json.loads(out.splitlines()[-1])
    return found


def _postgres_seconds() -> float:
    """Processor time of the server on this machine: itself, its processes, and those that have ended."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = _stat(cursor.fetchone()[0])[1]
    ticks = sum(_stat(server)[11:15])
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            stat = _stat(int(folder.name))
            ticks += sum(stat[11:13]) if stat[1] == server else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def _stat(process: int) -> list[int]:
    """The numbers of /proc/PID/stat after its name and state; zeros for one that has ended meanwhile."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return [0] * 20
    return [0, *map(int, fields[1:20])]


def _most_memory() -> float:
    """Megabytes of this program at its largest. What `getrusage` tells began with whoever started it."""
    (line,) = (row for row in Path("/proc/self/status").read_text().splitlines() if row.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def work(batch: int, waits: bool) -> None:
    import django

    django.setup()
    from campaigns.services.resolve_item import resolve_next
    from rules.library import pack

    pack()
    if waits:
        print("ready", flush=True)
        sys.stdin.readline()
    began, worked = time.perf_counter(), time.process_time()
    count = 0
    while resolve_next(batch=batch):
        count += 1
    told = {
        "battles": count,
        "seconds": time.perf_counter() - began,
        "worked": time.process_time() - worked,
        "megabytes": _most_memory(),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    work(int(sys.argv[1]), "waits" in sys.argv)
