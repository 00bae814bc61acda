"""Lines of CSV, TSV, TREC and others that Spark reads: the results of one machine."""

import bz2
import gzip
import json
import lzma
import random
from contextlib import contextmanager

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import rankeval
from rankeval.options import Settings
from rankeval.spark import engine
from rankeval.spark.engine import evaluate_files
from tests.support.spark import everything

pytestmark = pytest.mark.slow

PARTITIONINGS = (("134217728", "3"), ("600", "7"))
"""Bytes of a task, and partitions behind a shuffle: whole files, and pieces of files."""


@pytest.fixture
def on_spark(session, monkeypatch):
    """Evaluates files as `--engine spark` does, but in the session of all tests."""

    @contextmanager
    def started(_master):
        yield session

    monkeypatch.setattr(engine, "started", started)

    def evaluated(qrels, run, measures, settings=None, **more):
        return evaluate_files(str(qrels), str(run), measures, settings or Settings(**more))

    yield evaluated
    divide(session, *PARTITIONINGS[0])


def divide(session, n_bytes, partitions):
    session.conf.set("spark.sql.files.maxPartitionBytes", n_bytes)
    session.conf.set("spark.sql.shuffle.partitions", partitions)


def same(on_spark, qrels, run, *given, **more):
    """Hold that Spark gives the results of one machine; return them."""
    alone = rankeval.evaluate(str(qrels), str(run), *given, **more)
    expected = everything(alone)
    for one in expected["runs"]:
        # Workers do not know the order of lines, nor all tags.
        one["warnings"] = [
            w for w in one["warnings"] if "scores rise down" not in w and "run tags" not in w
        ]
    assert json.dumps(everything(on_spark(qrels, run, *given, **more))) == json.dumps(expected)
    return alone


