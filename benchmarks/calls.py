"""CPU time of calls on dictionaries of 1, 10 and 1,000 topics, beside pytrec_eval's.

    python -m benchmarks.calls [TURNS]

prints for each call the ratio to pytrec_eval's on the same dictionaries: its median over paired
turns, that of the quickest turns, and the most that it may be. Topics have 100 documents and 50
judgments. `evaluate` stands beside a call that makes pytrec_eval's evaluator, too, `Evaluator`
beside one that reuses it.
"""

import sys
from functools import partial

import pytrec_eval

import rankeval
from benchmarks.evaluator import (
    CANONICAL,
    OF_PYTREC_EVAL,
    OF_TREC_EVAL,
    Call,
    Qrels,
    Run,
    collection,
    evaluator,
    ratios,
)

AT_MOST = {
    "evaluate": {1: 6.0, 10: 2.0, 1_000: 1.5},
    "evaluate, Qrels kept": {1: 3.0, 10: 1.0, 1_000: 1.0},
    "Evaluator.per_topic": {1: 2.7, 10: 0.6, 1_000: 0.4},
    "Evaluator.means": {1: 2.7, 10: 0.6, 1_000: 0.4},
    "update and compute": {1: 20.0, 10: 3.0, 1_000: 2.0},
}


def calls(qrels: Qrels, run: Run, measures: str) -> dict[str, tuple[Call, Call]]:
    """Return each call, and that of pytrec_eval it stands beside."""
    kept, ours = rankeval.Qrels(qrels), rankeval.Evaluator(qrels, measures)
    reused = partial(evaluator(qrels), run)

    def anew() -> object:
        return pytrec_eval.RelevanceEvaluator(qrels, OF_PYTREC_EVAL).evaluate(run)

    def updated() -> object:
        ours.reset()
        for topic, ranking in run.items():
            ours.update([*ranking], [*ranking.values()], topics=topic)
        return ours.compute()

    return {
        "evaluate": (lambda: rankeval.evaluate(qrels, run, measures), anew),
        "evaluate, Qrels kept": (lambda: rankeval.evaluate(kept, run, measures), anew),
        "Evaluator.per_topic": (partial(ours.per_topic, run), reused),
        "Evaluator.means": (partial(ours.means, run), reused),
        "update and compute": (updated, reused),
    }


def main(turns: int) -> None:
    """Print the ratios."""
    print("topics names      call                  median quickest at most")
    for n_topics in (1, 10, 1_000):
        qrels, run = collection(n_topics, 50)
        times = 300 // n_topics + 1
        for names, measures in ("canonical", CANONICAL), ("trec_eval", OF_TREC_EVAL):
            for call, (ours, other) in calls(qrels, run, measures).items():
                median, quickest = ratios(ours, other, turns, times)
                figures = f"{median:7.2f} {quickest:8.2f} {AT_MOST[call][n_topics]:7.1f}"
                print(f"{n_topics:6} {names:10} {call:20} {figures}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 15)
