import pytest

from tests.support.gate_files import PERFECT, QRELS, judged, worse_on

TOP = 'qrels = "qrels.txt"\nbaseline = "base.txt"\n'
RULES = "[suite.web.rules]\nmin = { RR = 0.1 }\n"
NAMED = '["prod=candidate.txt"]'


@pytest.fixture
def named(shell):
    """Judge a suite whose runs are written so, and return the gate's document and the outcome."""
    shell.write(qrels=QRELS, base=PERFECT, candidate=worse_on(2, tag="perfect"))

    def judge(runs, *more, top=TOP):
        shell.path("rankeval.toml").write_text(f"{top}runs = {runs}\n{RULES}")
        done = shell("gate", "-f", "json", *more)
        if done.code > 1:
            return None, done
        suite = judged(done.out)
        return [one["name"] for one in (suite["baseline"], *suite["candidates"])], done

    judge.path, judge.shell = shell.path, shell
    return judge


@pytest.mark.parametrize(
    "runs",
    [NAMED, '"prod=candidate.txt"'],
    ids=["list", "text"],
)
def test_a_suite_names_its_run_whatever_tag_and_file_say(named, runs):
    names, _ = named(runs)

    assert names[1:] == ["prod"]


def test_a_name_outlives_a_new_file(named):
    named.path("2026-11-25.run").write_text(worse_on(2, tag="tonight"))
    names, _ = named('["prod=2026-*.run"]')

    assert names[1:] == ["prod"]


@pytest.mark.parametrize(
    ("runs", "problem"),
    [
        ('["prod=*.txt"]', "3 runs are named 'prod'"),
        ("[3]", "runs is 3"),
        ('["a=base.txt", "a=candidate.txt"]', "2 runs are named 'a'"),
    ],
)
def test_runs_that_are_named_wrong_are_refused(named, runs, problem):
    _, done = named(runs)

    assert done.code == 2
    assert problem in done.err
