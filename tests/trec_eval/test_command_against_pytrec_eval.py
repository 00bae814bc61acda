"""trec_eval 9 as pytrec_eval embeds it, on generated qrels and runs: the same printed digits.

300 pairs are compared; RANKEVAL_PAIRS=10000 in the environment compares as many.
"""

import math
import os
import random

import pytest

from tests.support.trec_eval_running import trec_eval, values

pytrec_eval = pytest.importorskip("pytrec_eval")


PAIRS = int(os.environ.get("RANKEVAL_PAIRS", "300"))
BATCH = 50
NOT_A_NUMBER = {"runid", "relstring"}
SUMS = {"num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"}

DOCNOS = [f"d{i}" for i in range(30)] + ["D1", "a", "z9", "doc-10", "doc-9", "é", "_", "00", "0"]


def score(source, kind):
    match kind:
        case "ties":
            return float(source.randrange(4))
        case "close":  # in 24 bits some of these are equal
            return 1.0 + source.randrange(8) * 2**-25
        case "huge":
            return source.choice([1e300, 1e39, 3.4e38, 3.402823567e38, -1e308, 2.0, -1e39])
        case "tiny":
            return source.choice([1e-46, 1e-45, 5e-324, 0.0, -0.0, -1e-45, 1e-38, 1e-320])
    return source.uniform(-30, 30)


def pair(source):
    """Qrels and a run as dictionaries; some topics are in only one of them."""
    topics = [str(number) for number in source.sample(range(1, 30), source.randint(1, 6))]
    highest = source.choice([1, 1, 2, 4, 12])
    lowest = source.choice([0, 0, -1, -2])
    kind = source.choice(["ties", "close", "huge", "tiny", "any", "any"])
    qrels, run = {}, {}
    for topic in topics:
        judged = source.sample(DOCNOS, source.randint(1, 25))
        qrels[topic] = {docno: source.randint(lowest, highest) for docno in judged}
        qrels[topic][judged[0]] = source.randint(0, highest)
    for topic in [t for t in topics if source.random() < 0.8] + ["99"]:
        found = source.sample(DOCNOS, source.randint(1, len(DOCNOS)))
        run[topic] = {docno: score(source, kind) for docno in found}
    return qrels, run


def written(path, rows):
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def shown(value):
    return "  -nan" if math.isnan(value) else f"{value:6.4f}"


def expected_lines(qrels, run, level, *, judged_only):
    """{(measure, topic): printed value}, the means of all topics among them."""
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels,
        pytrec_eval.supported_measures,
        relevance_level=level,
        judged_docs_only_flag=judged_only,
    )
    found = evaluator.evaluate(run)
    topics = sorted(found)
    lines = {}
    for name in found[topics[0]] if topics else ():
        if name in NOT_A_NUMBER or (name == "num_rel" and level != 1):
            continue  # its num_rel does not look at the level
        column = [found[topic][name] for topic in topics]
        total = 0.0
        for value in column:
            total += value
        if name in SUMS or name == "num_q":
            lines[name, "all"] = f"{total:.0f}"
        elif name.startswith("gm_"):
            lines[name, "all"] = f"{math.exp(total / len(topics)):6.4f}"
        else:
            lines[name, "all"] = shown(total / len(topics))
        if not name.startswith("gm_") and name != "num_q":
            lines |= {
                (name, topic): f"{value:.0f}" if name in SUMS else shown(value)
                for topic, value in zip(topics, column, strict=True)
            }
    return lines


@pytest.mark.parametrize("batch", range(-(-PAIRS // BATCH)))
def test_every_value_is_that_of_pytrec_eval(batch, tmp_path):
    source = random.Random(batch)
    for _ in range(BATCH):
        qrels, run = pair(source)
        level = source.choice([1, 1, 1, 2, 3])
        judged_only = source.random() < 0.2
        judgments = [(t, d, grade) for t, docs in qrels.items() for d, grade in docs.items()]
        results = [(t, d, value) for t, docs in run.items() for d, value in docs.items()]
        source.shuffle(results)

        done = trec_eval(
            *("--as", "9", "-q", "-l", level, *(["-J"] if judged_only else [])),
            *(word for name in sorted(pytrec_eval.supported_measures) for word in ("-m", name)),
            written(tmp_path / "qrels", [f"{t} 0 {d} {g}" for t, d, g in judgments]),
            written(tmp_path / "run", [f"{t} Q0 {d} 0 {v!r} tag" for t, d, v in results]),
        )

        expected = expected_lines(qrels, run, level, judged_only=judged_only)
        assert done.status == (0 if expected else 7)
        printed = values(done)
        assert {key: printed.get(key) for key in expected} == expected
