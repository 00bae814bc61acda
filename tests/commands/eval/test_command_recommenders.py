"""What measures of recommenders need: `--with train=`, `seen=`, `catalog=` and `features=`."""

import json
from pathlib import Path

import numpy as np
import pytest

import rankeval
from rankeval.options import Items
from tests.support.commands import run_command

QRELS = "u1 0 c 1\nu2 0 b 1\nu3 0 d 1\n"
RUN = "".join(
    f"{user} Q0 {item} {rank} {9 - rank} als\n"
    for user, items in (("u1", "cb"), ("u2", "ba"), ("u3", "da"))
    for rank, item in enumerate(items, 1)
)
TRAIN = "user_id,item_id\nu1,a\nu1,b\nu2,a\nu3,a\nu3,c\nu4,a\nu4,b\n"
FEATURES = "docno,genre,year\na,crime,1999\nb,crime,2005\nc,comedy,2005\nd,comedy,1999\n"
MEASURES = "Coverage@2 Gini@2 Entropy@2 MIUF@2 ARP@2 Serendipity@2 ILD@2 HitRate@2"
GIVEN = ["--with", "train=train.csv", "--with", "catalog=6", "--with", "features=features.csv"]
SEEN = ["--with", "seen=train.csv", *GIVEN[2:]]
EXPECTED = {
    "Coverage@2": 4 / 6,
    "Gini@2": 16 / 36,
    "Entropy@2": 4 / 6 * np.log2(3) + 2 / 6 * np.log2(6),
    "MIUF@2": 1.0,
    "ARP@2": (1.5 + 3 + 2) / 3,
    "Serendipity@2": (1 / 6 + 1 / 12 + 1 / 2) / 3,
    "ILD@2": 1.0,
    "Success@2": 1.0,
}
"""The worked example of docs/recommenders.md."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = {"qrels": QRELS, "run": RUN, "train.csv": TRAIN, "features.csv": FEATURES}
    for name, text in {**texts, "items": "a\nb\nc\nd\ne\nf\n"}.items():
        Path(name).write_text(text)
    return tmp_path


def evaluated(*words, measures=MEASURES, code=0):
    done = run_command(["eval", "qrels", "run", "-m", measures, *words, "-f", "json"])
    assert done.code == code, done.stderr
    return json.loads(done.stdout)


def means(document):
    return {name: one["mean"] for name, one in document["runs"][0]["measures"].items()}


def test_the_example_has_the_values_that_are_computed_by_hand():
    found = means(evaluated(*GIVEN))

    assert found == pytest.approx(EXPECTED)
    unseen = means(evaluated(*SEEN))
    assert unseen["Coverage@2"] == pytest.approx(3 / 6)
    assert unseen["MIUF@2"] == pytest.approx((2 + 1 + 2) / 3)


def test_measures_of_a_run_have_no_values_of_topics():
    document = evaluated(*GIVEN, "-q")
    measures = document["runs"][0]["measures"]

    of_run = {name for name, one in measures.items() if "per_topic" not in one}
    assert of_run == {"Coverage@2", "Gini@2", "Entropy@2"}
    assert {measures[name]["rule"] for name in of_run} == {"whole run"}
    assert measures["ARP@2"]["per_topic"] == {"u1": 1.5, "u2": 3.0, "u3": 2.0}
    assert (
        document["settings"]
        | {
            "train": "train.csv",
            "exclude_seen": False,
            "catalog": 6,
            "item_features": "features.csv",
        }
        == document["settings"]
    )


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "jsonl", "markdown", "latex", "trec"])
@pytest.mark.parametrize("runs", [["run"], ["a=run", "b=run"]], ids=len)
@pytest.mark.parametrize("measures", ["Coverage@2 MIUF@2", "Entropy@2"])
def test_every_format_has_the_value_of_the_run_once(form, runs, measures):
    words = ["eval", "qrels", *runs, "-m", measures, *GIVEN, "-q", "-f", form, "--quiet"]

    done = run_command(words)

    assert done.code == 0, done.stderr
    value = {"C": "0.666", "E": "1.918"}[measures[0]]
    assert done.stdout.count(value) == len(runs)
    assert ("u1" in done.stdout) == measures.startswith("C")


def test_signatures_name_the_digests_of_the_files():
    first = evaluated(*GIVEN)["runs"][0]["measures"]
    with Path("train.csv").open("a") as file:
        file.write("u4,e\n")
    second = evaluated(*GIVEN)["runs"][0]["measures"]
    unseen = evaluated(*SEEN)["runs"][0]["measures"]

    changed = {name for name in first if first[name]["signature"] != second[name]["signature"]}
    assert changed == {"MIUF@2", "ARP@2", "Serendipity@2"}
    assert "|catalog:6|" in first["Coverage@2"]["signature"]
    assert all("|seen:" in one["signature"] for one in unseen.values())
    assert not any("|seen:" in one["signature"] for one in second.values())


@pytest.mark.parametrize(
    ("measures", "words", "told"),
    [
        ("Coverage@2", [], "Coverage@2 needs the catalogue\n  expected: catalog=N"),
        ("Gini@2 AP", [], "Gini@2 needs the catalogue\n  expected: catalog=N"),
        ("MIUF@2", [], "MIUF@2 needs training interactions\n  expected: train=FILE"),
        ("ARP@2", ["--with", "catalog=6"], "expected: train=FILE"),
        ("Serendipity@2", ["--with", "train=train.csv"], "expected: catalog=N"),
        ("ILD@2", [], "expected: features=FILE.csv"),
        ("AP", ["--with", "prices=x"], "'prices' is not a part that can be added"),
        ("AP", ["--with", "train.csv"], "'train.csv' is not a part that can be added"),
        ("AP", ["--with", "train:user=train.csv"], "is not a part that can be added"),
        ("AP", ["--with", "train=train.csv", "--with", "seen=items"], "seen is given twice"),
        ("Coverage@2", ["--with", "catalog=3"], "a catalogue of 3 items is too small"),
        ("Coverage@2", ["--with", "catalog=0"], "a catalogue cannot have 0 items"),
        ("Coverage@2", ["--with", "catalog=nowhere"], "nowhere: no such file"),
        ("Coverage@2", ["--with", "catalog=train.csv"], "train.csv: lacks 4 items that the run"),
        ("MIUF@2", ["--with", "train=empty"], "empty: has no interactions"),
        ("MIUF@2", ["--with", "train=binary"], "binary"),
        ("ILD@2", ["--with", "features=train.csv"], 'item "a" has features already'),
        ("ILD@2", ["--with", "features=empty"], "empty: has no items"),
        ("Coverage", ["--with", "catalog=6"], "Coverage needs a cutoff"),
        ("Entropy@2", ["-J"], "looks at all documents that are shown"),
        ("MIUF@2", ["--with", "train=train.csv", "--ties", "expected"], "has no closed form"),
    ],
)  # fmt: skip
def test_bad_input_is_an_error_that_tells_what_to_do(measures, words, told):
    Path("empty").write_text("")
    Path("binary").write_bytes(b"\0\1\2 a\0\n" * 9)

    done = run_command(["eval", "qrels", "run", "-m", measures, *words])

    assert done.code == 2
    assert told in done.stderr
    assert done.stdout == ""


def test_items_without_features_leave_a_value_undefined_with_a_warning():
    Path("features.csv").write_text("docno,genre\nc,x\nb,y\na,\n")
    done = run_command(["eval", "qrels", "run", "-m", "ILD@2", *GIVEN[-2:], "-q", "-f", "tsv"])

    assert "ILD@2 is undefined for 2 topics, left out of its mean" in done.stderr
    rows = [line.split("\t")[1:] for line in done.stdout.splitlines()[1:]]
    values = {"u1": "1.0", "u2": "", "u3": "", "all": "1.0"}
    assert rows == [["ILD@2", topic, value] for topic, value in values.items()]


def test_a_user_whose_items_are_all_seen_gets_nothing():
    Path("train.csv").write_text("u1\tc\nu1\tb\n")

    found = evaluated("--with", "seen=train.csv", "-q", measures="HitRate@2 MIUF@2")

    measures = found["runs"][0]["measures"]
    assert measures["Success@2"]["per_topic"] == {"u1": 0.0, "u2": 1.0, "u3": 1.0}
    assert measures["MIUF@2"]["per_topic"]["u1"] is None
    assert any("lacks 1 of 3 judged topics" in text for text in found["runs"][0]["warnings"])


OTHERS = {
    "compare": ["compare", "qrels", "run", "b=run", "-m"],
    "diff": ["diff", "qrels", "run", "b=run", "-m"],
    "gate": ["gate", "qrels", "run", "run", "--max-drop"],
    "explain": ["explain", "qrels", "run", "u1", "-m"],
    "systems": ["systems", "qrels", "run", "b=run", "-m"],
    "topics": ["topics", "qrels", "run", "b=run", "-m"],
    "report": ["report", "qrels", "run", "-o", "r.html", "-m"],
    "plot": ["plot", "box", "qrels", "run", "-m"],
}


@pytest.mark.parametrize("command", OTHERS)
def test_commands_that_need_values_of_topics_refuse_measures_of_a_run(command):
    if command == "report":
        pytest.importorskip("jinja2")
    wanted = "Entropy@2=0.1" if command == "gate" else "Entropy@2"

    done = run_command([*OTHERS[command], wanted])

    assert done.code == 2
    assert "is one number for a whole run" in done.stderr


def test_saved_results_are_compared_by_measures_that_have_topics():
    for name in ("a", "b"):
        words = ["-m", "Coverage@2 ARP@2", *GIVEN, "-q", "-o", f"{name}.json"]
        assert run_command(["eval", "qrels", f"{name}=run", *words]).code == 0
    saved = rankeval.load("a.json")["a"]
    assert saved["Coverage@2"].mean == pytest.approx(4 / 6)
    assert (saved["Coverage@2"].per_topic, saved["Coverage@2"].has_topics) == ({}, False)

    done = run_command(["compare", "qrels", "a.json", "b.json", "-f", "json"])

    assert done.code == 0, done.stderr
    assert {one["measure"] for one in json.loads(done.stdout)["comparisons"]} == {"ARP@2"}


LISTS = [[13, 12], [12, 11], [14, 11]]
PAIRS = np.array([[0, 11], [0, 12], [1, 11], [2, 11], [2, 13], [7, 11], [7, 12]])


@pytest.mark.parametrize("exclude", [False, True])
def test_integer_arrays_have_the_values_of_files(exclude):
    """The same example: users 0 to 2 and 7, items 11 to 14."""
    lists = rankeval.Run.from_topk(LISTS)
    test = {0: {13: 1}, 1: {12: 1}, 2: {14: 1}}
    features = {
        "item_id": np.array([11, 12, 13, 14]),
        "genre": np.array([0, 0, 1, 1]),
        "year": np.array([1999, 2005, 2005, 1999]),
    }
    items = Items(train=PAIRS, catalog=6, features=features, exclude_seen=exclude)
    expected = means(evaluated(*(SEEN if exclude else GIVEN)))

    found = rankeval.evaluate(test, lists, MEASURES.replace("HitRate", "Success"), items=items)
    evaluator = rankeval.Evaluator(test, MEASURES.replace("HitRate", "Success"), items=items)

    assert found.to_dict()["run"] == pytest.approx(expected)
    assert evaluator.means(lists) == pytest.approx(expected)
    assert evaluator.per_topic(lists) == found.to_dict(per_topic=True)["run"]


def test_interactions_of_other_names_are_told():
    Path("train.csv").write_text("user_id,item_id\n1,10\n2,11\n")
    words = ["eval", "qrels", "run", "-m", "MIUF@2", "--with", "train=train.csv"]

    items = run_command(words).stderr
    both = run_command([*words[:-1], "seen=train.csv"]).stderr

    assert "train has none of the items in the judgments" in items
    assert "none of the users" not in items
    assert "train has none of the users in the judgments" in both
    Path("train.csv").write_text(TRAIN)
    assert "train has none" not in run_command([*words[:-1], "seen=train.csv"]).stderr
