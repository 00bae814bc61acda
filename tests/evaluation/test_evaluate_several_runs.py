"""Several runs scored in threads: the same to the last bit, in order, and errors."""

import pytest

import rankeval
from rankeval import InputError
from rankeval.evaluation import evaluate as several_runs
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


def test_runs_score_the_same_however_many_work(folder):
    alone = evaluated(folder, jobs=1)

    assert [name for name, *_ in alone] == [str(number) for number in range(7)]
    assert all(evaluated(folder, jobs=jobs) == alone for jobs in (2, 16))


@pytest.mark.parametrize("wrong", [0, 1, 4])
def test_the_first_run_that_is_wrong_is_told_of(folder, wrong):
    for name in NAMES[wrong:]:
        (folder / name).write_text("100 Q0 d1 1\n")

    for jobs in 1, 2, 16:
        with pytest.raises(InputError, match=rf"{wrong}\.run:1: found 4 columns"):
            evaluated(folder, jobs=jobs)


def test_progress_is_told_of_each_run(folder):
    told = {}

    evaluated(folder, jobs=3, progress=told.__setitem__)

    assert told == {str(folder / name): (folder / name).stat().st_size for name in NAMES}
