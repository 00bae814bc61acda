import json
import re
import shlex
import xml.etree.ElementTree as ET

import pytest

import rankeval
from tests.support.gate_files import PERFECT, QRELS, judged, run_with, worse_on
from tests.support.junit_schema import problems


@pytest.fixture
def gate(shell):
    """Run the gate on the files above; the candidate is given as text."""
    shell.write(qrels=QRELS, base=PERFECT)

    def call(candidate, *arguments, baseline="base.txt"):
        shell.write(candidate=candidate)
        files = ("qrels.txt", baseline, "candidate.txt")
        return shell("gate", *files, *arguments)

    call.shell = shell
    return call


# --- rules and exit codes -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        # Two topics of twenty at rank 2: the mean falls from 1 to 0.95.
        (["--max-drop", "RR=0.05"], 0),
        (["--max-drop", "RR=0.049"], 1),
        (["--max-drop", "RR=5%"], 0),
        (["--max-drop", "RR=4.9%"], 1),
        (["--min", "RR=0.95"], 0),
        (["--min", "RR=0.951"], 1),
        (["--max", "RR=0.95"], 0),
        (["--max", "RR=0.949"], 1),
        (["--max-topic-drop", "RR=0.5"], 0),
        (["--max-topic-drop", "RR=0.49"], 1),
        (["--max-topic-drop", "RR=50%"], 0),
        (["--max-topic-drop", "RR=49%"], 1),
        (["--max-drop", "RR=0.1", "--min", "RR=0.9", "--max-topic-drop", "RR=1"], 0),
        (["--max-drop", "RR=0.1", "--min", "RR=0.99", "--max-topic-drop", "RR=1"], 1),
    ],
)
def test_a_rule_decides_at_its_limit(gate, rule, code):
    outcome = gate(worse_on(2), *rule)

    assert outcome.code == code
    assert outcome.out.startswith("failed" if code else "passed")


@pytest.mark.parametrize(
    ("n_worse", "limit", "verdict", "codes"),
    [
        (10, "0.1", "worse", {"observed": 1, "not-shown-worse": 1, "shown-not-worse": 1}),
        (10, "0.4", "not worse", {"observed": 0, "not-shown-worse": 0, "shown-not-worse": 0}),
        (1, "0.01", "inconclusive", {"observed": 1, "not-shown-worse": 0, "shown-not-worse": 1}),
        (10, "0.3", "inconclusive", {"observed": 0, "not-shown-worse": 0, "shown-not-worse": 1}),
    ],
)
def test_a_policy_maps_the_verdict_to_the_exit_code(gate, n_worse, limit, verdict, codes):
    for policy, code in codes.items():
        outcome = gate(
            worse_on(n_worse), "--max-drop", f"RR={limit}", "--policy", policy, "--json", "g.json"
        )

        report = judged(gate.shell.path("g.json").read_text())
        assert report["rules"][0]["verdict"] == verdict
        assert (outcome.code, report["exit_code"], report["passed"]) == (code, code, not code)


def test_a_topic_that_the_candidate_lacks_scores_0_and_is_named(gate):
    lacking = "".join(line for line in PERFECT.splitlines(keepends=True) if line[:3] != "t05")

    outcome = gate(lacking, "-v", "--max-drop", "RR=0.01")

    assert outcome.code == 1
    assert "lacks 1 of 20 judged topics (scored 0): t05" in outcome.err
    assert "worst topics: t05" in outcome.out


def test_several_candidates_must_all_keep_the_rules(gate):
    gate.shell.write(good=PERFECT.replace("perfect", "good"))

    outcome = gate(worse_on(5), "-v", "good.txt", "--max-drop", "RR=0.01")

    assert outcome.code == 1
    assert outcome.out.startswith("failed 1 of 2 candidates vs. baseline perfect")
    assert re.search(r"^failed +candidate +RR ", outcome.out, re.MULTILINE)
    assert re.search(r"^passed +good +identical to the baseline$", outcome.out, re.MULTILINE)


# --- ties ---------------------------------------------------------------------------------


# --- baselines ----------------------------------------------------------------------------


@pytest.fixture
def saved(gate):
    gate.shell("eval", "qrels.txt", "base.txt", "-m", "RR P@1", "-q", "-o", "baseline.json")
    return gate


