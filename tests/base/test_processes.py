"""Work in several processes: what comes back, what does not, and that nothing stays behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rankeval.base import processes
from rankeval.base.processes import in_processes

resource = pytest.importorskip("resource", reason="Windows has no limits of this kind")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")

PATIENCE = 60
OPEN_FILES = Path("/proc/self/fd")


def square(number):
    return number * number


def has_children():
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


@pytest.mark.parametrize("n_tasks", [1, 2, 7, 100])
@pytest.mark.parametrize("n_processes", [1, 2, 5])
def test_every_task_is_done_once(n_tasks, n_processes):
    found = list(in_processes(square, n_tasks, n_processes))

    assert sorted(found) == [(number, square(number)) for number in range(n_tasks)]


def test_tasks_may_be_more_than_a_pipe_holds(monkeypatch):
    monkeypatch.setattr(processes, "MOST_SHARES", 7)

    found = dict(in_processes(square, 100, 3))

    assert found == {number: square(number) for number in range(100)}


def test_results_may_be_larger_than_a_pipe_holds():
    found = dict(in_processes(lambda number: bytes([number]) * 10_000_000, 4, 2))

    assert [len(found[number]) for number in range(4)] == [10_000_000] * 4
    assert set(found[3]) == {3}


def test_work_is_done_elsewhere():
    here = os.getpid()

    assert here not in dict(in_processes(lambda _: os.getpid(), 4, 2)).values()


@pytest.mark.parametrize("n_processes", [1, 3])
def test_what_fails_is_left_out_and_no_more_is_begun(n_processes):
    def work(number):
        if number == 5:
            raise ValueError(number)
        time.sleep(0.01)
        return number

    found = dict(in_processes(work, 200, n_processes))

    assert set(range(5)) <= found.keys()
    assert 5 not in found
    assert len(found) < 100


def test_a_result_that_cannot_be_sent_is_left_out():
    assert dict(in_processes(lambda number: lambda: number, 1, 1)) == {}


def test_what_a_process_took_with_it_is_left_out():
    def work(number):
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    found = dict(in_processes(work, 50, 2))

    assert found.keys() == set(range(50)) - {3}


def test_nothing_stays_behind():
    files = list(OPEN_FILES.iterdir())

    for _ in in_processes(square, 1000, 2):
        break
    list(in_processes(square, 10, 2))

    assert len(list(OPEN_FILES.iterdir())) == len(files)
    assert not has_children()


def test_a_process_that_ignores_its_children_gets_their_results():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert len(list(in_processes(square, 10, 2))) == 10
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_workers_ignore_what_their_command_ignores():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        found = dict(
            in_processes(
                lambda _: list(map(signal.getsignal, (signal.SIGHUP, signal.SIGINT))), 1, 1
            )
        )
    finally:
        signal.signal(signal.SIGHUP, before)

    assert found == {0: [signal.SIG_IGN, signal.SIG_DFL]}


def test_a_signal_that_comes_while_processes_are_made_is_not_lost(monkeypatch):
    fork = os.fork

    def interrupted():
        process = fork()
        if process:
            signal.raise_signal(signal.SIGINT)
        return process

    monkeypatch.setattr(os, "fork", interrupted)

    with pytest.raises(KeyboardInterrupt):
        list(in_processes(square, 10, 2))
    assert not has_children()


@pytest.mark.parametrize("n_files", range(9))
def test_where_no_more_files_may_be_open_processes_are_fewer(n_files):
    first_free = os.open(os.devnull, os.O_RDONLY)
    os.close(first_free)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (first_free + n_files, hard))
    try:
        found = dict(in_processes(square, 10, 4))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert len(found) in ((10,) if n_files > 5 else (0, 10))
    assert not has_children()


def test_where_no_process_can_be_made_nothing_is_done(monkeypatch):
    def refuse():
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)

    assert list(in_processes(square, 3, 2)) == []


SHARES = "from rankeval.base.processes import can_share; print(can_share())"


def test_a_process_with_another_thread_is_not_forked():
    thread = (
        "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()"
    )

    for code, said in (SHARES, b"True\n"), (f"{thread}; {SHARES}", b"False\n"):
        assert subprocess.check_output([sys.executable, "-c", code]) == said


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_command(tmp_path, number):
    """Workers whose command has gone end when they have nobody to tell of their run."""
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n")
    run = tmp_path / "0.run"
    run.write_text("".join(f"{t} Q0 d{d} 0 {d} t\n" for t in range(90) for d in range(999)))
    collections = (
        f'[collection.c{number}]\nqrels = "qrels.txt"\nruns = {{ a = "0.run" }}\n'
        for number in range(500)
    )
    (tmp_path / "many.toml").write_text("".join(collections))
    words = ["eval", "--collections", tmp_path / "many.toml", "--jobs", "3"]
    command = [sys.executable, "-m", "rankeval", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        until(lambda: len(members(process.pid)) == 4)
        process.send_signal(number)
        process.wait(PATIENCE)
        until(lambda: not members(process.pid))
    finally:
        if members(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
    assert process.returncode == (130 if number == signal.SIGINT else -number)


def until(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def members(group):
    """The living processes of a process group."""
    found = []
    for process in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = (
                process.read_text("utf-8", "replace").rpartition(")")[2].split()[:3]
            )
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(its_group) == group and state != "Z":
            found.append(process.parent.name)
    return found
