"""Likely mistakes: names that differ from judged ones by their spelling, and scores upside down."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankeval
from tests.support.commands import run_command

# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize("read", ["eval", "check"])
@pytest.mark.parametrize(
    ("judgment", "line", "how"),
    [
        ("007 0 a 1\n", b"7 Q0 a 1 2 t\n", "leading zeros or .0"),
        ("301 0 a 1\n", b"301.0 Q0 a 1 2 t\n", "leading zeros or .0"),
        ("Zürich 0 a 1\n", "Zürich Q0 a 1 2 t\n".encode("latin-1"), "encoding"),
        ("301 0 0012 1\n", b"301 Q0 12 1 2 t\n", "leading zeros or .0"),
        ("301 0 Zürich 1\n", "301 Q0 Zürich 1 2 t\n".encode("latin-1"), "encoding"),
    ],
)
def test_eval_and_check_say_why_nothing_matches(tmp_path, monkeypatch, read, judgment, line, how):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(judgment)
    (tmp_path / "run").write_bytes(line)

    done = run_command([read, "qrels", "run"])

    assert f"differ by {how}" in done.stdout + done.stderr
    assert done.code == 0 or read == "check" or "'rankeval check' describes both" in done.stderr


# --- scores -----------------------------------------------------------------------------------

QRELS = {"1": {"a": 1, "b": 1}, "2": {"a": 2, "c": 0}}
RANKED = {"1": "abwxyz", "2": "acuvw"}
NOTE = "the highest score counts as the best"


def lines(sign, *, ranks=True):
    return "".join(
        f"{topic} Q0 {docno} {rank if ranks else 0} {sign * (10 - rank)} t\n"
        for topic, docnos in RANKED.items()
        for rank, docno in enumerate(docnos, 1)
    )


def notes(path, **conventions):
    found = rankeval.evaluate(QRELS, path, "nDCG@10", **conventions).runs[0]
    return [warning.partition(",")[0] for warning in found.warnings if NOTE in warning]


@pytest.mark.parametrize("ranks", [True, False])
def test_scores_of_which_low_ones_are_best_are_told(tmp_path, ranks):
    path = tmp_path / "run"
    said = "ranks contradict scores (see --order rank)" if ranks else "scores rise down the file"

    path.write_text(lines(1, ranks=ranks))
    assert notes(path) == []
    path.write_text(lines(-1, ranks=ranks))
    assert notes(path) == [said]
    assert notes(path, order="rank") == [] if ranks else True


def test_lines_from_the_last_rank_to_the_first_are_no_mistake(tmp_path):
    path = tmp_path / "run"
    path.write_text("".join(reversed(lines(1).splitlines(keepends=True))))

    assert notes(path) == []


@pytest.mark.parametrize("form", ["mapping", "frame", "json"])
def test_distances_in_other_forms_are_told(tmp_path, form):
    distances = {t: {d: r / 7 for r, d in enumerate(docnos)} for t, docnos in RANKED.items()}
    rows = [(t, d, r) for t, found in distances.items() for d, r in found.items()]
    runs = {
        "mapping": distances,
        "frame": pd.DataFrame(rows, columns=["topic", "docno", "score"]),
        "json": tmp_path / "run.json",
    }
    runs["json"].write_text(str(distances).replace("'", '"'))

    assert notes(runs[form]) == ["scores rise down the file"]


@settings(max_examples=30)
@given(st.permutations(range(12)), st.integers(1, 11))
def test_a_run_whose_ranks_follow_its_scores_has_no_note(tmp_path_factory, scores, n_relevant):
    """However bad the ranking is, and in whatever order its lines are."""
    path = tmp_path_factory.mktemp("runs") / "run"
    ranks = np.argsort(np.argsort([-score for score in scores])) + 1
    path.write_text(
        "".join(
            f"1 Q0 d{i} {rank} {score} t\n"
            for i, (rank, score) in enumerate(zip(ranks, scores, strict=True))
        )
    )
    qrels = {"1": {f"d{i}": 1 for i in range(n_relevant)}}

    found = rankeval.evaluate(qrels, path, "AP").runs[0]

    assert not any(NOTE in warning for warning in found.warnings)
