"""What was used in one process has the same values in another, whose hashes differ."""

import pickle
import subprocess
import sys

import pytest

import rankeval

QRELS = {"q1": {"d1": 1, "d2": 0, "7": 2}, "q2": {"d3": 1, "d1": 0}}
RUN = {"q1": {"d1": 0.1, "d2": 0.2, "7": 0.3, "x": 0.4}, "q2": {"d1": 2.0, "d3": 1.0}}
TOPK = rankeval.Run.from_topk([["d1", "x", "7"]], [[3.0, 2.0, 1.0]], topics=["q1"])
LINES = "".join(f"q1 Q0 d{number} 1 {9000 - number} t\n" for number in range(9000))

IN_ANOTHER = """
import pickle, sys
import rankeval
kept = pickle.load(sys.stdin.buffer)
for qrels, run in kept["pairs"]:
    print(rankeval.evaluate(qrels, run, "AP nDCG@10").to_dict())
print(kept["evaluator"].means(kept["run"]))
print(kept["results"].to_dict())
"""


@pytest.mark.parametrize("kernel", ["0", ""])
def test_used_values_have_the_same_values_in_another_process(tmp_path, kernel):
    (tmp_path / "qrels").write_text("".join(f"q1 0 d{n} {n % 3}\n" for n in range(0, 9000, 7)))
    (tmp_path / "run").write_text(LINES)
    (tmp_path / "large").write_text("".join(f"q1 0 d{n} {n % 3}\n" for n in range(90_000)))
    file = str(tmp_path / "run")
    pairs = [
        (rankeval.Qrels(QRELS), rankeval.Run(RUN)),
        (rankeval.Qrels(QRELS), TOPK),
        (rankeval.Qrels(tmp_path / "qrels"), file),
        (rankeval.Qrels(tmp_path / "qrels"), rankeval.Run(file, format="trec")),
        (rankeval.Qrels(tmp_path / "large"), file),
    ]
    expected = [rankeval.evaluate(*pair, "AP nDCG@10") for pair in pairs]
    evaluator = rankeval.Evaluator(QRELS, "AP nDCG@10")
    means = evaluator.means(RUN)
    kept = {"pairs": pairs, "evaluator": evaluator, "run": RUN, "results": expected[2]}

    ended = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER],
        input=pickle.dumps(kept),
        capture_output=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path), "RANKEVAL_KERNEL": kernel},
    )

    lines = [found.to_dict() for found in expected]
    assert ended.stdout.decode().splitlines() == list(map(str, [*lines, means, lines[2]]))
    assert lines[2]["t"]["AP"] > 0
