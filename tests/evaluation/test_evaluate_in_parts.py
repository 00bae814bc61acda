"""Runs and judgments in parts: the same values and digests as of one file, to the last bit."""

import gzip
import itertools
import shutil
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import rankeval
from rankeval import InputError
from rankeval.options import FileParts, Reading
from tests.support.files import BM25, QRELS, qrels_of

MEASURES = "AP nDCG@10 RR P@5 ERR@20 RBP Bpref Judged@10 infAP"
TOPICS = [b"1", b"2", b"03", b"3", b"x"]

rows = st.lists(
    st.tuples(
        st.sampled_from(TOPICS),
        st.integers(0, 30).map(lambda n: b"d%d" % n),
        st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 2.5, -7.0]),
    ),
    min_size=1,
    max_size=80,
    unique_by=lambda row: row[:2],
)


def trec(part):
    return b"".join(b"%b Q0 %b 1 %b t\n" % (t, d, repr(s).encode()) for t, d, s in part)


def judged(part):
    return b"".join(b"%b 0 %b %d\n" % (t, d, int(s * 10) % 3) for t, d, s in part)


def as_parquet(path, part):
    topics, docnos, scores = zip(*part, strict=True)
    table = pa.table({"topic": topics, "docno": docnos, "score": scores})
    parquet.write_table(table, path, row_group_size=max(3, len(part) // 4))


def write_parts(folder, parts, form):
    """Write each part: as TREC, compressed or not, as Parquet, or all of these in turn."""
    folder.mkdir()
    for number, part in enumerate(parts):
        path = folder / f"part-{number:05}"
        if form == "parquet" or (form == "mixed" and number % 3 == 1):
            as_parquet(path, part)
        elif form == "gzip" or (form == "mixed" and number % 3 == 2):
            path.write_bytes(gzip.compress(trec(part)))
        else:
            path.write_bytes(trec(part))


def by_hive(folder, every):
    for topic, docno, score in every:
        inside = folder / f"topic={topic.decode()}"
        inside.mkdir(parents=True, exist_ok=True)
        with (inside / "x.csv").open("ab") as file:
            if not file.tell():
                file.write(b"docno,score\n")
            file.write(b"%b,%b\n" % (docno, repr(score).encode()))


def exact(results):
    """All that a number can depend on, and all numbers with all of their bits."""
    (run,) = results.runs
    return (
        results.qrels.digest,
        run.topics,
        run.missing,
        run.tied,
        [(s.measure, s.signature, s.aggregate.hex(), s.values.tobytes()) for s in run.scores],
    )


@pytest.fixture
def small_blocks(usual_sizes):
    """Files of a few lines are streamed and cut, as large ones are."""
    usual_sizes(plain_bytes=64, beside_fast_bytes=64, block_bytes=64)


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=60)
@given(rows, rows, st.sampled_from(["trec", "gzip", "parquet", "mixed", "hive"]), st.data())
def test_parts_of_any_cut_and_order_give_the_numbers_of_one_file(run, qrels, form, data):
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        (here / "run").write_bytes(trec(run))
        (here / "qrels").write_bytes(judged(qrels))
        if not {row[0] for row in run} & {row[0] for row in qrels}:
            return
        expected = exact(rankeval.evaluate(here / "qrels", here / "run", MEASURES))
        shuffled = data.draw(st.permutations(run))
        cuts = sorted(data.draw(st.lists(st.integers(1, len(run)), max_size=6)))
        bounds = [0, *dict.fromkeys(cuts), len(run)]
        parts = [shuffled[a:b] for a, b in itertools.pairwise(bounds) if a < b]
        if form == "hive":
            by_hive(here / "parts", shuffled)
        else:
            write_parts(here / "parts", parts, form)
        (here / "judgments").mkdir()
        for number, part in enumerate((qrels[::2], qrels[1::2])):
            (here / f"judgments/{number}").write_bytes(judged(part))

        folder = rankeval.evaluate(here / "judgments", here / "parts", MEASURES, jobs=2)
        several = rankeval.evaluate(
            FileParts([here / "judgments/1", here / "judgments/0"]),
            str(here / "part*" / "**"),
            MEASURES,
            jobs=1,
        )

        assert exact(folder) == exact(several) == expected


def test_large_parts_are_streamed_and_give_the_numbers_of_one_file(tmp_path):
    """Topics go on over the borders of blocks and of parts."""
    every = [
        (b"%d" % t, b"d%d" % d, 1 / (d + t + 1)) for t in range(300) for d in range(700 + t % 7)
    ]
    (tmp_path / "run").write_bytes(trec(every))
    (tmp_path / "qrels").write_text(
        "".join(f"{t} 0 d{d * 7} {d % 3}\n" for t in range(300) for d in range(40))
    )
    cuts = [every[i : i + 31_007] for i in range(0, len(every), 31_007)]
    for form in "trec", "parquet":
        write_parts(tmp_path / form, cuts, form)

    expected, *others = (
        exact(rankeval.evaluate(tmp_path / "qrels", tmp_path / name, MEASURES, jobs=2))
        for name in ("run", "trec", "parquet")
    )

    assert others == [expected] * 2


@pytest.fixture
def parts(tmp_path):
    """A run and judgments in two parts each."""
    for name, text in ("qrels", QRELS), ("run", BM25):
        (tmp_path / name).mkdir()
        lines = text.splitlines(keepends=True)
        (tmp_path / name / "0").write_text("".join(lines[:3]))
        (tmp_path / name / "1").write_text("".join(lines[3:]))
    return tmp_path


def test_a_run_in_parts_has_the_values_worked_out_by_hand(parts):
    results = rankeval.evaluate(parts / "qrels", parts / "run", "AP RR")

    assert [s.aggregate for s in results.runs[0].scores] == pytest.approx([2 / 3, 3 / 4])


def test_a_document_in_two_parts_is_a_duplicate(parts):
    (parts / "run/2").write_text("\n301 Q0 b 1 1 t\n")

    with pytest.raises(InputError, match=r'run/2:2: document "b" is listed twice .*run/0:2'):
        rankeval.evaluate(parts / "qrels", parts / "run", "AP")
    best = rankeval.evaluate(
        parts / "qrels", parts / "run", "AP", reading=Reading(duplicates="best")
    )
    assert best.runs[0].scores[0].aggregate == pytest.approx(2 / 3)


def test_a_judgment_in_two_parts_is_a_duplicate(parts):
    (parts / "qrels/2").write_text("\n\n301 0 b 1\n")

    with pytest.raises(InputError, match=r"qrels/2:3: document \"b\" is judged twice .*qrels/0:2"):
        rankeval.evaluate(parts / "qrels", parts / "run", "AP")


def test_subtopics_may_be_in_several_parts(tmp_path):
    (tmp_path / "whole").write_text("1 1 a 1\n1 2 a 1\n1 2 b 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 t\n1 Q0 b 2 0 t\n")
    (tmp_path / "parts").mkdir()
    for number, text in enumerate(("1 1 a 1\n1 2 a 1\n", "1 2 b 1\n")):
        (tmp_path / f"parts/{number}").write_text(text)

    one, several = (
        exact(rankeval.evaluate(tmp_path / name, tmp_path / "run", "alpha_nDCG@5 ERR_IA@5"))
        for name in ("whole", "parts")
    )

    assert one == several


@pytest.mark.parametrize("form", ["trec", "parquet"])
def test_a_damaged_part_is_named(parts, form):
    shutil.rmtree(parts / "run")
    write_parts(parts / "run", [[(b"301", b"a", 1.0)], [(b"302", b"d", 1.0)]], form)
    damaged = parts / "run/part-00001"
    cut = {"trec": b"\x1f\x8b\x08cut", "parquet": damaged.read_bytes()[:-9]}[form]
    damaged.write_bytes(cut)

    with pytest.raises(InputError, match=r"part-00001: (is not a readable|the compressed data)"):
        rankeval.evaluate(parts / "qrels", parts / "run", "AP")


def test_a_missing_part_is_named(parts):
    missing = FileParts([parts / "run/0", parts / "run/7"])

    with pytest.raises(InputError, match="run/7: no such file"):
        rankeval.evaluate(parts / "qrels", missing, "AP")


def test_runs_in_parts_are_named_by_their_folders(tmp_path):
    (tmp_path / "qrels").write_text(qrels_of(t1="a1"))
    for name in "bm25.parquet", "dense":
        (tmp_path / name).mkdir()
        as_parquet(tmp_path / name / "x", [(b"t1", b"a", 1.0)])

    results = rankeval.evaluate(
        tmp_path / "qrels", [tmp_path / "bm25.parquet", str(tmp_path / "dense" / "*")], "AP"
    )

    assert [run.name for run in results.runs] == ["bm25", "dense"]


def test_wrong_lines_of_parts_are_counted(parts):
    (parts / "run/2").write_text("301 Q0 e\n")
    (parts / "run/3").write_text("301 Q0 f\n")

    results = rankeval.evaluate(
        parts / "qrels", parts / "run", "AP", reading=Reading(on_error="skip")
    )

    assert results.runs[0].dropped == {"wrong number of columns": 2}


def test_scattered_topics_of_parts_are_held_and_told(tmp_path):
    every = [(b"%d" % t, b"d%d" % d, 1 / (d + 1)) for d in range(3000) for t in range(100)]
    write_parts(tmp_path / "run", [every[::2], every[1::2]], "parquet")
    write_parts(tmp_path / "sorted", [sorted(every)[:9], sorted(every)[9:]], "parquet")
    (tmp_path / "qrels").write_text("".join(f"{t} 0 d{t} 1\n" for t in range(100)))

    scattered, whole = rankeval.evaluate(
        tmp_path / "qrels", [tmp_path / "run", tmp_path / "sorted"], "RR"
    ).runs

    assert [w for w in map(str, scattered.warnings) if "all of its 300,000 lines were held" in w]
    assert not [w for w in map(str, whole.warnings) if "held" in w]
    assert scattered.scores[0].aggregate == pytest.approx(
        sum(1 / (t + 1) for t in range(100)) / 100
    )
