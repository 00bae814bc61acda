"""Files that cannot be used, and topics that cannot be evaluated: statuses and messages."""

import os

import pytest

from rankeval.__main__ import run as run_command
from tests.support.trec_eval_running import trec_eval, values

QRELS = b"1 0 a 1\n2 0 b 1\n"
RUN = b"1 Q0 a 1 1.0 t\n2 Q0 b 1 1.0 t\n"


@pytest.fixture
def run_with(tmp_path):
    def run(*flags, qrels=QRELS, run=RUN, **more):
        for name, content in (("qrels", qrels), ("run", run), *more.items()):
            (tmp_path / name).write_bytes(content)
        files = [str(tmp_path / flag[1:]) if flag.startswith("@") else flag for flag in flags]
        return trec_eval(*files, tmp_path / "qrels", tmp_path / "run")

    return run


def test_missing_and_empty_files_and_directories_end_with_2(run_with, tmp_path):
    assert run_with().status == 0
    for path in ("nowhere", "", "."):
        done = trec_eval(tmp_path / path, tmp_path / "run")
        assert (done.status, "Cannot read qrels file" in done.err) == (2, True)
        done = trec_eval(tmp_path / "qrels", tmp_path / path)
        assert (done.status, "Cannot read results file" in done.err) == (2, True)
    assert run_with(qrels=b"").status == 2
    assert run_with(run=b"").status == 2


def test_a_pipe_is_refused(run_with, tmp_path):
    run_with()
    os.mkfifo(tmp_path / "pipe")

    assert trec_eval(tmp_path / "pipe", tmp_path / "run").status == 2
    assert trec_eval(tmp_path / "qrels", tmp_path / "pipe").status == 2


@pytest.mark.parametrize(
    ("qrels", "line"),
    [
        (b"1 0 a\n", 1),
        (b"1 0 a 1\n1 0 b 1 1\n", 2),
        (b"1 0 a 1\n\n", 2),
        (b"1 0 a 1\n \t\n1 0 b 1\n", 2),
        (b"# one\n# two\n1 0 a 1\n", 1),
        (b"\0", 1),
    ],
)
def test_malformed_qrels_end_with_2_and_name_the_line(run_with, qrels, line):
    done = run_with(qrels=qrels)

    assert done.status == 2
    assert f"trec_eval.get_qrels: Malformed line {line}" in done.err


def test_a_malformed_run_ends_with_2_and_names_the_line(run_with):
    done = run_with(run=RUN + b"3 Q0 b 1 1.0\n")

    assert done.status == 2
    assert "trec_eval.get_results: Malformed line 3" in done.err


def test_a_comment_as_the_last_line_of_the_qrels_is_accepted(run_with):
    """The C program reads beyond the file."""
    assert run_with(qrels=QRELS + b"# end").status == 0


def test_what_follows_a_nul_is_not_read(run_with):
    done = run_with("-m", "num_rel", qrels=QRELS + b"\0 no more", run=RUN + b"\0x\n")

    assert values(done)["num_rel", "all"] == "2"


def test_bytes_are_not_decoded_and_a_byte_order_mark_is_part_of_the_topic(run_with):
    mark = b"\xef\xbb\xbf"
    done = run_with("-q", "-m", "map", qrels=mark + b"1 0 \xff 1\n", run=mark + b"1 Q 0 1 1 t\n")

    assert done.status == 0
    assert done.out.startswith(b"map                   \t\xef\xbb\xbf1\t0.0000\n")


@pytest.mark.parametrize("run", [b"# nothing\n", b"\n \n"])
def test_a_run_without_lines_lacks_every_topic(run_with, run):
    """What the C program does here depends on its memory."""
    assert run_with(run=run).status == 4
    done = run_with("-c", "-m", "runid", "-m", "num_q", run=run)
    assert done.out.decode() == "runid                 \tall\t\nnum_q                 \tall\t2\n"
    assert run_with("--as", "9", run=b"\n\n").status == 7


@pytest.mark.parametrize("flags", [("-R", "x"), ("-T", "x")])
def test_unknown_formats_end_with_2(run_with, flags):
    assert run_with(*flags).status == 2


