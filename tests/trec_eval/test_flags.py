"""Flags are taken as getopt_long takes them."""

import pytest

from rankeval.trec_eval.flags import FLAGS, Failure, parse
from tests.support.trec_eval_running import trec_eval

USUAL = {option: usual for _, _, option, usual, _, _ in FLAGS}


def options(line):
    return parse(line.encode().split())


@pytest.mark.parametrize(
    "line",
    [
        "-q -m P.5 -l 2 Q R",
        "-qmP.5 -l2 Q R",
        "Q -q R -m P.5 -l 2",
        "--query_eval_wanted --measure=P.5 --level_for_rel=2 Q R",
        "--que --me P.5 --lev 2 Q R",
        "-q -m P.5 -l 2 -- Q R",
    ],
)
def test_flags_may_be_joined_abbreviated_and_anywhere(line):
    given = {"per_topic": True, "measures": (b"P.5",), "level": 2, "files": [b"Q", b"R"]}

    assert vars(options(line)) == USUAL | given


def test_every_flag_has_its_effect():
    given = options("-qcnJ -m map -m P.5 -l -1 -D 1.301 -N 100 -M 5 -R prefs -T x -o -Z z Q R")

    assert vars(given) == USUAL | {
        "per_topic": True,
        "complete": True,
        "no_summary": True,
        "judged_only": True,
        "measures": (b"map", b"P.5"),
        "level": -1,
        "only_topic": b"301",
        "collection_size": 100,
        "depth": 5,
        "rel_format": b"prefs",
        "run_format": b"x",
        "ignored": True,
        "zscores": b"z",
        "files": [b"Q", b"R"],
    }


def test_a_flag_takes_the_next_word_as_its_value_whatever_it_is():
    assert options("-m -q Q R").measures == (b"-q",)
    assert not options("-m -q Q R").per_topic


def test_the_short_form_of_o_takes_no_value_and_the_long_form_needs_one():
    assert options("-o Q R").files == [b"Q", b"R"]
    assert options("--Output_old_results_format Q R").files == [b"R"]
    with pytest.raises(Failure, match="requires argument"):
        options("--Output_old_results_format")


def test_a_topic_may_hold_dots_and_without_a_dot_there_is_none():
    assert options("-D 0.a.b").only_topic == b"a.b"
    assert options("-D 0").only_topic is None


def test_nothing_after_v_is_looked_at():
    assert options("-v -x --nonsense").version


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-x", "option -x not recognized"),
        ("-m", "option -m requires argument"),
        ("--measure", "option --measure requires argument"),
        ("--nonsense", "option --nonsense not recognized"),
        ("--Re qrels", "option --Re not a unique prefix"),
        ("--R qrels", "option --R not a unique prefix"),
        ("--nosummary=1", "option --nosummary must not have an argument"),
        ("--as 8", "--as 8: there is 9 and 10"),
    ],
)
def test_wrong_flags_are_told_with_the_usage(line, message):
    with pytest.raises(Failure) as failure:
        options(line)

    assert failure.value.status == 1
    assert message in failure.value.message
    assert "Usage: trec_eval" in failure.value.message


@pytest.mark.parametrize("line", ["", "Q", "Q R x"])
def test_anything_but_two_files_is_wrong_usage(line):
    done = trec_eval(*line.split())

    assert (done.status, done.out) == (1, b"")
    assert done.err.startswith("Usage: trec_eval")
