"""Values against costs: the front by brute force, and costs by name."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import UsageError
from tests.plots.conftest import panel
from tests.plots.test_plots_by_run import made


@given(
    pairs=st.lists(st.tuples(st.integers(1, 5), st.integers(0, 5)), min_size=1, max_size=8),
    loss=st.booleans(),
)
@settings(deadline=None)
def test_a_run_is_on_the_front_if_no_other_dominates_it(pairs, loss):
    names = [f"run{i}" for i in range(len(pairs))]
    costs = {name: cost for name, (cost, _) in zip(names, pairs, strict=True)}
    worth = {name: float(value) for name, (_, value) in zip(names, pairs, strict=True)}

    drawn = panel(
        "tradeoff", made({name: [0.0] for name in names}, loss=loss, aggregates=worth), costs=costs
    )

    sign = -1 if loss else 1
    expected = [
        not any(
            (c <= cost and sign * v >= sign * value) and (c < cost or sign * v > sign * value)
            for c, v in pairs
        )
        for cost, value in pairs
    ]
    assert drawn.on_front.tolist() == expected


def test_a_run_without_a_cost_is_refused():
    with pytest.raises(UsageError, match="no cost is given for the run 'b'"):
        panel("tradeoff", made({"a": [0.1], "b": [0.2]}), costs={"a": 1.0})


def test_costs_go_by_name_or_by_path():
    drawn = panel(
        "tradeoff", made({"a": [0.1], "b": [0.2]}), costs={"a": 1.0, "b.run": 2.0}, cost="ms"
    )

    assert drawn.costs.tolist() == [1.0, 2.0]
    assert next(drawn.records) == {
        "run": "a",
        "measure": "AP",
        "value": 0.0,
        "ms": 1.0,
        "pareto": True,
    }


@pytest.mark.parametrize(
    ("costs", "expected"), [((1, 30), False), ((1, 31), True), ((0, 100), False), ((5, 5), False)]
)
def test_costs_more_than_thirty_times_apart_are_drawn_by_their_logarithms(costs, expected):
    given_costs = dict(zip("ab", map(float, costs), strict=True))

    assert (
        panel("tradeoff", made({"a": [0.1], "b": [0.2]}), costs=given_costs).logarithmic is expected
    )
