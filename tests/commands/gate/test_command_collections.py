"""Suites over collections: rules on the macro mean, on the worst collection, and on each."""

import json
import math
import xml.etree.ElementTree as ET
from statistics import mean

import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_ind

from tests.support.files import qrels_of, run_of
from tests.support.junit_schema import problems
from tests.support.schemas import assert_valid

SIZES = {"a": 20, "b": 40, "c-one": 12, "c-two": 30}
LOSING = {"a": 0, "b": 8, "c-one": 6, "c-two": 3}
"""Topics on which the candidate finds the relevant document second: RR falls from 1 to 0.5."""
BEIR = """
qrels = "qrels/{collection}.txt"
runs = { old = "old/{collection}.run", new = "new/{collection}.run" }
[collection.a]
[collection.b]
[collection.c-one]
part-of = "c"
[collection.c-two]
part-of = "c"
"""
TOP = 'collections = "beir.toml"\nbaseline = "old"\nruns = ["new"]\n'
DROPS = {"a": 0.0, "b": 0.1, "c": mean([6 / 12, 3 / 30]) / 2}
MACRO = mean(DROPS.values())


def topics_of(name):
    return [f"{name}{i:02}" for i in range(SIZES[name])]


@pytest.fixture
def gate(shell):
    """Write three collections, one of two parts; call the gate with the rules of a suite."""
    for folder in ("qrels", "old", "new", "values"):
        shell.path(folder).mkdir()
    for name in SIZES:
        topics = topics_of(name)
        shell.path(f"qrels/{name}.txt").write_text(qrels_of(**dict.fromkeys(topics, "r1 x0")))
        rankings = dict.fromkeys(topics, "r x y")
        shell.path(f"old/{name}.run").write_text(run_of("tag", **rankings))
        lost = dict.fromkeys(topics[: LOSING[name]], "x r y")
        shell.path(f"new/{name}.run").write_text(run_of("other", **rankings | lost))
    shell.path("beir.toml").write_text(BEIR)

    def call(toml, *options, top=TOP):
        shell.path("rankeval.toml").write_text(top + toml)
        return shell("gate", *options)

    call.shell = shell
    call.report = lambda toml, *options: assert_valid(
        json.loads(call(toml, "-f", "json", *options).out)
    )
    return call


def drops(name):
    return [0.5] * LOSING[name] + [0.0] * (SIZES[name] - LOSING[name])


def test_the_macro_mean_counts_each_collection_once_and_its_parts_together(gate):
    (rule,) = gate.report('rules.max-drop = { "RR on macro mean" = 0.05 }\n')["rules"]

    assert (rule["passed"], rule["collection"]) == (False, "macro mean")
    assert rule["drop"] == pytest.approx(MACRO)
    assert (rule["baseline"], rule["candidate"]) == pytest.approx((1.0, 1.0 - MACRO))
    found = {one["name"]: (one["topics"], one["drop"]) for one in rule["collections"]}
    assert found == {
        "c": (42, pytest.approx(DROPS["c"])),
        "b": (40, pytest.approx(0.1)),
        "a": (20, 0.0),
    }


def test_its_p_value_is_welchs_for_collections_of_their_own(gate):
    """Two collections: scipy's test of one sample against minus the other; see test_macro_gate."""
    gate.shell.path("beir.toml").write_text(
        BEIR.replace('part-of = "c"', "")[: BEIR.index("[collection.c-one]")]
    )
    (rule,) = gate.report('test = "t"\nrules.max-drop = { "RR on macro mean" = 0.01 }\n')["rules"]
    expected = ttest_ind(
        drops("b"), [-one for one in drops("a")], equal_var=False, alternative="greater"
    )

    assert rule["statistics"]["p_value"] == pytest.approx(expected.pvalue)


def test_the_worst_collection_is_the_surest_loss_and_its_p_value_counts_all(gate):
    toml = 'test = "t"\nrules.max-drop = { "RR on worst collection" = 0.02 }\n'
    (rule,) = gate.report(toml)["rules"]
    alone = {
        "b": ttest_1samp(drops("b"), 0, alternative="greater").pvalue,
        "c": ttest_ind(
            *(drops("c-one"), [-one for one in drops("c-two")]),
            equal_var=False,
            alternative="greater",
        ).pvalue,
    }
    surest = min(alone, key=alone.get)

    assert (rule["verdict"], rule["passed"]) == ("worse", False)
    assert rule["collections"][0]["name"] == surest
    assert rule["drop"] == pytest.approx(DROPS[surest])
    assert rule["statistics"]["p_value"] == pytest.approx(3 * alone[surest])  # Holm's first step


