"""`rankeval eval`: its inputs, its options, its formats and what it says beside them."""

import json

import pytest

from tests.support.files import BM25, DENSE, EXAMPLE_QRELS, EXAMPLE_RUNS, QRELS, qrels_of, run_of

NAMES_OF_TREC_EVAL = {
    "AP": "map",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "P@10": "P_10",
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "SetF": "set_F",
    "R@1000": "recall_1000",
    "Bpref": "bpref",
}


@pytest.fixture
def files(shell):
    """The shell beside qrels.txt, bm25.txt and dense.txt."""
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)


def rows(text):
    """The fields of a TSV, without its header."""
    header, *lines = text.splitlines()
    assert header.split("\t")[:4] == ["run", "measure", "topic", "value"]
    return [tuple(line.split("\t")) for line in lines]


def values(outcome):
    """Printed values by run and measure over all topics, of a TSV."""
    assert outcome.code == 0
    return {
        (run, measure): round(float(value), 4)
        for run, measure, topic, value in rows(outcome.out)
        if topic == "all"
    }


# --- values -------------------------------------------------------------------------------


def test_values_are_those_worked_by_hand(files):
    outcome = files(
        "eval", "qrels.txt", "bm25.txt", "-m", "AP RR P@2", "-q", "-f", "tsv", "--digits", "4"
    )

    assert outcome.err == ""
    assert rows(outcome.out) == [
        ("bm25", "AP", "301", f"{5 / 6:.4f}"),
        ("bm25", "RR", "301", "1.0000"),
        ("bm25", "P@2", "301", "0.5000"),
        ("bm25", "AP", "302", "0.5000"),
        ("bm25", "RR", "302", "0.5000"),
        ("bm25", "P@2", "302", "0.5000"),
        ("bm25", "AP", "all", f"{2 / 3:.4f}"),
        ("bm25", "RR", "all", "0.7500"),
        ("bm25", "P@2", "all", "0.5000"),
    ]


@pytest.mark.parametrize("path", EXAMPLE_RUNS, ids=lambda path: path.stem)
def test_examples_have_the_values_of_pytrec_eval(shell, path):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    with EXAMPLE_QRELS.open() as stream:
        qrels = pytrec_eval.parse_qrel(stream)
    with path.open() as stream:
        run = pytrec_eval.parse_run(stream)
    wanted = set(NAMES_OF_TREC_EVAL.values())
    theirs = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)

    measures = " ".join(NAMES_OF_TREC_EVAL)
    outcome = shell(EXAMPLE_QRELS, path, "-m", measures, "-q", "-f", "json", "--quiet")

    ours = json.loads(outcome.out)["runs"][0]["measures"]
    for name, their_name in NAMES_OF_TREC_EVAL.items():
        expected = {topic: theirs.get(topic, {}).get(their_name, 0.0) for topic in qrels}
        assert ours[name]["per_topic"] == pytest.approx(expected, abs=1e-12)
        assert ours[name]["mean"] == pytest.approx(sum(expected.values()) / len(qrels), abs=1e-12)


# --- which files --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", "qrels.txt", "bm25.txt", "-f", "tsv", "-m", "AP"],
        ["eval", "-f", "tsv", "-m", "AP", "qrels.txt", "bm25.txt"],
        ["qrels.txt", "bm25.txt", "-f", "tsv", "-m", "AP"],
        ["-m", "AP", "qrels.txt", "bm25.txt", "-f", "tsv"],
        ["qrels.txt", "-m", "AP", "bm25.txt", "--format=tsv"],
        ["-ftsv", "-mAP", "--", "qrels.txt", "bm25.txt"],
    ],
)
def test_all_spellings_do_the_same(files, arguments):
    assert values(files(*arguments)) == {("bm25", "AP"): round(2 / 3, 4)}


def test_a_run_is_read_from_standard_input(files):
    outcome = files("qrels.txt", "-", "-m", "AP", "-f", "json", stdin=BM25.encode())

    run = json.loads(outcome.out)["runs"][0]
    assert (run["name"], run["path"]) == ("bm25", "-")
    assert run["measures"]["AP"]["mean"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("arguments", [["-", "-"], ["-", "bm25.txt", "-"], ["qrels.txt", "-", "-"]])
def test_standard_input_can_be_named_once(files, arguments):
    outcome = files(*arguments, stdin=BM25.encode())

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("rankeval: standard input (-) is named more than once")


# --- measures -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        ["-m", "AP P@2 RR"],
        ["-m", "AP", "-m", "P@2", "-m", "RR"],
        ["-m", "AP,P@2", "--measure", "RR"],
        ["-m", "AP P@2", "-m", "RR AP"],
    ],
)
def test_measures_are_given_one_by_one_or_several_in_a_string(files, given):
    outcome = files("qrels.txt", "bm25.txt", *given, "-f", "tsv")

    assert list(values(outcome)) == [("bm25", "AP"), ("bm25", "P@2"), ("bm25", "RR")]


