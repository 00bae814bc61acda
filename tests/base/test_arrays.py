"""Sorting of groups: the same as sorting each group by itself, whatever the sizes."""

import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rankeval.base.arrays import descending_order, offsets_of

GROUPS = st.lists(
    st.lists(st.sampled_from([-np.inf, -1.5, 0.0, 2.0, 3.0, np.inf]), max_size=9), max_size=12
)


def in_rows(groups):
    return np.array([value for group in groups for value in group]), offsets_of(
        np.array([len(group) for group in groups], dtype=np.int64)
    )


@given(GROUPS)
def test_each_group_is_ordered_by_itself_and_equal_values_keep_their_order(groups):
    values, offsets = in_rows(groups)

    expected = [
        start + place
        for start, group in zip(offsets.tolist(), groups, strict=False)
        for place in sorted(range(len(group)), key=lambda i: -group[i])
    ]
    assert descending_order(values, offsets).tolist() == expected


@given(GROUPS)
def test_an_order_that_need_not_be_stable_holds_the_rows_of_each_group(groups):
    values, offsets = in_rows(groups)

    order = descending_order(values, offsets, stable=False)

    for start, group in zip(offsets.tolist(), groups, strict=False):
        own = order[start : start + len(group)]
        assert sorted(own.tolist()) == list(range(start, start + len(group)))
        assert values[own].tolist() == sorted(group, reverse=True)


def test_an_old_numpy_is_refused_before_anything_else_fails():
    code = (
        "import numpy; numpy.__version__ = '1.26.4'\n"
        "import rankeval\n"
        "try: rankeval.evaluate({'1': {'a': 1}}, {'1': {'a': 1}})\n"
        "except rankeval.UsageError as error: print(error)\n"
    )

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "numpy 1.26.4 is too old for rankeval" in found.stdout
    assert "numpy 2.0.2 or newer" in found.stdout