def test_changed_judgments_are_refused(saved):
    saved.shell.write(qrels=QRELS.replace("t01 0 y 0", "t01 0 y 1"))

    outcome = saved(PERFECT, "--max-drop", "RR=0.05", baseline="baseline.json")

    assert (outcome.code, outcome.out) == (2, "")
    assert "was evaluated with other judgments: 20 topics, 60 judgments, digest" in outcome.err


def test_changed_conventions_are_refused(saved):
    outcome = saved(PERFECT, "--max-drop", "RR=0.05", "-M", "5", baseline="baseline.json")

    assert (outcome.code, outcome.out) == (2, "")
    assert (
        "RR is not defined in the same way: depth is not set for baseline and 5 for candidate"
        in outcome.err
    )


def test_another_version_is_refused(saved):
    path = saved.shell.path("baseline.json")
    now = f"rankeval:{rankeval.__version__}|"
    path.write_text(path.read_text().replace(now, "rankeval:0.99.0|"))

    outcome = saved(PERFECT, "--max-drop", "RR=0.05", baseline="baseline.json")

    assert outcome.code == 2
    assert "same way: rankeval's version is 0.99 for baseline" in outcome.err


def test_a_baseline_is_updated_only_when_asked_and_keeps_its_measures(saved):
    path = saved.shell.path("baseline.json")
    before = path.read_text()
    arguments = (worse_on(2), "--max-drop", "RR=0.01")

    assert saved(*arguments, baseline="baseline.json").code == 1
    refused = saved(*arguments, "--update-baseline", baseline="baseline.json")
    assert (refused.code, refused.out.partition(":")[0]) == (1, "failed")
    assert "no baseline was changed; --force stores" in refused.out
    assert path.read_text() == before

    words = (*arguments, "--min", "AP=0.1", "--update-baseline", "--force")
    updated = saved(*words, baseline="baseline.json")

    assert (updated.code, updated.out) == (0, "stored baseline.json\n")
    (run,) = json.loads(path.read_text())["runs"]
    assert {name: one["mean"] for name, one in run["measures"].items()} == {
        "RR": 0.95,
        "AP": 0.95,
        "P@1": 0.9,
    }
    assert saved(*arguments, baseline="baseline.json").code == 0


def with_other_grades(n_topics):
    """The judgments with another document judged on some topics, and one topic more."""
    more = "".join(f"q{i} 0 other{i} 1\n" for i in range(n_topics))
    return QRELS + more + "new 0 d1 1\n"


@pytest.mark.parametrize("options", [(), ("--update-baseline",)])
def test_changed_judgments_need_a_baseline_of_the_run_in_production(saved, options):
    path = saved.shell.path("baseline.json")
    before = path.read_text()
    saved.shell.write(qrels=with_other_grades(3))

    refused = saved(worse_on(9), "--max-drop", "RR=0.01", *options, baseline="baseline.json")

    assert (refused.code, refused.out) == (2, "")
    assert "baseline.json: was evaluated with other judgments" in refused.err
    assert "; 4 topics changed: " in refused.err
    words = "rankeval eval qrels.txt base.txt -q -o baseline.json -m 'RR P@1'"
    assert words in refused.err
    assert "--update-baseline" not in refused.err
    assert path.read_text() == before

    assert saved.shell(*shlex.split(words)[1:]).code == 0
    assert saved(PERFECT, "--max-drop", "RR=0.01", baseline="baseline.json").code == 0


# --- wrong usage --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "no rule is given"),
        (["--max-drop", "nDCG@10"], "'nDCG@10' is not a rule"),
        (["--max-drop", "RR=-1"], "'-1' is not a limit for RR"),
        (["--max-drop", "RR=nan"], "'nan' is not a limit for RR"),
        (["--max-drop", "RR=many%"], "'many%' is not a limit for RR"),
        (["--min", "RR=5%"], "'5%' is not a limit for RR"),
        (["--max-drop", "nDGC@10=0.1"], "nDCG"),
        (["--max-drop", "P@5,10=0.1"], "names 2 measures"),
        (["--max-drop", "NumRet=1"], "NumRet is not averaged over topics"),
        (["--min", "Unjudged@10=0.5"], "--max Unjudged@10=LIMIT"),
        (["--max-drop", "RR=0.1", "--policy", "strict"], "policy cannot be 'strict'"),
        (["--max-drop", "RR=0.1", "--alpha", "0.7"], "alpha is 0.7"),
        (["--max-drop", "RR=0.1", "--like", "gdeval"], 'topics = "judged"'),
        (["--max-drop", "RR=0.1", "--suite", "a", "--config", "none.toml"], "none.toml"),
        (["--max-drop", "RR=0.1", "--junit", "qrels.txt"], "would overwrite this input"),
        (["--max-drop", "RR=0.1", "--update-baseline", "--json", "x"], "do not go together"),
    ],
)
def test_what_is_wrong_ends_with_2(gate, arguments, told):
    outcome = gate(PERFECT, *arguments)

    assert outcome.code == 2
    assert told in outcome.err
    assert outcome.out == ""


