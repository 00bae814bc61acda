"""A year of nights: three suites of 60 topics whose differences have a deviation of 0.05."""

import copy
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from rankeval.commands.gate.sequence import read_sequence, write_sequence
from rankeval.commands.gate.suites.judged_suites import gate_suites
from rankeval.commands.gate.suites.read_suites import read_suites
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.run_names import RunNames

TOPICS = [f"t{number:02}" for number in range(60)]
QRELS = "".join(f"{topic} 0 d 1\n" for topic in TOPICS)
RUN = "".join(f"{topic} Q0 x 1 2 base\n{topic} Q0 d 2 1 base\n" for topic in TOPICS)
SUITES = ("news", "shop", "wiki")


class Repository:
    """Suites whose candidates lose, on each night, what a mean and chance say."""

    def __init__(self, folder, seed, limit=0.01):
        self.folder, self.rng = folder, np.random.default_rng(seed)
        folder.mkdir(exist_ok=True)
        (folder / "qrels.txt").write_text(QRELS)
        (folder / "base.run").write_text(RUN)
        (folder / "rankeval.toml").write_text(
            "".join(
                f'[suite.{name}]\nqrels = "qrels.txt"\nbaseline = "base.json"\n'
                f'runs = ["{name}.json"]\nsequential = "{name}-state.json"\n'
                f'policy = "not-shown-worse"\nfamily = "suites"\n'
                f"rules.max-drop = {{ AP = {limit} }}\n"
                for name in SUITES
            )
        )
        self.results = evaluate(str(folder / "qrels.txt"), [str(folder / "base.run")], "AP")
        self.save("base", np.full(60, 0.5))

    def save(self, name, values, run_name="base"):
        """Save results of a run with these values."""
        (run,) = self.results.runs
        (score,) = run.scores
        score = replace(score, values=values, aggregate=float(values.mean()))
        made = replace(self.results, runs=(replace(run, name=run_name, scores=(score,)),))
        made.save(self.folder / f"{name}.json")

    def night(self, drop=0.0, run_name="candidate"):
        """Judge a night on which the first suite loses `drop`; return the reports."""
        for number, name in enumerate(SUITES):
            mean = 0.5 - (0.0 if number else drop)
            values = np.clip(self.rng.normal(mean, 0.05, 60), 0.0, 1.0)
            self.save(name, values, run_name)
        suites = read_suites(path=self.folder / "rankeval.toml")
        reports = gate_suites(suites, run_names=RunNames(), jobs=1).judged
        for suite, report in zip(suites, reports, strict=True):
            write_sequence(report.sequence, suite.sequential)
        return reports

    def copied(self, folder):
        """Return a repository in another folder that goes on from the same night."""
        shutil.copytree(self.folder, folder)
        other = copy.copy(self)
        other.folder, other.rng = folder, copy.deepcopy(self.rng)
        return other

    def nights_until_alarm(self, drops):
        """Return the number of the first of some nights with an alarm; None without one."""
        for number, drop in enumerate(drops, 1):
            if any(not report.passed for report in self.night(drop)):
                return number
        return None


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path, seed=1)


def test_a_sudden_drop_fails_within_three_nights(repository):
    assert repository.nights_until_alarm([0.0] * 12) is None
    assert repository.nights_until_alarm([0.05] * 3) is not None


def test_a_drop_that_was_made_good_is_no_alarm_later(repository):
    assert repository.nights_until_alarm([0.05] * 3) is not None
    assert all(report.passed for report in repository.night(0.0))
    assert repository.nights_until_alarm([0.0] * 10) is None


def test_a_rename_and_a_new_baseline_are_said_and_break_nothing(repository):
    for _ in range(3):
        repository.night()
    renamed = repository.night(run_name="tonight")
    for report in renamed:
        assert report.outcomes[0].verdict.nights == 4
        assert any("tonight continues the sequence of candidate" in w for w in report.warnings)

    repository.save("base", np.full(60, 0.52))
    promoted = repository.night(run_name="tonight")
    for report in promoted:
        assert report.passed
        assert report.sequence.looks == 5


def test_a_lost_state_begins_anew_and_a_cut_one_is_refused(repository):
    repository.night()
    state = repository.folder / "news-state.json"
    whole = state.read_text()
    state.unlink()
    assert repository.night()[0].sequence.looks == 1

    state.write_text(whole[: len(whole) // 2])
    suites = read_suites(path=repository.folder / "rankeval.toml")

    assert gate_suites(suites).exit_code == 2
    assert state.read_text() == whole[: len(whole) // 2]


def test_the_state_can_be_read_again(repository):
    (*_, report) = repository.night()
    path = repository.folder / "wiki-state.json"

    assert read_sequence(str(path), 0.05) == report.sequence
    assert json.loads(path.read_text())["rules"][0]["rule"] == "max-drop AP=0.01"


@pytest.mark.slow
def test_clean_years_of_100_nights_have_no_alarm(tmp_path):
    """Of 3 years at most 1: with a rate of 5%, more have a probability of 0.7%."""
    alarms = [
        Repository(tmp_path / str(seed), seed).nights_until_alarm([0.0] * 100) is not None
        for seed in range(3)
    ]

    assert sum(alarms) <= 1


DROPS = ([0.05] * 3, [0.025] * 10, [0.002 * night for night in range(1, 31)])
"""Sudden ones within 3 and 10 nights, and a slow one within 30."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_drops_after_fifty_clean_nights_fail_in_time(tmp_path, seed):
    """With alpha shared by three suites; `docs/studies/night_rates.py` counts more of them."""
    clean = Repository(tmp_path / "clean", seed)
    assert clean.nights_until_alarm([0.0] * 50) is None
    for drops in DROPS:
        after = clean.copied(tmp_path / str(len(drops)))
        assert after.nights_until_alarm(drops) is not None
