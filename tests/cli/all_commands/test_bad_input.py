"""What cannot be used is refused with one message that says where, what, and what to do."""

import bz2
import gzip
import json
import lzma
import os
import re
import sys
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest

import rankeval
from rankeval.errors import RankevalError
from rankeval.io.parsers.line_errors import LEAVE_OUT
from rankeval.io.read_sizes import USUAL
from rankeval.io.sources import blocks
from rankeval.ranking.duplicates import KEEP_FIRST
from tests.support import bad_formats, bad_wrappings
from tests.support.commands import run_command

QRELS = b"301 0 d1 1\n302 0 d2 2\n"
RUN = b"301 Q0 d1 1 2.5 tag\n302 Q0 d2 1 1.5 tag\n"

RUN_COLUMNS = "  expected: topic Q0 docno rank score tag\n"
QRELS_COLUMNS = "  expected: topic iteration docno grade\n"
DROP_SCORE = "  to fix:   write the score as a decimal number"
DROP_GRADE = "  to fix:   write the grade as a decimal number"
ADD = "  to fix:   add the missing column"
REMOVE = "  to fix:   remove what is too much: a line has 4 columns, and names must not hold blanks"
EMPTY_RUN = (
    "run.txt: has no rankings\n"
    "  expected: lines of topic Q0 docno rank score tag\n"
    "  to fix:   check that the file is complete"
)
EMPTY_QRELS = (
    "qrels.txt: has no judgments\n"
    "  expected: lines of topic iteration docno grade\n"
    "  to fix:   check that the file is complete"
)
TEXT = (
    "  expected: lines of text\n"
    "  to fix:   check that this is the right file, in UTF-8 or ASCII, and not damaged"
)
UTF_16 = (
    "{name}: is encoded in UTF-16\n"
    "  expected: UTF-8 or another encoding that contains ASCII\n"
    "  to fix:   iconv -f UTF-16 -t UTF-8 {name} > NEW_FILE"
)

