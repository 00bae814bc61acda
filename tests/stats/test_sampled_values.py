"""Estimates from samples of documents: hand computations, and every sample that could be drawn."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.stats.prediction_powered import Sample, prediction_powered_mean
from rankeval.stats.sampled_values import (
    PRECISION,
    SHARE,
    STAT_AP,
    TOTAL,
    Drawn,
    Ranking,
    machine_weights,
    topic_values,
    variances,
)

NOTHING = np.zeros(6)


def drawn_of(strata, rows, *, topic=None):
    """The draw of some rows from strata of which as many are drawn in every sample."""
    strata = np.array(strata)
    mask = np.zeros(len(strata), dtype=bool)
    mask[list(rows)] = True
    size, n = np.bincount(strata), np.bincount(strata[mask], minlength=strata.max() + 1)
    topic = np.zeros(len(strata), dtype=int) if topic is None else np.array(topic)
    return Drawn(topic, strata, (n / size)[strata], mask, int(topic.max()) + 1)


def every_sample(strata, sizes, *, topic=None):
    """Every sample of so many documents of each stratum, each as likely."""
    rows = [np.flatnonzero(np.array(strata) == s).tolist() for s in range(len(sizes))]
    for chosen in product(*(combinations(r, n) for r, n in zip(rows, sizes, strict=True))):
        yield drawn_of(strata, [row for part in chosen for row in part], topic=topic)


def ranking(documents, weight):
    ranks = np.arange(1, len(documents) + 1)
    return Ranking(np.array(documents), np.array([weight(rank) for rank in ranks], dtype=float))


def dcg(rank):
    return 1 / math.log2(rank + 1)


def test_horvitz_and_thompson_by_hand():
    """Two of four drawn from one stratum, one of two from another: weights 2 and 2."""
    drawn = drawn_of([0, 0, 0, 0, 1, 1], [0, 2, 4])
    human = np.array([1.0, 9, 0, 9, 1, 9])  # 9: nobody knows these

    found = topic_values(drawn, ranking([0, 1, 4], lambda _: 1 / 3), human, NOTHING, TOTAL)

    assert found.value == pytest.approx([(2 * 1 + 2 * 1) / 3])


def test_hajek_by_hand():
    """Of the first three documents, two were drawn, with weights 2 and 1 (all of the other)."""
    drawn = drawn_of([0, 0, 0, 0, 1, 1], [0, 2, 4, 5])
    human = np.array([1.0, 9, 0, 9, 0, 1])

    found = topic_values(
        drawn, ranking([0, 1, 4], lambda _: 1 / 3), human, NOTHING, TOTAL, hajek=True
    )

    assert found.value == pytest.approx([(2 * 1 + 1 * 0) / (2 + 1)])


def test_the_difference_estimator_by_hand():
    """The machine says 1 for documents 0, 1 and 4; people disagree about 4, which stands for 2."""
    drawn = drawn_of([0, 0, 0, 0, 1, 1], [0, 2, 4])
    human = np.array([1.0, 9, 0, 9, 0, 9])
    machine = np.array([1.0, 1, 0, 0, 1, 0])

    found = topic_values(drawn, ranking([0, 1, 4], lambda _: 1 / 3), human, machine, TOTAL)

    assert found.value == pytest.approx([(1 + 1 + 1 - 2 * 1) / 3])


def test_shares_and_precisions_by_hand():
    """statAP (Pavlu and Aslam 2007): R^ = 2 + 2, sum of precisions 2·1 + 2·(1 + 2)/3."""
    drawn = drawn_of([0, 0, 0, 0, 1, 1], [0, 2, 4])
    human = np.array([1.0, 9, 0, 9, 1, 9])

    share = topic_values(drawn, ranking([0, 1], lambda _: 1), human, NOTHING, SHARE)
    precision = topic_values(
        drawn, ranking([0, 1, 4], lambda rank: 1 / rank), human, NOTHING, STAT_AP
    )

    assert share.value == pytest.approx([2 / 4])
    assert precision.value == pytest.approx([(2 * 1 + 2 * (1 + 2) / 3) / 4])


@pytest.mark.parametrize(
    ("strata", "sizes"),
    [
        ([0, 0, 0, 0, 0, 0], [2]),
        ([0, 0, 0, 0, 0, 0], [5]),
        ([0, 0, 0, 1, 1, 1], [2, 2]),
        ([0, 1, 0, 1, 1, 1], [2, 3]),
    ],
)
@pytest.mark.parametrize("machine", [[0, 0, 0, 0, 0, 0], [1, 0.5, 0, 1, 1, 0]])
@pytest.mark.parametrize("weight", [lambda rank: float(rank <= 3) / 3, dcg, lambda r: 0.8**r])
def test_sums_and_their_variances_are_right_on_average_over_every_sample(
    strata, sizes, machine, weight
):
    human, machine = np.array([1.0, 0, 2, 1, 0, 3]), np.array(machine, dtype=float)
    run = ranking([3, 0, 4, 2], weight)
    true = sum(weight(rank) * human[d] for rank, d in enumerate([3, 0, 4, 2], 1))

    values, spread = [], []
    for drawn in every_sample(strata, sizes):
        known = np.where(drawn.drawn, human, 77.0)
        found = topic_values(drawn, run, known, machine, TOTAL)
        values.append(found.value[0])
        spread.append(variances(drawn, found.moved)[0])

    assert np.mean(values) == pytest.approx(true)
    assert np.mean(spread) == pytest.approx(np.var(values))


@pytest.mark.parametrize(
    ("strata", "sizes"),
    [([0] * 6, [2]), ([0, 0, 0, 1, 1, 1], [2, 2]), ([0, 1, 0, 1, 1, 1], [2, 3])],
)
@pytest.mark.parametrize("machine", [[0, 0, 0, 0, 0, 0], [0.5, 0, 1, 0.2, 0, 0]])
def test_the_sum_of_precisions_is_right_over_every_sample(strata, sizes, machine):
    """The value times the estimated number of relevant ones; no machine is too lenient here."""
    human, machine = np.array([1.0, 0, 1, 1, 0, 1]), np.array(machine, dtype=float)
    order = [3, 0, 4, 2, 5]
    true = sum(human[d] * sum(human[order[:rank]]) / rank for rank, d in enumerate(order, 1))

    gathered = []
    for drawn in every_sample(strata, sizes):
        found = topic_values(
            drawn, ranking(order, lambda rank: 1 / rank), human, machine, PRECISION
        )
        relevant = machine + np.where(drawn.drawn, (human - machine) / drawn.probability, 0)
        gathered.append(found.value[0] * relevant.sum())

    assert np.mean(gathered) == pytest.approx(true)


def test_a_difference_of_runs_has_the_variance_of_the_difference():
    human = np.array([1.0, 0, 2, 1, 0, 3])
    first, second = ranking([3, 0, 4, 2], dcg), ranking([5, 3, 1, 0], dcg)

    values, spread = [], []
    for drawn in every_sample([0, 0, 0, 1, 1, 1], [2, 2]):
        one, other = (topic_values(drawn, r, human, NOTHING, TOTAL) for r in (first, second))
        values.append(one.value[0] - other.value[0])
        spread.append(variances(drawn, one.moved - other.moved)[0])

    assert np.mean(spread) == pytest.approx(np.var(values))


def test_a_stratum_with_one_draw_has_at_least_its_variance_on_average():
    human = np.array([1.0, 0, 2, 1, 0, 3])
    run = ranking([0, 1, 2, 3, 4, 5], dcg)

    found = [
        (topic_values(drawn, run, human, NOTHING, TOTAL), drawn)
        for drawn in every_sample([0, 0, 0, 1, 1, 1], [1, 1])
    ]

    spread = np.mean([variances(drawn, one.moved)[0] for one, drawn in found])
    assert spread >= np.var([one.value[0] for one, _ in found])


def test_a_machine_weighed_by_other_topics_leaves_every_topic_unbiased():
    """Two topics of four documents, two drawn of each: all 36 samples."""
    topic, strata = [0] * 4 + [1] * 4, [0] * 4 + [1] * 4
    human = np.array([1.0, 0, 1, 1, 0, 1, 0, 0])
    machine = np.array([1.0, 0, 0, 1, 1, 1, 0, 1])
    run = Ranking(np.array([0, 2, 1, 5, 4, 7]), np.array([1, 0.5, 0.25] * 2))
    true = [1 + 0.5 + 0, 1 + 0 + 0]

    values, weights = [], set()
    for drawn in every_sample(strata, [2, 2], topic=topic):
        known = np.where(drawn.drawn, human, 0.0)
        alone = topic_values(drawn, run, known, np.zeros(8), TOTAL)
        weight = machine_weights(drawn, [alone], known, machine)
        weights.add(round(float(weight[0]), 6))
        values.append(topic_values(drawn, run, known, weight[drawn.topic] * machine, TOTAL).value)

    assert len(values) == 36
    assert np.mean(values, axis=0) == pytest.approx(true)
    assert len(weights) > 1


@given(st.data())
def test_the_weight_of_the_machine_in_a_topic_does_not_depend_on_its_own_grades(data):
    topic = np.repeat(np.arange(3), 5)
    drawn = drawn_of(topic, [0, 1, 2, 5, 6, 8, 10, 12, 13], topic=topic)
    grades = st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=15, max_size=15)
    human, machine = (np.array(data.draw(grades)) for _ in range(2))
    run = Ranking(np.arange(15), np.tile([1.0, 0.5, 0.25, 0.2, 0.1], 3))
    other = np.where(topic == 1, 2.0 - human, human)

    first, second = (
        machine_weights(drawn, [topic_values(drawn, run, h, np.zeros(15), TOTAL)], h, machine)[1]
        for h in (human, other)
    )

    assert first == pytest.approx(second, abs=1e-6)
    assert 0.0 <= first <= 1.0


@pytest.mark.parametrize("way", [SHARE, PRECISION, STAT_AP])
@pytest.mark.parametrize("machine", [0.0, 1.0])
def test_how_far_a_draw_moves_a_ratio_is_its_derivative(way, machine):
    """Compared with a small change of one document's gain."""
    rng = np.random.default_rng(7)
    strata = [0, 0, 0, 0, 1, 1, 1]
    drawn = drawn_of(strata, [0, 1, 3, 4, 6])
    human = rng.integers(0, 2, 7).astype(float)
    human[[0, 4]] = 1.0
    by_machine = machine * rng.random(7)
    run = ranking([4, 1, 0, 3], (lambda r: 1 / r) if way != SHARE else (lambda _: 1.0))

    moved = topic_values(drawn, run, human, by_machine, way).moved

    step = 1e-6
    for at, row in enumerate(drawn.rows):
        more, less = human.copy(), human.copy()
        more[row] += step
        less[row] -= step
        slope = (
            topic_values(drawn, run, more, by_machine, way).value[0]
            - topic_values(drawn, run, less, by_machine, way).value[0]
        ) / (2 * step)
        assert moved[at] == pytest.approx(slope * (human[row] - by_machine[row]), abs=1e-6)


