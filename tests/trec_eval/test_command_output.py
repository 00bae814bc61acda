"""What is printed: columns, topics, summaries, and what an error leaves behind."""

import numpy as np
import pytest

from rankeval.trec_eval.command import Column, _summary_lines, _topic_lines
from tests.support.trec_eval_running import trec_eval, values

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 2\n10 0 e 1\n"
RUN = "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n10 Q0 x 1 2 t\n10 Q0 e 2 1 t\n2 Q0 c 1 1 last\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path / "qrels", tmp_path / "run"


def test_lines_hold_a_name_in_22_columns_the_topic_and_the_value(files):
    done = trec_eval("-q", "-m", "runid", "-m", "num_ret", "-m", "map", *files)

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


def test_n_leaves_out_the_lines_of_all_topics(files):
    assert trec_eval("-n", *files).out == b""
    assert b"\tall\t" not in trec_eval("-q", "-n", *files).out


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


def test_infinity_and_the_sign_of_nan_and_zero_are_printed():
    numbers = [np.inf, -np.inf, -np.nan, np.nan, -0.0]
    column = Column(b"m", b"%6.4f", per_topic=True, values=numbers, summary=-np.nan)

    lines = b"".join(_topic_lines([column], [b"%d" % t for t in range(5)])).decode()
    shown = [line.split("\t")[2] for line in lines.splitlines()]
    assert shown == ["   inf", "  -inf", "  -nan", "   nan", "-0.0000"]
    assert list(_summary_lines([column])) == [b"m\tall\t  -nan\n"]


def test_topics_before_the_one_that_fails_stay_printed(files):
    qrels, run = files
    run.write_text(RUN.replace("2 Q0 c 1 1 last\n", ""))

    done = trec_eval("-q", "-m", "map", qrels, run)

    assert done.status == 4
    assert [topic for _, topic in values(done)] == ["1", "10"]
    assert "trec_eval: result qid '2' not found in qrels" in done.err


def test_gains_given_to_one_measure_are_not_those_of_another(files):
    """The C program crashes when ndcg, dcg and ideal_dcg are given parameters together."""
    done = trec_eval("-m", "ndcg.1=5", "-m", "dcg", "-m", "ideal_dcg", *files)

    assert [name for name, _ in values(done)] == ["dcg", "ideal_dcg", "ndcg_1=5"]


def test_help_describes_the_flags_on_standard_output():
    done = trec_eval("-h", "-R", "prefs", "-m", "map")

    assert done.status == 0
    assert b"--level_for_rel" in done.out
    assert b"topic group subgroup document level" in done.out
    assert b"Asked for: map" in done.out