BAD_RUNS = {
    "too few columns": (
        RUN + b"303 Q0 d3 1 14.5\n" + RUN,
        'run.txt:3: found 5 columns: "303 Q0 d3 1 14.5"\n' + RUN_COLUMNS + ADD,
    ),
    "one column": (
        b"# a run\n\n301\n",
        'run.txt:3: found 1 column: "301"\n' + RUN_COLUMNS + ADD,
    ),
    "commas": (
        b"301,Q0,d1,1,2.5,tag\n",
        'run.txt:1: found 1 column: "301,Q0,d1,1,2.5,tag"\n'
        + RUN_COLUMNS
        + "  to fix:   separate the columns by blanks or tabs, not by commas",
    ),
    "no tag": (
        b"301 Q0 d1 1 2.5 \n",
        'run.txt:1: found 5 columns: "301 Q0 d1 1 2.5"\n' + RUN_COLUMNS + ADD,
    ),
    "qrels as a run": (
        QRELS,
        'run.txt:1: found 4 columns: "301 0 d1 1"\n'
        + RUN_COLUMNS
        + "  to fix:   this looks like qrels: name the qrels first, then the runs",
    ),
    "score that is not a number": (
        RUN + b"303 Q0 d3 1 n/a tag\n303 Q0 d4 1 x tag\n",
        'run.txt:3: score "n/a" is not a finite number\n' + RUN_COLUMNS + DROP_SCORE,
    ),
    "score that trec_eval would cut": (
        b"301 Q0 d1 1 12abc tag\n",
        'run.txt:1: score "12abc" is not a finite number\n' + RUN_COLUMNS + DROP_SCORE,
    ),
    "score with a comma": (
        b"301 Q0 d1 1 2,5 tag\n",
        'run.txt:1: score "2,5" is not a finite number\n'
        + RUN_COLUMNS
        + "  to fix:   write the score as a decimal number with a point, not a comma",
    ),
    "score nan": (
        RUN + b"303 Q0 d3 1 nan tag\n",
        'run.txt:3: score "nan" is not a finite number\n' + RUN_COLUMNS + DROP_SCORE,
    ),
    "score infinite": (
        RUN + b"303 Q0 d3 1 -inf tag\n",
        'run.txt:3: score "-inf" is not a finite number\n' + RUN_COLUMNS + DROP_SCORE,
    ),
    "score too large": (
        b"301 Q0 d1 1 1e999 tag\n",
        'run.txt:1: score "1e999" is not a finite number\n' + RUN_COLUMNS + DROP_SCORE,
    ),
    "columns in another order": (
        b"301 Q0 d1 2.5 tag 1\n",
        'run.txt:1: score "tag" is not a finite number\n' + RUN_COLUMNS + DROP_SCORE,
    ),
    "several bad lines": (
        b"301 Q0 d1 1 x tag\n301 Q0 d2\n",
        'run.txt:1: score "x" is not a finite number\n' + RUN_COLUMNS + DROP_SCORE,
    ),
    "duplicate": (
        RUN + b"\n301 Q0 d2 2 1 tag\n301 Q0 d1 3 0.5 tag\n302 Q0 d2 3 0.5 tag\n",
        (
            'run.txt:5: document "d1" is listed twice in topic "301", first in line 1 '
            "(and 1 more such lines)\n"
            "  expected: each document once per topic\n"
            "  to fix:   keep one line for each document of a topic"
        ),
    ),
    "empty": (b"", EMPTY_RUN),
    "only a byte order mark": (b"\xef\xbb\xbf", EMPTY_RUN),
    "only comments": (b"# a run\n\n   \n  # its end", EMPTY_RUN),
    "empty, compressed": (gzip.compress(b""), EMPTY_RUN),
    "no common topic": (
        b"".join(b"%d Q0 d1 1 1 tag\n" % topic for topic in range(1, 6)),
        (
            "run.txt: no topic in common with qrels.txt: "
            "the run has 1, 2, 3 and 2 more, the qrels have 301, 302\n"
            "  to fix:   check that both files are from the same collection; 'rankeval check' "
            "describes both"
        ),
    ),
    "NUL bytes": (
        RUN + b"303 Q0 d\0 1 1 tag\n",
        "run.txt:3: holds a NUL byte, so this is not a text file\n" + TEXT,
    ),
    "picture": (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0",
        "run.txt:3: holds a NUL byte, so this is not a text file\n" + TEXT,
    ),
    "UTF-16": (RUN.decode().encode("utf-16"), UTF_16.format(name="run.txt")),
    "UTF-16 without a mark": (
        RUN.decode().encode("utf-16-le"),
        "run.txt:1: holds a NUL byte, so this is not a text file\n" + TEXT,
    ),
    "long line": (
        RUN + b"303 Q0 " + b"d" * 3_000_000 + b"\n",
        f'run.txt:3: found 3 columns: "303 Q0 {"d" * 53}…"\n' + RUN_COLUMNS + ADD,
    ),
    "escape sequences": (
        b"301 \x1b[31mred\xff\xc3\xa9\xe2\x80\xae\n",
        r'run.txt:1: found 2 columns: "301 \x1b[31mred\xffé\u202e"' + "\n" + RUN_COLUMNS + ADD,
    ),
}

