from datetime import UTC, date, datetime

import pytest

import rankeval
from rankeval.stats.change_points import change_points
from tests.support.files import gate_line, history_of

LOSS = "SetE"


def history(*levels, **options):
    """Gates of nights with (mean, number of nights) one after the other."""
    means = [mean for mean, times in levels for _ in range(times)]
    return [gate_line(day, mean, **options) for day, mean in enumerate(means, 1)]


def series(found, measure="AP", role="candidate"):
    return next(one for one in found.series if (one.measure, one.role) == (measure, role))


def test_a_fall_has_its_commit_its_size_and_its_day():
    one = series(rankeval.trend(history((0.40, 20), (0.38, 15))))
    (change,) = one.changes

    assert (one.state, change.fell, change.same_commit) == ("fell", True, False)
    assert (change.commit, change.commit_before) == ("c21", "c20")
    assert change.time == datetime(2026, 9, 21, 3, tzinfo=UTC)
    assert (change.before, change.after) == (0.40, 0.38)
    assert (change.nights_before, change.nights_after) == (20, 15)
    assert change.earliest <= change.time <= change.latest
    assert change.time < change.noticed <= datetime(2026, 10, 5, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("levels", "state"),
    [
        ([(0.4, 30)], ""),
        ([(0.4, 20), (0.38, 15)], "fell"),
        ([(0.4, 20), (0.42, 15)], "rose"),
        ([(0.4, 20), (0.38, 15), (0.4, 20)], "recovered"),
        ([(0.4, 20), (0.38, 20), (0.36, 20)], "fell"),
        ([(0.4, 20), (0.42, 20), (0.4, 20)], "fell"),
        ([(0.4, 20), (0.42, 20), (0.44, 20)], "rose"),
        ([(0.4, 57), (0.3, 1), (0.4, 2)], ""),
        ([(0.4, 58), (0.38, 2)], ""),
    ],
)
def test_the_last_level_decides_what_is_for_good(levels, state):
    assert series(rankeval.trend(history(*levels))).state == state


def test_a_loss_recovers_by_falling():
    lines = history((0.4, 20), (0.5, 15), (0.4, 20))
    for line in lines:
        line["shown"][0]["measure"] = LOSS
        line["rules"][0]["measure"] = "no measure of ours"
    found = rankeval.trend(lines)

    assert (series(found, LOSS).loss, series(found, LOSS).state) == (True, "recovered")
    unknown = series(found, "no measure of ours")
    assert (unknown.loss, unknown.state) == (False, "fell")


def test_a_change_without_another_commit_is_told():
    lines = history((0.4, 20), (0.38, 15), commit="same")
    (change,) = series(rankeval.trend(lines)).changes
    assert change.same_commit

    (unknown,) = series(rankeval.trend(history((0.4, 20), (0.38, 15), commit=""))).changes
    assert not unknown.same_commit


def test_new_judgments_begin_a_level_that_is_no_change_of_a_commit():
    lines = history((0.4, 20), (0.38, 20))
    assert series(rankeval.trend(lines)).state == "fell"
    for line in lines[20:]:
        line["digests"]["qrels"] = "other"
    found = rankeval.trend(lines)
    one = series(found)

    assert (one.state, one.changes, one.most_nights) == ("", (), 20)
    (suite,) = found.suites
    assert suite.judged_anew == one.judged_anew == (datetime(2026, 9, 21, 3, tzinfo=UTC),)


def test_a_fall_after_new_judgments_is_found_at_its_commit_and_counts_their_nights():
    lines = history((0.4, 10), (0.38, 20), (0.36, 15))
    for line in lines[10:]:
        line["digests"]["qrels"] = "other"
    (change,) = series(rankeval.trend(lines)).changes

    assert (change.commit, change.before, change.after) == ("c31", 0.38, 0.36)
    assert (change.nights_before, change.nights_after) == (20, 15)


def test_a_rise_after_new_judgments_recovers_no_fall_before_them():
    lines = history((0.4, 20), (0.38, 20), (0.36, 20), (0.4, 20))
    for line in lines[40:]:
        line["digests"]["qrels"] = "other"

    assert series(rankeval.trend(lines)).state == "rose"


def test_baselines_are_shown_and_not_tested():
    lines = history((0.4, 30))
    for line in lines[20:]:
        line["rules"][0]["baseline"] = 0.3
    one = series(rankeval.trend(lines), role="baseline")

    assert (one.values[0], one.values[-1], one.changes) == (0.4, 0.3, ())