def test_a_file_of_z_scores_that_cannot_be_used_ends_with_255(run_with):
    assert run_with("-Z", "@nowhere").status == 255
    done = run_with("-Z", "@z", z=b"1 map 0.5\n")
    assert done.status == 255
    assert "trec_eval.get_zscores: Malformed line 1" in done.err
    assert "trec_eval.get_prefs" in run_with("--as", "9", "-Z", "@z", z=b"1 map 0.5\n").err


def test_a_z_score_beyond_the_end_of_the_file_is_not_found(run_with):
    """The C program reads beyond its table."""
    done = run_with("-q", "-Z", "@z", "-m", "map", "-m", "set_P", z=b"1 map 0.5 0.5\n")

    assert values(done)["Zmap", "1"] == "1.0000"
    assert values(done)["Zset_P", "1"] == "-1000000.0000"


def test_topics_without_a_judged_document_stop_the_evaluation_only_at_first(run_with):
    late = run_with("-q", "-m", "ideal_dcg", qrels=b"1 0 a 2\n2 0 b -1\n")
    assert values(late)["ideal_dcg", "2"] == "2.0000"  # that of the topic before

    first = run_with("-m", "map", qrels=b"1 0 a -1\n2 0 b 1\n")
    assert (first.status, "Can't calculate measure 'map'" in first.err) == (4, True)
    assert run_with("-m", "map", qrels=b"1 0 a 1\n2 0 b -2\n").status == 4
    assert run_with("-m", "num_q", qrels=b"1 0 a -1\n2 0 b 1\n").status == 0


def test_duplicates_below_the_depth_are_not_noticed(run_with):
    twice = b"1 Q0 a 1 9 t\n1 Q0 x 1 8 t\n1 Q0 x 1 7 t\n2 Q0 b 1 1 t\n"

    assert run_with("-m", "map", run=twice).status == 4
    assert run_with("-m", "map", "-M", "2", run=twice).status == 0
    assert run_with("-m", "map", "-M", "3", run=twice).status == 4
    assert run_with("-m", "num_q", run=twice).status == 0
    assert run_with("-R", "qrels_prefs", "-m", "prefs", "-M", "2", run=twice).status == 0


def test_contradictory_preferences_stop_the_evaluation(run_with):
    """The C program aborts."""
    prefs = b"1 g s a 2\n1 g s b 1\n1 g s2 b 2\n1 g s2 a 1\n"

    done = run_with("-R", "prefs", "-m", "prefs", qrels=prefs)

    assert (done.status, bool(done.err)) == (4, True)


DUPLICATES = {
    # What trec_eval 10.0-rc3 prints first, built from its source.
    "in a run": ("1 0 a 1\n", "1 Q0 c 1 3 t\n1 Q0 b 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 2 2 t\n", [], "b"),
    "above -M": ("1 0 a 1\n", "1 Q0 c 1 9 t\n1 Q0 c 2 8 t\n1 Q0 b 3 3 t\n", ["-M", "2"], "c"),
    "in a later topic": (
        "1 0 a 1\n2 0 a 1\n",
        "2 Q0 y 1 3 t\n2 Q0 y 2 2 t\n1 Q0 b 1 1 t\n",
        [],
        "y",
    ),
}


@pytest.mark.parametrize("version", [[], ["--as", "9"]])
@pytest.mark.parametrize("case", DUPLICATES)
def test_a_document_twice_in_a_run_is_named(tmp_path, capsys, case, version):
    qrels, run, words, docno = DUPLICATES[case]
    (tmp_path / "q").write_text(qrels)
    (tmp_path / "r").write_text(run)

    code = run_command(["trec_eval", *version, *words, str(tmp_path / "q"), str(tmp_path / "r")])

    assert code == 4
    assert capsys.readouterr().err.splitlines() == [
        f"trec_eval.form_res_qrels: duplicate docs {docno}",
        "trec_eval: Can't calculate measure 'num_ret'",
    ]


def test_a_document_judged_twice_is_named(tmp_path, capsys):
    (tmp_path / "q").write_text("1 0 c 1\n1 0 c 0\n1 0 a 0\n1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 3 t\n")

    assert run_command(["trec_eval", str(tmp_path / "q"), str(tmp_path / "r")]) == 4
    assert capsys.readouterr().err.splitlines() == [
        "trec_eval.form_res_rels: duplicate docs a",
        "trec_eval: Can't calculate measure 'num_ret'",
    ]
