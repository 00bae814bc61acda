"""`--order rank`: the rank column orders documents, and scores may be anything."""

import json

import pandas as pd
import pytest

import rankeval

QRELS = {"1": {"a": 1, "b": 1, "c": 0}, "2": {"e": 1}}
ROWS = [("1", "c", 3), ("1", "a", 1), ("2", "e", 2), ("2", "d", 1), ("1", "b", 2)]
VALUE = {"1": (1 / 1 + 2 / 2) / 2, "2": 1 / 2}
"""AP by hand: a, b, c, and d, e."""


def trec(score):
    return "".join(f"{topic} Q0 {docno} {rank} {score} t\n" for topic, docno, rank in ROWS)


def forms(folder, score):
    """The same run as files of several formats and as values, with a score that is none."""
    frame = pd.DataFrame(ROWS, columns=["topic", "docno", "rank"]).assign(score=float("nan"))
    records = frame.to_dict("records")
    frame.to_csv(folder / "run.csv", index=False, na_rep=score)
    frame.to_csv(folder / "run.tsv", index=False, na_rep=score, sep="\t")
    frame.to_parquet(folder / "run.parquet")
    (folder / "run.trec").write_text(trec(score))
    (folder / "run.jsonl").write_text(
        "".join(json.dumps({**record, "score": None}) + "\n" for record in records)
    )
    files = [folder / f"run.{suffix}" for suffix in ("trec", "csv", "tsv", "jsonl", "parquet")]
    return [*files, frame, records, frame.to_dict("list")]


@pytest.mark.parametrize("score", ["nan", "inf", "n/a"])
def test_scores_that_are_no_numbers_do_not_matter(tmp_path, score):
    for run in forms(tmp_path, score):
        found = rankeval.evaluate(QRELS, run, "AP", order="rank").runs[0]

        assert found["AP"].per_topic == VALUE


def test_scores_are_refused_where_they_count_and_ranks_where_they_are_none(tmp_path):
    path = tmp_path / "run"
    path.write_text(trec("nan"))
    with pytest.raises(rankeval.InputError, match='score "nan" is not a finite number'):
        rankeval.evaluate(QRELS, path, "AP")

    path.write_text(trec("1").replace("a 1", "a first"))
    with pytest.raises(rankeval.InputError, match=r"run:2: .*first"):
        rankeval.evaluate(QRELS, path, "AP", order="rank")
    for needed in {"ties": "rank"}, {"order": "rank"}:
        with pytest.raises(rankeval.UsageError, match="no rank column"):
            rankeval.evaluate(QRELS, {"1": {"a": 1.0, "b": 1.0}}, "AP", **needed)
