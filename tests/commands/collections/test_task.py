"""Every collection is evaluated with its own judgments, as pytrec_eval does."""

import pytest

from rankeval import InputError, MeasureError, UsageError
from rankeval.advanced import evaluate_collections
from rankeval.options import read_collections
from rankeval.ranking import qrels as qrels_module
from tests.support import collections as thirteen


@pytest.fixture(scope="module")
def beir(tmp_path_factory):
    return thirteen.write(tmp_path_factory.mktemp("beir"))


@pytest.fixture(scope="module")
def results(beir):
    return evaluate_collections(beir)


def test_the_values_of_every_topic_are_those_of_pytrec_eval(results):
    for one in results:
        for run in one.results.runs:
            for measure in run.values():
                expected = thirteen.values(one.collection.name, run.name, measure.measure)
                assert measure.per_topic == pytest.approx(expected, abs=1e-12)


def test_each_collection_has_the_measures_of_its_table(results):
    measures = {
        one.collection.name: [score.measure for score in one.results.runs[0].scores]
        for one in results
    }

    assert measures == {
        name: ["nDCG@10", *filter(None, [thirteen.WITH_MEASURES.get(name)])]
        for name in thirteen.EVERY
    }


def test_a_run_that_is_not_there_is_missing_and_no_error(results):
    (missing,) = results.missing

    assert (missing.collection, missing.system) == thirteen.MISSING
    assert missing.path.endswith("dense*.run")
    assert results["quora"].run("dense") is None
    assert results["quora"].run("bm25") is not None


def test_threads_give_the_same_values(beir):
    shared = evaluate_collections(beir, jobs=2)
    alone = evaluate_collections(beir, jobs=1)

    assert [one.results.to_dict(per_topic=True) for one in shared] == [
        one.results.to_dict(per_topic=True) for one in alone
    ]
    assert [one.collection.name for one in shared] == list(thirteen.EVERY)


def small(folder, text):
    (folder / "q").write_text("1 0 a 1\n")
    (folder / "x").write_text("1 Q0 a 1 1.0 t\n")
    (folder / "beir.toml").write_text(text)
    return folder / "beir.toml"


def test_judgments_that_collections_share_are_read_once(tmp_path, monkeypatch):
    file = small(
        tmp_path,
        'qrels = "q"\nruns = {x = "x"}\n[collection.a]\n[collection.b]\nmin-grade = 2\n'
        '[collection.c]\nduplicates = "first"\n',
    )
    read = []
    whole = qrels_module.read_qrels
    monkeypatch.setattr(
        "rankeval.ranking.qrels.read_qrels",
        lambda *given: read.append(given[0]) or whole(*given),
    )

    results = evaluate_collections(file, "AP")

    assert len(read) == 2  # c reads them by another rule
    assert [one.results.runs[0].scores[0].aggregate for one in results] == [1.0, 0.0, 1.0]


def test_a_collection_without_any_run_has_results_without_runs(tmp_path):
    results = evaluate_collections(
        small(tmp_path, '[collection.a]\nqrels = "q"\nruns = {x = "none"}\n')
    )

    assert (len(results["a"].results), results["a"].results.qrels.topics) == (0, 1)
    assert [(one.system, one.path) for one in results.missing] == [("x", str(tmp_path / "none"))]


def test_a_system_that_another_collection_names_is_missing(tmp_path):
    file = small(
        tmp_path,
        'qrels = "q"\n[collection.a]\nruns = {x = "x"}\n[collection.b]\nruns = {y = "x"}\n',
    )

    results = evaluate_collections(file)

    assert results.systems == ("x", "y")
    assert [str(one) for one in results.missing] == [
        "collection a: y has no run",
        "collection b: x has no run",
    ]


def test_judgments_that_are_not_there_are_an_error_with_the_table(tmp_path):
    file = small(tmp_path, '[collection.a]\nqrels = "gone"\nruns = {x = "x"}\n')

    with pytest.raises(InputError, match="there is no file") as caught:
        evaluate_collections(file)

    assert caught.value.place == f"{file}: [collection.a]"


def test_an_unknown_measure_is_an_error_with_the_table(tmp_path):
    file = small(tmp_path, '[collection.a]\nqrels="q"\nruns={x="x"}\nmeasures="nDCQ"\n')

    with pytest.raises(MeasureError) as caught:
        evaluate_collections(file)

    assert caught.value.place == f"{file}: [collection.a]"


def test_a_run_with_errors_is_refused_or_missing(tmp_path):
    file = small(tmp_path, '[collection.a]\nqrels="q"\nruns={x="x", y="bad"}\n')
    (tmp_path / "bad").write_text("1 Q0 a 1 high t\n")

    with pytest.raises(InputError):
        evaluate_collections(file)
    results = evaluate_collections(file, on_run_error="skip")

    (missing,) = results.missing
    assert missing.system == "y"
    assert "high" in missing.error


def test_names_of_collections_are_unlike(tmp_path):
    (one,) = read_collections(small(tmp_path, '[collection.a]\nqrels="q"\nruns={x="x"}\n'))

    with pytest.raises(UsageError, match="2 collections"):
        evaluate_collections([one, one])
