"""`rankeval convert`: any format to any other and back, and what is said where one holds less."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankeval
from tests.support import written_formats as formats
from tests.support.commands import run_command
from tests.support.files import BM25, EXAMPLE_QRELS, EXAMPLE_RUNS, QRELS

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=6)
ANY_TEXT = st.text("ab\"',;=#{ \té", min_size=1, max_size=6)
SCORES = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9).map(float)
GRADES = st.integers(-2, 4).map(float) | st.sampled_from([0.25, 1.5])


@st.composite
def rows_of(draw, what, names):
    """Some topics, and documents of each; ranks are in order of the file, whatever the scores."""
    names = names.filter(lambda name: not name.startswith(("#", "\ufeff")))
    rows = []
    for topic in draw(st.lists(names, min_size=1, max_size=3, unique=True)):
        for rank, docno in enumerate(draw(st.lists(names, min_size=1, max_size=4, unique=True)), 1):
            row = {"topic": topic, "docno": docno}
            if what == "run":
                row |= {"rank": rank, "score": draw(SCORES), "tag": draw(st.just("t") | names)}
            else:
                row |= {"iteration": "0", "grade": draw(GRADES)}
            rows.append(row)
    return rows


def converted(data, source, target, what):
    """Convert bytes, both formats given by name."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before"), Path(folder, "after")
        before.write_bytes(data)
        form = {"qrels_format": source, "run_format": source}
        done = rankeval.convert(str(before), str(after), what=what, to=target, **form)
        return after.read_bytes(), done


WAYS = [
    (what, source, target)
    for what in ("run", "qrels")
    for source in formats.FORMATS
    for target in formats.FORMATS
]


@pytest.mark.slow
@settings(max_examples=5)
@pytest.mark.parametrize(("what", "source", "target"), WAYS)
@given(data=st.data())
def test_there_and_back_again_gives_the_same_rows(what, source, target, data):
    words = {source, target} & set(formats.WORDS_ONLY)
    rows = data.draw(rows_of(what, WORDS if words else ANY_TEXT))
    held = set(formats.held_by(source, what)) & set(formats.held_by(target, what))
    by_rank = what == "run" and "msmarco" in (source, target) and source != target
    if by_rank:  # its lines stand by rank, which tells there what the scores tell elsewhere
        held.discard("rank")

    def part(found):
        kept = formats.part(found, held)
        return sorted(kept, key=str) if by_rank else kept

    there, done = converted(formats.write(source, what, rows), source, target, what)
    back, _ = converted(there, target, source, what)

    assert part(formats.read(target, what, there)) == part(rows)
    assert part(formats.read(source, what, back)) == part(rows)
    assert (done.lines, done.topics) == (len(rows), len({row["topic"] for row in rows}))


def values_of(qrels, run, *how):
    arguments = [str(qrels), run, "-m", "AP nDCG@10 RR P@5 NumRet", "-q", "-f", "json", "--quiet"]
    stdin = b""
    if isinstance(run, Path):
        arguments[1] = str(run)
    else:
        arguments[1], stdin = "-", run
    done = run_command([*arguments, *how], stdin)
    assert done.code == 0, done.stderr
    measures = json.loads(done.stdout)["runs"][0]["measures"]
    return {name: measure["per_topic"] for name, measure in measures.items()}


# --- the same numbers from every format ------------------------------------------------------

ORIGINAL = EXAMPLE_RUNS[0]


@pytest.fixture(scope="module")
def original():
    return values_of(EXAMPLE_QRELS, ORIGINAL)


@pytest.mark.parametrize("piped", [False, True], ids=["file", "pipe"])
@pytest.mark.parametrize("name", formats.FORMATS)
def test_a_run_has_the_same_values_in_every_format(tmp_path, original, name, piped):
    target = tmp_path / "run.gz"

    rankeval.convert(str(ORIGINAL), str(target), to=name)

    assert values_of(EXAMPLE_QRELS, target.read_bytes() if piped else target) == original


# --- what is taken, and what is written anew -------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("bm25.run").write_text(BM25)
    return tmp_path


