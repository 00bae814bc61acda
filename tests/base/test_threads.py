"""Work in threads: results in the order of the tasks, the first error first, nothing left open."""

import gc
import random
import threading
import time

import pytest

from rankeval.base.threads import MOST_THREADS, in_order, usable_threads
from rankeval.errors import InputError


def numbered(n, step=1):
    """Tasks of two numbers."""
    return ((number, number + step) for number in range(n))


@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
@pytest.mark.parametrize("n_tasks", [0, 1, 2, 3, 50])
def test_results_come_in_the_order_of_the_tasks(n_tasks, jobs):
    rng = random.Random(n_tasks)
    pauses = [rng.choice((0, 0, 0.001, 0.003)) for _ in range(n_tasks)]

    def work(number, following):
        time.sleep(pauses[number])
        return number, following

    found = list(in_order(work, numbered(n_tasks), jobs))

    assert found == list(numbered(n_tasks))


def wrong_from(position, wrong_task):
    """Work that fails for some task and those after it, and tasks of which one cannot be taken."""

    def work(number, _):
        time.sleep(0.002 * (number < position))  # later tasks are done first
        if number >= position:
            raise InputError(f"work {number}")
        return number

    def tasks():
        for number, task in enumerate(numbered(30)):
            if number == wrong_task:
                raise InputError(f"task {number}")
            yield task

    return work, tasks()


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize(
    ("position", "wrong_task", "told"),
    [(7, 99, "work 7"), (99, 7, "task 7"), (7, 8, "work 7"), (8, 7, "task 7"), (0, 0, "task 0")],
)
def test_the_first_error_is_raised(position, wrong_task, told, jobs):
    found = []

    with pytest.raises(InputError, match=f"^{told}$"):
        found.extend(in_order(*wrong_from(position, wrong_task), jobs))
    assert found == list(range(len(found)))
    assert len(found) <= min(position, wrong_task)


class Tasks:
    """A million tasks from what has to be closed, such as a file."""

    def __init__(self):
        self.closed = False

    def __iter__(self):
        try:
            yield from numbered(1_000_000)
        finally:
            self.closed = True


@pytest.fixture
def tasks():
    """Tasks that are closed without the collector of garbage, and no thread goes on."""
    n_threads = threading.active_count()
    gc.disable()
    try:
        yield Tasks()
    finally:
        gc.enable()
    assert threading.active_count() == n_threads


@pytest.mark.parametrize("n_used", [0, 1, 4])
def test_whoever_stops_early_leaves_nothing_open(tasks, n_used):
    found = in_order(max, iter(tasks), 2)
    for _ in range(n_used):
        next(found)
    found.close()
    del found

    assert tasks.closed == (n_used > 0)


def test_an_error_leaves_nothing_open(tasks):
    def work(number, _):
        if number == 5:
            raise InputError("five")

    with pytest.raises(InputError, match="five") as told:
        list(in_order(work, iter(tasks), 2))
    del told

    assert tasks.closed


def test_no_more_threads_are_started_than_are_of_use():
    assert usable_threads(10**30) == MOST_THREADS
    assert usable_threads(3) == 3
