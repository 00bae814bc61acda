"""Progress that is told: by loops, to this process, and to nobody else."""

import os
import sys
from contextvars import copy_context
from threading import Thread

import numpy as np
import pytest

from rankeval.base.threads import counted, listening, report_progress
from rankeval.stats import paired_test


def test_each_item_is_told_when_its_work_is_done():
    heard = []
    with listening(lambda *news: heard.append(news)):
        for number, _ in enumerate(counted("ab", "letters", 2)):
            assert heard == [("letters", 1, 2)] * number

    assert heard == [("letters", 1, 2), ("letters", 2, 2)]


def test_a_thread_in_the_same_context_tells_nobody():
    heard = []
    with listening(lambda *news: heard.append(news)):
        context = copy_context()
        thread = Thread(target=context.run, args=(report_progress, "letters", 1, 2))
        thread.start()
        thread.join()

    assert heard == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")
def test_a_forked_process_tells_nobody():
    with listening(lambda *_: os._exit(1)):
        child = os.fork()
        if not child:
            report_progress("letters", 1, 2)
            os._exit(0)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_draws_are_told_to_the_last_and_change_no_number(test):
    differences = np.random.default_rng(1).normal(size=300)
    alone = paired_test(differences, test=test, resamples=20_000, seed=3)
    heard = []

    with listening(lambda *news: heard.append(news)):
        found = paired_test(differences, test=test, resamples=20_000, seed=3)

    assert found == alone
    done = [done for _, done, _ in heard]
    assert done == sorted(done)
    assert heard[-1][1:] == (20_000, 20_000)
