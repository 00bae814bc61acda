import pytest

from rankeval.commands.trend.task import CHANGING, Role, SeriesKey, nights_of, series_of
from rankeval.io.formats.history_lines import lines_of
from tests.support.files import gate_line


def nights(*lines):
    return nights_of(lines_of(lines))


def failed(day, **changed):
    line = gate_line(day, passed=False, **changed)
    return {**line, "error": {"kind": "InputError", "message": "no"}}


def at(line, hour):
    return {**line, "time": line["time"].replace("T03", f"T{hour:02}")}


def commits(found):
    return [night.commit for night in found]


def test_nights_are_in_the_order_of_time():
    assert commits(nights(*map(gate_line, (3, 1, 2)))) == ["c1", "c2", "c3"]


def test_of_a_gate_that_was_repeated_on_a_day_the_last_counts():
    first, again = gate_line(1, 0.4), at(gate_line(1, 0.5), 9)
    (found,) = nights(again, first)

    assert found.means[0].candidate == 0.5


def test_commits_and_candidates_of_a_day_are_nights_of_their_own():
    lines = [gate_line(1), at(gate_line(1, commit="c1b"), 4), at(gate_line(1, run="dense"), 5)]

    assert len(nights(*lines)) == 3


def test_the_same_commit_on_another_day_is_another_night():
    assert len(nights(gate_line(1, commit="c"), gate_line(2, commit="c"))) == 2


def test_without_a_commit_a_gate_is_repeated_if_all_values_are_the_same():
    same, other = at(gate_line(1, commit=""), 4), at(gate_line(1, 0.5, commit=""), 5)

    assert len(nights(gate_line(1, commit=""), same)) == 1
    assert len(nights(gate_line(1, commit=""), other)) == 2


def test_a_failure_does_not_count_beside_a_gate_that_judged():
    assert [one.judged for one in nights(failed(1), at(gate_line(1), 4))] == [True]
    assert [one.judged for one in nights(gate_line(1), at(failed(1), 4))] == [True]
    assert [one.judged for one in nights(failed(1), failed(2))] == [False, False]
    assert len(nights(failed(1), at(failed(1), 4))) == 1


def test_series_are_the_measures_of_each_side():
    found = series_of(nights(*map(gate_line, (1, 2))))

    assert list(found) == [
        SeriesKey("AP", "", "", Role.CANDIDATE, "bm25"),
        SeriesKey("AP", "", "", Role.BASELINE, "base"),
        SeriesKey("P@5", "", "", Role.CANDIDATE, "bm25"),
        SeriesKey("P@5", "", "", Role.BASELINE, "base"),
    ]
    assert [one.value for one in found[SeriesKey("AP", "", "", Role.BASELINE, "base")]] == [
        0.4,
        0.4,
    ]


def with_rules(*rules, day=1):
    line = gate_line(day)
    line["rules"] = [{**line["rules"][0], **rule} for rule in rules]
    return line


def test_a_golden_baseline_and_a_group_have_series_of_their_own():
    drift = {"rule": "max-drift AP=0.1", "baseline": 0.45}
    found = series_of(nights(with_rules({}, drift, {"group": "hard", "candidate": 0.2})))

    values = {key[2:]: [one.value for one in means] for key, means in found.items()}
    assert values["", Role.GOLDEN, ""] == [0.45]
    assert values["", Role.BASELINE, "base"] == [0.4]
    assert values["hard", Role.CANDIDATE, "bm25"] == [0.2]


def test_collections_have_series_of_their_own():
    rules = [{"collection": "scifact"}, {"collection": "macro mean", "candidate": 0.3}]
    found = series_of(nights(with_rules({}, *rules)))

    values = {
        key.collection: means[0].value
        for key, means in found.items()
        if (key.measure, key.role) == ("AP", Role.CANDIDATE)
    }
    assert values == {"": 0.4, "scifact": 0.4, "macro mean": 0.3}


def test_several_candidates_have_one_baseline():
    line = with_rules({}, {"run": "dense", "candidate": 0.5})
    found = series_of(nights({**line, "candidates": ["bm25", "dense"]}))

    assert [(key.role, key.run, len(means)) for key, means in found.items()][:3] == [
        (Role.CANDIDATE, "bm25", 1),
        (Role.CANDIDATE, "dense", 1),
        (Role.BASELINE, "base", 1),
    ]


def test_nights_without_a_mean_are_left_out():
    found = series_of(nights(with_rules({"candidate": None}), gate_line(2), failed(3)))

    assert [one.line.commit for one in found[SeriesKey("AP", "", "", Role.CANDIDATE, "bm25")]] == [
        "c2"
    ]


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [
        ([{"passed": True}], "passed"),
        ([{"passed": True}, {"passed": False}], "failed"),
        ([{"passed": True}, {"passed": True, "verdict": "cannot tell"}], "cannot tell"),
        ([{"passed": False, "verdict": "cannot tell"}], "cannot tell"),
        ([{"passed": False}, {"passed": True, "verdict": "cannot tell"}], "failed"),
        ([{"passed": False, "verdict": "worse"}], "failed"),
    ],
)
def test_the_outcome_is_that_of_all_rules_on_the_measure(rules, outcome):
    found = series_of(nights(with_rules(*rules)))

    assert [one.outcome for one in found[SeriesKey("AP", "", "", Role.CANDIDATE, "bm25")]] == [
        outcome
    ]


def names(*lines):
    return list(dict.fromkeys(key.run for key in series_of(nights(*lines)) if key.run != "base"))


def test_runs_with_a_name_for_each_night_are_one_series():
    assert names(*(gate_line(day, run=f"run-{day}") for day in (1, 2, 3))) == [CHANGING]


def test_runs_whose_names_come_back_are_followed_by_name():
    lines = [gate_line(day, run="ab"[day % 2]) for day in range(1, 7)]

    assert sorted(names(*lines)) == ["a", "b"]


def test_runs_of_one_night_are_followed_by_name():
    lines = [gate_line(1, run="a"), at(gate_line(1, run="b"), 4), gate_line(2, run="c")]

    assert names(*lines) == ["a", "b", "c"]
