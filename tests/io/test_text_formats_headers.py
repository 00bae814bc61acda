"""A first line is a header if its names are known, and data if there is a number in their place."""

import json
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather
from pyarrow import parquet as pq

import rankeval
from rankeval.__main__ import run
from rankeval.errors import InputError
from rankeval.io import text_formats
from rankeval.io.blocks import USUAL
from rankeval.io.formats import Form
from rankeval.io.read import read_columns
from tests.support.compiled import without_kernel
from tests.support.read_sizes import fast

pl = pytest.importorskip("polars")

JUDGED = {"1": {"a": 1, "b": 1}}
RUN = "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"


@pytest.mark.parametrize("separator", ["\t", ",", " ", ";"])
@pytest.mark.parametrize(
    "names", [("query-id", "corpus-id"), ("user_id", "item_id"), ("topic", "docno"), ("qid", "pid")]
)
@pytest.mark.parametrize("suffix", ["", ".tsv", ".csv"])
def test_judgments_of_two_columns_may_have_names(tmp_path, separator, names, suffix):
    lines = [names, ("1", "a"), ("1", "b")]
    path = tmp_path / f"judged{suffix}"
    path.write_text("".join(f"{separator.join(line)}\n" for line in lines))

    qrels = rankeval.Qrels(path)

    assert {topic: dict(qrels[topic]) for topic in qrels} == JUDGED


def test_judgments_of_two_columns_may_have_given_names(tmp_path):
    (tmp_path / "judged.csv").write_text("who,what\n1,a\n1,b\n")

    qrels = rankeval.Qrels(tmp_path / "judged.csv", columns={"topic": "who", "docno": "what"})

    assert dict(qrels["1"]) == JUDGED["1"]


DATA = {
    "csv": ("run.csv", "1,a,0.9\n1,b,0.5\n", {"topic": "1", "docno": "a", "score": "0.9"}),
    "semicolons": ("run.csv", "1;a;0.9\n", {"topic": "1", "docno": "a", "score": "0.9"}),
    "tabs": ("run.tsv", "1\ta\t0.9\n", {"topic": "1", "docno": "a", "score": "0.9"}),
}


@pytest.mark.parametrize("case", DATA)
@pytest.mark.parametrize("named", [True, False])
def test_data_are_no_names_of_columns(tmp_path, monkeypatch, capsys, case, named):
    monkeypatch.chdir(tmp_path)
    name, text, columns = DATA[case]
    (tmp_path / name).write_text(text)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    given = {"columns": columns} if named else {}

    with pytest.raises(InputError):
        list(rankeval.Run(name, **given))
    words = ["--columns", ",".join(map("=".join, columns.items()))] if named else []
    assert run(["eval", "qrels", name, *words]) == 2
    if case != "tabs" or named:
        assert "the first line is data" in capsys.readouterr().err


def test_given_names_hold_for_the_files_that_have_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("topic docno grade\n1 a 1\n")
    (tmp_path / "own.csv").write_text("x,y,z\n1,a,0.9\n")
    (tmp_path / "known.csv").write_text("qid,docno,score\n1,a,0.9\n")
    words = ["eval", "qrels", "known.csv", "own.csv", "-m", "AP", "-f", "tsv", "--columns"]

    assert run([*words, "topic=x,docno=y,score=z"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["known\tAP\tall\t1.0", "own\tAP\tall\t1.0"]
    assert run([*words, "topic=x,docno=y,score=w"]) == 2
    assert 'has no column "w" for the score' in capsys.readouterr().err


PAIRS = {"user_id": ["u", "v"], "item_id": ["b", "x"]}
ROWS = [dict(zip(PAIRS, row, strict=True)) for row in zip(*PAIRS.values(), strict=True)]
INTERACTIONS = {
    "pandas": lambda _: pd.DataFrame(PAIRS),
    "polars": lambda _: pl.DataFrame(PAIRS),
    "a lazy frame": lambda _: pl.LazyFrame(PAIRS),
    "Arrow": lambda _: pa.table(PAIRS),
    "lists": lambda _: PAIRS,
    "arrays": lambda _: {name: np.array(values) for name, values in PAIRS.items()},
    "dictionaries": lambda _: ROWS,
    "tuples": lambda _: list(zip(*PAIRS.values(), strict=True)),
    "parquet": lambda path: pq.write_table(pa.table(PAIRS), path),
    "arrow": lambda path: feather.write_feather(pa.table(PAIRS), path),
    "jsonl": lambda path: path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS)),
    "json": lambda path: path.write_text(json.dumps(ROWS)),
    "csv": lambda path: path.write_text("user_id,item_id\nu,b\nv,x\n"),
    "tsv": lambda path: path.write_text("user_id\titem_id\nu\tb\nv\tx\n"),
    "txt": lambda path: path.write_text("user_id item_id\nu b\nv x\n"),
}


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("kind", INTERACTIONS)
def test_interactions_of_two_columns_have_grade_1_in_every_form(tmp_path, capsys, kind, kernel):
    """RR by hand: b is second in the ranking of u, and v has none."""
    path = tmp_path / f"judged.{kind}"
    made = INTERACTIONS[kind](path)
    qrels = path if path.exists() else made

    with nullcontext() if kernel else without_kernel():
        score = rankeval.evaluate(qrels, {"u": {"a": 2.0, "b": 1.0}}, "RR")["run"]["RR"]

    assert score.per_topic == {"u": 0.5, "v": 0.0}
    if path.exists():
        (tmp_path / "run").write_text("u Q0 a 1 2 t\nu Q0 b 2 1 t\n")
        words = ["eval", str(path), str(tmp_path / "run"), "-m", "RR", "-f", "tsv"]
        assert run(words) == 0
        assert "0.25" in capsys.readouterr().out
        assert run(["check", str(path)]) == 0
        assert "judgments" in capsys.readouterr().out


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("separator", [",", "\t", " "])
@pytest.mark.parametrize("size", [None, 5, 64, 1000])
def test_a_header_that_is_longer_than_a_block_is_whole(tmp_path, separator, size, kernel):
    """Of 3 MB, in blocks of 2 MB; or of 800 bytes, in smaller ones."""
    names = ["topic", "x" * (800 if size else 3 << 20), "docno", "score"]
    lines = [names, ["1", "y", "a", "2.5"], ["1", "y", "b", "1.5"]]
    path = tmp_path / "run"
    path.write_text("".join(f"{separator.join(line)}\n" for line in lines))
    sizes = USUAL if size is None else fast(block_bytes=size)

    with nullcontext() if kernel else without_kernel():
        parts = list(read_columns(str(path), Form("run"), sizes=sizes))

    assert [docno for part in parts for docno in part.docnos.tolist()] == [b"a", b"b"]
    scores = [score for columns in parts for score in columns.values.tolist()]  # noqa: PD011  no frame
    assert scores == [2.5, 1.5]


