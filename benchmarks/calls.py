"""CPU time of calls on dictionaries of 1, 10 and 1,000 topics, beside pytrec_eval's.

    python -m benchmarks.calls [PROCESSES]

prints for each call the ratio to pytrec_eval's on the same dictionaries, whose topics have 100
documents and 50 judgments: the median, the least and the greatest of some processes, and the most
that the median may be. `evaluate` stands beside a call that makes pytrec_eval's evaluator, too,
which takes twice as long in some processes as in others, as they hash text; `Evaluator` stands
beside a call that reuses it.
"""

import json
import os
import subprocess
import sys
from functools import partial
from statistics import median

import pytrec_eval

import rankeval
from benchmarks.evaluator import (
    CANONICAL,
    OF_PYTREC_EVAL,
    Call,
    Qrels,
    Run,
    collection,
    evaluator,
    ratios,
)

TURNS = 5
ONE_PROCESS = "one-process"

AT_MOST = {
    "evaluate": (6.0, 2.0, 1.5),
    "evaluate, Qrels kept": (3.0, 1.0, 1.0),
    "Evaluator.per_topic": (2.7, 0.6, 0.4),
    "Evaluator.means": (2.7, 0.6, 0.4),
    "Evaluator.update and compute": (12.0, 2.5, 1.5),
}
"""The greatest ratios for 1, 10 and 1,000 topics."""


def calls(qrels: Qrels, run: Run) -> dict[str, tuple[Call, Call]]:
    """Return each call, and that of pytrec_eval which it stands beside."""
    kept, ours = rankeval.Qrels(qrels), rankeval.Evaluator(qrels, CANONICAL)
    reused = partial(evaluator(qrels), run)

    def anew() -> object:
        return pytrec_eval.RelevanceEvaluator(qrels, OF_PYTREC_EVAL).evaluate(run)

    def updated() -> object:
        ours.reset()
        for topic, ranking in run.items():
            ours.update([*ranking], [*ranking.values()], topics=topic)
        return ours.compute()

    return {
        "evaluate": (lambda: rankeval.evaluate(qrels, run, CANONICAL), anew),
        "evaluate, Qrels kept": (lambda: rankeval.evaluate(kept, run, CANONICAL), anew),
        "Evaluator.per_topic": (partial(ours.per_topic, run), reused),
        "Evaluator.means": (partial(ours.means, run), reused),
        "Evaluator.update and compute": (updated, reused),
    }


def ratios_here() -> dict[str, list[float]]:
    """Return the ratios of each call for 1, 10 and 1,000 topics."""
    found: dict[str, list[float]] = {name: [] for name in AT_MOST}
    for n_topics in (1, 10, 1_000):
        for name, (ours, other) in calls(*collection(n_topics, 50)).items():
            found[name].append(ratios(ours, other, TURNS, 300 // n_topics + 1)[0])
    return found


def main(processes: int) -> None:
    """Print the ratios of several processes."""
    every = [
        json.loads(
            subprocess.run(
                [sys.executable, "-m", "benchmarks.calls", ONE_PROCESS],
                env={**os.environ, "PYTHONHASHSEED": str(seed)},
                check=True,
                stdout=subprocess.PIPE,
            ).stdout
        )
        for seed in range(processes)
    ]
    print("topics call                         median  least greatest at most")
    for place, n_topics in enumerate((1, 10, 1_000)):
        for name, at_most in AT_MOST.items():
            found = sorted(of_process[name][place] for of_process in every)
            figures = f"{median(found):7.2f} {found[0]:6.2f} {found[-1]:8.2f} {at_most[place]:7.1f}"
            print(f"{n_topics:6} {name:28} {figures}")


if __name__ == "__main__":
    if sys.argv[1:] == [ONE_PROCESS]:
        print(json.dumps(ratios_here()))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 9)