def test_githubs_summary_is_no_input(gate, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "qrels.txt")

    outcome = gate(PERFECT, "--max-drop", "RR=0.1", "--github")

    assert outcome.code == 2
    assert "would overwrite this input" in outcome.err


# --- reports ------------------------------------------------------------------------------


def test_junit_has_a_test_case_per_rule(gate):
    outcome = gate(
        worse_on(9),
        *("--max-drop", "RR=0.05", "--min", "RR=0.5", "--max-topic-drop", "RR=0.1"),
        *("--junit", "gate.xml", "--bound", "t"),
    )

    assert problems(gate.shell.path("gate.xml")) == []
    document = ET.parse(gate.shell.path("gate.xml")).getroot()
    suite = document.find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    cases = {case.get("name"): case.find("failure") for case in suite.iter("testcase")}
    assert cases["min RR=0.5"] is None
    assert cases["max-drop RR=0.05"].get("type") == "worse"
    assert "RR 1.0000 -> 0.7750, -0.2250" in cases["max-drop RR=0.05"].get("message")
    assert cases["max-topic-drop RR=0.1"].get("type") == "max-topic-drop"
    assert outcome.code == 1


HOSTILE = "<b>]]>&\"'%0A::error::x##[error]\x1b[31m"


def test_no_name_takes_effect_in_a_report(gate, monkeypatch):
    summary = gate.shell.path("summary.md")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    qrels = f"{HOSTILE} 0 r 1\n" + QRELS
    candidate = f"{HOSTILE} Q0 x 1 1 {HOSTILE}\n" + worse_on(2, tag=HOSTILE)
    gate.shell.write(qrels=qrels, base=f"{HOSTILE} Q0 r 1 1 b\n" + PERFECT)

    outcome = gate(candidate, "--max-topic-drop", "RR=0.01", "--junit", "g.xml", "--github")

    assert outcome.code == 1
    assert "\x1b" not in outcome.out + outcome.err + summary.read_text()
    assert "##[" not in outcome.out
    commands = [line for line in outcome.out.splitlines() if line.startswith("::")]
    assert [line.split("::")[1].split()[0] for line in commands] == ["error"]
    assert "%250A" in commands[0]
    assert problems(gate.shell.path("g.xml")) == []
    document = ET.parse(gate.shell.path("g.xml")).getroot()
    assert len(list(document.iter("testcase"))) == 1
    assert not re.search(r"(?<![\\`])<b>", re.sub(r"`[^`]*`", "", summary.read_text()))


def test_github_gets_errors_a_summary_and_outputs(gate, monkeypatch):
    summary, outputs = gate.shell.path("summary.md"), gate.shell.path("outputs")
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(outputs))

    rules = ("--max-drop", "RR=0.01", "--max-drop", "P@1=0.12")
    outcome = gate(worse_on(2), *rules, "--github", "--json", "g.json")

    assert outcome.code == 1
    lines = [line for line in outcome.out.splitlines() if line.startswith("::")]
    assert len(lines) == 1
    assert lines[0].startswith("::error title=rankeval gate%3A max-drop RR=0.01::RR 1.0000 -> ")
    headline = "failed 1 of 2 rules: candidate vs. baseline perfect, 20 topics"
    written = summary.read_text()
    assert written.startswith(f"before\n### rankeval gate: {headline}\n")
    row = "| **failed** | RR | 1.0000 -> 0.9500 | -0.0500 | -0.01 | no CI: 2 of 20 topics differ |"
    assert row in written
    mark = outputs.read_text().partition("\n")[0].partition("<<")[2]
    pairs = re.findall(rf"(.+)<<{mark}\n(.*)\n{mark}\n", outputs.read_text())
    assert dict(pairs) == {
        "passed": "false",
        "exit-code": "1",
        "summary": headline,
    }