def test_documents_drawn_for_certain_leave_no_variance():
    drawn = drawn_of([0, 0, 0, 1, 1, 1], range(6))
    human = np.array([1.0, 0, 2, 1, 0, 3])

    for way, hajek in ((TOTAL, False), (TOTAL, True), (SHARE, False), (PRECISION, False)):
        found = topic_values(drawn, ranking([0, 2, 5], dcg), human, NOTHING, way, hajek=hajek)
        assert variances(drawn, found.moved) == pytest.approx([0.0])


def test_two_stages_add_the_noise_of_topics_as_cochran_has_it():
    """Cochran (1977), equation 10.24: (1 - f1) s²/n + f1 mean of the topics' variances / n."""
    values, noise = np.array([0.2, 0.5, 0.9]), np.array([0.01, 0.02, 0.03])
    same = np.full(3, 0.5)

    found = prediction_powered_mean(
        Sample(values, same, np.full(6, 0.5), noise=noise, freedom=9), finite=True
    )

    fraction = 3 / 9
    expected = (1 - fraction) * values.var() / 3 + fraction * noise.mean() / 3
    assert found.standard_error == pytest.approx(math.sqrt(expected))


def test_draws_from_every_topic_have_the_freedom_of_the_draws():
    from scipy.stats import t

    noise = np.array([0.04])
    sample = Sample(np.array([0.5]), np.zeros(1), np.zeros(0), noise=noise, freedom=7)

    found = prediction_powered_mean(sample, finite=True)

    assert found.value == 0.5
    assert found.high - 0.5 == pytest.approx(t.ppf(0.975, 7) * 0.2)
    assert prediction_powered_mean(sample).low is None