def printed(content, *arguments, name="run.txt"):
    """What a conversion of a file prints."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = run_command(["convert", name, "-", *arguments])
    assert done.code == 0, done.stderr
    return done.stdout


TIED = "1 Q0 a 7 1 t\n1 Q0 b 8 2 t\n1 Q0 c 9 1 t\n2 Q0 x 1 5 t\n"


@pytest.mark.usefixtures("folder")
def test_depth_takes_the_first_documents_by_score_where_they_stand():
    """Of the tied a and c, c is first, as trec_eval has it."""
    assert printed(TIED, "--depth", "2", "--to", "trec") == (
        "1 Q0 b 8 2.0 t\n1 Q0 c 9 1.0 t\n2 Q0 x 1 5.0 t\n"
    )


@pytest.mark.usefixtures("folder")
def test_renumber_orders_lines_by_score_and_counts():
    assert printed(TIED, "--renumber", "--to", "trec") == (
        "1 Q0 b 1 2.0 t\n1 Q0 c 2 1.0 t\n1 Q0 a 3 1.0 t\n2 Q0 x 1 5.0 t\n"
    )


@pytest.mark.usefixtures("folder")
def test_topics_and_tags_are_chosen():
    Path("wanted").write_text("# wanted\n2\tsome words\n9\n")

    done = run_command(
        ["convert", "bm25.run", "-", "--to", "csv", "--topics", "wanted", "--tag", "mine"]
    )
    assert (done.code, done.stdout) == (2, "")
    assert "no line is left to write" in done.stderr

    Path("wanted").write_text("topic\n302\n9\n")
    done = run_command(
        ["convert", "bm25.run", "-", "--to", "csv", "--topics", "wanted", "--tag", "mine"]
    )
    assert done.stdout == "topic,docno,rank,score,tag\n302,d,1,9.0,mine\n302,a,2,8.0,mine\n"
    assert done.stderr == ""


@pytest.mark.usefixtures("folder")
def test_scattered_topics_of_a_short_pipe_are_brought_together():
    done = run_command(
        ["convert", "-", "-", "--to", "json"], stdin=b"1 Q0 a 1 2 t\n2 Q0 x 1 1 t\n1 Q0 b 2 1 t\n"
    )

    assert json.loads(done.stdout) == {"1": {"a": 2, "b": 1}, "2": {"x": 1}}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("source", ["in", "-"])
def test_scattered_topics_are_brought_together_in_a_file_and_refused_in_a_pipe(
    folder, usual_sizes, source
):
    scattered = b"1 Q0 a 1 2 t\n2 Q0 x 1 1 t\n1 Q0 b 2 1 t\n"
    usual_sizes(block_bytes=len(scattered) // 3, plain_bytes=0)
    (folder / "in").write_bytes(scattered)

    done = run_command(["convert", source, "out.json"], stdin=scattered)
    refused = run_command(["convert", source, "-", "--to", "json"], stdin=scattered)

    assert (done.code, done.stderr) == (0, "rankeval: warning: json has no run tags: 3 lines\n")
    assert json.loads(Path("out.json").read_text()) == {"1": {"a": 2, "b": 1}, "2": {"x": 1}}
    assert refused.code == 2
    assert "topic 1 comes back after others" in refused.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.usefixtures("folder")
def test_blocks_of_large_files_are_put_together(usual_sizes, jobs):
    """Topics are cut by the borders of blocks, and some blocks hold no whole topic."""
    usual_sizes(block_bytes=50, plain_bytes=0)
    rows = [(topic, i) for topic in range(9) for i in range(1, 4 * topic % 7)]
    text = "".join(f"{topic} Q0 d{i} {i + 1} {9.5 - i} t\n" for topic, i in rows)

    assert printed(text, "--to", "trec", "--jobs", jobs) == text


# --- what is lost, and what cannot be held ---------------------------------------------------


@pytest.mark.parametrize(
    ("content", "to", "warnings"),
    [
        ("1 Q0 a 1 2 t\n", "csv", []),
        ("1 Q0 a 1 2 t\n", "json", ["json has no run tags: 1 line"]),
        (
            "1 Q0 a 4 2 t\n",
            "beir",
            [
                "beir has no run tags: 1 line",
                "beir has no ranks other than those of the scores: 1 line",
            ],
        ),
        (
            "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n",
            "msmarco",
            [
                "msmarco has no run tags: 2 lines",
                "msmarco has ranks instead of scores: 2 lines",
            ],
        ),
        (
            "1 Q0 a x 2 t\n",
            "parquet",
            ["parquet has no ranks other than those of the scores: 1 line"],
        ),
        ("1 i1 a 1\n", "json", ["json has no iterations or subtopics: 1 line"]),
        ("1 0 a -1 2\n", "beir", ["beir has no strata: 1 line"]),
        ("1 0 a -1 2\n", "trec", []),
        ("1 0 a -1 2\n", "msmarco", ["msmarco has no strata: 1 line"]),
        (
            "1 0 a 0.5\n1 0 b 1\n",
            "trec",
            ["trec_eval reads whole numbers in trec, and there are fractions of grades: 1 line"],
        ),
        ("1 0 a 0.5\n", "jsonl", []),
        ("1\ta\t0\n1\tb\t1\n", "msmarco", ["msmarco has ranks instead of scores: 2 lines"]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_each_kind_of_loss_is_told_once(content, to, warnings):
    Path("in").write_text(content)

    assert list(rankeval.convert("in", "out", to=to).warnings) == warnings


@pytest.mark.parametrize(
    ("content", "to", "problem"),
    [
        (
            '{"1": {"a b": 1.5}}',
            "trec",
            'in:1: the docno "a b" cannot be written in the format trec',
        ),
        ('{"1": {"a\\tb": 1.5}}', "msmarco", 'in:1: the docno "a\\tb" cannot be written'),
        ('{"#1": {"a": 1.5}}', "trec", 'in:1: the topic "#1" cannot be written'),
        ('{"1": {"a\\nb": 1.5}}', "csv", 'in:1: the docno "a\\nb" cannot be written'),
        (b"1 Q0 a\xff 1 2 t\n", "json", 'in:1: the docno "a\\xff" cannot be written'),
        (b"1 Q0 a\xff 1 2 t\n", "parquet", "expected: text in UTF-8"),
        ("1 i1 a 1\n1 i2 a 2\n", "json", 'in:2: document "a" is judged for several subtopics'),
        (
            "1 i1 a 1\n1 i1 a 2\n",
            "csv",
            'in:2: document "a" is listed twice in topic "1", first in line 1',
        ),
        ("", "csv", "no line is left to write"),
        (
            "qid,docno,score\n1,a,3\n1,b c,2\n",
            "trec",
            (
                'in:3: the docno "b c" cannot be written in the format trec\n'
                "  expected: words without blanks\n"
                "  to fix:   convert to jsonl, parquet or arrow, or rename it\n"
            ),
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_the_format_cannot_hold_is_refused_and_nothing_is_written(content, to, problem):
    Path("in").write_bytes(content if isinstance(content, bytes) else content.encode())

    done = run_command(["convert", "in", "out", "--to", to])

    assert done.code == 2
    assert problem in done.stderr
    assert not Path("out").exists()


# --- what a file holds, and how it is named --------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_wrong_and_repeated_lines_are_dropped_where_asked_for():
    Path("in").write_text("1 Q0 a 1 2 t\n1 Q0\n1 Q0 a 1 3 t\n")

    done = run_command(
        ["convert", "in", "-", "--to", "msmarco", "--on-error", "skip", "--duplicates", "best"]
    )

    assert done.stdout == "1\ta\t1\n"
    assert "in: 2 lines dropped (1 × duplicate documents, 1 × wrong number of columns)" in (
        done.stderr
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["bm25.run", "out"],
        ["bm25.run", "-"],
        ["bm25.run", "out", "--to", "xml"],
        ["bm25.run", "out.csv", "--depth", "0"],
        ["bm25.run", "out.csv", "--kind", "documents"],
        ["bm25.run", "bm25.run"],
        ["qrels.txt", "out.csv", "--depth", "3"],
        ["qrels.txt", "out.csv", "--tag", "t"],
        ["qrels.txt", "out.csv", "--renumber"],
        ["missing", "out.csv"],
        ["bm25.run"],
        ["bm25.run", "out.json", "-o", "other.json"],
        ["bm25.run", "-o", "bm25.run"],
        ["-", "out.csv", "--topics", "-"],
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_meant_is_refused(arguments):
    done = run_command(["convert", *arguments])

    assert (done.code, done.stdout) == (2, "")
    assert {path.name for path in Path().iterdir()} == {"qrels.txt", "bm25.run"}


def test_values_in_memory_are_written_and_files_become_values(tmp_path):
    run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 3.0}}
    qrels = rankeval.Qrels({"q1": {"a": 1, "b": 0}})

    assert rankeval.convert(run, tmp_path / "run.json").lines == 3
    assert rankeval.convert(tmp_path / "run.json") == run
    assert rankeval.convert(rankeval.Run(run), depth=1) == {"q1": {"a": 2.0}, "q2": {"c": 3.0}}
    assert rankeval.convert(run, exclude=qrels) == {"q1": {}, "q2": {"c": 3.0}}
    rankeval.convert(qrels, tmp_path / "qrels.tsv")
    assert rankeval.convert(tmp_path / "qrels.tsv", what="qrels") == qrels
    assert rankeval.convert({"q1": {"a": 1, "b": 0}}, what="qrels") == qrels


@pytest.mark.usefixtures("folder")
def test_chunks_may_become_documents():
    chunks = "1 Q0 b#1 1 9 t\n1 Q0 b#2 2 8 t\n1 Q0 a#7 3 5 t\n"

    assert printed(chunks, "--collapse", "sum:#.*", "--to", "trec") == (
        "1 Q0 b 1 17.0 t\n1 Q0 a 2 5.0 t\n"
    )
