"""Names of runs: the tag, the file name or the path, the first that no other run has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.errors import UsageError
from rankeval.evaluation.run_names import BY_TAG, RunNames

QRELS = {"1": {"a": 1}}


@pytest.mark.parametrize(
    ("tags", "paths", "names"),
    [
        (["bm25", "ance"], ["x/1.run", "x/2.run"], ["bm25", "ance"]),
        (["", ""], ["x/bm25.run", "x/ance.txt.gz"], ["bm25", "ance"]),
        (["run", "run"], ["x/bm25.run", "y/ance.tsv"], ["bm25", "ance"]),
        (["r", "r", "ql"], ["a/dl.run", "b/dl.run", "c.run"], ["a/dl.run", "b/dl.run", "ql"]),
        (["", ""], ["bm25.run", "bm25.json"], ["bm25.run", "bm25.json"]),
        (["", ""], ["x/1/run.txt", "x/2/run.txt"], ["x/1/run.txt", "x/2/run.txt"]),
        (["", "", ""], ["1/a.run", "1/b.run", "2/a.run"], ["1/a.run", "b", "2/a.run"]),
        (["", ""], ["same.run", "same.run"], ["same.run", "same.run (2)"]),
        (["", ""], ["-", "/dev/fd/63"], ["stdin", "63"]),
        # A dot belongs to a name; only endings of formats and of compression are left out.
        (["", ""], ["bm25.k1=0.9", "bm25.k1=1.2.run.zst"], ["bm25.k1=0.9", "bm25.k1=1.2"]),
        (["", "bm25"], ["bm25.run", "other.run"], ["bm25", "bm25 (2)"]),
        (["", ""], ["", ""], ["run", "run (2)"]),
    ],
)
def test_a_name_is_the_first_of_tag_file_name_and_path_that_no_other_run_has(tags, paths, names):
    assert BY_TAG.names(tags, paths) == names


def test_the_rule_chooses_file_names_or_paths():
    tags, paths = ["x", "y"], ["runs/a.run", "runs/b.run"]

    assert RunNames("stem").names(tags, paths) == ["a", "b"]
    assert RunNames("path").names(tags, paths) == paths
    assert RunNames("path").names([""], ["-"]) == ["stdin"]


def test_given_names_stand_and_others_avoid_them():
    names = RunNames(given=[None, "bm25"])

    assert names.names(["bm25", "ance"], ["1.run", "2.run"]) == ["bm25 (2)", "bm25"]


def test_a_rule_that_does_not_exist_and_a_name_for_two_runs_are_refused():
    with pytest.raises(UsageError, match="rule cannot be 'tags'; did you mean 'tag'"):
        RunNames("tags")
    with pytest.raises(UsageError, match="2 runs are named 'a'"):
        RunNames(given=["a", "b", "a"])


@given(st.lists(st.tuples(st.sampled_from(["", "t", "a"]), st.sampled_from(["a.run", "b/a.run"]))))
def test_names_are_always_distinct(runs):
    tags, paths = [tag for tag, _ in runs], [path for _, path in runs]

    for rule in ("tag", "stem", "path"):
        names = RunNames(rule).names(tags, paths)
        assert len(set(names)) == len(names) == len(runs)


def test_every_task_names_runs_in_the_same_way(tmp_path):
    paths = []
    for folder in "one", "two":
        paths.append(tmp_path / folder / "bm25.run")
        paths[-1].parent.mkdir()
        paths[-1].write_text("1 Q0 a 1 2 Anserini\n1 Q0 b 2 1 Anserini\n")
    a, b = map(str, paths)

    found = [
        [run.name for run in rankeval.evaluate(QRELS, [a, b], "AP").runs],
        [run.name for run in rankeval.compare(QRELS, a, b, "AP").runs],
        [(two := rankeval.diff(QRELS, a, b, "AP")).a.name, two.b.name],
        [run.name for run in rankeval.gate(QRELS, a, b, "min AP=0").runs],
    ]

    assert found == [[a, b]] * 4
    assert rankeval.explain(QRELS, a, "1", "AP")[0].run == "Anserini"


def test_a_run_that_was_saved_can_be_named():
    a = {"1": {"a": 1.0}}
    saved = rankeval.evaluate(QRELS, a, "AP")

    found = rankeval.compare(QRELS, saved, a, "AP", run_names=RunNames(given=["before", "after"]))

    assert [run.name for run in found.runs] == ["before", "after"]
    assert (found.pairs[0].baseline, found.pairs[0].run) == ("before", "after")
