"""Preferences between answers: what is read, what is refused, and what comes out."""

import json
import math
import time
from itertools import permutations

import numpy as np
import pytest

import rankeval
from rankeval.errors import InputError, UsageError
from rankeval.stats import bradley_terry
from tests.support.files import PREFERENCES

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

ROWS = [tuple(line.split()) for line in PREFERENCES.splitlines()]
NAMES = ("topic", "a", "b", "result")
RECORDS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]


def facts(report):
    """What a report says, in a form that can be compared."""
    return report.systems, report.pairs, report.ties


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("prefs.txt", PREFERENCES),
        ("prefs.tsv", "topic\ta\tb\tresult\n" + PREFERENCES.replace(" ", "\t")),
        ("prefs.csv", PREFERENCES.replace(" ", ",")),
        (
            "turned.csv",
            "result;note;b;a;topic\n" + "".join(f'{r};"x;y";{b};{a};{t}\n' for t, a, b, r in ROWS),
        ),
        ("prefs.jsonl", "".join(json.dumps(record) + "\n" for record in RECORDS)),
        ("spaced.txt", "# votes\n\n" + PREFERENCES.replace(" ", "   ").replace("tie", "TIE")),
    ],
)
def test_files_of_all_layouts_say_the_same(tmp_path, name, text):
    (tmp_path / name).write_text(text)

    found = rankeval.preferences(tmp_path / name)

    assert facts(found) == facts(rankeval.preferences(ROWS))
    assert (found.number, found.topics) == (48, 24)


@pytest.mark.parametrize(
    "given",
    [
        RECORDS,
        dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True)),
        pd.DataFrame(ROWS, columns=NAMES),
        pl.DataFrame(RECORDS),
        pl.DataFrame(RECORDS).to_arrow(),
    ],
    ids=["records", "columns", "pandas", "polars", "arrow"],
)
def test_rows_and_tables_in_memory_say_the_same(given):
    assert facts(rankeval.preferences(given)) == facts(rankeval.preferences(ROWS))


def test_wins_losses_and_ties_are_counted():
    found = rankeval.preferences(ROWS)
    counts = {system.name: (system.wins, system.losses, system.ties) for system in found.systems}

    assert counts == {"bm25": (16, 8, 0), "dense": (16, 24, 8), "best": (8, 8, 8)}
    of_pairs = {(p.first, p.second): (p.wins, p.losses, p.ties) for p in found.pairs}
    assert of_pairs["bm25", "dense"] == (16, 8, 0)
    assert of_pairs["bm25", "best"] == (0, 0, 0)


def test_systems_of_equal_strength_come_in_the_order_of_their_names():
    """Only the last digits of the fit differ, and these depend on the machine."""
    pairs = [*permutations("abc", 2)]  # each has won against each
    rows = [(f"q{i}", *pair, "a") for i, pair in enumerate(pairs)]

    orders = [rows, rows[::-1], [rows[i] for i in (3, 1, 5, 0, 4, 2)]]
    found = [rankeval.preferences(order).systems for order in orders]

    assert [[system.name for system in systems] for systems in found] == [["a", "b", "c"]] * 3


def test_p_values_are_corrected_by_holm():
    topics, first, second, results = zip(*ROWS, strict=True)
    names = ["bm25", "dense", "best"]
    plain = bradley_terry(
        list(map(names.index, first)),
        list(map(names.index, second)),
        [{"a": 1, "b": 0, "tie": 0.5}[result] for result in results],
        topics,
    ).p_value
    found = rankeval.preferences(ROWS).pairs
    ordered = sorted(plain[np.triu_indices(3, 1)])

    holm = np.maximum.accumulate([min(1, p * (3 - i)) for i, p in enumerate(ordered)])
    assert sorted(pair.p_value for pair in found) == pytest.approx(sorted(holm))