BAD_QRELS = {
    "too few columns": (
        QRELS + b"301 d1 1\n",
        'qrels.txt:3: found 3 columns: "301 d1 1"\n' + QRELS_COLUMNS + ADD,
    ),
    "too many columns": (
        QRELS + b"301 0 d3 1 sure\n",
        'qrels.txt:3: found 5 columns: "301 0 d3 1 sure"\n' + QRELS_COLUMNS + REMOVE,
    ),
    "run as qrels": (
        RUN,
        'qrels.txt:1: found 6 columns: "301 Q0 d1 1 2.5 tag"\n'
        + QRELS_COLUMNS
        + "  to fix:   this looks like a run: name the qrels first, then the runs",
    ),
    "grade that is not a number": (
        QRELS + b"301 0 d3 relevant\n",
        'qrels.txt:3: grade "relevant" is not a finite number\n' + QRELS_COLUMNS + DROP_GRADE,
    ),
    "grade nan": (
        b"301 0 d1 NaN\n",
        'qrels.txt:1: grade "NaN" is not a finite number\n' + QRELS_COLUMNS + DROP_GRADE,
    ),
    "grade infinite": (
        b"301 0 d1 inf\n",
        'qrels.txt:1: grade "inf" is not a finite number\n' + QRELS_COLUMNS + DROP_GRADE,
    ),
    "duplicate": (
        QRELS + b"301 0 d1 0\n",
        (
            'qrels.txt:3: document "d1" is judged twice for topic "301", first in line 1\n'
            "  expected: one judgment per topic and document\n"
            "  to fix:   keep one judgment for each document of a topic"
        ),
    ),
    "empty": (b"", EMPTY_QRELS),
    "only comments": (b"# judged by hand\n", EMPTY_QRELS),
    "NUL bytes": (
        b"\0" * 100,
        "qrels.txt:1: holds a NUL byte, so this is not a text file\n" + TEXT,
    ),
    "UTF-16": (QRELS.decode().encode("utf-16"), UTF_16.format(name="qrels.txt")),
}

