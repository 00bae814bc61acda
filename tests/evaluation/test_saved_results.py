"""Results read back from JSON: what does not agree with itself, or is not a number, is refused."""

import json
import os
import threading
from contextlib import suppress

import numpy as np
import pytest

import rankeval
from rankeval.measures import definitions

QRELS = {f"t{i}": {"r": 1, "s": i % 2, "x": 0} for i in range(9)}
RUN = {f"t{i}": {"x": 3.0 if i % 3 else 1.0, "r": 2.0, "s": 1.5} for i in range(8)}


@pytest.fixture
def saved(tmp_path):
    """Write results with their topics, changed by a function."""

    def evaluated(measures="AP P@2", changed=lambda text: text, **settings):
        results = rankeval.evaluate(QRELS, RUN, measures, rankeval.options.Settings(**settings))
        path = tmp_path / "saved.json"
        results.save(path)
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
            facts["per_topic"]["t1"] = "LARGE"
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


# --- the definitions of measures ----------------------------------------------------------


def twice(measure, name, **changes):
    """Add a measure again under another name, with some changes."""

    def change(text):
        document = json.loads(text)
        measures = document["runs"][0]["measures"]
        measures[name] = measures[measure] | changes
        return json.dumps(document)

    return change


def test_a_loss_that_is_neither_true_nor_false_is_refused(saved):
    path = saved("AP", edited("AP", loss="false"))

    with pytest.raises(rankeval.InputError, match="no true or false for loss"):
        rankeval.load(path)


def test_a_measure_may_be_there_twice_with_the_same_values(saved):
    run = rankeval.load(saved("AP", twice("AP", "map"))).runs[0]

    assert [score.as_given for score in run.scores] == ["AP", "map"]


def test_a_measure_that_is_not_known_here_is_read_as_it_is(saved):
    """As that of a plugin that is not loaded: only its rule over topics is held to."""

    def foreign(text):
        return text.replace('"AP": {', '"OurLoss@7": {').replace("|AP|", "|OurLoss@7|")

    def changed(text):
        document = json.loads(edited("OurLoss@7", loss=True)(foreign(text)))
        facts = document["runs"][0]["measures"]["OurLoss@7"]
        facts["per_topic"]["t3"] = 47.0
        return json.dumps(document)

    (score,) = rankeval.load(saved("AP", changed)).runs[0].scores

    assert (score.measure, score.loss, score.per_topic["t3"]) == ("OurLoss@7", True, 47.0)


def test_every_measure_is_read_back(tmp_path):
    """Grades below 0, fractions of relevance and all rules keep values in their ranges."""
    rng = np.random.default_rng(7)
    qrels, run = (
        {f"t{t}": {f"d{d}": int(rng.integers(*ends)) for d in range(t, t + 20)} for t in topics}
        for ends, topics in (((-2, 4), range(12)), ((0, 6), range(11)))
    )
    read = 0
    for definition in definitions().values():
        needed = {p.name: p.example for p in definition.parameters.values() if p.required}
        measure = definition.begun({})(**needed)
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


@pytest.mark.parametrize("half", ["d800", "DBFF", "dc00", "dfff"])
@pytest.mark.parametrize("place", ['"t0"', '"run"'])
def test_half_of_a_character_is_bad_input(saved, half, place):
    def halved(text):
        assert place in text
        return text.replace(place, f'"\\u{half}"')

    with pytest.raises(rankeval.InputError, match="is not JSON"):
        rankeval.load(saved("AP", halved))


def test_bytes_of_a_name_that_is_no_text_are_read_back(saved):
    results = rankeval.load(saved("AP", lambda text: text.replace('"t0"', '"\\udce9"')))

    assert "\udce9" in results.runs[0].topics
