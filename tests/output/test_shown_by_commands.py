"""What every command returns shows itself, becomes frames and is saved."""

import json
from contextlib import suppress
from functools import partial

import pandas as pd
import pytest

import rankeval

QRELS = {q: {f"d{i}": (i * q) % 3 for i in range(6)} for q in range(1, 9)}
A = {q: {f"d{i}": float(i) for i in range(6)} for q in QRELS}
B = {q: {f"d{i}": float(-i) for i in range(6)} for q in QRELS}
BOTH = {"a": A, "b": B}
RESULTS = {
    "eval": partial(rankeval.evaluate, QRELS, BOTH, "AP"),
    "compare": partial(rankeval.compare, QRELS, {"a": A}, {"b": B}, "AP"),
    "gate": partial(rankeval.gate, QRELS, rankeval.Run(A, name="a"), {"b": B}, ["max-drop AP=50%"]),
    "topics": partial(rankeval.topics, QRELS, BOTH, "AP"),
    "systems": partial(rankeval.systems, QRELS, BOTH, "AP"),
    "judges": partial(rankeval.judges, [QRELS, {**QRELS, 1: {"d1": 2}}], BOTH, "AP"),
    "diff": partial(rankeval.diff, QRELS, A, B, "AP"),
    "explain": partial(rankeval.explain, QRELS, A, "1", "AP"),
    "pool": partial(rankeval.pool, BOTH, depth=3),
    "estimate": partial(
        rankeval.estimate, {q: QRELS[q] for q in (1, 2, 3)}, BOTH, "AP", machine=QRELS
    ),
}


@pytest.fixture(scope="module")
def results():
    found = {name: make() for name, make in RESULTS.items()}
    (found["explain"],) = found["explain"]
    return found


@pytest.mark.parametrize(
    "name", [name for name in RESULTS if name not in ("eval", "explain", "gate")]
)
def test_frames_have_the_rows_for_programs(results, name, tmp_path):
    frame = results[name].to_frame()
    results[name].save(tmp_path / "x.tsv")

    assert len(frame)
    assert [*frame.columns] == [*pd.read_csv(tmp_path / "x.tsv", sep="\t").columns]
    assert len(frame) == len(pd.read_csv(tmp_path / "x.tsv", sep="\t"))


@pytest.mark.parametrize("name", RESULTS)
def test_it_is_saved_in_the_format_of_the_suffix(results, name, tmp_path):
    results[name].save(tmp_path / "x.json")

    assert isinstance(json.loads((tmp_path / "x.json").read_text()), dict)
    for suffix, sign in {".tsv": "\t", ".csv": ",", ".tex": "&", ".md": "|"}.items():
        place = tmp_path / f"x{suffix}"
        with suppress(rankeval.UsageError):  # not every result has every format
            results[name].save(place)
        if place.exists():
            assert sign in place.read_text()
            assert not place.read_text().startswith("{")


@pytest.mark.parametrize("place", ["x", "x.xyz", "x.json.bak"])
@pytest.mark.parametrize("name", ["eval", "compare"])
def test_an_unknown_suffix_is_refused(results, tmp_path, name, place):
    with pytest.raises(rankeval.UsageError, match="does not name the output format"):
        results[name].save(tmp_path / place)
    assert not (tmp_path / place).exists()


def test_a_format_that_a_result_has_not_is_refused(tmp_path):
    (tmp_path / "a.qrels").write_text("1 0 d 1\n")
    (report,) = rankeval.check([str(tmp_path / "a.qrels")])

    with pytest.raises(rankeval.UsageError, match="this cannot be written as tsv"):
        report.save(tmp_path / "x.tsv")
    assert not (tmp_path / "x.tsv").exists()
