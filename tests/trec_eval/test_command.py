"""What is printed: columns, topics, summaries, and what an error leaves behind."""

import numpy as np
import pytest

from rankeval.__main__ import run as run_command
from rankeval.trec_eval.command import ENVIRONMENT, _line
from tests.support.trec_eval_running import trec_eval, values

THREE_TOPICS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 2\n10 0 e 1\n"
THREE_RANKINGS = "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n10 Q0 x 1 2 t\n10 Q0 e 2 1 t\n2 Q0 c 1 1 last\n"


@pytest.fixture
def three_topics(tmp_path):
    (tmp_path / "qrels").write_text(THREE_TOPICS)
    (tmp_path / "run").write_text(THREE_RANKINGS)
    return tmp_path / "qrels", tmp_path / "run"


def test_lines_hold_a_name_in_22_columns_the_topic_and_the_value(three_topics):
    done = trec_eval("-q", "-m", "runid", "-m", "num_ret", "-m", "map", *three_topics)

    assert done.out.decode().splitlines() == [
        "num_ret               \t1\t2",
        "map                   \t1\t1.0000",
        "num_ret               \t10\t2",
        "map                   \t10\t0.5000",
        "num_ret               \t2\t1",
        "map                   \t2\t0.5000",
        "runid                 \tall\tlast",
        "num_ret               \tall\t5",
        "map                   \tall\t0.6667",
    ]


def test_n_leaves_out_the_lines_of_all_topics(three_topics):
    assert trec_eval("-n", *three_topics).out == b""
    assert b"\tall\t" not in trec_eval("-q", "-n", *three_topics).out


def test_a_percent_sign_in_a_name_or_topic_is_printed_as_it_is(tmp_path):
    (tmp_path / "qrels").write_text("%d%s 0 a 1\n")
    (tmp_path / "run").write_text("%d%s Q0 a 1 1 %s\n")

    done = trec_eval(
        "-q", "-m", "runid", "-m", "utility.1%d,0,0,0", tmp_path / "qrels", tmp_path / "run"
    )

    assert done.out.decode().splitlines() == [
        "utility_1%d,0,0,0     \t%d%s\t1.0000",
        "runid                 \tall\t%s",
        "utility_1%d,0,0,0     \tall\t1.0000",
    ]


def test_infinity_nan_and_the_sign_of_zero_are_printed():
    numbers = [np.inf, -np.inf, np.nan, -0.0]

    shown = [_line(b"m", b"1", b"%6.4f", number).decode() for number in numbers]

    texts = ["   inf", "  -inf", "  -nan", "-0.0000"]
    assert shown == [f"m\t1\t{text}\n" for text in texts]


def test_topics_before_the_one_that_fails_stay_printed(three_topics):
    qrels, run = three_topics
    run.write_text(THREE_RANKINGS.replace("2 Q0 c 1 1 last\n", ""))

    done = trec_eval("-q", "-m", "map", qrels, run)

    assert done.status == 4
    assert [topic for _, topic in values(done)] == ["1", "10"]
    assert "trec_eval: result qid '2' not found in qrels" in done.err


def test_help_describes_the_flags_on_standard_output():
    done = trec_eval("-h", "-R", "prefs", "-m", "map")

    assert done.status == 0
    assert b"--level_for_rel" in done.out
    assert b"Sets of measures: official set" in done.out


JUDGED = b"1 0 a 1\n2 0 b 1\n"
RANKED = b"1 Q0 a 1 1.0 t\n2 Q0 b 1 1.0 t\n"


@pytest.fixture
def run_with(tmp_path):
    def run(*flags, qrels=JUDGED, run=RANKED, **more):
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
    done = run_with(run=RANKED + b"3 Q0 b 1 1.0\n")

    assert done.status == 2
    assert "trec_eval.get_results: Malformed line 3" in done.err


def test_bytes_are_not_decoded_and_a_byte_order_mark_is_no_part_of_the_topic(run_with):
    mark = b"\xef\xbb\xbf"
    done = run_with("-q", "-m", "map", qrels=mark + b"1 0 \xff 1\n", run=mark + b"1 Q 0 1 1 t\n")

    assert done.status == 0
    assert done.out.startswith(b"map                   \t1\t0.0000\n")


@pytest.mark.parametrize("run", [b"# nothing\n", b"\n \n"])
def test_a_run_without_lines_lacks_every_topic(run_with, run):
    assert run_with(run=run).status == 4
    assert run_with("--as", "9", run=b"\n\n").status == 7


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
    assert values(late)["ideal_dcg", "2"] == "0.0000"

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


QRELS = "1 0 a 1\n2 0 b 1\n"
RUN = "1 Q0 a 1 1.0 t\n"


