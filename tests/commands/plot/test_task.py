"""`rankeval.plot`: pictures from Python."""

import csv
import re

import pytest

import rankeval as rk
from rankeval.errors import UsageError
from tests.support import files
from tests.support.drawn_runs import QRELS, RUNS


@pytest.fixture(scope="module")
def results():
    return rk.evaluate(QRELS, RUNS, "nDCG@10 AP")


def test_a_forest_holds_differences_from_the_baseline_in_name(results):
    frame = rk.plot("forest", results, baseline="dense", measures="AP").to_frame()

    apart = dict(zip(frame["run"], frame["difference"], strict=True))
    assert apart == {
        name: pytest.approx(results[name]["AP"] - results["dense"]["AP"])
        for name in ("bm25", "hybrid")
    }
    assert {*frame["baseline"]} == {"dense"}


def test_runs_with_judgments_are_evaluated_for_what_the_kind_draws():
    picture = rk.plot("pr", QRELS, RUNS, topics="both")
    levels = rk.evaluate(QRELS, RUNS, "IPrec@0 IPrec@0.5")

    rows = {(row["run"], row["recall"]): row["IPrec"] for _, row in picture.to_frame().iterrows()}
    assert rows["bm25", 0.0] == pytest.approx(levels["bm25"]["IPrec@0"])
    assert rows["hybrid", 0.5] == pytest.approx(levels["hybrid"]["IPrec@0.5"])


def test_the_cutoffs_of_a_curve_may_be_chosen():
    frame = rk.plot("cutoff", QRELS, RUNS["bm25"], "P", cutoffs=[1, 3]).to_frame()

    assert sorted({*frame["cutoff"]}) == [1, 3]


def test_other_judgments_and_costs_are_values_in_memory(results):
    others = {**QRELS, "q0": {"d1": 0, "d4": 1}}
    slopes = rk.plot("slope", QRELS, RUNS, "AP", against_qrels=others)
    same = rk.plot("slope", results, measures="AP", against_qrels=rk.evaluate(others, RUNS, "AP"))
    spent = rk.plot("tradeoff", results, run_costs={"bm25": 1, "dense": 20, "hybrid": 3})

    assert slopes.to_frame().equals(same.to_frame())
    assert {*spent.to_frame()["cost"]} == {1.0, 20.0, 3.0}


def test_collections_stand_in_the_place_of_topics(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d7 1 2.0 x\nq1 Q0 d1 2 1.0 x\n")
    (tmp_path / "b.run").write_text("q1 Q0 d1 1 2.0 y\n")
    (tmp_path / "beir.toml").write_text(
        '[collection.a]\nqrels = "a.qrels"\nruns = { bm25 = "a.run", dense = "b.run" }\n'
    )
    found = rk.advanced.evaluate_collections("beir.toml", "RR")

    frame = rk.plot("heatmap", found).to_frame()

    assert dict(zip(frame["run"], frame["value"], strict=True)) == {"bm25": 0.5, "dense": 1.0}
    with pytest.raises(UsageError, match="'pr' draws the topics of one collection"):
        rk.plot("pr", found)


def test_a_picture_shows_itself(results):
    pytest.importorskip("matplotlib")
    picture = rk.plot("ci", results, size="column", title="Two measures", highlight=["bm25"])

    assert repr(picture).isascii()
    assert {"bm25", "dense", "hybrid"} <= {*re.findall(r"\w+", repr(picture))}
    assert picture._repr_html_().startswith("<svg")
    assert "<title>Two measures</title>" in picture.to_svg()
    assert picture.figure().get_size_inches()[0] == pytest.approx(3.33)


def test_a_picture_is_saved_as_its_suffix_says(results, tmp_path):
    pytest.importorskip("matplotlib")
    picture = rk.plot("box", results, measures="AP")
    for name in ("a.png", "a.svg", "a.pdf", "a.csv", "a.json"):
        picture.save(tmp_path / name)

    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert (tmp_path / "a.pdf").read_bytes()[:5] == b"%PDF-"
    rows = csv.DictReader((tmp_path / "a.csv").read_text().splitlines())
    assert [row["run"] for row in rows] == [*RUNS]
    assert '"kind":"box"' in (tmp_path / "a.json").read_text().replace(" ", "")


def test_the_command_writes_the_same_bytes(shell):
    pytest.importorskip("matplotlib")
    shell.write(qrels=files.QRELS, bm25=files.BM25, dense=files.DENSE)
    words = ["plot", "box", "qrels.txt", "bm25.txt", "dense.txt", "-m", "AP"]
    written = shell(*words, "-o", "of_command.svg", "--size", "column")
    assert written.code == 0, written.err

    runs = [str(shell.path(f"{name}.txt")) for name in ("bm25", "dense")]
    picture = rk.plot("box", str(shell.path("qrels.txt")), runs, "AP", size="column")
    picture.save(shell.path("a.svg"))

    assert shell.path("a.svg").read_bytes() == shell.path("of_command.svg").read_bytes()


@pytest.mark.parametrize(
    ("words", "keywords", "message"),
    [
        (["forst"], {}, "'forst'"),
        (["box"], {"baseline": "no"}, "no run is named 'no'"),
        (["box"], {"topics": "both"}, "topics is given with results"),
        (["box"], {"runs": RUNS}, "runs is given with results"),
        (["box"], {"cutoffs": [1]}, "--cutoffs is for 'cutoff', and this is 'box'"),
        (["box"], {"style": "blue"}, "'blue'"),
        (["box"], {"top": 0}, "--top 0 leaves too few runs"),
        (["box"], {"sort": "best"}, "'best'"),
    ],
)
def test_errors_name_the_option_that_is_wrong(results, words, keywords, message):
    with pytest.raises(UsageError) as refused:
        rk.plot(*words, results, **keywords)

    assert message in str(refused.value)


def test_judgments_without_runs_are_no_results():
    with pytest.raises(UsageError, match="there is no run to draw"):
        rk.plot("box", QRELS)


def test_without_a_kind_runs_are_compared_and_one_run_has_its_interval(results, tmp_path):
    runs = {"a": RUNS["bm25"], "b": RUNS["dense"]}

    assert rk.plot(results).kind == "forest"
    assert rk.plot(QRELS, runs, "AP").kind == "forest"
    assert rk.plot(QRELS, runs["a"], "AP").kind == "ci"
    rk.Qrels(QRELS).save(tmp_path / "one.qrels")
    assert rk.plot(str(tmp_path / "one.qrels"), runs, measures="AP").kind == "forest"