def test_every_report_has_the_same_sentence(gate):
    gate.shell.path("r").mkdir()
    files = {"--junit": "r/g.xml", "--json": "r/g.json", "--comment": "r/g.md", "-o": "r/g.txt"}
    words = [word for pair in files.items() for word in pair]

    done = gate(worse_on(9), "--max-drop", "RR=1%", *words, "--github")

    (rule,) = judged(gate.shell.path("r/g.json").read_text())["rules"]
    said, cells = rule["message"], rule["message"].split(", ")
    assert said.startswith("RR 1.0000 -> 0.7750, -22.5%, limit -1%, 95% CI ")
    assert said.replace("%", "%25") in done.out
    (failure,) = ET.parse(gate.shell.path("r/g.xml")).getroot().iter("failure")
    assert failure.get("message") == said
    for name in ("r/g.txt", "r/g.md"):
        assert all(
            cell.removeprefix("limit ") in gate.shell.path(name).read_text() for cell in cells[1:]
        )


def test_json_holds_everything_with_full_precision(gate):
    gate(run_with("c", t03="x y r"), "--max-drop", "RR=1%", "--json", "g.json")

    document = json.loads(gate.shell.path("g.json").read_text())
    assert document["schema"] == "rankeval-gate/1"
    assert document["summary"].startswith("failed")
    (rule,) = judged(gate.shell.path("g.json").read_text())["rules"]
    assert rule["drop"] == pytest.approx((2 / 3) / 20, abs=1e-15)
    assert rule["limit"] == 0.01
    assert rule["topics"] == [
        {"topic": "t03", "baseline": 1.0, "candidate": 1 / 3, "drop": 1 - 1 / 3}
    ]
    assert (rule["n_worse"], rule["n_differing"]) == (1, 1)
    assert rule["signature"].startswith(f"rankeval:{rankeval.__version__}|RR|")
    assert rule["statistics"]["n_topics"] == 20


# --- suites -------------------------------------------------------------------------------

SUITES = """\
qrels = "qrels.txt"
baseline = "base.txt"
runs = ["candidate.txt"]

[suite.strict.rules]
max-drop = { RR = 0.01 }

[suite.lenient]
policy = "not-shown-worse"

[suite.lenient.rules]
max-drop = { RR = "1%" }
min = { RR = 0.5 }
"""


def test_a_suite_is_found_from_below_and_options_come_before_it(gate, monkeypatch):
    gate.shell.write(candidate=worse_on(2))
    gate.shell.path("rankeval.toml").write_text(SUITES)
    gate.shell.path("below").mkdir()
    monkeypatch.chdir(gate.shell.path("below"))

    def code(*words):
        return gate.shell("gate", "--suite", *words).code

    assert [code(name) for name in ("strict", "lenient")] == [1, 0]
    assert code("strict", "--config", "../rankeval.toml") == 1
    assert code("strict", "--max-drop", "RR=0.2") == 0
    assert code("strict", "--policy", "not-shown-worse") == 0
    assert code("strict", "../qrels.txt", "../base.txt", "../base.txt") == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("qrel = 'q'", "unknown key 'qrel'\n  expected: perhaps qrels"),
        ("[suite.a]\npolici = 'x'", "[suite.a]: unknown key 'polici'\n  expected: perhaps policy"),
        ("[suite.a.rules]\nmax_drop = {}", "unknown key 'max_drop'\n  expected: perhaps max-drop"),
        ("[suite.a]\npolicy = 'observd'", "[suite.a]: policy cannot be 'observd'"),
        ("[suite.a]\nalpha = 'x'", "alpha is 'x'"),
        ("alpha = 2", "rankeval.toml: alpha is 2"),
        ("ties = 'inptu'", "ties cannot be 'inptu'; did you mean 'input'?"),
        ("on-error = 'ignore'", "rankeval.toml: on_error cannot be 'ignore'"),
        ("like = 'gdevl'", "like cannot be 'gdevl'; did you mean 'gdeval'?"),
        ("topics = 'both'\nrules.min = {RR = 0.9}", "a gate counts every judged topic"),
        ("[suite.a]\ndepth = true", "depth is True"),
        ("[suite.a]\nruns = [1]", "runs is 1"),
        ("[suite.a.rules]\nmax-drop = 3", "max-drop is 3\n  expected: max-drop = {"),
        ("[suite.a.rules]\nmax-drop = {RR = true}", "RR is True\n  expected: 0.01 or"),
        ("[suite.a.rules]\nmin = {RR = '5%'}", "'5%' is not a limit for RR"),
        ("suite = 3", "suite is not a table of suites"),
        ("[suite.a]", "[suite.a]: no rule is given"),
        ("= 3", "is not TOML"),
    ],
)
def test_what_is_wrong_in_a_suite_is_named(gate, text, told):
    gate.shell.write(candidate=PERFECT)
    files = SUITES.partition("\n\n")[0] + "\n"
    suites = gate.shell.path("rankeval.toml")
    suites.write_text(text if text[0] == "=" else files + text)

    outcome = gate.shell("gate")

    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err