def written(folder, files):
    """Write texts to files of a folder, whose names may have folders."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_tables_and_lines_of_all_kinds_are_those_of_one_machine(session, on_spark, tmp_path):
    """Each part has its own format, separator, order of columns, line ends and compression."""
    rng = random.Random(7)
    docs = [f"d{i}" for i in range(60)]

    def rows(part):
        return [(f"q{part}{t}", d, rng.gauss(0, 1)) for t in "ab" for d in rng.sample(docs, 40)]

    def lines(part, form, header="", end="\n"):
        made = (form.format(t=t, d=d, s=s) for t, d, s in rows(part))
        return (header + end if header else "") + "".join(line + end for line in made)

    written(
        tmp_path,
        {
            "run/0.csv": lines(0, "{t},{d},{s!r},x", "topic,docno,score,tag"),
            "run/1.csv": lines(1, 'x; {s!r} ;"{d}";"{t}"', "TAG;Score;Doc_ID;qid", "\r\n"),
            "run/2.tsv": "\ufeff# comment\n\n"
            + lines(2, "{t}\tx\t{d}\t{s:.3e}", "topic\ttag\tdocno\tscore"),
            "run/3 [a]%.csv.gz": gzip.compress(
                lines(3, "{s:.30f},{t},{d},x", "score,topic,docno,tag").encode()
            ),
            "run/4.csv.bz2": bz2.compress(
                lines(4, "{s!r},{t},{d},x", "score,topic,docno,tag").encode()
            ),
            "run/5.run": lines(5, "{t} Q0 {d} 0 {s!r} x"),
            "run/6.jsonl": lines(6, '{{"qid":"{t}","docid":"{d}","score":{s!r},"tag":"x"}}'),
            "run/7.csv": "",
            "run/_SUCCESS": "nothing",
            "qrels.csv": "\ufeff\r\n# comment\r\nrel,docno,topic\r\n"
            + "".join(
                f'{rng.randrange(3)},"{d}",q{part}{t}\r\n\r\n'
                for part in range(7)
                for t in "ac"
                for d in rng.sample(docs, 20)
            ),
        },
    )
    for part in sorted((tmp_path / "run").glob("[0-6]*")):
        rankeval.convert(part, tmp_path / "part.run", to="trec")
        with (tmp_path / "whole.run").open("ab") as whole:
            whole.write((tmp_path / "part.run").read_bytes())
    results = rankeval.evaluate(tmp_path / "qrels.csv", tmp_path / "whole.run", "AP nDCG@10 GAUC")
    for partitioning in PARTITIONINGS:
        divide(session, *partitioning)
        found = on_spark(tmp_path / "qrels.csv", tmp_path / "run", "AP nDCG@10 GAUC")
        assert everything(found) == everything(results)

    assert len(results.runs[0]["AP"].per_topic) == 14
    address = f"file://{tmp_path}/run"
    found = on_spark(f"file://{tmp_path}/qrels.csv", address, "AP nDCG@10 GAUC")
    assert everything(found) == everything(results)


def test_columns_are_named_and_ranks_and_labels_are_read_as_on_one_machine(on_spark, tmp_path):
    written(
        tmp_path,
        {
            "qrels.csv": "a,b,c\nq1,d1,1\nq1,d3,0\n",
            "run.csv": "b,c,a\nd1,1,q1\nd2,2,q1\n",
            "ranks.csv": "topic,docno,rank\nq1,d1,2\nq1,d2,1\n",
            "both.csv": "topic,docno,rank,score\nq1,d1,2,5\nq1,d2,1,5\n",
            "tags.csv": "topic,docno,score,tag\nq1,d1,1,\nq1,d2,2,x\n",
            "msmarco.tsv": "q1\td2\t1\nq1\td1\t2\n",
            "few.tsv": "q1\td1\n",
            "subtopics.csv": "topic,docno,subtopic,grade\nq1,d1,1,1\nq1,d1,2,2\nq1,d2,2,1\n",
            "strata.txt": "q1 0 d1 1 1\nq1 0 d2 2 0\n",
        },
    )
    few, both = tmp_path / "few.tsv", tmp_path / "both.csv"
    named = {"columns": "topic=a,docno=b,score=c,grade=c"}

    same(on_spark, tmp_path / "qrels.csv", tmp_path / "run.csv", "AP", **named)
    for run in ("ranks.csv", "tags.csv", "msmarco.tsv"):
        same(on_spark, few, tmp_path / run, "AP")
    same(on_spark, few, both, "AP", Settings(order="rank"))
    same(on_spark, few, both, "AP", Settings(ties="rank"))
    same(on_spark, tmp_path / "subtopics.csv", both, "alpha_nDCG@5 AP")
    same(on_spark, tmp_path / "subtopics.csv", both, "AP")
    same(on_spark, tmp_path / "strata.txt", both, "xinfAP AP")
    for evaluate in (rankeval.evaluate, on_spark):
        with pytest.raises(rankeval.UsageError, match="the run has no rank column to order it by"):
            evaluate(few, tmp_path / "tags.csv", "AP", Settings(order="rank"))


WRONG = {
    "ragged.csv": "topic,docno,score\nq1,d1,1\nq1,d2\n",
    "long.csv": "topic,docno,score\nq1,d1,1,2\n",
    "number.csv": "topic,docno,score\nq1,d1,0_1\n",
    "infinite.csv": "topic,docno,score\nq1,d1,1e999\n",
    "quote.csv": 'topic,docno,score\nq1,"d\n1",1\n',
    "docno.csv": "topic,docno,score\nq1,,1\n",
    "twice.csv": "topic,docno,score,docno\nq1,d1,1,d1\n",
    "column.csv": "topic,thing,score\nq1,d1,1\n",
    "header.csv": "topic,docno,score\ntopic,docno,score\nq1,d1,1\n",
    "nul.csv": "topic,docno,score\nq1,d\0,1\n",
    "utf16.csv": "topic,docno,score\nq1,d1,1\n".encode("utf-16"),
    "trec.run": "q1 Q0 d1 1 2 t\nq1 Q0 d2 1 high t\n",
}


def test_what_one_machine_refuses_is_refused_with_the_same_words(on_spark, tmp_path):
    written(tmp_path, {"qrels.txt": "q1 0 d1 1\n", **WRONG})
    for name in WRONG:
        told = []
        for evaluate in (rankeval.evaluate, on_spark):
            with pytest.raises(rankeval.InputError) as error:
                evaluate(str(tmp_path / "qrels.txt"), str(tmp_path / name), "AP")
            told.append(str(error.value))
        assert told[0] == told[1]
        assert name in told[0]
    written(tmp_path, {"none.csv": "topic,docno,score\n"})
    with pytest.raises(rankeval.InputError, match=r"none\.csv: has no rankings"):
        on_spark(tmp_path / "qrels.txt", tmp_path / "none.csv", "AP")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_characters_of_patterns_stand_for_themselves_in_names(on_spark, tmp_path, suffix):
    written(tmp_path, {"qrels.txt": "q1 0 d1 1\nq2 0 d1 1\nq3 0 d2 2\n", "run/x=1/_": ""})
    for number, name in enumerate(("a*b", "axb", "{x,y}", "[0]?", "100% ü")):
        rows = pa.table({"topic": [f"q{number}"], "docno": [f"d{number}"], "score": [2.5]})
        path = tmp_path / "run" / "x=1" / f"{name}.{suffix}"
        if suffix == "parquet":
            parquet.write_table(rows, path)
        else:
            csv.write_csv(rows, path)

    files = tmp_path / "qrels.txt", tmp_path / "run"
    # One machine reads no folder of text.
    results = same(on_spark, *files, "AP") if suffix == "parquet" else on_spark(*files, "AP")

    assert results.runs[0]["AP"].per_topic == {"q1": 1.0, "q2": 0.0, "q3": 0.0}


def test_names_formats_and_compressions_that_spark_does_not_read_are_read(on_spark, tmp_path):
    text = b"topic,docno,score\nq1,d1,1\n"
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as packed:
        packed.write(text)
    files = {
        "a.csv.xz": lzma.compress(text),
        "a.csv.lz4": sink.getvalue().to_pybytes(),
        "packed.csv": gzip.compress(text),
        "b.csv.gz": text,
        "_a.csv": text,
        "a:b.csv": text,
        "a.json": json.dumps({"q1": {"d1": 1.5}}).encode(),
    }
    written(tmp_path, {"qrels.txt": "q1 0 d1 1\n", **files})
    for name in files:
        same(on_spark, tmp_path / "qrels.txt", tmp_path / name, "AP")
