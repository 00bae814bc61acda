"""Every collection is evaluated with its own judgments, as pytrec_eval does; means are numpy's."""

import numpy as np
import pytest

from rankeval import InputError, MeasureError, UsageError
from rankeval.advanced import evaluate_collections
from rankeval.options import read_collections
from tests.support import collections as thirteen


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return evaluate_collections(thirteen.write(tmp_path_factory.mktemp("beir")))


def test_the_values_of_every_topic_are_those_of_pytrec_eval(results):
    assert [*results.parts] == [*thirteen.EVERY]
    for name, part in results.parts.items():
        for run in part.runs:
            for measure in run.values():
                expected = thirteen.values(name, run.name, measure.measure)
                assert measure.per_topic == pytest.approx(expected, abs=1e-12)


def test_collections_are_the_topics_and_the_mean_is_over_them(results):
    assert [*results] == [*thirteen.SYSTEMS]
    for system in thirteen.SYSTEMS:
        score = results[system, "nDCG@10"]
        expected = {
            name: np.mean(list(thirteen.values(name, system, "nDCG@10").values()))
            if (name, system) != thirteen.MISSING
            else np.nan
            for name in thirteen.EVERY
        }
        assert score.per_topic == pytest.approx(expected, nan_ok=True)
        assert score.mean == pytest.approx(np.mean([*expected.values()]), nan_ok=True)
    # dense has no mean
    assert [*results.sorted("nDCG@10")] == ["rerank", "splade", "bm25", "dense"]


def small(folder, *tables, head=""):
    """Evaluate two collections of one topic and of three, in which a system finds one document."""
    for name, rows in {"a": "1 0 x 1\n", "b": "1 0 x 2\n2 0 x 1\n3 0 x 1\n"}.items():
        (folder / f"{name}.q").write_text(rows)
        (folder / f"{name}.run").write_text("1 Q0 x 1 2.0 t\n1 Q0 y 2 1.0 t\n")
    file = folder / "beir.toml"
    shared = 'qrels = "{collection}.q"\nruns = {s = "{collection}.run"}\n'
    file.write_text(f"{shared}{head}\n" + "\n".join(tables))
    return file


A, B = "[collection.a]", "[collection.b]"


def test_settings_of_a_collection_do_not_split_the_table(tmp_path):
    (run,) = evaluate_collections(small(tmp_path, A, f"{B}\nmin-grade = 2"), "AP").runs

    assert "AP is AP(rel=2) on b" in run.conventions
    assert run["AP"].mean == pytest.approx((1 + 1 / 3) / 2)


def test_counts_have_no_means_over_collections(tmp_path):
    score = evaluate_collections(small(tmp_path, A, B, head='measures = "NumRel"'))["s", "NumRel"]

    assert score.per_topic == {"a": 1.0, "b": 3.0}
    assert np.isnan(score.mean)


def test_other_rules_over_topics_have_a_macro_mean(tmp_path):
    score = evaluate_collections(small(tmp_path, A, B), "GMAP")["s", "GMAP"]

    geometric = np.exp((0 + 2 * np.log(1e-5)) / 3)
    assert score.mean == pytest.approx((1 + geometric) / 2)


def test_a_system_of_several_runs_has_their_mean(tmp_path):
    file = small(tmp_path, f"{A}\nruns = {{ seeds = 'seed-{{seed}}' }}")
    (tmp_path / "seed-1").write_text("1 Q0 x 1 2.0 t\n")
    (tmp_path / "seed-2").write_text("1 Q0 y 1 2.0 t\n")

    assert evaluate_collections(file, "P@1")["seeds", "P@1"].mean == 0.5


def test_runs_that_are_not_there_are_warned_of_and_have_no_value(tmp_path):
    tables = (A, f"{B}\nruns = {{ s = 'gone', new = 'b.run' }}")
    results = evaluate_collections(small(tmp_path, *tables), "P@1")

    assert np.isnan([results["s", "P@1"].per_topic["b"], results["s", "P@1"].mean]).all()
    assert (
        results["s"].warnings[-1]
        == f"collection b has no run that can be read: {tmp_path / 'gone'}"
    )
    assert results["new"].warnings[0] == "collection a has no run"
    with pytest.raises(InputError, match="no run of any collection is there"):
        evaluate_collections(small(tmp_path, f"{A}\nruns = {{ s = 'gone' }}"))


def test_a_run_with_errors_is_refused(tmp_path):
    file = small(tmp_path, A, B)
    (tmp_path / "b.run").write_text("1 Q0 a 1 high t\n")

    with pytest.raises(InputError, match="high"):
        evaluate_collections(file)


@pytest.mark.parametrize(
    ("head", "table", "error", "problem"),
    [
        ('measures = "nDCQ"', A, MeasureError, "nDCQ"),
    ],
)
def test_an_error_names_the_table(tmp_path, head, table, error, problem):
    file = small(tmp_path, table, head=head)

    with pytest.raises(error, match=problem) as caught:
        evaluate_collections(file)

    assert caught.value.place == f"{file}: [collection.a]"


def test_names_of_collections_are_unlike(tmp_path):
    (one,) = read_collections(small(tmp_path, A))

    with pytest.raises(UsageError, match="2 collections"):
        evaluate_collections([one, one])
