"""The support of citations, against a plain count and hand computations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval.errors import InputError, UsageError

WORTH = {"full_support": 1.0, "partial_support": 0.5, "no_support": 0.0}
SENTENCES = st.lists(st.lists(st.sampled_from([*WORTH]), max_size=3), max_size=5)
FIRST_ALONE = st.lists(st.lists(st.sampled_from([*WORTH, None]), max_size=1), max_size=6)


def line(topic, sentences, **more):
    return {"qid": topic, "answer": [{"support": labels} for labels in sentences], **more}


def scores(*lines):
    """The scores of each topic, by the name of the measure."""
    by_topic = rankeval.nuggets({"run": list(lines)}).to_dict(per_topic=True)["run"]
    return [*by_topic.values()]


def test_the_first_citation_of_each_sentence_is_scored_as_in_trecs_track():
    """Full, partial, none, no citation: (1 + .5 + 0) / 3 citations and / 4 sentences."""
    answer = [["full_support"], ["partial_support"], ["no_support"], []]

    (found,) = scores(line("q1", answer))

    assert found == pytest.approx(
        {"support_precision": 1.5 / 3, "support_recall": 1.5 / 4, "sentence_coverage": 3 / 4}
    )


@given(SENTENCES)
def test_scores_are_those_of_a_plain_count(sentences):
    (found,) = scores(line("q1", sentences or [[]]))

    given = [WORTH[label] for sentence in sentences for label in sentence]
    best = [max((WORTH[label] for label in sentence), default=0) for sentence in sentences]
    n = max(len(sentences), 1)
    assert found["support_precision"] == pytest.approx(sum(given) / len(given) if given else 0)
    assert found["support_recall"] == pytest.approx(sum(best) / n)
    assert found["sentence_coverage"] == pytest.approx(sum(map(bool, sentences)) / n)


@given(FIRST_ALONE)
def test_first_citations_are_scored_as_in_2025(sentences):
    """The rule of the organisers' code: an unjudged first citation is in neither denominator."""
    (found,) = scores(line("q1", sentences or [[]]))

    total, cited, n = 0.0, 0, max(len(sentences), 1)
    for sentence in sentences:
        for label in sentence:
            if label is None:
                n -= 1
            else:
                total += WORTH[label]
                cited += 1
    assert found["support_precision"] == pytest.approx(total / cited if cited else 0)
    assert found["support_recall"] == pytest.approx(total / n if n else 0)
    assert found["support_recall"] == pytest.approx(
        found["support_precision"] * found["sentence_coverage"]
    )


def test_a_sentence_counts_where_any_of_its_citations_was_judged():
    """Of four citations two are judged, of three sentences two: (0.5 + 1) / 2 in both."""
    answer = [[None, "partial_support"], ["full_support"], [None]]

    (found,) = scores(line("q1", answer))

    assert found == pytest.approx(
        {"support_precision": 1.5 / 2, "support_recall": 1.5 / 2, "sentence_coverage": 1.0}
    )


def test_nuggets_and_support_are_scored_together():
    nuggets = [{"importance": "vital", "assignment": "support"}]

    (found,) = scores(line("q1", [["full_support"]], nuggets=nuggets))

    assert (found["vital_score"], found["support_recall"]) == (1.0, 1.0)


def test_answers_with_nothing_in_common_are_refused():
    nuggets = {"qid": "q2", "nuggets": [{"importance": "vital", "assignment": "support"}]}

    with pytest.raises(UsageError, match="some answers have no nuggets"):
        scores(line("q1", [["full_support"]]), nuggets)


@pytest.mark.parametrize("answer", [[{"text": "a", "citations": [1]}], "text", ["a sentence"]])
def test_an_answer_with_neither_nuggets_nor_support_is_refused(answer):
    with pytest.raises(InputError, match='record 2: the object has no list of "nuggets"'):
        scores(line("q1", [["full_support"]]), {"qid": "q2", "answer": answer})


@pytest.mark.parametrize("support", [["full"], "full_support", [1], [["full_support"]], None])
def test_a_wrong_support_is_named(support):
    record = {"qid": "q1", "answer": [{"support": []}, {"support": support}]}

    with pytest.raises(InputError, match="the support of sentence 2 is"):
        scores(record)
