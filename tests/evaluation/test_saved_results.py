"""Results read back from JSON: what does not agree with itself, or is no number, is refused."""

import json
import os
import threading
import tomllib
from contextlib import suppress

import numpy as np
import pytest

import rankeval
from rankeval.commands.eval.show import write
from rankeval.commands.gate.suites.read_suites import read_suite
from rankeval.measures.declare.definition import BY_NAME
from rankeval.measures.declare.families import import_families
from rankeval.output.style import Style

QRELS = {f"t{i}": {"r": 1, "s": i % 2, "x": 0} for i in range(9)}
RUN = {f"t{i}": {"x": 3.0 if i % 3 else 1.0, "r": 2.0, "s": 1.5} for i in range(8)}


@pytest.fixture
def saved(tmp_path):
    """Write results with their topics, changed by a function."""

    def evaluated(measures="AP P@2", changed=lambda text: text, **settings):
        results = rankeval.evaluate(QRELS, RUN, measures, rankeval.options.Settings(**settings))
        path = tmp_path / "saved.json"
        write(results, output=path, style=Style(per_topic=True))
        path.write_text(changed(path.read_text()))
        return path

    return evaluated


def edited(measure, **changes):
    """Set keys of a measure of the first run."""

    def change(text):
        document = json.loads(text)
        document["runs"][0]["measures"][measure].update(changes)
        return json.dumps(document)

    return change


@pytest.mark.parametrize("rule", [None, "sum", "median", "geometric"])
def test_what_was_written_is_read_back(saved, rule):
    measures = "AP GMAP NumRel NumRet AUC Unjudged@2 GAUC P@2"

    path = saved(measures, aggregate=rule)

    fresh = rankeval.evaluate(QRELS, RUN, measures, rankeval.options.Settings(aggregate=rule)).runs[
        0
    ]
    read = rankeval.load(path).runs[0]
    assert [s.measure for s in read.scores] == [s.measure for s in fresh.scores]
    assert [s.aggregate for s in read.scores] == [s.aggregate for s in fresh.scores]


@pytest.mark.parametrize(
    ("measure", "rule"), [("AP", "mean"), ("NumRet", "sum"), ("GMAP", "geometric mean")]
)
def test_a_value_over_all_topics_that_its_topics_do_not_make_is_refused(saved, measure, rule):
    path = saved(measure, edited(measure, mean=0.123))

    with pytest.raises(rankeval.InputError, match=f"the {rule} of {measure} is 0.123, but that"):
        rankeval.load(path)


def test_a_topic_that_a_merge_changed_is_noticed(saved):
    def merged(text):
        document = json.loads(text)
        document["runs"][0]["measures"]["AP"]["per_query"]["t3"] = 0.99
        return json.dumps(document)

    with pytest.raises(rankeval.InputError, match="a merge may have mixed two versions"):
        rankeval.load(saved("AP P@2", merged))


