import json

import pytest

import rankeval
from tests.support.gate_files import PERFECT, QRELS, worse_on

TOP = 'qrels = "qrels.txt"\nruns = [{ path = "candidate.run", name = "prod" }]\n'
TWO = (
    f'{TOP}[suite.web]\nbaseline = "web.json"\nrules.max-drop = {{ RR = 0.5 }}\n'
    '[suite.shop]\nbaseline = "shop.json"\nrules.max-drop = { "R@1" = 0.05 }\n'
)


@pytest.fixture
def project(shell):
    """Two suites with baselines, and a candidate that is worse on some topics."""
    shell.write(qrels=QRELS)
    shell.path("old.run").write_text(PERFECT)
    for suite in ("web", "shop"):
        shell("eval", "qrels.txt", "old.run", "-m", "RR R@1 P@5", "-q", "-o", f"{suite}.json")

    def candidate(worse, toml=TWO):
        shell.path("candidate.run").write_text(worse_on(worse))
        shell.path("rankeval.toml").write_text(toml)

    shell.candidate = candidate
    return shell


def means(project, suite):
    (run,) = json.loads(project.path(f"{suite}.json").read_text())["runs"]
    return run["name"], {name: found["mean"] for name, found in run["measures"].items()}


def test_all_baselines_are_stored_at_once_with_the_measures_that_they_held(project):
    project.candidate(1)
    done = project("promote")

    assert (done.code, done.out.splitlines()[0]) == (0, "PASS: all 2 suites")
    for suite in ("web", "shop"):
        assert f"{suite}.json: now holds the values of prod for" in done.out
        name, values = means(project, suite)
        expected = {"RR": (19 + 1 / 2) / 20, "R@1": 19 / 20, "P@5": 1 / 5}
        assert (name, values) == ("prod", pytest.approx(expected))
    assert project("gate", "--all-suites").code == 0


def test_one_candidate_that_fails_keeps_all_baselines_as_they_are(project):
    project.candidate(4)
    before = [project.path(f"{suite}.json").read_bytes() for suite in ("web", "shop")]
    done = project("promote")

    assert done.code == 1
    assert done.out.splitlines() == [
        "FAIL: 1 of 2 suites breaks rules: shop",
        "No baseline was changed; --allow-failing stores candidates that break rules, too.",
    ]
    assert [project.path(f"{suite}.json").read_bytes() for suite in ("web", "shop")] == before


def test_failing_candidates_are_stored_on_request_and_suites_by_name(project):
    project.candidate(4)

    assert project("promote", "web").code == 0
    assert (means(project, "web")[1]["R@1"], means(project, "shop")[1]["R@1"]) == (0.8, 1)
    assert project("promote", "--allow-failing").code == 0
    assert means(project, "shop")[1]["R@1"] == 0.8


def test_a_suite_that_cannot_be_judged_changes_nothing(project):
    project.candidate(1, TWO.replace("shop.json", "nowhere.json"))
    before = project.path("web.json").read_bytes()
    done = project("promote")

    assert done.code == 2
    assert done.err.startswith("rankeval: suite shop: nowhere.json: no such file")
    assert project.path("web.json").read_bytes() == before


def test_a_candidate_that_lacks_topics_is_stored_on_request(project):
    project.candidate(0)
    lines = project.path("candidate.run").read_text().splitlines(keepends=True)
    project.path("candidate.run").write_text("".join(lines[3:]))
    toml = TWO.replace("0.05", "0.5")
    project.path("rankeval.toml").write_text(toml)

    assert "lacks 1 judged topic of 20" in project("promote").err
    assert project("promote", "--allow-missing").code == 0


def test_a_file_without_suites_is_one_itself(project):
    project.candidate(1, f'{TOP}baseline = "web.json"\nrules.max-drop = {{ RR = 0.5 }}\n')

    (new,) = rankeval.promote().baselines
    assert (new.suite, new.path, new.run.name) == ("", "web.json", "prod")
    assert new.before["RR"].aggregate == 1