@pytest.mark.parametrize("separator", [",", "\t", " "])
def test_a_header_that_no_line_can_have_is_refused(tmp_path, separator):
    path = tmp_path / "run"
    path.write_text(separator.join(["topic", "docno", "score", "x" * (20 << 20)]) + "\n1,a,1,x\n")

    with pytest.raises(InputError, match="the line is longer than 16 MB"):
        list(read_columns(str(path), Form("run")))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("who iter what place points system\n1 Q0 a 1 2 t\n", "run"),
        ("who\twhat\tpoints\n1\ta\t0.9\n", "run"),
        ("who,what,points\n1,a,0.9\n", "run"),
        ("who what points\n1 a 0.9\n", "run"),
        ("who when what points\n1 0 a 1\n", "qrels"),
        ("who\twhat\tpoints\n1\ta\t1\n", "qrels"),
    ],
)
def test_a_first_line_of_unknown_names_asks_for_them(tmp_path, text, what):
    path = tmp_path / "file"
    path.write_text(text)
    named = {"points": "score" if what == "run" else "grade"}
    named |= {"who": "topic", "what": "docno"}
    names = text.partition("\n")[0].replace(",", " ").split()
    columns = {role: name for name, role in named.items() if name in names}
    read = rankeval.Run if what == "run" else rankeval.Qrels

    with pytest.raises(InputError) as refused:
        list(read(path))
    assert refused.value.place == f"{path}:1"
    assert "--columns" in refused.value.remedy

    assert list(read(path, columns=columns)) == ["1"]


@pytest.mark.parametrize("kind", ["pandas", "polars", "Arrow", "lists", "dictionaries"])
def test_given_names_hold_for_the_frames_that_have_them(kind):
    def form(columns):
        if kind == "dictionaries":
            return [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ]
        return {"pandas": pd.DataFrame, "polars": pl.DataFrame, "Arrow": pa.table}.get(kind, dict)(
            columns
        )

    own = form({"x": ["u", "u"], "y": ["a", "b"], "z": [1.0, 2.0]})
    known = form({"qid": ["u", "u"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    reading = {"columns": {"topic": "x", "docno": "y", "score": "z"}}

    found = rankeval.evaluate({"u": {"b": 1}}, [own, known], "RR", **reading)

    assert [score["RR"].mean for score in found.runs] == [1.0, 0.5]


@pytest.mark.parametrize("separator", [",", "\t", " "])
def test_a_header_of_more_names_than_anybody_gives_is_none(tmp_path, monkeypatch, separator):
    """Millions of names, which a little compressed data can hold, take gigabytes when cut."""
    monkeypatch.setattr(text_formats, "MOST_NAMES", 5)
    path = tmp_path / "run"
    for n_more, refused in (3, False), (4, True):
        lines = [["topic", "docno", "score", *"x" * n_more], ["1", "a", "2", *"y" * n_more]]
        path.write_text("".join(f"{separator.join(line)}\n" for line in lines))
        with pytest.raises(InputError) if refused else nullcontext():
            assert [len(part) for part in read_columns(str(path), Form("run"))] == [1]
