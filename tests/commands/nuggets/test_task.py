"""Scores by nuggets: worked by hand, against a plain reading of the definitions, and properties."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.errors import InputError, MeasureError, UsageError

EXAMPLE = [
    ("vital", "support"),
    ("vital", "partial_support"),
    ("okay", "support"),
    ("okay", "not_support"),
]
LABELS = st.tuples(
    st.sampled_from(["vital", "okay", "failed"]),
    st.sampled_from(["support", "partial_support", "not_support", "failed", "no idea"]),
)


def answer(topic, labels, **more):
    nuggets = [{"text": "x", "importance": a, "assignment": b} for a, b in labels]
    return {"qid": topic, "nuggets": nuggets, **more}


def scores(labels, **more):
    """The scores of one topic, beside one that has a known label."""
    options = {"beta": more.pop("beta")} if "beta" in more else {}
    beside = answer("known", [("okay", "support")], **more)
    return of_first(rankeval.nuggets([answer("q", labels, **more), beside], **options))


def of_first(results):
    """The scores of the first topic of the first run, by the name of the measure."""
    return {score.measure.partition("(")[0]: score.values[0] for score in results.runs[0].scores}


def test_the_example_of_the_page():
    assert scores(EXAMPLE) == {
        "strict_vital_score": 1 / 2,
        "vital_score": 1.5 / 2,
        "strict_all_score": 2 / 4,
        "all_score": 2.5 / 4,
        "strict_weighted_score": (1 + 0.5) / (2 + 0.5 * 2),
        "weighted_score": (1.5 + 0.5) / (2 + 0.5 * 2),
    }


def test_precision_and_f_are_those_of_trec_2003():
    """A vital and an okay nugget allow 200 of 500 characters; one of two vital ones is there."""
    text = "ab cd \n" * 125
    precision, recall = 1 - (500 - 200) / 500, 1 / 2

    found = scores(EXAMPLE, answer_text=text)
    assert found["nugget_precision"] == pytest.approx(precision)
    assert found["nugget_f_score"] == pytest.approx(
        10 * precision * recall / (9 * precision + recall)
    )

    flat = scores(EXAMPLE, answer_text=text, beta=1)
    assert flat["nugget_f_score"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert scores(EXAMPLE, answer_text="a" * 200)["nugget_precision"] == 1
    assert scores(EXAMPLE, answer_text="a" * 201)["nugget_precision"] == 200 / 201
    assert (scores(EXAMPLE, answer_text=" ")["nugget_precision"]) == 0
    assert scores([("vital", "not_support")], answer_text="words")["nugget_f_score"] == 0


@given(
    labels=st.lists(LABELS, max_size=12),
    text=st.text(st.sampled_from("ab é漢\n\t\u3000"), max_size=1500),
    beta=st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3), Fraction(5)]),
)
def test_precision_and_f_are_those_of_a_plain_reading_of_the_definitions(labels, text, beta):
    """Voorhees (2003), character by character: each that is not allowed costs a share."""
    allowance = 100 * sum(assignment == "support" for _, assignment in labels)
    length = sum(not character.isspace() for character in text)
    beyond = sum(place > allowance for place in range(1, length + 1))
    precision = 1 - Fraction(beyond, length) if length else Fraction(0)
    vital = [assignment == "support" for importance, assignment in labels if importance == "vital"]
    recall = Fraction(sum(vital), len(vital)) if vital else Fraction(0)
    # The weighted harmonic mean of both, which is 0 where one of them is.
    both = precision and recall
    f = (beta**2 + 1) / (1 / precision + beta**2 / recall) if both else 0

    found = scores(labels, answer_text=text, beta=float(beta))

    assert found["nugget_precision"] == pytest.approx(float(precision))
    assert found["nugget_f_score"] == pytest.approx(float(f))


@given(st.lists(LABELS, max_size=12))
def test_scores_are_those_of_a_plain_reading_of_the_definitions(labels):
    half = Fraction(1, 2)
    worth = {"support": (1, 1), "partial_support": (0, half)}
    weights = {
        "vital_score": {"vital": 1},
        "all_score": {"vital": 1, "okay": 1, "failed": 1},
        "weighted_score": {"vital": 1, "okay": half},
    }
    expected = {}
    for name, weight in weights.items():
        whole = sum(weight.get(importance, 0) for importance, _ in labels)
        for place, prefix in enumerate(("strict_", "")):
            parts = [weight.get(a, 0) * worth.get(b, (0, 0))[place] for a, b in labels]
            expected[prefix + name] = float(sum(parts) / whole) if whole else 0.0

    assert scores(labels) == expected


def test_a_topic_without_vital_nuggets_scores_0_and_counts():
    answers = [answer("a", [("vital", "support")]), answer("b", [("okay", "support")])]

    (run,) = rankeval.nuggets({"mine": answers}).runs

    assert (run.name, run["vital_score"].mean, run["all_score"].mean) == ("mine", 0.5, 1.0)
    assert run.warnings == ()


def test_unknown_labels_are_named_and_count_as_not_supported():
    answers = [answer("a", [("vital", "support"), ("vital", "suport"), ("fine", "support")])]

    (run,) = rankeval.nuggets([answers]).runs

    assert (run["vital_score"].mean, run["all_score"].mean) == (0.5, pytest.approx(2 / 3))
    assert "2 labels of nuggets not known, which count as none: suport, fine" in run.warnings[0]


def test_files_of_several_runs_are_named_and_compared(tmp_path):
    for name, labels in (("a", EXAMPLE), ("b", EXAMPLE[:1])):
        line = json.dumps(answer(1, labels))
        (tmp_path / f"{name}.jsonl").write_text(line + "\n\n")
    (tmp_path / "c.jsonl").write_text(json.dumps(answer("2", EXAMPLE, run_id="third")))

    results = rankeval.nuggets([tmp_path / f"{name}.jsonl" for name in "abc"])

    assert {name: run.topics for name, run in results.items()} == {
        "a": ("1",),
        "b": ("1",),
        "third": ("2",),
    }
    assert [run["vital_score"].mean for run in results.runs] == [0.75, 1.0, 0.75]
    assert all("lacks 1 of 2 topics" in run.warnings[0] for run in results.runs)


def test_precision_needs_the_text_of_every_answer():
    with_text = [answer("a", EXAMPLE, answer_text="x")]

    assert "nugget_precision" in of_first(rankeval.nuggets([with_text]))
    assert "nugget_precision" not in of_first(rankeval.nuggets([with_text, [answer("a", EXAMPLE)]]))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "a.jsonl:2: this is not JSON"),
        ("[]", "a.jsonl:2: this is not a JSON object"),
        ('{"nuggets": []}', 'a.jsonl:2: the object has no "qid"'),
        ('{"qid": 7}', 'a.jsonl:2: the object has no list of "nuggets"'),
        ('{"qid": [7], "nuggets": []}', 'a.jsonl:2: the object has no "qid"'),
        ('{"qid": 7, "nuggets": 1}', 'a.jsonl:2: the object has no list of "nuggets"'),
        ('{"qid": 7, "nuggets": ["x"]}', "a.jsonl:2: nugget 1 has no importance and assignment"),
        (
            '{"qid": 7, "nuggets": [{"importance": "vital"}]}',
            "a.jsonl:2: nugget 1 has no importance and assignment",
        ),
        ('{"qid": "a", "nuggets": []}', 'a.jsonl:2: topic "a" is listed twice, first at a.jsonl:1'),
    ],
)
def test_a_wrong_line_is_named(tmp_path, monkeypatch, line, problem):
    monkeypatch.chdir(tmp_path)
    first = json.dumps(answer("a", EXAMPLE))
    (tmp_path / "a.jsonl").write_text(f"{first}\n{line}\n")

    with pytest.raises(InputError) as refused:
        rankeval.nuggets("a.jsonl")

    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize(
    ("files", "options", "error", "problem"),
    [
        ([], {}, UsageError, "no nuggets to score"),
        ([[]], {}, InputError, "has no topics"),
        ([[answer("a", EXAMPLE, answer_text="x")]], {"beta": 0}, MeasureError, "beta=0"),
    ],
)
def test_what_cannot_be_scored_is_refused(files, options, error, problem):
    with pytest.raises(error, match=problem):
        rankeval.nuggets(files, **options)
