"""Several runs scored in threads: the same to the last bit, in order, and errors."""

import pytest

import rankeval
from rankeval import InputError
from rankeval.evaluation import evaluate as several_runs
from tests.support.commands import run_command
from tests.support.samples import collection

NAMES = [f"{number}.run" for number in range(7)]
MEASURES = "AP nDCG@10 RBP INST(max_rel=4)"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Judgments and seven runs, which are scored at once however small they are."""
    monkeypatch.setattr(several_runs, "WORTH_SHARING", 0)
    for number, name in enumerate(NAMES):
        qrels, run = collection(number)
        (tmp_path / name).write_text(
            "".join(
                f"{topic.replace(' ', '-')} Q0 {docno} 0 {score} {number}\n"
                for topic, documents in run.items()
                for docno, score in documents.items()
            )
        )
    (tmp_path / "qrels.txt").write_text(
        "".join(
            f"{topic.replace(' ', '-')} 0 {docno} {grade}\n"
            for topic, documents in qrels.items()
            for docno, grade in documents.items()
        )
    )
    return tmp_path


def evaluated(folder, **how):
    runs = [folder / name for name in NAMES]
    results = rankeval.evaluate(folder / "qrels.txt", runs, MEASURES, **how)
    return [
        (run.name, run.path, run.warnings, [(s.values.tobytes(), s.aggregate) for s in run.scores])
        for run in results.runs
    ]


@pytest.mark.slow
@pytest.mark.parametrize("large", [0, several_runs.LARGE_RUN])
def test_runs_score_the_same_however_many_work(folder, monkeypatch, large):
    monkeypatch.setattr(several_runs, "LARGE_RUN", large)
    alone = evaluated(folder, jobs=1)

    assert [name for name, *_ in alone] == [str(number) for number in range(7)]
    assert all(evaluated(folder, jobs=jobs) == alone for jobs in (2, 3, 16))


@pytest.mark.parametrize("wrong", [0, 1, 4])
def test_the_first_run_that_is_wrong_is_told_of(folder, wrong):
    for name in NAMES[wrong:]:
        (folder / name).write_text("100 Q0 d1 1\n")

    for jobs in 1, 2, 16:
        with pytest.raises(InputError, match=rf"{wrong}\.run:1: found 4 columns"):
            evaluated(folder, jobs=jobs)


def test_arrow_is_imported_where_small_files_are_many(folder, usual_sizes):
    usual_sizes(plain_bytes=20_000, beside_fast_bytes=0)

    assert evaluated(folder, jobs=2) == evaluated(folder, jobs=1)


def test_progress_is_told_of_each_run(folder):
    told = {}

    evaluated(folder, jobs=3, progress=told.__setitem__)

    assert told == {str(folder / name): (folder / name).stat().st_size for name in NAMES}


def test_the_command_gives_the_same_however_many_work(folder):
    words = [str(folder / "qrels.txt"), *(str(folder / name) for name in NAMES), "-q"]

    alone = run_command([*words, "--jobs", "1"])
    together = run_command([*words, "--jobs", "4"])

    assert (together.code, together.stdout, together.stderr) == (0, alone.stdout, alone.stderr)


@pytest.mark.parametrize(("n_lines", "n_threads"), [(1, []), (50_000, [3])])
def test_runs_in_memory_are_shared_out_where_that_pays(monkeypatch, n_lines, n_threads):
    used, in_order = [], several_runs.in_order
    monkeypatch.setattr(
        several_runs, "in_order", lambda *given: used.append(given[-1]) or in_order(*given)
    )

    run = {"1": {f"d{i}": i for i in range(n_lines)}}
    rankeval.evaluate({"1": {"d0": 1}}, [run] * 4, "AP", jobs=3)

    assert used == n_threads


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_other_runs_are_as_without_the_ones_that_are_skipped(folder, jobs):
    runs = [folder / name for name in NAMES]
    (folder / "short.run").write_text("301 Q0 a 1\n")
    qrels = folder / "qrels.txt"

    with_bad = [folder / "gone.run", *runs[:3], folder / "short.run", *runs[3:]]
    skipping = rankeval.evaluate(qrels, with_bad, MEASURES, on_run_error="skip", jobs=jobs)
    without = rankeval.evaluate(qrels, runs, MEASURES, jobs=jobs)

    assert [run.path for run in skipping.runs] == [str(run) for run in runs]
    for left, right in zip(skipping.runs, without.runs, strict=True):
        assert [s.values.tobytes() for s in left.scores] == [
            s.values.tobytes() for s in right.scores
        ]
    assert [run.path for run in skipping.failed] == [
        str(folder / "gone.run"),
        str(folder / "short.run"),
    ]
    assert "no such file" in skipping.failed[0].error
    assert f"{folder / 'short.run'}:1: found 4 columns" in skipping.failed[1].error
    assert without.failed == ()


def test_only_errors_of_runs_are_skipped(folder):
    with pytest.raises(InputError, match="no such file"):
        rankeval.evaluate(folder / "none", [folder / "0.run"], on_run_error="skip")
    with pytest.raises(rankeval.UsageError, match="on_run_error cannot be 'drop'"):
        rankeval.evaluate(folder / "qrels.txt", [folder / "0.run"], on_run_error="drop")


def test_a_bar_shows_progress_where_it_is_wanted(tmp_path, capsys):
    (tmp_path / "a.run").write_text("1 Q0 a 1 2 x\n")
    qrels = {"1": {"a": 1}}
    for runs in ([tmp_path / "a.run"], {"x": {"1": {"a": 1.0}}, "y": {"1": {"b": 1.0}}}):
        expected = rankeval.evaluate(qrels, runs, "AP").to_dict()

        assert rankeval.evaluate(qrels, runs, "AP", progress=True).to_dict() == expected
        assert rankeval.evaluate(qrels, runs, "AP", progress=False).to_dict() == expected
    assert capsys.readouterr().out == ""
