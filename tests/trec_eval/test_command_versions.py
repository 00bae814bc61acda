"""Versions 9 and 10: how one is chosen, and each rule in which they differ."""

import pytest

from rankeval.trec_eval.command import ENVIRONMENT
from tests.support.trec_eval_running import trec_eval, values

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


def test_a_judged_placeholder_counts_in_10(files):
    qrels = "1 0 a 1\n2 0 ceci_nest_pas_un_docno 1\n"

    assert values(trec_eval("-c", "-m", "map", *files(qrels)))["map", "all"] == "1.0000"
    nine = trec_eval("--as", "9", "-c", "-m", "map", *files(qrels))
    assert values(nine)["map", "all"] == "0.5000"


def test_no_topic_in_both_files_ends_9_with_7(files):
    done = trec_eval("--as", "9", *files(run="3 Q0 a 1 1 t\n"))

    assert done.status == 7
    assert done.err == "trec_eval: No queries with both results and relevance info\n"


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
