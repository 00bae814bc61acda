"""Several runs are scored in threads: the same to the last bit, in order, and errors likewise."""

import pytest

import rankeval
from rankeval import InputError, api
from tests.samples import collection

NAMES = [f"{number}.run" for number in range(7)]
MEASURES = "AP nDCG@10 RBP INST(max_rel=4)"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(api, "WORTH_SHARING", 0)
    monkeypatch.setattr("rankeval.processes.can_share", lambda: False)
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


def evaluated(folder, jobs):
    runs = [folder / name for name in NAMES]
    results = rankeval.evaluate(folder / "qrels.txt", runs, MEASURES, jobs=jobs)
    return [
        (run.name, run.warnings, [(s.values.tobytes(), s.aggregate) for s in run.scores])
        for run in results.runs
    ]


@pytest.mark.parametrize("large", [0, api.LARGE_RUN])
def test_runs_score_the_same_in_any_number_of_threads(files, monkeypatch, large):
    monkeypatch.setattr(api, "LARGE_RUN", large)
    alone = evaluated(files, 1)

    assert [name for name, *_ in alone] == [str(number) for number in range(7)]
    assert all(evaluated(files, jobs) == alone for jobs in (2, 3, 16))


def test_the_first_run_that_is_wrong_is_told_of(files):
    for name in NAMES[3:]:
        (files / name).write_text("100 Q0 d1 1\n")

    for jobs in 1, 2, 16:
        with pytest.raises(InputError, match=r"3\.run:1: "):
            evaluated(files, jobs)


def test_arrow_is_imported_where_small_files_are_many(files, monkeypatch):
    monkeypatch.setattr("rankeval.io.reading.SMALL", 20_000)
    monkeypatch.setattr("rankeval.io.reading.TINY", 0)

    assert evaluated(files, 2) == evaluated(files, 1)
