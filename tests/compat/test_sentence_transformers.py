"""The evaluator of Sentence Transformers, on a bag of words that is made here: no weights."""

import json

import numpy as np
import pytest

import rankeval

torch = pytest.importorskip("torch")
pytest.importorskip("sentence_transformers")

from rankeval.compat.sentence_transformers import (  # noqa: E402  where they are installed
    Evaluator,
    SentenceEvaluator,
)

WORDS = ["red", "green", "blue", "big", "small", "old", "new", "car", "house", "tree"]
RANDOM = np.random.default_rng(7)
CORPUS = {f"d{i}": " ".join(RANDOM.choice(WORDS, size=4)) for i in range(60)}
QUERIES = {f"q{i}": " ".join(RANDOM.choice(WORDS, size=2)) for i in range(8)}
QRELS = {
    topic: {f"d{i}": int(RANDOM.integers(0, 3)) for i in RANDOM.choice(60, 12, replace=False)}
    for topic in QUERIES
}
GROUPS = {topic: "even" if int(topic[1:]) % 2 == 0 else "odd" for topic in QUERIES}


@pytest.fixture(scope="module")
def model():
    from sentence_transformers import SentenceTransformer

    try:
        from sentence_transformers.sentence_transformer.modules import BoW
    except ImportError:  # version 5
        from sentence_transformers.models import BoW

    # Products of counts are exact, and so are ties.
    return SentenceTransformer(modules=[BoW(vocab=WORDS)], device="cpu", similarity_fn_name="dot")


def shared_words(queries, corpus):
    """Return {topic: {docno: product of the counts of words}}."""

    def counted(text):
        return np.array([text.split().count(word) for word in WORDS], dtype=float)

    return {
        topic: {docno: float(counted(query) @ counted(text)) for docno, text in corpus.items()}
        for topic, query in queries.items()
    }


def _ranked(evaluator, model):
    with torch.no_grad():
        return evaluator._ranked(model).items()


def test_it_has_the_values_of_a_ranking_by_the_models_similarity(model):
    evaluator = Evaluator(QUERIES, CORPUS, QRELS, "nDCG@10 AP", name="dev", groups=GROUPS)

    metrics = evaluator(model)

    run = {"dev": shared_words(QUERIES, CORPUS)}
    expected = rankeval.evaluate(QRELS, run, "nDCG@10 AP", groups=GROUPS)["dev"]
    found = evaluator.results["dev"]
    assert isinstance(evaluator, SentenceEvaluator)
    assert metrics == {"dev_nDCG@10": expected["nDCG@10"].mean, "dev_AP": expected["AP"].mean}
    assert evaluator.primary_metric == "dev_nDCG@10"
    assert found["AP"].per_topic == expected["AP"].per_topic
    assert found.groups == expected.groups


def test_it_agrees_with_the_librarys_own_evaluator(model):
    try:
        from sentence_transformers.sentence_transformer import evaluation
    except ImportError:  # version 5
        from sentence_transformers import evaluation

    relevant = {t: {d for d, grade in found.items() if grade > 0} for t, found in QRELS.items()}
    binary = {topic: dict.fromkeys(docnos, 1) for topic, docnos in relevant.items()}
    # Without ties, which they break by the smaller docno and we by the larger.
    corpus = {docno: "red " * 20 * i + text for i, (docno, text) in enumerate(CORPUS.items())}
    queries = {topic: f"red {query}" for topic, query in QUERIES.items()}

    ours = Evaluator(queries, corpus, binary, "nDCG@10 P@5 R@10 RR@10 AP@60")(model)
    theirs = evaluation.InformationRetrievalEvaluator(queries, corpus, relevant, map_at_k=[60])

    found = theirs(model)
    names = ["ndcg@10", "precision@5", "recall@10", "mrr@10", "map@60"]
    assert list(ours.values()) == pytest.approx([found[f"dot_{name}"] for name in names])


@pytest.mark.parametrize("chunk_size", [1, 7, 59, 1000])
def test_chunks_do_not_change_which_of_equal_scores_are_kept(model, chunk_size):
    twins = {f"{docno}{copy}": text for docno, text in CORPUS.items() for copy in "abc"}
    whole = Evaluator(QUERIES, twins, QRELS, k=10)
    parts = Evaluator(QUERIES, twins, QRELS, k=10, chunk_size=chunk_size)

    expected = {topic: list(found) for topic, found in _ranked(whole, model)}

    assert {topic: list(found) for topic, found in _ranked(parts, model)} == expected
    assert {len(found) for found in expected.values()} == {10}


def test_results_are_saved_where_a_trainer_says_so(model, tmp_path):
    evaluator = Evaluator(QUERIES, CORPUS, QRELS, "AP", name="dev")

    metrics = evaluator(model, str(tmp_path / "eval"), epoch=1, steps=200)

    (path,) = (tmp_path / "eval").iterdir()
    assert path.name == "rankeval_dev_epoch1_steps200.json"
    assert rankeval.load(path)["dev", "AP"] == metrics["dev_AP"]
    assert json.loads(path.read_text())["runs"]
    assert model.model_card_data.eval_results_dict[evaluator] == metrics


def test_measures_of_users_and_losses_are_taken(model):
    @rankeval.measure(name="FirstGradeOfModel")
    def first(topic: rankeval.TopicRanking) -> float:
        return float(np.nan_to_num(topic.grades[0]))

    evaluator = Evaluator(QUERIES, CORPUS, QRELS, [first, "P@1"], topics="both")

    assert set(evaluator(model)) == {"FirstGradeOfModel", "P@1"}
    assert evaluator.greater_is_better
    assert not Evaluator(QUERIES, CORPUS, QRELS, "SetE").greater_is_better


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"queries": {"other": "red"}}, "no query is judged"),
        ({"corpus": {}}, "the corpus is empty"),
        ({"k": 0}, "k is 0"),
        ({"measures": "nDCGG"}, "nDCGG"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_at_once(change, message):
    given = {"queries": QUERIES, "corpus": CORPUS, "qrels": QRELS, "measures": "AP", **change}

    with pytest.raises(rankeval.RankevalError, match=message):
        Evaluator(**given)