def test_without_measures_a_first_impression_is_given(files):
    outcome = files("qrels.txt", "bm25.txt", "-f", "json")

    assert list(json.loads(outcome.out)["runs"][0]["measures"]) == (
        ["AP", "nDCG@10", "RR", "P@10", "R@1000", "Rprec", "ERR@20"]
    )
    assert outcome.err == ""


@pytest.mark.parametrize("form", ["table", "json", "trec"])
def test_measures_are_called_as_asked_in_every_format(files, form):
    arguments = ("qrels.txt", "bm25.txt", "-m", "map P.2,3", "-f", form)

    canonical = files(*arguments).out
    as_given = files(*arguments, "--measure-names", "as-given").out

    for name in ("AP", "P@2", "P@3"):
        assert name in canonical
    for name in ("map", "P_2", "P_3"):
        assert name in as_given.replace("\\_", "_")


def test_min_grade_is_the_lowest_relevant_grade(files):
    outcome = files(
        "qrels.txt", "bm25.txt", "-l", "2", "-m", "AP AP(rel=1)", "-f", "tsv", "--quiet"
    )

    # Only c in 301 has the grade 2, at rank 3.
    assert values(outcome) == {
        ("bm25", "AP(rel=2)"): round((1 / 3 + 0) / 2, 4),
        ("bm25", "AP"): round(2 / 3, 4),
    }


# --- topics and rankings ------------------------------------------------------------------


@pytest.fixture
def uneven(shell):
    """Four judged topics, one without a relevant document and one that the run lacks."""
    return shell.write(
        qrels=qrels_of(t1="a1", t2="a0 b1", t3="a0", t4="a1"),
        run=run_of(t1="a", t2="a b", t3="a", t9="a"),
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], (1 + 1 / 2 + 0 + 0) / 4),
        (["-c"], (1 + 1 / 2 + 0 + 0) / 4),
        (["--topics", "judged"], (1 + 1 / 2 + 0 + 0) / 4),
        (["--topics", "both"], (1 + 1 / 2 + 0) / 3),
        (["--skip-no-relevant"], (1 + 1 / 2 + 0) / 3),
        (["--topics", "both", "--skip-no-relevant"], (1 + 1 / 2) / 2),
    ],
)
def test_topics_count_by_the_rule_that_was_chosen(uneven, options, expected):
    outcome = uneven("qrels.txt", "run.txt", "-m", "RR", "-f", "tsv", *options)

    assert values(outcome) == {("bm25", "RR"): round(expected, 4)}


def test_required_coverage_makes_a_missing_topic_an_error(uneven):
    outcome = uneven("qrels.txt", "run.txt", "--require-coverage")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "rankeval: run.txt: lacks 1 of 4 judged topics: t4\n"
        "  expected: every judged topic, as --require-coverage asks\n"
        "  to fix:   complete the run, or drop --require-coverage to score them 0\n"
    )


def test_complete_and_topics_both_contradict_each_other(uneven):
    outcome = uneven("qrels.txt", "run.txt", "-c", "--topics", "both")

    assert (outcome.code, outcome.out) == (2, "")
    assert "--complete contradicts --topics both" in outcome.err


def test_threads_do_not_change_the_result(shell):
    arguments = (EXAMPLE_QRELS, *EXAMPLE_RUNS, "-q", "-f", "jsonl")

    assert shell(*arguments, "--jobs", "1") == shell(*arguments, "--jobs", "3")


# --- output -------------------------------------------------------------------------------


def test_digits_round_tables_and_tsv_but_not_json(files):
    arguments = ("qrels.txt", "bm25.txt", "-m", "AP", "--digits", "2", "-f")

    assert rows(files(*arguments, "tsv").out) == [("bm25", "AP", "all", "0.67")]
    assert "bm25  0.67\n" in files(*arguments, "table").out
    assert '"mean": 0.6666666666666' in files(*arguments, "json").out


