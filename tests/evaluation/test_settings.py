"""Settings, and the signature that carries them: equal signatures mean equal computations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import rankeval
from rankeval.evaluation.settings import TOOLS
from rankeval.options import Settings

# Ranks that contradict the scores, scores that tie in 32 bits, a document named as its topic.
QRELS = {
    "1": {"a": 2, "b": 0, "c": 1, "1": 1, "z": 1},
    "2": {"a": 0, "b": -1},
    "3": {"a": 1, "d": 3, "e": 0},
    "4": {"a": 1},
}
RUN = """\
1 Q0 a 4 1.0 t
1 Q0 x 3 1.0 t
1 Q0 b 2 1.00000001 t
1 Q0 1 1 0.5 t
1 Q0 c 5 0.5 t
2 Q0 b 1 2 t
2 Q0 a 2 1 t
3 Q0 e 3 7 t
3 Q0 y 2 7 t
3 Q0 d 1 7 t
"""
MEASURES = "AP nDCG@2 P@1 SetUtility NumRel"

CHOICES = {
    "qrels_format": [None],
    "run_format": [None],
    "columns": [None],
    "on_error": ["refuse", "skip"],
    "duplicates": ["refuse", "first", "last", "best"],
    "collapse": [None, "[xz]", "max:[xz]"],
    "topics": ["judged", "both"],
    "require_coverage": [False],
    "skip_no_relevant": [False, True],
    "min_grade": [None, 1, 2],
    "depth": [None, 2, 100],
    "judged_only": [False, True],
    "collection_size": [None, 50],
    "aggregate": [None, "mean", "median", "sum"],
    "ties": ["docno", "input", "rank", "best", "worst", "expected"],
    "order": ["score", "rank"],
    "single_precision": [False, True],
    "drop_self": [False, True],
    "like": [None],
    "defaults": [
        (),
        (("nDCG", "dcg", "exp-log2"),),
        (("P", "rel", 2),),
        (("AP", "cutoff", 1),),
        (("SetUtility", "a", 2.0),),
    ],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("settings") / "run.txt"
    path.write_text(RUN, encoding="utf-8")
    return str(path)


def scored(run, settings, **how):
    """Signature, values and aggregate of each measure; None where the settings do not go."""
    try:
        (result,) = rankeval.evaluate(QRELS, run, MEASURES, settings, **how).runs
    except rankeval.RankevalError:
        return []
    return [(s.signature, [*s.values.tolist(), s.aggregate]) for s in result.scores]


some_settings = st.fixed_dictionaries(
    {name: st.sampled_from(choices) for name, choices in CHOICES.items()}
)


@examples(max_examples=150, deadline=None)
@given(some_settings, some_settings)
def test_equal_signatures_have_equal_values(run, one, other):
    found = scored(run, Settings(**one)) + scored(run, Settings(**other))
    known = {}

    for signature, values in found:
        np.testing.assert_array_equal(known.setdefault(signature, values), values)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name, choices in CHOICES.items()
        for value in choices[1:]
        if (name, value) != ("min_grade", 1)  # which is the default in other words
    ],
)
def test_each_setting_that_may_change_a_number_stands_in_a_signature(run, name, value):
    plain = {signature for signature, _ in scored(run, Settings())}

    changed = {signature for signature, _ in scored(run, Settings(**{name: value}))}

    # A cutoff for AP says nothing of P, nor the mean of measures that are averaged anyway.
    assert changed - plain or (name, value) == ("aggregate", "mean")


def test_weights_and_judgments_stand_in_the_signature(run):
    plain, weighted = scored(run, None), scored(run, None, weights=dict.fromkeys("1234", 2.0))
    other = rankeval.evaluate({"1": {"a": 1}}, run, "AP").runs[0].scores[0].signature

    assert not {s for s, _ in plain if "|AP|" in s} & {s for s, _ in weighted}
    assert other not in {signature for signature, _ in plain}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tools_conventions_are_spelled_out_in_the_signature(run, tool):
    like = Settings.like_tool(tool)
    in_words = Settings(**TOOLS[tool].settings, defaults=TOOLS[tool].defaults)

    assert scored(run, like) == scored(run, in_words)


def test_a_depth_that_cuts_equal_scores_has_no_expected_value(run):
    settings = Settings(ties="expected", depth=2)

    with pytest.raises(rankeval.UsageError, match="depth of 2 cuts through equal scores"):
        rankeval.evaluate(QRELS, run, "AP", settings)
    assert rankeval.evaluate(QRELS, run, "AP@2", Settings(ties="expected"))


def test_a_least_grade_reaches_what_has_a_threshold_and_nothing_else():
    """As trec_eval's -l, which leaves num_ret alone."""
    results = rankeval.evaluate(
        {"1": {"a": 2, "b": 1}},
        {"1": {"a": 1, "b": 2, "x": 3}},
        "NumRet NumRet(rel=1) NumRelRet RBP(max_rel=4)",
        Settings(min_grade=2),
    )

    (run,) = results.runs
    assert [score.measure for score in run.scores] == [
        *("NumRet", "NumRet(rel=1)", "NumRelRet(rel=2)", "RBP(max_rel=4)")
    ]
    assert [score.aggregate for score in run.scores[:3]] == [3, 2, 1]


@pytest.mark.parametrize("name", ["depth", "collection_size"])
def test_numbers_of_documents_are_whole(name):
    for wrong in (5.0, 2.5, float("nan"), float("inf")):
        with pytest.raises(rankeval.UsageError, match=f"{name} is {wrong}"):
            Settings(**{name: wrong})
