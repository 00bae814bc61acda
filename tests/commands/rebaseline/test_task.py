import json

import pytest

import rankeval
from tests.support.gate_files import QRELS, TOPICS, worse_on

TOML = (
    'qrels = "qrels.txt"\nruns = ["candidate.run"]\n'
    '[suite.web]\nbaseline = "web.json"\nrules.max-drop = { RR = 0.5 }\n'
)


@pytest.fixture
def project(shell):
    """A suite whose baseline is of a run that is worse on two topics."""
    shell.write(qrels=QRELS)
    shell.path("prod.run").write_text(worse_on(2, tag="prod"))
    shell.path("candidate.run").write_text(worse_on(0))
    shell.path("rankeval.toml").write_text(TOML)
    assert shell("eval", "qrels.txt", "prod.run", "-m", "RR", "-q", "-o", "web.json").code == 0
    return shell


def judged_anew(project, path="qrels.txt"):
    """In the first topic, the document that stands first is relevant instead."""
    text = QRELS.replace(f"{TOPICS[0]} 0 r 1", f"{TOPICS[0]} 0 r 0")
    text = text.replace(f"{TOPICS[0]} 0 x 0", f"{TOPICS[0]} 0 x 1")
    project.path(path).write_text(text)
    return text


def test_new_judgments_close_the_gate_until_the_run_in_production_is_evaluated_again(project):
    judged_anew(project)
    assert project("gate").code == 2
    done = project("rebaseline")

    assert done.code == 0
    assert done.out.splitlines() == [
        "web.json: now holds the values of prod for RR over 20 topics",
        "RR: 0.9500 -> 0.9750 (+0.0250)",
        f"  1 topic changed: {TOPICS[0]} (0.5000 to 1.0000)",
    ]
    assert project("gate").code == 0


def test_judgments_may_be_in_another_file(project):
    judged_anew(project, "new.qrels")
    (new,) = rankeval.rebaseline(qrels="new.qrels")

    assert new.run["RR"].aggregate == pytest.approx(0.975)
    assert new.before["RR"].aggregate == 0.95


def test_topics_that_came_and_went_are_said_first(project):
    text = judged_anew(project).replace(f"{TOPICS[-1]} ", "t99 ")
    project.path("qrels.txt").write_text(text)
    done = project("rebaseline", "--allow-missing", "-q")

    changed = done.out.splitlines()[-1]
    assert changed.startswith("  3 topics changed: ")
    assert changed.index("gone, 1.0000") < changed.index("0.5000 to 1.0000")
    assert "t99 (new, 0.0000)" in changed


def test_a_candidate_in_the_place_of_the_run_is_refused(project):
    judged_anew(project)
    project.path("prod.run").write_text(project.path("candidate.run").read_text())
    done = project("rebaseline")

    assert done.code == 2
    assert f"topic {TOPICS[1]} has the same judgments, and another RR" in done.err
    assert project("rebaseline", "web=prod.run").code == 0


def test_a_run_that_moved_is_named(project):
    project.path("prod.run").rename(project.path("moved.run"))
    done = project("rebaseline")

    assert done.code == 2
    assert "prod.run, is not there" in done.err
    assert "rankeval rebaseline web=RUN" in done.err
    assert project("rebaseline", "web=moved.run").out.endswith("  no topic changed\n")


def test_the_path_may_be_relative_to_the_file_of_suites(project, monkeypatch):
    project.path("deeper").mkdir()
    monkeypatch.chdir(project.path("deeper"))

    assert project("rebaseline").out.endswith("  no topic changed\n")


def test_a_first_baseline_needs_the_name_of_the_run(project):
    project.path("web.json").unlink()

    assert "rankeval rebaseline web=RUN" in project("rebaseline").err
    done = project("rebaseline", "web=prod.run")
    assert done.out.splitlines()[1:] == ["RR: 0.9500 (no old value)"]
    assert json.loads(project.path("web.json").read_text())["runs"][0]["name"] == "prod"


def test_one_file_is_not_for_suites_of_several_judgments(project):
    other = '[suite.shop]\nqrels = "shop.qrels"\nbaseline = "shop.json"\nrules.min = { RR = 0 }\n'
    project.path("rankeval.toml").write_text(TOML + other)
    judged_anew(project, "new.qrels")
    done = project("rebaseline", "--qrels", "new.qrels")

    assert done.code == 2
    assert "one file cannot hold the judgments of qrels.txt, shop.qrels" in done.err
    assert project("rebaseline", "--qrels", "new.qrels", "web").code == 0