def test_a_smaller_alpha_gives_wider_intervals():
    wide, narrow = (rankeval.preferences(ROWS, alpha=alpha) for alpha in (0.01, 0.2))

    assert (wide.level, narrow.level) == (0.99, 0.8)
    for one, other in zip(wide.systems, narrow.systems, strict=True):
        assert one.low < other.low < one.strength < other.high < one.high


def test_one_topic_has_strengths_and_no_interval():
    votes = [("q1", "x", "y", "a"), ("q1", "x", "y", "b"), ("q1", "x", "y", "a")]
    found = rankeval.preferences(votes)

    assert found.systems[0].strength == pytest.approx(math.log(2) / 2)
    assert found.systems[0].low is found.pairs[0].p_value is None
    assert "one topic gives no intervals" in found.warnings[0]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q1 x y", "found 3 values"),
        ("q1 x y c", 'the result is "c"'),
        ("q1 x x a", 'the system "x" is compared with itself'),
        ('{"topic": "q1", "a": "x", "b": "y"}', 'the object has no "result"'),
        ('{"topic": "q1", "a": "x", "b": 1.5, "result": "a"}', "the b is "),
        ('{"topic": "q1"', "this is not JSON"),
        ("[1]", "found 1 value"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, problem):
    path = tmp_path / "prefs.txt"
    path.write_text(f"q1 x y a\n{line}\n")

    with pytest.raises(InputError, match=problem) as error:
        rankeval.preferences(path)

    assert str(error.value).startswith(f"{path}:2: ")


def test_an_unclosed_quote_is_named(tmp_path):
    path = tmp_path / "prefs.csv"
    path.write_text('q1,x,y,a\nq1,"x,y,a\n')

    with pytest.raises(InputError, match="a quote is not closed"):
        rankeval.preferences(path)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([], "holds no preference"),
        (["q1 x y a"], "this is 'q1 x y a'"),
        ([("q1", "x", "y")], "found 3 values"),
        ({"topic": ["q1"], "a": ["x"], "b": ["y"]}, 'has no "result"'),
        ({"topic": ["q1"], "a": ["x"], "b": ["y", "z"], "result": ["a"]}, "other numbers"),
    ],
)
def test_wrong_rows_are_refused(given, problem):
    with pytest.raises(InputError, match=problem):
        rankeval.preferences(given)


def test_an_impossible_alpha_is_refused():
    with pytest.raises(UsageError, match="alpha"):
        rankeval.preferences(ROWS, alpha=2)


def test_systems_never_compared_are_named():
    votes = [("q", "x", "y", "a"), ("q", "x", "y", "b"), ("q", "v", "w", "a"), ("q", "v", "w", "b")]

    with pytest.raises(InputError, match="v, w were never compared with x, y"):
        rankeval.preferences(votes)


def test_a_system_that_always_won_is_named():
    votes = [("q1", "x", "y", "a"), ("q1", "x", "y", "b"), ("q2", "best", "x", "a")]

    with pytest.raises(InputError, match="best never lost to, nor tied with, x, y"):
        rankeval.preferences(votes)


def test_nothing_but_ties_is_refused():
    with pytest.raises(InputError, match="so few wins among the ties"):
        rankeval.preferences([("q1", "x", "y", "tie"), ("q2", "x", "y", "tie")])


@pytest.mark.slow
def test_time_grows_with_the_number_of_preferences_only():
    def seconds(number):
        rng = np.random.default_rng(1)
        first = rng.integers(0, 20, number)
        second = (first + rng.integers(1, 20, number)) % 20
        rows = {
            "topic": [f"q{i // 5}" for i in range(number)],
            "a": [f"s{i}" for i in first],
            "b": [f"s{i}" for i in second],
            "result": rng.choice(["a", "b", "tie"], number).tolist(),
        }
        best = math.inf
        for _ in range(3):
            begun = time.process_time()
            rankeval.preferences(rows)
            best = min(best, time.process_time() - begun)
        return best

    assert seconds(80_000) < 8 * seconds(20_000)