CASES = [
    *(pytest.param(QRELS, *case, id=f"run: {name}") for name, case in BAD_RUNS.items()),
    *(pytest.param(case[0], RUN, case[1], id=f"qrels: {name}") for name, case in BAD_QRELS.items()),
    *(pytest.param(QRELS, *case, id=f"run: {name}") for name, case in bad_formats.BAD_RUNS.items()),
    *(
        pytest.param(case[0], RUN, case[1], id=f"qrels: {name}")
        for name, case in bad_formats.BAD_QRELS.items()
    ),
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """An empty working directory but for good judgments and a good run."""
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_bytes(QRELS)
    Path("run.txt").write_bytes(RUN)
    return tmp_path


def to_mend(message: str) -> str:
    """The message without the ways to go on without mending the file."""
    ways = re.escape(LEAVE_OUT), re.escape(KEEP_FIRST)
    without = re.sub(rf"; or (?:{'|'.join(ways)})", "", message)
    return re.sub(rf"\n  to fix:   (?:{'|'.join(ways)})", "", without)


def assert_refused(message: str, qrels="qrels.txt", run="run.txt", measures="AP") -> None:
    """The library raises the message, and the command prints it and nothing else."""
    with pytest.raises(RankevalError) as refused:
        rankeval.evaluate(qrels, run, measures)
    assert without_check(str(refused.value)) == message
    assert_command_refuses(message, [qrels, run, "-m", measures])


CHECK = "'rankeval check' lists all wrong lines"


def without_check(message: str) -> str:
    """The message without the command that says more, which all errors of lines name at the end."""
    place = message.splitlines()[0].removeprefix("rankeval: ").partition(": ")[0]
    judged_or_ranked = re.fullmatch(r"(qrels|run|standard input)[^:]*:\d+", place)
    assert message.endswith(CHECK) >= bool(judged_or_ranked)
    message = message.removesuffix(CHECK).removesuffix("; ").removesuffix("\n  to fix:   ")
    return to_mend(message)


def assert_command_refuses(message: str, arguments: list[str]) -> None:
    outcome = run_command([*arguments, "-o", "results.json"])
    assert outcome.code == 2
    assert outcome.stdout == ""
    assert without_check(outcome.stderr.removesuffix("\n")) == f"rankeval: {message}"
    written = Path("results.json")
    if arguments[0] == "gate":  # whose report says that there is no verdict, and why
        report = json.loads(written.read_text())
        assert report["summary"] == f"cannot be judged: {message.splitlines()[0]}"
        written.unlink()
    assert not written.exists()
    assert run_command(arguments) == outcome


def test_the_good_files_are_good():
    outcome = run_command(["qrels.txt", "run.txt", "-m", "AP", "-f", "tsv"])

    assert outcome.code == 0
    assert outcome.stdout.endswith("\tAP\tall\t1.0\n")
    assert outcome.stderr == ""


@pytest.mark.parametrize(("qrels", "run", "message"), CASES)
def test_bad_files_are_refused_with_file_line_and_remedy(qrels, run, message):
    Path("qrels.txt").write_bytes(qrels)
    Path("run.txt").write_bytes(run)

    assert_refused(message)


@pytest.mark.parametrize(
    ("path", "data", "arguments", "message"), bad_wrappings.BAD.values(), ids=bad_wrappings.BAD
)
def test_bad_files_of_any_kind_are_refused_with_what_to_do(path, data, arguments, message):
    Path(path).write_bytes(data)

    assert_command_refuses(message.removeprefix("rankeval: "), arguments)


def test_no_message_has_more_than_three_lines():
    messages = [case.values[-1] for case in CASES]
    messages += [message for *_, message in bad_wrappings.BAD.values()]

    assert all(message.count("\n") <= 2 for message in messages)


LINE = re.compile(r"^run\.txt:(\d+): ")


@pytest.mark.parametrize(
    ("text", "message"), [case for case in BAD_RUNS.values() if LINE.match(case[1])]
)
def test_large_files_are_refused_in_the_same_words(text, message):
    """What is bad stands behind more good lines than the plain reader is given."""
    good = b"0 Q0 %06d 1 1 " + b"t" * 500 + b"\n"
    head = b"".join(good % i for i in range(USUAL.plain_bytes // len(good) + 5000 // len(good) + 1))
    n_lines = head.count(b"\n")
    Path("run.txt").write_bytes(head + text)

    with pytest.raises(RankevalError) as refused:
        rankeval.evaluate("qrels.txt", "run.txt", "AP")

    assert len(head) > USUAL.plain_bytes
    expected = LINE.sub(lambda found: f"run.txt:{int(found[1]) + n_lines}: ", message)
    expected = expected.replace("in line 1 ", f"in line {1 + n_lines} ")
    assert without_check(str(refused.value)) == expected


@pytest.mark.parametrize("which", ["qrels", "run"])
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing.txt", "missing.txt: no such file\n  to fix:   check the path"),
        ("missing/file", "missing/file: no such file\n  to fix:   check the path"),
        (
            "run.txt/file",
            (
                "run.txt/file: cannot be opened: Not a directory\n"
                "  to fix:   check the path and its permissions"
            ),
        ),
        (
            "directory",
            (
                "directory: is a folder without any file\n"
                "  expected: files whose names do not begin with _ or .\n"
                "  to fix:   check the path"
            ),
        ),
        (
            "broken",
            (
                "broken: is a symbolic link to nowhere.txt, which does not exist\n"
                "  to fix:   correct the link, or name another file"
            ),
        ),
        (
            "circle",
            (
                "circle: cannot be opened: Too many levels of symbolic links\n"
                "  to fix:   check the path and its permissions"
            ),
        ),
        (
            "x" * 5000,
            (
                f"{'x' * 5000}: cannot be opened: File name too long\n"
                "  to fix:   check the path and its permissions"
            ),
        ),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the messages of the system are POSIX's")
def test_what_cannot_be_opened_is_refused(which, path, message):
    Path("directory").mkdir()
    Path("broken").symlink_to("nowhere.txt")
    Path("circle").symlink_to("circle")

    assert_refused(message, **{which: path})


@pytest.mark.parametrize("which", ["qrels.txt", "run.txt"])
def test_a_file_without_permission_is_refused(which, monkeypatch):
    """Simulated, because root may read every file."""
    open_file = open

    def forbidding(path, *arguments, **options):
        if path == which:
            raise PermissionError(13, "Permission denied")
        return open_file(path, *arguments, **options)

    monkeypatch.setattr("builtins.open", forbidding)

    assert_refused(
        f"{which}: cannot be opened: Permission denied\n"
        "  to fix:   check the path and its permissions"
    )


def test_a_disk_that_fails_is_told(monkeypatch):
    def failing(_raw):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(blocks, "decompressed", failing)

    assert_refused("qrels.txt: cannot be read: Input/output error\n  to fix:   check the file")


def zstd(data: bytes) -> bytes:
    return compressed(data, "zstd")


def lz4(data: bytes) -> bytes:
    return compressed(data, "lz4")


def compressed(data: bytes, kind: str) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, kind) as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("which", ["qrels.txt", "run.txt"])
@pytest.mark.parametrize(
    ("compress", "damage"),
    [
        *product([gzip.compress, bz2.compress, lzma.compress, zstd, lz4], ["cut off", "damaged"]),
        # bzip2 and Python's xz ignore what follows their data.
        *product([gzip.compress, zstd, lz4], ["followed by rubbish"]),
    ],
)
def test_damaged_compressed_files_are_refused(which, damage, compress):
    lines = [b"%d 0 doc%d %d %d tag" % (i % 7, i, i, i * i % 97) for i in range(3000)]
    width = 4 if which == "qrels.txt" else 6
    data = compress(b"".join(b" ".join(line.split()[:width]) + b"\n" for line in lines))
    middle = len(data) // 2
    damaged = {
        "cut off": data[:middle],
        "damaged": data[:middle] + bytes(40) + data[middle + 40 :],
        "followed by rubbish": data + b"rubbish" * 10,
    }[damage]
    Path(which).write_bytes(damaged)

    with pytest.raises(RankevalError) as refused:
        rankeval.evaluate("qrels.txt", "run.txt", "AP")

    first, *rest = str(refused.value).split("\n")
    assert first.startswith(f"{which}:")
    assert_command_refuses(without_check(str(refused.value)), ["qrels.txt", "run.txt", "-m", "AP"])
    if damage == "cut off":
        assert first.startswith(f"{which}: the compressed data is damaged or cut off: ")
        assert rest == ["  to fix:   copy or compress the file again"]


def test_a_line_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(blocks, "LONGEST_LINE", 1 << 20)
    Path("run.txt").write_bytes(RUN + b"x" * (9 << 20))

    assert_refused(
        "run.txt:3: the line is longer than 1 MB\n"
        "  to fix:   check that this is the right file, and that its lines end in newlines"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["-l", "0"],
            (
                "the lowest relevant grade cannot be 0\n"
                "  expected: a grade above 0: at 0 every unjudged document would be relevant"
            ),
        ),
        (["-M", "0"], "the depth cannot be 0\n  expected: 1 or more"),
        (["-M", f"{10**30}"], f"the depth cannot be {10**30}\n  expected: at most 1e+15"),
        (["-N", "-3"], "the collection size cannot be -3\n  expected: 1 or more"),
        (
            ["-c", "--topics", "both"],
            "--complete contradicts --topics both\n  to fix:   give one of the two",
        ),
    ],
)
def test_impossible_options_are_refused(options, message):
    assert_command_refuses(message, ["qrels.txt", "run.txt", *options])


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["eval"],
        ["qrels.txt"],
        ["qrels.txt", "run.txt", "--no-such-option"],
        ["qrels.txt", "run.txt", "-f", "no-such-format"],
        ["qrels.txt", "run.txt", "--digits", "many"],
        ["qrels.txt", "run.txt", "--jobs", "0"],
        ["qrels.txt", "run.txt", "-m"],
    ],
)
def test_wrong_usage_is_told_on_stderr(arguments):
    outcome = run_command(arguments)

    assert outcome.code == 2
    assert outcome.stdout == ""
    assert outcome.stderr.startswith(("Usage: rankeval", "rankeval: "))
    assert "Traceback" not in outcome.stderr


