import json

import pytest

import rankeval
from tests.support.files import gate_line, history_of


def nights(name, days, **options):
    """Gates of one candidate, a night each."""
    lines = [gate_line(day, 0.4, **options) for day in days]
    for line in lines:
        line["candidates"] = [name]
        for mean in (*line["rules"], *line["shown"]):
            mean["run"] = name
    return lines


RENAMED = [*nights("old", range(1, 11)), *nights("new", range(11, 21))]


def candidates(found):
    return {(one.run, len(one.times)) for one in found.series if one.role == "candidate"}


def test_a_renamed_run_is_said_and_joined_on_request():
    apart = rankeval.trend(RENAMED)
    joined = rankeval.trend(RENAMED, join={"old": "new"})

    assert candidates(apart) == {("old", 10), ("new", 10)}
    (said,) = apart.warnings
    assert said == (
        "nightly: the series of old ends on 2026-09-10, and that of new begins on 2026-09-11; "
        "if it is the same system, add --join 'old=new'"
    )
    assert (candidates(joined), joined.warnings) == ({("new", 20)}, ())


def test_aliases_of_the_nearest_suites_make_one_series(shell):
    shell.path("h.jsonl").write_text(history_of(RENAMED))
    toml = '[suite.nightly]\nruns = [{ path = "x", name = "new", aliases = ["old"] }]\n'
    shell.path("rankeval.toml").write_text(toml)
    shell.path("other.toml").write_text(toml.replace("nightly", "other"))

    near, other = (shell("trend", "h.jsonl", *more) for more in ([], ["--config", "other.toml"]))
    assert ("--join" in near.err, "--join" in other.err) == (False, True)
    assert "old" not in near.out


def test_aliases_above_the_suites_hold_for_all_of_them(tmp_path):
    toml = tmp_path / "rankeval.toml"
    toml.write_text('runs = [{ path = "x", name = "new", aliases = ["old"] }]\n[suite.nightly]\n')

    assert candidates(rankeval.trend(RENAMED, config=toml)) == {("new", 20)}


def test_names_are_followed_and_a_circle_ends():
    lines = [*nights("a", [1, 2]), *nights("b", [3, 4]), *nights("c", [5, 6])]

    assert candidates(rankeval.trend(lines, join={"a": "b", "b": "c"})) == {("c", 6)}
    assert candidates(rankeval.trend(lines, join={"a": "b", "b": "a"})) == {
        ("b", 2), ("a", 2), ("c", 2)
    }  # fmt: skip


def test_runs_that_were_judged_side_by_side_are_no_one_series():
    lines = nights("old", [1, 2])
    for line in lines:
        line["candidates"] = ["old", "new"]

    with pytest.raises(rankeval.UsageError, match="side by side on 2026-09-01"):
        rankeval.trend(lines, join={"old": "new"})


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(rankeval.UsageError, match="is called 'oldd'") as error:
        rankeval.trend(RENAMED, join={"oldd": "new"})
    assert error.value.expected == "perhaps old"


@pytest.mark.parametrize("text", ["old", "=new", "old="])
def test_a_pair_without_both_names_is_refused(shell, text):
    shell.path("h.jsonl").write_text(history_of(RENAMED))
    done = shell("trend", "h.jsonl", "--join", text)

    assert done.code == 2
    assert "is no pair of names" in done.err


def test_several_runs_that_change_at_once_are_told_together():
    lines = [*nights("a", [1, 2]), *nights("b", [3, 4])]
    for line, other in zip(lines, "ccdd", strict=True):
        line["candidates"] = [*line["candidates"], other]
    (said,) = rankeval.trend(lines).warnings

    assert "the series of a, c ends on 2026-09-02, and that of b, d begins" in said
    assert said.endswith("add --join OLD=NEW, each OLD with its NEW")


def test_a_run_that_pauses_is_one_series_and_a_new_one_beside_it_replaces_none():
    lines = [*nights("a", [1, 2, 5, 6]), *nights("b", [3, 4])]

    assert not [line for line in rankeval.trend(lines).warnings if "--join" in line]


def test_a_promotion_keeps_the_series_of_the_baseline():
    lines = [gate_line(day, 0.4) for day in range(1, 11)]
    for line in lines[5:]:
        line["baseline"] = "promoted"
    (baseline,) = [s for s in rankeval.trend(lines, "AP").series if s.role == "baseline"]

    assert (baseline.run, len(baseline.times)) == ("promoted", 10)


def test_joined_names_and_new_baselines_are_in_the_document(shell):
    lines = [*nights("old", range(1, 4)), *nights("new", range(4, 7))]
    for line in lines[4:]:
        line["baseline"] = "better"
    shell.path("h.jsonl").write_text(history_of(lines))

    found = json.loads(shell("trend", "h.jsonl", "--join", "old=new", "-f", "json").out)

    (suite,) = found["suites"]
    renames = {series["role"]: series["renames"] for series in suite["series"]}
    assert renames["candidate"] == [
        {"time": lines[3]["time"], "before": "old", "after": "new"},
    ]
    assert renames["baseline"] == [
        {"time": lines[4]["time"], "before": lines[0]["baseline"], "after": "better"},
    ]
