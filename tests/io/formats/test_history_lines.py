import gzip
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rankeval.errors import InputError
from rankeval.io.formats.history_lines import (
    BEGINNING,
    line_of,
    lines_of,
    read_history,
    repair_history,
    spans,
)
from rankeval.io.sources.atomic import atomic_bytes
from tests.support.files import gate_line, history_of

LINES = [gate_line(day) for day in (1, 2, 3)]


@pytest.fixture
def read(tmp_path):
    def call(*texts):
        paths = [tmp_path / f"{i}.jsonl" for i in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_history([str(path) for path in paths])

    return call


def test_a_line_has_the_gate(read):
    (line,), warnings = read(history_of([gate_line(2, 0.38, suite="a", commit="abc")]))

    assert warnings == []
    assert (line.time, line.commit, line.suite) == (
        datetime(2026, 9, 2, 3, tzinfo=UTC),
        "abc",
        "a",
    )
    assert (line.passed, line.judged, line.baseline) == (False, True, "base")
    assert (line.candidates, line.qrels) == (("bm25",), "q")
    rule, shown = line.means
    assert (rule.measure, rule.run, rule.candidate, rule.passed) == ("AP", "bm25", 0.38, False)
    assert (shown.measure, shown.baseline, shown.passed) == ("P@5", 0.4, None)
    assert not rule.golden


def test_a_gate_that_could_not_judge_is_read():
    record = {key: gate_line()[key] for key in ("schema", "time", "commit", "suite", "passed")}
    line = line_of({**record, "error": {"kind": "InputError", "message": "no"}}, "here")

    assert (line.judged, line.means) == (False, ())


@pytest.mark.parametrize(
    "time", ["2026-09-01T03:00:00Z", "2026-09-01T05:00:00+02:00", "2026-09-01T03:00:00"]
)
def test_times_are_taken_in_utc(time):
    assert line_of(gate_line(time=time), "").time == datetime(2026, 9, 1, 3, tzinfo=UTC)


def test_the_baseline_of_a_drift_is_the_golden_one():
    line = gate_line()
    line["rules"][0]["rule"] = "max-drift AP=0.02"

    assert [one.golden for one in line_of(line, "").means] == [True, False]


def test_a_measure_on_a_collection_is_parted_from_it():
    line = gate_line()
    line["rules"][0]["collection"] = "scifact"
    line["shown"][0]["measure"] = "P@5 on macro mean"

    assert [(one.measure, one.collection) for one in line_of(line, "").means] == [
        ("AP", "scifact"),
        ("P@5", "macro mean"),
    ]


def test_keys_that_a_later_version_adds_are_left_alone():
    assert line_of(gate_line(new={"x": 1}), "") == line_of(gate_line(), "")


def test_a_line_that_several_files_have_counts_once(read):
    both, _ = read(history_of(LINES), history_of(LINES[1:]))

    assert both == lines_of(LINES)


def test_blank_lines_and_ends_of_lines_do_not_count(read):
    text = history_of(LINES).replace("\n", "\r\n\r\n").rstrip("\r\n")

    assert read(text) == (lines_of(LINES), [])


@pytest.mark.parametrize("length", [1, 5, len(BEGINNING), 100, 300])
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_last_line_that_was_cut_off_is_left_out(read, length, end):
    text = history_of(LINES)
    cut = text + text.splitlines()[0][:length] + end

    found, (warning,) = read(cut)
    assert found == lines_of(LINES)
    assert warning.endswith("0.jsonl:4: the last line is cut off, and left out")


def test_a_line_cut_off_further_up_is_an_error(read):
    whole = history_of(LINES).splitlines()

    with pytest.raises(InputError, match="not JSON") as caught:
        read("\n".join([whole[0], whole[1][:100], whole[2]]))
    assert caught.value.place.endswith("0.jsonl:2")
    assert caught.value.remedy.startswith("drop the line, or let rankeval trend --repair move it")


WHOLE = history_of(LINES).splitlines()
UNMERGED = [
    WHOLE[0],
    "<<<<<<< HEAD",
    WHOLE[1],
    "||||||| 1a2b3c4",
    "=======",
    WHOLE[2],
    ">>>>>>> nightly",
    WHOLE[0][:70],
    WHOLE[1],
    WHOLE[2][-70:],
]
WRONG = "2, 4-5, 7-8, 10"


def test_all_lines_that_are_damaged_are_named(read):
    with pytest.raises(InputError, match="a mark of git, which could not merge") as caught:
        read("\n".join(UNMERGED))

    assert caught.value.place.endswith("0.jsonl:2")
    assert caught.value.problem.endswith("; 5 more lines are damaged: 4-5, 7-8, 10")


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_repair_moves_damaged_lines_to_a_file_beside_the_history(tmp_path, end):
    path = tmp_path / "history.jsonl"
    path.write_text("\n".join(UNMERGED) + end, newline="")
    done = repair_history(str(path))

    assert (spans(done.numbers), done.kept) == (WRONG, 4)
    kept = [WHOLE[0], WHOLE[1], WHOLE[2], WHOLE[1]]
    assert path.read_text().splitlines() == kept
    assert Path(done.dropped).read_text().splitlines() == [
        one for one in UNMERGED if one not in WHOLE
    ]
    assert read_history([str(path)]) == (lines_of(LINES), [])

    path.write_text(path.read_text() + WHOLE[0][:50])
    assert repair_history(str(path)).numbers == (5,)
    assert len(Path(done.dropped).read_text().splitlines()) == 7


def test_a_history_without_damage_stays_as_it_is(tmp_path):
    path = tmp_path / "history.jsonl"
    path.write_text(history_of(LINES))
    before = path.stat()
    done = repair_history(str(path))

    assert (done.numbers, done.kept) == ((), 3)
    assert path.stat().st_ino == before.st_ino
    assert [one.name for one in tmp_path.iterdir()] == ["history.jsonl"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("q1 0 d1 1\n", "not JSON"),
        (history_of(LINES) + WHOLE[0].replace("history/1", "history/2") + "\n{", "history/2"),
    ],
)
def test_what_is_no_history_and_what_another_version_wrote_are_not_repaired(
    tmp_path, text, problem
):
    path = tmp_path / "history.jsonl"
    path.write_text(text)

    with pytest.raises(InputError, match=problem):
        repair_history(str(path))
    assert path.read_text() == text
    assert [one.name for one in tmp_path.iterdir()] == ["history.jsonl"]