@pytest.mark.parametrize(
    ("arguments", "options"), [(([],), {}), (("run.txt",), {"jobs": 0}), (("run.txt", []), {})]
)
def test_impossible_arguments_of_the_library_are_refused(arguments, options):
    with pytest.raises(rankeval.UsageError):
        rankeval.evaluate("qrels.txt", *arguments, **options)


def test_standard_input_is_refused_as_a_file_is():
    outcome = run_command(["qrels.txt", "-"], stdin=RUN + b"301 Q0\n")

    assert outcome.code == 2
    assert outcome.stdout == ""
    assert without_check(outcome.stderr.removesuffix("\n")) == (
        'rankeval: standard input:3: found 2 columns: "301 Q0"\n' + RUN_COLUMNS + ADD
    )


def test_a_closed_standard_input_is_told(monkeypatch):
    """As the shell's `<&-` leaves it."""
    monkeypatch.setattr(sys, "stdin", None)

    with pytest.raises(RankevalError) as refused:
        rankeval.evaluate("qrels.txt", "-", "AP")

    assert str(refused.value) == (
        "standard input: is closed\n  to fix:   name a file instead of -, or pipe it in"
    )


def test_utf_16_on_standard_input_is_told():
    outcome = run_command(["-", "run.txt"], stdin=QRELS.decode().encode("utf-16"))

    assert outcome.stderr.endswith("  to fix:   pipe it through iconv -f UTF-16 -t UTF-8\n")