# --- output ----------------------------------------------------------------------------


def test_an_interval_by_t_needs_topics_that_differ_and_is_doubted_where_few_do(gate):
    said = [
        judged(gate(worse_on(n), "--max-drop", "RR=0.05", "-f", "json").out)["rules"][0]
        for n in (0, 4, 5, 9, 10)
    ]
    messages = [rule["message"] for rule in said]

    assert "CI" not in messages[0]
    assert messages[1].endswith("no CI: 4 of 20 topics differ")
    for n, message in zip((5, 9), messages[2:4], strict=True):
        assert message.endswith(f"t is optimistic where {n} topics differ (--bound betting)")
    assert "95% CI" in messages[4]
    assert "optimistic" not in messages[4]
    betting = gate(worse_on(5), "--max-drop", "RR=0.05", "--bound", "betting").out
    assert "95% CI" in betting
    assert "optimistic" not in betting


def test_only_a_policy_that_needs_the_test_is_inconclusive(gate):
    """A drop of 5% on 2 of 20 topics."""
    told = {
        policy: gate(worse_on(2), "--max-drop", "RR=1%", "--policy", policy).out
        for policy in ("observed", "not-shown-worse", "not-shown-beyond-limit", "shown-not-worse")
    }

    assert [name for name, out in told.items() if "inconclusive" not in out] == ["observed"]
    assert "inconclusive: 20 topics are few (about " in told["shown-not-worse"]


def test_an_identical_candidate_passes_in_one_line(gate):
    same = PERFECT.replace("perfect", "same")
    shown = gate(same, "--max-drop", "RR=1%", "--policy", "shown-not-worse")
    failed = gate(same, "--max", "RR=0.5")

    assert gate(same, "--max-drop", "RR=1%", "--min", "P@1=1").out == (
        "passed: identical to the baseline: same vs. baseline perfect, 20 topics\n"
    )
    assert (shown.code, failed.code) == (1, 1)


def test_the_worst_topics_are_named_with_their_queries(gate):
    (gate.shell.directory / "queries.tsv").write_text("t01\thow to <b>bind</b>\nt03\tthird\n")
    words = (worse_on(9), "--max-drop", "RR=1%", "--queries", "queries.tsv")

    assert gate(*words).code == 1
    assert 't01 "how to <b>bind</b>", t02, t03 "third", t04' in " ".join(gate(*words).out.split())
    assert gate(*words[:-1], "nothing.tsv").code == 2


def test_the_next_command_names_the_runs_that_saved_values_are_of(gate):
    gate.shell.write(worse=worse_on(9))
    for name in ("base", "worse"):
        gate.shell("eval", "qrels.txt", f"{name}.txt", "-m", "RR", "-q", "-o", f"{name}.json")

    told = gate.shell("gate", "qrels.txt", "base.json", "worse.json", "--max-drop", "RR=1%")
    command = told.out.rpartition("next: rankeval ")[2]

    assert command == "diff qrels.txt base.txt worse.txt t01 -m RR\n"
    assert gate.shell(*shlex.split(command)).code == 0
    gate.shell.path("worse.txt").unlink()
    again = gate.shell("gate", "qrels.txt", "base.json", "worse.json", "--max-drop", "RR=1%")
    assert (again.code, "next: " in again.out) == (1, False)


def test_runs_in_json_are_judged_as_any_others(gate):
    for name, score in (("base", 2), ("worse", 0)):
        gate.shell.path(f"{name}.json").write_text(f'{{"t01": {{"a": {score}, "b": 1}}}}')
    gate.shell.path("one.txt").write_text("t01 0 a 1\n")

    told = gate.shell("gate", "one.txt", "base.json", "worse.json", "--max-drop", "RR=1%")

    assert told.code == 1
    assert "1.0000 -> 0.5000" in told.out
    assert "next: rankeval diff one.txt base.json worse.json t01 -m RR" in told.out


def test_an_update_does_not_overwrite_a_run(gate):
    outcome = gate(PERFECT, "--max-drop", "RR=0.01", "--update-baseline")

    assert outcome.code == 2
    assert gate.shell.path("base.txt").read_text() == PERFECT
