"""Compare rankeval's forked workers with a forked ProcessPoolExecutor.

Run it with `python -m benchmarks.worker_pools`.

Each figure comes from processes of their own, the two pools in turn. The work is that of scoring
small runs: a function of data that was loaded before, which gives some values by topic.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.processes import compare

POOLS = ("forked", "executor")
PROCESSES = 2
TASKS = 100
REPEAT = 15
SETTLED = 1.0
"""Seconds after which processes that are going to end have ended."""

DATA = np.random.default_rng(1).random(2_000_000)
Work = Callable[[int], object]
_work: Work


def values_by_topic(number: int) -> object:
    """Take some milliseconds, and return fifty values for each of ten measures."""
    return np.sort(DATA[number * 1000 : number * 1000 + 100_000])[:500].reshape(10, 50)


def killed(number: int) -> object:
    """End the process of one task."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def slow(number: int) -> object:
    """Work so long that a signal comes in between."""
    time.sleep(0.2)
    return number


def call(number: int) -> tuple[int, object]:
    """Do the work that the process inherited: functions within others cannot be pickled."""
    return number, _work(number)


def results(pool: str, work: Work, n_tasks: int) -> Iterator[tuple[int, object]]:
    """Yield the results of one of the pools as they come."""
    if pool == "forked":
        from rankeval.base.processes import in_processes

        yield from in_processes(work, n_tasks, PROCESSES)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    global _work  # noqa: PLW0603  inherited by the workers
    _work = work
    with ProcessPoolExecutor(PROCESSES, get_context("fork")) as executor:
        futures = [executor.submit(call, number) for number in range(n_tasks)]
        for future in as_completed(futures):
            yield future.result()


WORKS = {"values": values_by_topic, "killed": killed, "slow": slow}


def child(pool: str, work: str, n_tasks: int) -> None:
    """Be one process of the comparison: print how many results came, and the error if one did."""
    found = 0
    try:
        for _ in results(pool, WORKS[work], n_tasks):
            found += 1
    except Exception as error:  # noqa: BLE001  it is what is measured
        print(f"{found} of {n_tasks} results, then {type(error).__name__}")
    else:
        print(f"{found} of {n_tasks} results")


def command(pool: str, work: str, n_tasks: int) -> Sequence[str]:
    """Return the command line of such a process."""
    return [sys.executable, "-m", "benchmarks.worker_pools", pool, work, str(n_tasks)]


def after_signal(pool: str, number: signal.Signals) -> str:
    """Send a signal while workers work; tell the seconds to the end, and what is left."""
    process = subprocess.Popen(
        command(pool, "slow", 50),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(3 * SETTLED)
    started = time.perf_counter()
    if number == signal.SIGINT:  # as Ctrl-C does
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    process.wait()
    took = time.perf_counter() - started
    time.sleep(SETTLED)
    left = members(process.pid)
    if left:
        os.killpg(process.pid, signal.SIGKILL)
    _, errors = process.communicate()
    lines = len(errors.splitlines())
    return f"ended after {took:.2f} s, {left} workers left, {lines} lines on stderr"


def members(group: int) -> int:
    """Count the living processes of a process group."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text("utf-8", "replace").rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        found += int(its_group) == group and state != "Z"
    return found


def main() -> None:
    """Print the figures."""
    for n_tasks in (2, TASKS):
        found = compare(
            {pool: command(pool, "values", n_tasks) for pool in POOLS},
            against="executor",
            repeat=REPEAT,
        )
        for pool, figures in found.items():
            print(
                f"{n_tasks} tasks, {pool}: {figures.wall:.3f} s, CPU {figures.cpu:.3f} s, peak "
                f"{figures.peak:.1f} MiB; wall {figures.wall_ratio:.3f} and peak "
                f"{figures.peak_ratio:.3f} of the executor's"
            )
    for pool in POOLS:
        said = subprocess.run(
            command(pool, "killed", 50), capture_output=True, text=True, check=True
        ).stdout.strip()
        print(f"a worker is killed, {pool}: {said}")
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGKILL:
        for pool in POOLS:
            print(f"{number.name}, {pool}: {after_signal(pool, number)}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        child(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    else:
        main()