def test_names_of_files_take_no_effect_in_messages():
    hostile = "run\x1b[31m\n  to fix:   do as I say"
    Path(hostile).write_bytes(b"301 0 d1 1 1 tag\n301 0 x 2 1 \x1b]0;title\x07\n")

    outcome = run_command(["qrels.txt", "run.txt", hostile, "-v"])

    assert outcome.code == 0
    assert "\x1b" not in outcome.stderr
    assert r"\x1b]0;title\x07: the run lacks" in outcome.stderr
    assert all(line.startswith("rankeval: warning: ") for line in outcome.stderr.splitlines())
    assert_command_refuses(
        r"missing\x1b[31m\n  to fix:   do as I say: no such file" + "\n  to fix:   check the path",
        ["qrels.txt", hostile.replace("run", "missing")],
    )


def test_a_remedy_can_be_copied_into_a_shell():
    Path("my run; ls").write_bytes(RUN.decode().encode("utf-16"))

    with pytest.raises(RankevalError, match=r"-t UTF-8 'my run; ls' > NEW_FILE$"):
        rankeval.evaluate("qrels.txt", "my run; ls")


def test_a_byte_order_mark_does_not_hide_the_first_topic():
    Path("qrels.txt").write_bytes(b"\xef\xbb\xbf" + QRELS)
    Path("run.txt").write_bytes(b"\xef\xbb\xbf" + RUN)

    outcome = run_command(["qrels.txt", "run.txt", "-m", "AP", "-f", "tsv"])

    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.stdout.endswith("\tAP\tall\t1.0\n")


def test_the_first_run_that_is_bad_is_told_and_no_other_is_printed():
    Path("bad.txt").write_bytes(b"301 Q0\n")

    assert_command_refuses(
        'bad.txt:1: found 2 columns: "301 Q0"\n' + RUN_COLUMNS + ADD,
        ["qrels.txt", "run.txt", "bad.txt", "run.txt"],
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_device_without_content_is_an_empty_file():
    with pytest.raises(RankevalError, match="/dev/null: has no rankings"):
        rankeval.evaluate("qrels.txt", "/dev/null")


@pytest.mark.parametrize(
    "arguments",
    [
        "fuse a.1.run a.{seed}.run",
        "convert a.{seed}.run new.csv",
    ],
)
def test_a_path_with_seed_says_where_it_works(shell, arguments):
    shell.write(qrels=QRELS)
    for seed in "12":
        shell.path(f"a.{seed}.run").write_bytes(RUN)

    outcome = shell(*arguments.split())

    assert (outcome.code, outcome.out) == (2, "")
    problem, *rest = outcome.err.splitlines()
    assert "no such file: {seed} stands for several runs of one system" in problem
    assert any("eval, compare, diff, plot, report and gate average" in line for line in rest)
    assert any("to fix:" in line and ".*.run" in line for line in rest)


def test_a_file_whose_name_has_seed_is_read(shell):
    shell.write(qrels=QRELS)
    shell.path("a.{seed}.run").write_bytes(RUN)

    assert shell("eval", "qrels.txt", "a.{seed}.run").code == 0