def test_a_topic_that_is_there_twice_is_refused(saved):
    def doubled(text):
        head, mark, tail = text.partition('"per_query": {')
        assert mark
        return f'{head}{mark}"t0": 0.5, {tail}'

    with pytest.raises(rankeval.InputError, match='"t0" is there twice'):
        rankeval.load(saved("AP", doubled))


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize("place", ["mean", "topic", "topics", "judgments"])
def test_an_integer_of_hundreds_of_digits_is_no_number(saved, digits, place):
    many = "9" * digits

    def large(text):
        document = json.loads(text)
        facts = document["runs"][0]["measures"]["AP"]
        if place == "mean":
            facts["mean"] = "LARGE"
        elif place == "topic":
            facts["per_query"]["t1"] = "LARGE"
        else:
            document["qrels"][place] = "LARGE"
        return json.dumps(document).replace('"LARGE"', many)

    path = saved("AP", large)

    with pytest.raises(rankeval.InputError, match=r"saved\.json: (has no number for|is not JSON)"):
        rankeval.load(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes as POSIX has them")
def test_a_named_pipe_can_be_a_baseline(saved, tmp_path):
    content = saved("AP").read_bytes()
    pipe = tmp_path / "baseline.json"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()

    report = rankeval.gate(QRELS, pipe, RUN, "max-drop AP=0.1")

    writer.join(10)
    assert report.passed


@pytest.mark.parametrize("key", ["qrels", "baseline", "runs"])
def test_a_path_of_a_suite_with_a_nul_character_is_refused(tmp_path, key):
    value = ["a\0b"] if key == "runs" else "a\0b"
    text = f"[suite.s]\n{key} = {json.dumps(value)}\n"
    assert tomllib.loads(text)
    file = tmp_path / "rankeval.toml"
    file.write_text(text)

    with pytest.raises(rankeval.InputError, match=f"{key} holds a NUL character") as caught:
        read_suite(path=file)
    assert caught.value.place == f"{file}: [suite.s]"


def test_an_integer_without_end_is_no_toml(tmp_path):
    file = tmp_path / "rankeval.toml"
    file.write_text(f"depth = {'9' * 5000}")

    with pytest.raises(rankeval.InputError, match="is not TOML"):
        read_suite(path=file)


# --- the definitions of measures ----------------------------------------------------------


def topics_at(measure, value):
    """Give a topic of a measure a value, and keep the mean in agreement with its topics."""

    def change(text):
        document = json.loads(text)
        facts = document["runs"][0]["measures"][measure]
        facts["per_query"]["t3"] = value
        facts["mean"] = sum(facts["per_query"].values()) / len(facts["per_query"])
        return json.dumps(document)

    return change


def renamed(measure, name):
    def change(text):
        return text.replace(f'"{measure}": {{', f'"{name}": {{')

    return change


def twice(measure, name, **changes):
    """Add a measure again under another name, with some changes."""

    def change(text):
        document = json.loads(text)
        measures = document["runs"][0]["measures"]
        measures[name] = measures[measure] | changes
        return json.dumps(document)

    return change


WRONG = {
    "a value above 1": ("nDCG@2", topics_at("nDCG@2", 47.0), "47 for nDCG@2, t3"),
    "a value below 0": ("AP", topics_at("AP", -0.5), "-0.5 for AP, t3"),
    "a gain as a loss": ("AP", edited("AP", loss=True), '"loss": true for AP'),
    "a loss as a gain": ("Unjudged@2", edited("Unjudged@2", loss=False), '"loss": false for Unj'),
    "a loss that is no truth": (
        "AP",
        edited("AP", loss="false"),
        "no true or false for loss of AP",
    ),
    "a rule that is none": ("AP", edited("AP", rule="average", mean=47), "by the rule 'average'"),
    "another rule than the fixed one": ("NumRet", edited("NumRet", rule="mean"), "the mean of Num"),
    "a measure of topics as one of the run": (
        "AP",
        edited("AP", rule="whole run", mean=0.5),
        "by the rule 'whole run'",
    ),
    "a mean above 1": (
        "AP",
        edited("AP", rule="weighted mean", mean=47),
        "value 47 for AP, all topics",
    ),
    "another measure's name": ("P@2 AP", renamed("P@2", "RR"), "calls RR what its sig.* is P@2"),
    "another cutoff": ("P@2", renamed("P@2", "P@5"), "calls P@5 what its signature says is P@2"),
    "a measure under two names": (
        "AP",
        twice("AP", "map", mean=0.5, per_query={f"t{i}": 0.5 for i in range(9)}),
        "has AP twice, as AP and as map, with other values",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_a_measure_cannot_have_is_refused(saved, wrong):
    measure, changed, problem = WRONG[wrong]
    path = saved(measure, changed)

    with pytest.raises(rankeval.InputError, match=problem) as refused:
        rankeval.load(path)

    assert refused.value.place == str(path)
    assert refused.value.expected


def test_a_measure_may_be_there_twice_with_the_same_values(saved):
    run = rankeval.load(saved("AP", twice("AP", "map"))).runs[0]

    assert [score.as_given for score in run.scores] == ["AP", "map"]


def test_a_measure_that_is_not_known_here_is_read_as_it_is(saved):
    """As that of a plugin that is not loaded: only its rule over topics is held to."""

    def foreign(text):
        return text.replace('"AP": {', '"OurLoss@7": {').replace("|AP|", "|OurLoss@7|")

    def changed(text):
        return edited("OurLoss@7", loss=True)(topics_at("OurLoss@7", 47.0)(foreign(text)))

    (score,) = rankeval.load(saved("AP", changed)).runs[0].scores

    assert (score.measure, score.loss, score.per_topic["t3"]) == ("OurLoss@7", True, 47.0)


def test_every_measure_is_read_back(tmp_path):
    """Grades below 0, fractions of relevance and all rules keep values in their ranges."""
    import_families()
    rng = np.random.default_rng(7)
    qrels, run = (
        {f"t{t}": {f"d{d}": int(rng.integers(*ends)) for d in range(t, t + 20)} for t in topics}
        for ends, topics in (((-2, 4), range(12)), ((0, 6), range(11)))
    )
    read = 0
    for definition in BY_NAME.values():
        begun = definition.begun({})
        measure = begun(**{p.name: p.example for p in begun.missing})
        for rule in ("mean", "geometric"):
            with suppress(rankeval.MeasureError):  # one that needs more than grades
                results = rankeval.evaluate(
                    qrels, run, measure, rankeval.options.Settings(aggregate=rule)
                )
                results.save(tmp_path / "saved.json")
                (score,) = rankeval.load(tmp_path / "saved.json").runs[0].scores
                assert score.measure == str(measure)
                read += 1
    assert read > 100