def test_the_worst_collection_is_not_worse_only_if_each_is_not(gate):
    rules = 'bound = "t"\nrules.max-drop = {{ "RR on worst collection" = {} }}\n'
    wide = gate.report(rules.format(0.5))["rules"][0]
    narrow = gate.report(rules.format(0.21))["rules"][0]
    verdicts = {one["name"]: one["verdict"] for one in narrow["collections"]}

    assert wide["verdict"] == "cannot tell"  # of a, all topics are equal, and t bounds nothing
    assert {one["name"]: one["verdict"] for one in wide["collections"]} == {
        "a": "cannot tell",
        "b": "not worse",
        "c": "not worse",
    }
    assert (narrow["verdict"], verdicts["b"]) == ("cannot tell", "not worse")
    betting = gate.report('rules.max-drop = { "RR on worst collection" = 0.9 }\n')["rules"][0]
    assert betting["verdict"] == "not worse"


def test_a_rule_without_a_name_holds_in_each_collection_but_where_one_is_named(gate):
    rules = '[rules]\nmax-drop = { RR = 0.2, "RR on b" = 0.01 }\nmin = { "RR on c-one" = 0.9 }\n'
    found = {one["rule"]: (one["passed"], one["drop"]) for one in gate.report(rules)["rules"]}

    assert found == {
        "max-drop RR on a=0.2": (True, 0.0),
        "max-drop RR on b=0.01": (False, pytest.approx(0.1)),
        "max-drop RR on c-one=0.2": (False, pytest.approx(0.25)),
        "max-drop RR on c-two=0.2": (True, pytest.approx(0.05)),
        "min RR on c-one=0.9": (False, pytest.approx(0.25)),
    }


@pytest.mark.parametrize(
    ("rule", "code", "said"),
    [
        ('min = { "RR on macro mean" = 0.9 }', 0, "0.9167; the least is 0.9"),
        ('min = { "RR on macro mean" = 0.92 }', 1, "0.9167; the least is 0.92"),
        ('min = { "RR on worst collection" = 0.85 }', 0, "RR on c, the worst of 3 collections"),
        ('min = { "RR on worst collection" = 0.851 }', 1, "is 0.8500"),
        ('max = { "Unjudged@10 on worst collection" = 0.05 }', 1, "Unjudged@10"),
    ],
)
def test_floors_and_ceilings_of_means_over_collections(gate, rule, code, said):
    outcome = gate(f"[rules]\n{rule}\n", "-v")

    assert outcome.code == code
    assert said in " ".join(outcome.out.split())


def test_a_limit_in_percent_is_one_of_the_baselines_macro_mean(gate):
    (rule,) = gate.report('rules.max-drop = { "RR on macro mean" = "9%" }\n')["rules"]

    assert (rule["limit"], rule["passed"]) == (pytest.approx(0.09), True)


@pytest.mark.parametrize("policy", ["observed", "significant", "beyond", "noninferior"])
def test_every_policy_judges_the_macro_mean(gate, policy):
    toml = f'policy = "{policy}"\nrules.max-drop = {{ "RR on macro mean" = 0.02 }}\n'
    expected = {"observed": 1, "significant": 1, "beyond": 0, "noninferior": 1}

    assert gate(toml).code == expected[policy]


def test_every_report_shows_the_rules_on_collections(gate):
    rules = '{ "RR on macro mean" = 0.05, "RR on worst collection" = 0.5 }'
    toml = f"[suite.beir.rules]\nmax-drop = {rules}\n"
    files = ("--junit", "g.xml", "--json", "g.json", "--comment", "g.md", "--append", "h.jsonl")
    outcome = gate(toml, "-v", *files, "--html", "g.html")
    path = gate.shell.path

    assert outcome.code == 1
    root = ET.fromstring(path("g.xml").read_text())
    assert not problems(path("g.xml"))
    failures = [
        case.get("name") for case in root.iter("testcase") if case.find("failure") is not None
    ]
    assert failures == ["beir: max-drop RR on macro mean=0.05"]
    (line,) = map(json.loads, path("h.jsonl").read_text().splitlines())
    assert [(one["collection"], one["passed"]) for one in assert_valid(line)["rules"]] == [
        ("macro mean", False),
        ("worst collection", True),
    ]
    for text in (outcome.out, path("g.md").read_text(), path("g.html").read_text()):
        words = " ".join(text.replace("\\", "").split())
        assert "Macro mean RR over 3 collections got worse by 0.0833" in words
        assert "Worse on 2 collections: c (1.0000 to 0.8500), b (1.0000 to 0.9000)" in words
    assert path("g.md").read_text().startswith("<!-- rankeval gate: beir -->")


