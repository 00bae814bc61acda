"""Work in threads: results in the order of the tasks, the first error first, nothing left open."""

import random
import threading
import time

import pytest

from rankeval.base.threads import in_order, usable_threads
from rankeval.errors import InputError


@pytest.mark.parametrize("jobs", [1, 2, 8])
@pytest.mark.parametrize("n_tasks", [0, 1, 3, 50])
def test_results_come_in_the_order_of_the_tasks(n_tasks, jobs):
    rng = random.Random(n_tasks)
    tasks = [(rng.choice((0, 0, 0.001, 0.003)), number) for number in range(n_tasks)]

    def work(pause, number):
        time.sleep(pause)
        return number

    assert list(in_order(work, iter(tasks), jobs)) == list(range(n_tasks))


class Tasks:
    """Tasks from what has to be closed, such as a file, of which one cannot be taken."""

    closed = False

    def __init__(self, wrong):
        self.wrong = wrong

    def __iter__(self):
        try:
            for number in range(1_000_000):
                if number == self.wrong:
                    raise InputError(f"task {number}")
                yield number, 0
        finally:
            self.closed = True


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize(
    ("wrong_work", "wrong_task", "told"),
    [(7, 99, "work 7"), (99, 7, "task 7"), (7, 8, "work 7"), (8, 7, "task 7"), (0, 0, "task 0")],
)
def test_the_first_error_is_raised_and_nothing_is_left_open(wrong_work, wrong_task, told, jobs):
    n_threads = threading.active_count()
    tasks, found = Tasks(wrong_task), []

    def work(number, _):
        time.sleep(0.002 * (number < wrong_work))  # later tasks are done first
        if number >= wrong_work:
            raise InputError(f"work {number}")
        return number

    with pytest.raises(InputError, match=f"^{told}$"):
        found.extend(in_order(work, iter(tasks), jobs))
    assert found == list(range(len(found)))
    assert len(found) <= min(wrong_work, wrong_task)
    assert tasks.closed
    assert threading.active_count() == n_threads


@pytest.mark.parametrize("n_used", [1, 4])
def test_whoever_stops_early_leaves_nothing_open(n_used):
    n_threads = threading.active_count()
    tasks = Tasks(-1)
    found = in_order(max, iter(tasks), 2)
    for _ in range(n_used):
        next(found)
    found.close()
    del found

    assert tasks.closed
    assert threading.active_count() == n_threads


def test_no_more_threads_are_started_than_are_of_use():
    assert usable_threads(10**30) == 256
    assert usable_threads(3) == 3
