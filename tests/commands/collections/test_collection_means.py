"""Means over collections are those of numpy over pytrec_eval's values."""

import numpy as np
import pytest

from rankeval.advanced import evaluate_collections
from rankeval.commands.collections.collection_means import over_collections
from tests.support import collections as thirteen

SYSTEMS = list(thirteen.SYSTEMS)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return evaluate_collections(thirteen.write(tmp_path_factory.mktemp("beir")))


def by_topic(system):
    """The values of a system by collection, in nDCG@10; without the missing one."""
    return {
        name: list(thirteen.values(name, system, "nDCG@10").values())
        for name in thirteen.EVERY
        if (name, system) != thirteen.MISSING
    }


def of_whole(system):
    return {name: np.mean(values) for name, values in by_topic(system).items()}


def test_values_are_those_of_thirteen_collections(results):
    found = over_collections(results, partial=True)

    for system in SYSTEMS:
        values = found[system]["nDCG@10"].per_topic
        expected = of_whole(system)
        assert [*values] == [*thirteen.EVERY]
        assert {name: value for name, value in values.items() if not np.isnan(value)} == (
            pytest.approx(expected)
        )
        whole = len(expected) == 13
        assert found[system]["nDCG@10"].mean == pytest.approx(
            np.mean([*expected.values()]) if whole else np.nan, nan_ok=True
        )


def test_a_measure_of_one_collection_has_a_mean_over_it_alone(results):
    found = over_collections(results, partial=True)

    assert found.measures == ("nDCG@10", "RR@10", "R@100")
    expected = np.mean(list(thirteen.values("msmarco", "bm25", "RR@10").values()))
    assert found["bm25"]["RR@10"].mean == pytest.approx(expected)
    assert over_collections(results).measures == ("nDCG@10",)


def small(folder, head, *tables):
    for name, rows in {"a": "1 0 x 1\n", "b": "1 0 x 2\n2 0 x 1\n3 0 x 1\n"}.items():
        (folder / f"{name}.q").write_text(rows)
        (folder / f"{name}.run").write_text("1 Q0 x 1 2.0 t\n1 Q0 y 2 1.0 t\n")
    file = folder / "beir.toml"
    shared = 'qrels = "{collection}.q"\nruns = {s = "{collection}.run"}\n'
    file.write_text(shared + head + "\n" + "\n".join(tables))
    return evaluate_collections(file)


def test_settings_of_a_collection_do_not_split_the_table(tmp_path):
    results = small(tmp_path, 'measures = "AP"', "[collection.a]", "[collection.b]\nmin-grade = 2")

    (score,) = over_collections(results)["s"].values()

    assert score.measure == "AP"
    assert "AP is AP on a, AP(rel=2) on b" in over_collections(results)["s"].conventions
    assert score.mean == pytest.approx((1 + 1 / 3) / 2)


def test_counts_have_no_means_over_collections(tmp_path):
    results = small(tmp_path, 'measures = "NumRel"', "[collection.a]", "[collection.b]")

    (score,) = over_collections(results)["s"].values()

    assert score.per_topic == {"a": 1.0, "b": 3.0}
    assert np.isnan(score.mean)


def test_other_rules_over_topics_have_a_macro_mean(tmp_path):
    results = small(tmp_path, 'measures = "GMAP"', "[collection.a]", "[collection.b]")

    (score,) = over_collections(results)["s"].values()

    geometric = np.exp((0 + 2 * np.log(1e-5)) / 3)
    assert score.mean == pytest.approx((1 + geometric) / 2)


def test_a_collection_without_any_run_has_no_value(tmp_path):
    results = small(
        tmp_path, 'measures = "P@1"', "[collection.a]", '[collection.b]\nruns = {s = "gone"}'
    )

    (score,) = over_collections(results)["s"].values()

    assert score.per_topic["a"] == 1.0
    assert np.isnan([score.per_topic["b"], score.mean]).all()


def test_collections_can_stand_in_the_place_of_topics(results):
    found = over_collections(results)

    assert [*found] == SYSTEMS
    assert found["bm25"]["nDCG@10"].per_topic == pytest.approx(of_whole("bm25"))
    assert np.isnan(found["dense"]["nDCG@10"].per_topic["quora"])
    assert len(found["bm25"]) == 1  # RR@10 and R@100 are measures of one collection each


def test_systems_are_sorted_by_the_macro_mean(results):
    found = over_collections(results)

    names = [run.name for run in found.sorted("nDCG@10").runs]
    assert names == ["rerank", "splade", "bm25", "dense"]  # which has no macro mean