def test_a_missing_cell_cannot_be_judged(gate):
    toml = "[suite.one.rules]\nmin.RR = 0.5\n[suite.two.rules]\nmax.RR = 0.5\n"
    gate.shell.path("beir.toml").write_text(
        BEIR.replace('runs = { old = "old/{collection}.run", new', "runs = { new").replace(
            "[collection.a]", '[collection.a]\nruns = { old = "old/a.run" }'
        )
    )
    outcome = gate(toml, "--all-suites")

    assert outcome.code == 2
    assert "old has no run here, and a gate leaves no collection out" in " ".join(
        outcome.out.split()
    )
    gate.shell.path("beir.toml").write_text(BEIR)
    gate.shell.path("new/b.run").unlink()
    assert (gate(toml, "--suite", "one").code, gate(toml, "--suite", "one", "--dry-run").code) == (
        2,
        2,
    )


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        (
            'runs = ["nwe"]\nrules.min.RR = 0.5',
            "no system is called 'nwe'\n  expected: perhaps new",
        ),
        ('rules.min = { "RR on d" = 0.5 }', "names a collection that is not there"),
        ('rules.equivalent = { "RR on macro mean" = 0.5 }', "judged on each collection alone"),
        ('rules.equivalent = { "RR on c" = 0.5 }', "judged on each collection alone"),
        ('rules.min = { "RR on macro mean in hard" = 0.5 }', "groups are judged on each"),
        (
            'test = "sign"\nrules.max-drop = { "RR on macro mean" = 0.5 }',
            "judged by bets or Student",
        ),
        ('ties = "best"\nrules.min.RR = 0.5', "ties is 'worst', and 'best' in the suite"),
        ('qrels = "q.txt"\nrules.min.RR = 0.5', "names judgments, and collections with their own"),
        ('rules.max-drop = { "RR on macro mean" = 5 }', "cannot be reached"),
    ],
)
def test_what_cannot_be_judged_over_collections_is_refused(gate, toml, said):
    if "ties" in toml:
        gate.shell.path("beir.toml").write_text(BEIR + 'ties = "worst"\n')
    for options in ((), ("--dry-run",)):
        outcome = gate(f"[suite.x]\n{toml}\n", *options)
        assert outcome.code == 2
        assert said in outcome.err


def test_conventions_that_leave_out_topics_are_refused_with_their_collection(gate):
    gate.shell.path("beir.toml").write_text(
        BEIR.replace("[collection.b]", '[collection.b]\nlike = "beir"')
    )
    for options in ((), ("--dry-run",), ("--update-baseline",)):
        outcome = gate("rules.min.RR = 0.5", *options)
        assert outcome.code == 2
        assert "beir.toml: [collection.b]: a gate counts every judged topic" in outcome.err

    gate.shell.path("beir.toml").write_text(
        BEIR.replace("[collection.b]", '[collection.b]\nlike = "beir"\ntopics = "judged"')
    )
    assert gate("rules.min.RR = 0.5").code == 0


def test_a_rule_on_collections_needs_collections(shell):
    shell.write(qrels="t1 0 r 1\n", run="t1 Q0 r 1 1 x\n")
    outcome = shell("gate", "qrels.txt", "run.txt", "run.txt", "--min", "RR on macro mean=0.5")

    assert outcome.code == 2
    assert "a rule names a collection, but the gate has none" in outcome.err


def test_saved_baselines_are_updated_for_every_collection_together(gate):
    saved = TOP.replace('"old"', '"values/{collection}.json"')
    rules = 'rules.max-drop = { "RR on macro mean" = 0.01 }\n'
    promoted = gate(rules, "--update-baseline", top=saved)
    again = gate(rules, top=saved)

    assert promoted.code == 0
    assert promoted.out.count("now holds the values of") == 4
    assert again.code == 0
    assert "PASS: new against values/{collection}.json" in " ".join(again.out.split())