def test_false_alarms_are_counted_over_the_candidates_of_all_suites():
    some = history((0.40, 20), (0.38, 12))
    alone = rankeval.trend(some, "AP").changed
    other = [{**line, "suite": f"s{i}"} for i in range(30) for line in history((0.4, 20))]
    together = rankeval.trend(some + other, "AP").changed

    family = [[0.40] * 20 + [0.38] * 12, *[[0.4] * 20] * 30]
    assert [one.suite for one in alone] == ["nightly"]
    assert len(together) == sum(map(bool, change_points(family))) == 0


def test_suites_measures_and_nights_are_chosen():
    lines = [*history((0.4, 9)), *history((0.5, 5), suite="other")]
    found = rankeval.trend(lines, "map", suites="nightly", since="2026-09-04", last=5)

    (suite,) = found.suites
    assert (suite.suite, len(suite.times), suite.times[0].day) == ("nightly", 5, 5)
    assert {one.measure for one in suite.series} == {"AP"}
    assert [len(one.times) for one in rankeval.trend(lines, last=7).suites] == [7, 5]
    for since in (date(2026, 9, 8), datetime(2026, 9, 8, 2, tzinfo=UTC), "2026-09-08T03:00+00:00"):
        assert len(rankeval.trend(lines, since=since).series[0].times) == 2


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"measures": "nDCG@10"}, "no measure 'nDCG@10'"),
        ({"measures": "nonsense"}, "nonsense"),
        ({"suites": "x"}, "no suite 'x'"),
        ({"since": "2027-01-01"}, "no gate is as late as 2027-01-01"),
        ({"since": "soon"}, "'soon' is no day"),
        ({"last": 0}, "last is 0"),
        ({"false_alarm_every": 0.5}, "every 0.5 nights"),
    ],
    ids=str,
)
def test_what_the_history_lacks_is_told(options, problem):
    with pytest.raises(rankeval.RankevalError, match=problem):
        rankeval.trend(history((0.4, 3)), **options)


def test_a_history_is_one_file_several_or_rows(tmp_path):
    lines = history((0.4, 9))
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    whole.write_text(history_of(lines))
    part.write_text(history_of(lines[:4]))

    expected = rankeval.trend(iter(lines))
    assert rankeval.trend(whole) == rankeval.trend(str(whole)) == expected
    assert rankeval.trend([part, whole]) == expected
    with pytest.raises(rankeval.UsageError, match="no history is named"):
        rankeval.trend([])
    with pytest.raises(rankeval.UsageError):
        rankeval.trend(["-", "-"])


def test_gates_that_could_not_judge_count_as_errors():
    lines = history((0.4, 3), (0.3, 2))
    lines[1] = {**lines[1], "passed": False, "error": {"kind": "x", "message": "y"}}
    (suite,) = rankeval.trend(lines).suites

    assert (suite.passed, suite.failed, suite.errors) == (2, 2, 1)
    assert [one.failed for one in suite.series if one.measure == "AP"] == [2, 0]
    only = rankeval.trend([lines[1]])
    assert (only.suites[0].errors, only.suites[0].series) == (1, ())
    assert "1 error" in repr(only)


def test_series_are_named_as_rules_name_them():
    line = gate_line()
    line["rules"][0] |= {"collection": "scifact", "group": "hard"}

    assert [one.name for one in rankeval.trend([line]).series] == [
        *["AP on scifact in hard"] * 2,
        *["P@5"] * 2,
    ]


def test_a_frame_has_a_row_for_each_night():
    frame = rankeval.trend(history((0.4, 2))).to_frame()

    assert list(frame.columns)[:5] == ["suite", "measure", "collection", "group", "role"]
    assert len(frame) == 8
    assert frame[frame.role == "candidate"].value.tolist() == [0.4] * 4


def test_it_is_shown_as_the_command_prints_it():
    found = rankeval.trend(history((0.40, 20), (0.38, 15)))

    assert "AP of bm25 fell for good at c21 (2026-09-21) from 0.4000 to 0.3800" in repr(found)
    assert repr(found).isascii()
    assert "█" in found._repr_html_()
    assert found.to_markdown().count("| AP") == 2
    assert found.to_latex().isascii()


def test_polars_has_the_rows_of_pandas():
    pytest.importorskip("polars")
    means = {"run": "bm25", "measure": "AP", "baseline": 0.4, "candidate": 0.5}
    night = {
        "schema": "rankeval-gate-history/1", "time": "2026-01-01T03:00Z", "commit": "c",
        "suite": "nightly", "passed": True, "baseline": "bm25", "candidates": ["bm25"],
        "digests": {"qrels": "", "runs": {}}, "rules": [], "shown": [means],
    }  # fmt: skip
    found = rankeval.trend([night, {**night, "time": "2026-01-02T03:00Z"}])

    frame = found.to_polars()

    assert frame.columns == [*found.to_frame().columns]
    assert frame.rows() == [tuple(row) for row in found.to_frame().to_numpy().tolist()]