@pytest.fixture
def files(tmp_path):
    def write(qrels=QRELS, run=RUN):
        (tmp_path / "qrels").write_text(qrels)
        (tmp_path / "run").write_text(run)
        return tmp_path / "qrels", tmp_path / "run"

    return write


def version(*words, **more):
    return trec_eval(*words, "-v", **more).err


def test_version_10_is_the_default():
    assert version() == "trec_eval version 10.0-rc3\n"


def test_version_9_is_chosen_by_flag_name_or_environment(monkeypatch):
    nine = "trec_eval version 9.0.7\n"
    assert version("--as", "9") == nine
    assert version("--as=9") == nine
    assert version(program="/usr/bin/trec_eval9") == nine
    assert version("--as", "10", program="trec_eval9") == "trec_eval version 10.0-rc3\n"
    monkeypatch.setenv(ENVIRONMENT, "9")
    assert version() == nine
    assert version("--as", "10") == "trec_eval version 10.0-rc3\n"


def test_a_topic_that_the_run_lacks_stops_10_and_is_skipped_by_9(files):
    assert trec_eval(*files()).status == 4
    done = trec_eval("--as", "9", "-m", "num_q", "-m", "map", *files())
    assert values(done) == {("num_q", "all"): "1", ("map", "all"): "1.0000"}


def test_with_c_10_evaluates_a_placeholder_and_9_only_counts_the_topic(files):
    words = ("-c", "-q", "-m", "num_q", "-m", "utility.1,-1,0,0")

    ten, nine = trec_eval(*words, *files()), trec_eval("--as", "9", *words, *files())

    assert values(ten)["utility_1,-1,0,0", "2"] == "-1.0000"
    assert ("utility_1,-1,0,0", "2") not in values(nine)
    assert values(ten)["num_q", "all"] == values(nine)["num_q", "all"] == "2"


def test_scores_that_are_equal_in_four_bytes_tie_in_9(files):
    both = files("1 0 a 1\n1 0 b 0\n", "1 Q0 a 1 16777217 t\n1 Q0 b 2 16777216 t\n")

    assert values(trec_eval("-m", "recip_rank", *both))["recip_rank", "all"] == "1.0000"
    nine = trec_eval("--as", "9", "-m", "recip_rank", *both)
    assert values(nine)["recip_rank", "all"] == "0.5000"


def test_levels_of_preferences_that_are_equal_in_four_bytes_are_one_class_in_9(files):
    both = files("1 g a 1.00000001\n1 g b 1\n", "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    words = ("-R", "qrels_prefs", "-m", "prefs_num_prefs_poss")

    ten, nine = trec_eval(*words, *both), trec_eval("--as", "9", *words, *both)

    assert [values(d)["prefs_num_prefs_poss", "all"] for d in (ten, nine)] == ["1", "0"]


def test_a_tenth_of_five_documents_is_one_for_both_and_a_quarter_is_not(files):
    qrels = "".join(f"1 0 d{i} 1\n" for i in range(5))
    run = "1 Q0 d0 1 9 t\n1 Q0 x 2 8 t\n1 Q0 d1 3 7 t\n"

    def printed(*words):
        done = trec_eval(*words, "-m", "iprec_at_recall.0.1,0.25", *files(qrels, run))
        return [values(done)[f"iprec_at_recall_{level}", "all"] for level in ("0.10", "0.25")]

    assert printed() == ["1.0000", "1.0000"]
    assert printed("--as", "9") == ["1.0000", "0.6667"]


def test_a_number_sign_begins_a_comment_in_10_and_a_topic_in_9(files):
    qrels, run = "#1 0 a 1\n1 0 a 1\n", "#1 Q0 a 1 1 t\n1 Q0 a 1 1 t\n"
    words = ("-q", "-m", "map")

    ten, nine = (
        trec_eval(*words, *files(qrels, run)),
        trec_eval("--as=9", *words, *files(qrels, run)),
    )

    assert [topic for _, topic in values(ten)] == ["1", "all"]
    assert [topic for _, topic in values(nine)] == ["#1", "1", "all"]


def test_standard_input_is_read_by_10_and_a_file_of_that_name_by_9(files, tmp_path, monkeypatch):
    qrels, run = files("1 0 a 1\n")
    monkeypatch.chdir(tmp_path)

    assert trec_eval("-m", "num_q", qrels, "-", stdin=run.read_bytes()).status == 0
    assert trec_eval("--as", "9", qrels, "-", stdin=run.read_bytes()).status == 2
    run.rename("-")
    assert trec_eval("--as", "9", "-m", "num_q", qrels, "-").status == 0