def test_a_rule_on_a_collection_with_parts_is_on_the_mean_of_the_parts(gate):
    toml = (
        'test = "t"\nrules.max-drop = { "RR on c" = 0.05, "RR" = 0.9 }\n'
        'rules.min = { "RR on c" = 0.5 }\nrules.max = { "RR on c" = 0.5 }\n'
    )
    report = gate.report(toml)
    drop, low, high = [one for one in report["rules"] if one["collection"] == "c"]

    assert len(report["rules"]) == 3 + 4
    assert [one["passed"] for one in (drop, low, high)] == [False, True, False]
    assert drop["drop"] == pytest.approx(DROPS["c"])
    assert low["candidate"] == pytest.approx(1.0 - DROPS["c"])
    assert drop["statistics"]["n_topics"] == SIZES["c-one"] + SIZES["c-two"]
    assert {one["name"] for one in drop["collections"]} == {"c-one", "c-two"}
    both = [drops(name) for name in ("c-one", "c-two")]
    error = math.sqrt(sum(np.var(one, ddof=1) / len(one) for one in both)) / 2
    assert drop["statistics"]["test"]["statistic"] == pytest.approx(-DROPS["c"] / error)
    said = " ".join(gate(toml, "-v").out.split())
    assert "RR on c, the mean of 2 parts, got worse by" in said
    assert gate(toml, "--dry-run").code == 0


@pytest.mark.parametrize("kind", ["min", "max", "max-drop"])
def test_a_collection_without_a_value_is_the_worst_one(gate, kind):
    """AUC is undefined where nothing relevant is retrieved."""
    gate.shell.path("new/b.run").write_text(run_of("other", **dict.fromkeys(topics_of("b"), "x")))
    limit = {"min": 0, "max": 1, "max-drop": 1}[kind]
    (rule,) = gate.report(f'rules.{kind} = {{ "AUC on worst collection" = {limit} }}\n')["rules"]

    assert (rule["passed"], rule["candidate"]) == (False, None)
    assert rule["collections"][0]["name"] == "b"


def test_the_golden_baseline_of_all_collections_is_told(gate):
    report = gate.report(
        'golden = "old/{collection}.run"\nrules.max-drift = { "RR on macro mean" = 0.5 }\n'
    )
    without = gate.report('golden = "old"\nrules.min = { "RR on macro mean" = 0.5 }\n')

    assert (report["golden"], without["golden"]) == ("old/{collection}.run", "")


def test_warnings_of_new_baselines_name_them(gate):
    gate.shell.path("qrels/b.txt").write_text(
        gate.shell.path("qrels/b.txt").read_text() + "none 0 x 0\n"
    )
    run = gate.shell.path("new/b.run")
    run.write_text(run.read_text() + "none Q0 x 1 1 other\n")
    outcome = gate(
        "rules.min.RR = 0.5",
        "--update-baseline",
        top=TOP.replace('"old"', '"values/{collection}.json"'),
    )

    assert outcome.code == 0
    assert "values/b.json: other: 1 judged topic without a relevant document" in outcome.err


def test_all_baselines_are_written_before_anything_is_printed(gate, monkeypatch):
    """`| head` leaves early: half of the baselines must not stay old."""

    def left(*_, **__):
        raise BrokenPipeError

    gate.shell.path("rankeval.toml").write_text(
        TOP.replace('"old"', '"values/{collection}.json"') + "rules.min.RR = 0.5\n"
    )
    monkeypatch.setattr("rankeval.commands.gate.reports.actions.write_pieces", left)
    gate.shell("gate", "--update-baseline")

    saved = sorted(file.stem for file in gate.shell.path("values").glob("*.json"))
    assert saved == sorted(SIZES)


def test_seeds_of_a_system_are_averaged_on_every_collection(gate):
    for name in SIZES:
        text = gate.shell.path(f"new/{name}.run").read_text()
        old = gate.shell.path(f"old/{name}.run").read_text()
        for seed, content in enumerate((text, text, old)):
            gate.shell.path(f"new/{name}.s{seed}.run").write_text(content)
    top = TOP.replace('["new"]', '["new/{collection}.{seed}.run"]')
    gate.shell.path("rankeval.toml").write_text(
        top + 'rules.max-drop = { "RR on macro mean" = 0.06, RR = 0.5 }\n'
    )
    rule = json.loads(gate.shell("gate", "-f", "json").out)["rules"][0]

    assert rule["seeds"] == pytest.approx([1 - MACRO, 1 - MACRO, 1.0])
    assert rule["drop"] == pytest.approx(2 / 3 * MACRO)