def test_the_format_option_has_the_last_word(files):
    files("qrels.txt", "bm25.txt", "-o", "out.tsv", "-f", "json")

    assert json.loads(files.path("out.tsv").read_text())["schema"] == "rankeval/1"


# --- signatures ---------------------------------------------------------------------------


def signatures(outcome):
    (run,) = json.loads(outcome.out)["runs"]
    return {name: facts["signature"] for name, facts in run["measures"].items()}


def test_a_signature_spells_out_the_conventions(files):
    outcome = files("qrels.txt", "bm25.txt", "-m", "P@2", "-f", "json")

    name, measure, *conventions, qrels = signatures(outcome)["P@2"].split("|")
    assert name.startswith("rankeval:")
    assert measure == "P@2"
    assert qrels == f"qrels:{json.loads(outcome.out)['qrels']['digest']}"
    assert {"rel:1", "ties:docno", "topics:judged", "unjudged:nonrel"} <= set(conventions)


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["-l", "2"], "rel:2"),
        (["-M", "1"], "depth:1"),
        (["-J"], "unjudged:removed"),
        (["--topics", "both"], "topics:both"),
        (["--skip-no-relevant"], "no-relevant:skipped"),
    ],
)
def test_whatever_changes_a_number_changes_its_signature(files, options, part):
    arguments = ("qrels.txt", "bm25.txt", "-m", "AP", "-f", "json", "--quiet")

    (plain,) = signatures(files(*arguments)).values()
    (changed,) = signatures(files(*arguments, *options)).values()

    assert part not in plain.split("|")
    assert part in changed.split("|")


def test_a_signature_does_not_depend_on_the_layout_of_the_qrels_nor_on_the_run(files):
    files.write(shuffled="# judged twice\n" + "\r\n".join(reversed(QRELS.split("\n"))))
    arguments = ("-m", "AP nDCG@10", "-f", "json")

    one = signatures(files("qrels.txt", "bm25.txt", *arguments))
    other = signatures(files("shuffled.txt", "dense.txt", *arguments))

    assert one == other


@pytest.mark.parametrize("form", ["table", "tsv", "latex"])
def test_signatures_are_shown_where_they_are_asked_for(files, form):
    arguments = ("qrels.txt", "bm25.txt", "-m", "AP P@2", "-f")
    wanted = signatures(files(*arguments, "json")).values()

    plain = files(*arguments, form).out
    signed = files(*arguments, form, "--signature").out

    for signature in wanted:
        assert signature not in plain
        assert signature in signed