def test_what_cannot_be_replaced_is_not_repaired(tmp_path):
    path = tmp_path / "history.jsonl.gz"
    path.write_bytes(gzip.compress(history_of(LINES).encode()))

    for one in (str(path), "-"):
        with pytest.raises(InputError, match="cannot be repaired where it is"):
            repair_history(one)
    with pytest.raises(InputError):
        repair_history(str(tmp_path / "missing.jsonl"))


@pytest.mark.skipif(sys.platform == "win32", reason="the file is not locked there")
def test_a_gate_that_appends_during_a_repair_loses_no_line(tmp_path, monkeypatch):
    """The repair has read the file when the other process comes, and replaces it then."""
    path = tmp_path / "history.jsonl"
    path.write_text("\n".join(UNMERGED) + "\n")
    appended = []

    def appending(place):
        code = (
            "import sys; from rankeval.io.sources.locks import append_text\n"
            "append_text(sys.argv[1], sys.argv[2] + '\\n', beginning='{')"
        )
        words = [sys.executable, "-c", code, str(path), WHOLE[0]]
        appended.append(subprocess.Popen(words))
        time.sleep(1)
        return atomic_bytes(place)

    monkeypatch.setattr("rankeval.io.formats.history_lines.atomic_bytes", appending)
    repair_history(str(path))

    assert appended[0].wait(60) == 0
    assert len(path.read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "holds no gate"),
        ("\n \n", "holds no gate"),
        (history_of(LINES)[:50], "holds no gate"),
        ("notes\n", "not JSON"),
        ("[]\n", "not a JSON object"),
        ("{}\n", "no schema"),
        ('{"schema": "rankeval-gate/1"}\n', "the schema of something else"),
        ('{"schema": 1}\n', "the schema of something else"),
        ('{"schema": "rankeval-gate-history/2"}\n', 'has the schema "rankeval-gate-history/2"'),
        ('{"a": 1, "a": 2}\n', "occurs twice"),
        (b"\xff\xfe{\x00", "UTF-16"),
        (b'{"a": "\xff"}\n', "not in UTF-8"),
        (b"\x00\x00\n", "NUL"),
        ("[" * 100_000 + "\n", "nested too deeply"),
    ],
    ids=lambda one: str(one)[:30],
)
def test_what_is_no_history_is_refused(read, text, problem):
    with pytest.raises(InputError, match=problem):
        read(text)


def changed(path, value):
    line = gate_line()
    *inside, key = path
    target = line
    for one in inside:
        target = target[one]
    if value is None and key in ("baseline", "candidate"):
        target[key] = value
    elif value is None:
        del target[key]
    else:
        target[key] = value
    return line


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (["time"], None, 'has no "time"'),
        (["time"], "yesterday", 'the time "yesterday" is none'),
        (["time"], "0001-01-01T00:00:00+23:00", "is none"),
        (["commit"], 7, '"commit" is not text'),
        (["passed"], 1, '"passed" is not true or false'),
        (["candidates"], "bm25", '"candidates" is not a list'),
        (["digests"], [], '"digests" is not an object'),
        (["digests", "runs", "bm25"], 1, '"bm25" is not text'),
        (["rules"], {}, '"rules" is not a list'),
        (["rules", 0], 1, '"rules" holds what is not an object'),
        (["shown", 0], 1, '"shown" holds what is not an object'),
        (["rules", 0, "measure"], None, 'has no "measure"'),
        (["rules", 0, "candidate"], "0.4", '"candidate" is not a number'),
        (["rules", 0, "candidate"], True, '"candidate" is not a number'),
        (["rules", 0, "baseline"], float("nan"), '"baseline" is not finite'),
        (["rules", 0, "baseline"], 10**400, '"baseline" is not finite'),
    ],
    ids=str,
)
def test_a_line_that_is_damaged_is_told(read, path, value, problem):
    text = history_of([gate_line(), changed(path, value)])

    with pytest.raises(InputError, match=problem) as caught:
        read(text)
    assert caught.value.place.endswith("0.jsonl:2")
    assert "drop the line" in str(caught.value)


def test_means_may_be_undefined():
    line = line_of(json.loads(json.dumps(changed(["rules", 0, "candidate"], None))), "")

    assert line.means[0].candidate is None