@pytest.mark.parametrize("way", [SHARE, PRECISION, STAT_AP])
@pytest.mark.parametrize(("relevant", "other"), [(0.8, 0.1), (0.98, 0.4), (0.1, 0.9)])
def test_a_machine_that_finds_too_much_does_not_ruin_ratios(way, relevant, other):
    """40 topics of 100 documents, 12 drawn of each: the error stays near that without a machine."""
    rng = np.random.default_rng(11)
    topic = np.repeat(np.arange(40), 100)
    strata = 2 * topic + np.tile(np.arange(100) >= 20, 40)
    run = Ranking(
        np.flatnonzero(np.tile(np.arange(100) < 30, 40)),
        np.tile(np.ones(30) if way == SHARE else 1 / np.arange(1.0, 31), 40),
    )
    human = (rng.random(4_000) < np.tile(0.4 / (1 + np.arange(100) / 10), 40)).astype(float)
    everything = drawn_of(strata, range(4_000), topic=topic)
    true = topic_values(everything, run, human, np.zeros(4_000), way).value
    errors = []
    for _ in range(20):
        rows = [rng.choice(np.flatnonzero(strata == part), 6, replace=False) for part in range(80)]
        drawn = drawn_of(strata, sorted(np.concatenate(rows)), topic=topic)
        known = np.where(drawn.drawn, human, 0.0)
        machine = (rng.random(4_000) < np.where(human > 0, relevant, other)).astype(float)
        alone = topic_values(drawn, run, known, np.zeros(4_000), way)
        weight = machine_weights(drawn, [alone], known, machine)
        helped = topic_values(drawn, run, known, weight[topic] * machine, way)
        errors.append([np.mean(found.value - true) for found in (alone, helped)])

    without, with_machine = np.sqrt(np.mean(np.square(errors), axis=0))

    assert with_machine <= 1.1 * without