# --- usage --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-M", "0"], "the depth cannot be 0\n  expected: 1 or more"),
        (["-m", ""], "no measure to compute\n  expected: one measure or more, such as nDCG@10"),
        (["-m", "nDGC@10"], "unknown measure 'nDGC'\n  expected: perhaps nDCG"),
        (["-m", "R"], "R needs a cutoff\n  expected: for instance R@10"),
        (
            ["-f", "xml"],
            "there is no format 'xml'\n  expected: one of table, tsv, csv, json, jsonl",
        ),
        (["--topics", "all"], "'all' is not one of 'judged', 'both'"),
        (["--digits", "-1"], "'--digits'"),
        (["--mesure", "AP"], "there is no option --mesure"),
    ],
)
def test_impossible_options_are_refused_plainly(files, options, message):
    outcome = files("qrels.txt", "bm25.txt", *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("rankeval: ")
    assert message in outcome.err
    assert "Value error" not in outcome.err


# --- conventions --------------------------------------------------------------------------

TIED = "1 Q0 a 2 5 t\n1 Q0 b 1 5 t\n1 Q0 c 3 5 t\n"


@pytest.mark.parametrize(
    ("ties", "value"),
    [
        ("docno", 1 / 3),
        ("input", 1),
        ("rank", 1 / 2),
        ("best", 1),
        ("worst", 1 / 3),
        ("expected", (1 + 1 / 2 + 1 / 3) / 3),
    ],
)
def test_equal_scores_are_ordered_by_the_rule_that_is_asked_for(shell, ties, value):
    shell.write(qrels="1 0 a 1\n", run=TIED)

    outcome = shell("qrels.txt", "run.txt", "-m", "RR", "--ties", ties, "-f", "json")

    (run,) = json.loads(outcome.out)["runs"]
    assert run["measures"]["RR"]["mean"] == pytest.approx(value)
    assert f"|ties:{ties}|" in run["measures"]["RR"]["signature"]


# --- bounds -------------------------------------------------------------------------------

HALF_JUDGED = {
    "qrels": "1 0 a 1\n1 0 m 1\n2 0 a 1\n",
    "run": "1 Q0 x 1 3 t\n1 Q0 a 2 2 t\n2 Q0 a 1 1 t\n",
}
BOUNDED = ("qrels.txt", "run.txt", "-m", "P@1 R@2 Bpref", "--bounds")


def test_bounds_stand_beside_the_values(shell):
    """Topic 1 may have its unjudged x relevant: P@1 is 0 or 1, R@2 is 1/2 or 2/3."""
    outcome = shell.write(**HALF_JUDGED)(*BOUNDED, "-f", "tsv", "-q", "--digits", "4")

    header, *lines = outcome.out.splitlines()
    assert header.split("\t") == ["run", "measure", "topic", "value", "low", "high"]
    assert [tuple(line.split("\t")[1:]) for line in lines] == [
        ("P@1", "1", "0.0000", "0.0000", "1.0000"),
        ("R@2", "1", "0.5000", "0.5000", "0.6667"),
        ("Bpref", "1", "0.5000", "", ""),
        ("P@1", "2", "1.0000", "1.0000", "1.0000"),
        ("R@2", "2", "1.0000", "1.0000", "1.0000"),
        ("Bpref", "2", "1.0000", "", ""),
        ("P@1", "all", "0.5000", "0.5000", "1.0000"),
        ("R@2", "all", "0.7500", "0.7500", "0.8333"),
        ("Bpref", "all", "0.7500", "", ""),
    ]
    assert "no bounds are known for Bpref" in outcome.err


def test_bounds_in_json_say_whether_they_are_exact(shell):
    (run,) = json.loads(shell.write(**HALF_JUDGED)(*BOUNDED, "-f", "json", "-q").out)["runs"]

    assert run["measures"]["P@1"]["bounds"] == {
        "low": 0.5,
        "high": 1.0,
        "exact": True,
        "per_topic": {"1": [0.0, 1.0], "2": [1.0, 1.0]},
    }
    assert "bounds" not in run["measures"]["Bpref"]


def test_bounds_are_not_known_over_groups(shell):
    shell.write(**HALF_JUDGED, groups="1 one\n2 two\n")

    outcome = shell(*BOUNDED, "--with", "groups=groups.txt", "-f", "tsv", "--digits", "4")

    assert "t\tP@1\tall:one\t0.0000\tone\t\t\n" in outcome.out
    assert "t\tP@1\tall\t0.5000\t\t0.5000\t1.0000\n" in outcome.out


@pytest.mark.parametrize("options", [["-J"], ["--ties", "expected"]])
def test_bounds_need_unjudged_documents_in_one_place(shell, options):
    outcome = shell.write(**HALF_JUDGED)(*BOUNDED, *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert "bounds" in outcome.err


def test_a_greatest_value_that_is_a_bound_only_is_told(shell):
    lines = "".join(f"1 Q0 x{i} {i} {99 - i} t\n" for i in range(90))
    shell.write(qrels="1 0 a 3\n1 0 b 1\n", run=lines + "1 Q0 a 91 0 t\n")

    outcome = shell("qrels.txt", "run.txt", "-m", "nDCG AP", "--bounds", "-f", "json")

    (run,) = json.loads(outcome.out)["runs"]
    assert not run["measures"]["nDCG"]["bounds"]["exact"]
    assert run["measures"]["AP"]["bounds"]["exact"]


@pytest.mark.parametrize("runs", [["x.txt"], ["x.txt", "y.txt"]])
def test_topics_that_are_numbers_are_in_the_order_of_numbers(shell, runs):
    ranks = dict.fromkeys(("10", "9", "1", "100"), "a")
    shell.write(
        qrels="".join(f"{topic} 0 a 1\n" for topic in ranks),
        x="".join(f"{topic} Q0 a 1 1 x\n" for topic in ranks),
        y="".join(f"{topic} Q0 a 1 1 y\n" for topic in ranks),
    )

    outcome = shell("qrels.txt", *runs, "-q", "-m", "AP")

    first = [line.split()[0] for line in outcome.out.splitlines() if line[:1].isdigit()]
    assert first == ["1", "9", "10", "100"]