def test_groups_hold_within_each_collection(gate):
    for name in SIZES:
        hard = topics_of(name)[:5]
        gate.shell.path(f"values/{name}.txt").write_text(
            "".join(f"{t} {'hard' if t in hard else 'easy'}\n" for t in topics_of(name))
        )
    toml = 'group = "values/{collection}.txt"\n[rules]\nmax-drop = { "RR in hard" = 0.3 }\n'
    broken = {one["rule"] for one in gate.report(toml)["rules"] if not one["passed"]}

    assert broken == {f"max-drop RR on {name} in hard=0.3" for name in ("b", "c-one")}


def test_ties_that_could_turn_a_verdict_over_collections_are_marked(gate):
    tied = "".join(f"{t} Q0 {d} 0 1 x\n" for t in topics_of("a") for d in ("r", "x"))
    gate.shell.path("new/a.run").write_text(tied)
    (rule,) = gate.report('rules.max-drop = { "RR on macro mean" = 0.2 }\n')["rules"]

    assert rule["tied"]


def test_the_family_of_all_suites_counts_rules_on_collections(gate):
    """One drop in each of two suites, and four of a rule in each collection: six p-values."""
    toml = (
        'family = "suites"\ncorrection = "bonferroni"\n'
        '[suite.macro.rules]\nmax-drop = { "RR on macro mean" = 0.01 }\n'
        '[suite.again.rules]\nmax-drop = { "RR on macro mean" = 0.01 }\n'
        "[suite.each.rules]\nmax-drop = { RR = 0.01 }\n"
    )
    alone = gate.report('rules.max-drop = { "RR on macro mean" = 0.01 }\n')["rules"][0]
    macro, again, each = gate.report(toml, "--all-suites")["suites"]

    assert len(each["rules"]) == 4
    for suite in (macro, again):
        found = suite["rules"][0]["statistics"]["p_value"]
        assert found == pytest.approx(6 * alone["statistics"]["p_value"])


def test_a_sequence_of_gates_over_collections_counts_its_looks(gate):
    toml = 'sequential = "state.json"\nrules.max-drop = { "RR on macro mean" = 0.01 }\n'
    looks = [gate.report(toml)["sequence"]["looks"] for _ in range(2)]
    path = gate.shell.path("new/b.run")
    path.write_text(gate.shell.path("old/b.run").read_text())

    assert [*looks, gate.report(toml)["sequence"]["looks"]] == [1, 1, 2]


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\n::error::x", "a|<b>"])
def test_names_of_collections_reach_no_terminal_log_or_page_as_they_are(gate, name):
    escaped = json.dumps(name)
    gate.shell.path("beir.toml").write_text(
        f'[collection.{escaped}]\nqrels = "qrels/b.txt"\n'
        'runs = { old = "old/b.run", new = "new/b.run" }\n'
    )
    rules = 'rules.max-drop = { "RR on worst collection" = 0.01, RR = 0.01 }\n'
    gate(rules, "--comment", "c.md", "--html", "p.html", "--junit", "j.xml")
    table = gate("", "--github", "--max-drop", "RR=0.01").out
    texts = [table, *(gate.shell.path(file).read_text() for file in ("c.md", "p.html", "j.xml"))]

    ET.parse(gate.shell.path("j.xml"))
    for text in texts:
        assert "\x1b" not in text
        assert "\n::error::x" not in text
    assert "<b>" not in texts[2]


@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--update-baseline",)])
def test_the_name_of_a_collection_writes_to_no_place_above(gate, options):
    top = TOP.replace('"old"', '"values/{collection}.json"').replace('"new"', '"new/a.run"')
    gate.shell.path("beir.toml").write_text(
        'qrels = "qrels/a.txt"\nruns = { new = "new/a.run" }\n[collection."../../evil"]\n'
    )
    there = {*gate.shell.path("..").resolve().rglob("evil*")}

    outcome = gate("rules.min = { RR = 0.1 }\n", *options, top=top.replace("new/a.run", "new"))

    assert outcome.code == 2
    assert "the name '../../evil' cannot replace {collection} in a path" in outcome.err
    assert {*gate.shell.path("..").resolve().rglob("evil*")} == there
