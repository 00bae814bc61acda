"""Two names of one measure: both are in the results, and shown once or under both names."""

import json

import pytest

import rankeval
from tests.support.files import BM25, DENSE, QRELS

# The mean of AP is 2/3 and of P@2 is 1/2 for bm25, see tests/support/files.py.
ASKED = "map P@2 AP P_2 map"
GIVEN = ["map", "P@2", "AP", "P_2"]
CANONICAL = ["AP", "P@2"]
STYLES = [([], CANONICAL), (["--measure-names", "as-given"], GIVEN)]
MEANS = {"map": 2 / 3, "AP": 2 / 3, "P@2": 1 / 2, "P_2": 1 / 2}


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE, groups="301 x\n302 y\n")


def call(files, form, names, *more):
    outcome = files("eval", "qrels.txt", "bm25.txt", "-m", ASKED, *names, "-f", form, *more)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


@pytest.mark.usefixtures("files")
def test_the_library_has_a_score_for_every_measure_as_given():
    (run,) = rankeval.evaluate("qrels.txt", "bm25.txt", ASKED, groups="groups.txt").runs

    assert [score.as_given for score in run.scores] == GIVEN
    assert [score.measure for score in run.scores] == ["AP", "P@2", "AP", "P@2"]
    assert [score.aggregate for score in run.scores] == pytest.approx([MEANS[n] for n in GIVEN])
    # 5/6 and 1/2 for AP, 1/2 and 1/2 for P@2, in groups of one topic
    assert [group.aggregates for group in run.groups] == [
        pytest.approx([5 / 6, 1 / 2, 5 / 6, 1 / 2]),
        pytest.approx([1 / 2] * 4),
    ]


@pytest.mark.parametrize(("names", "shown"), STYLES)
def test_json_holds_each_name_once(files, names, shown):
    (run,) = json.loads(call(files, "json", names))["runs"]

    assert list(run["measures"]) == shown
    found = {name: facts["mean"] for name, facts in run["measures"].items()}
    assert found == pytest.approx({name: MEANS[name] for name in shown})


@pytest.mark.parametrize(("names", "shown"), STYLES)
@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "trec"])
def test_lines_hold_each_name_once(files, form, names, shown):
    lines = call(files, form, names).splitlines()

    found = [name for line in lines for name in GIVEN if f"{name}\t" in line.replace(" ", "\t")]
    if form in ("csv", "jsonl"):
        found = [n for line in lines for n in GIVEN if n in line.replace('"', ",").split(",")]
    assert found == shown


@pytest.mark.parametrize(("names", "shown"), STYLES)
@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
@pytest.mark.parametrize(
    "more", [[], ["-q"], ["--with", "groups=groups.txt"]], ids=["", "-q", "--with"]
)
def test_tables_hold_each_name_once(files, form, names, shown, more):
    printed = call(files, form, names, *more).replace("\\_", "_").replace("&", " ")

    heads = [word for word in printed.replace("|", " ").split() if word in GIVEN]
    assert heads[: len(shown)] == shown
    assert heads == shown * (len(heads) // len(shown))


def test_two_names_of_one_measure_are_compared_once(files):
    outcome = files("compare", "qrels.txt", "bm25.txt", "dense.txt", "-m", "map AP", "-f", "json")

    found = json.loads(outcome.out)["comparisons"]
    assert [one["measure"] for one in found] == ["AP"]


@pytest.mark.usefixtures("files")
def test_results_with_two_names_of_a_measure_are_a_baseline():
    results = rankeval.evaluate("qrels.txt", "bm25.txt", "map AP")

    compared = rankeval.compare("qrels.txt", results, "dense.txt")
    report = rankeval.gate("qrels.txt", results, "dense.txt", "max-drop map=0.1")

    assert [pair.measure for pair in compared.pairs] == ["AP"]
    assert report.exit_code == 0


def test_a_saved_baseline_holds_a_measure_once(files):
    words = ["gate", "qrels.txt", "base.json", "dense.txt", "-m", "map AP", "--update-baseline"]

    assert files(*words).out == "stored base.json\n"
    assert list(json.loads(files.path("base.json").read_text())["runs"][0]["measures"]) == ["AP"]
