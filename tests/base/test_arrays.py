"""Sorting of groups, look-ups of integers, and digests, held to plain Python."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.base.arrays import (
    MULTIPLIER,
    DistinctIntegers,
    descending_order,
    offsets_of,
    short_digest,
)

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


ALIKE = st.integers(0, 99).map(lambda n: n * pow(MULTIPLIER, -1, 2**64) % 2**63)  # hashes are
INTEGERS = st.integers(-(2**40), 2**40) | st.integers(-3, 3) | ALIKE


@given(st.sets(INTEGERS), st.lists(INTEGERS), st.data())
def test_rows_and_places_are_those_of_a_dictionary(values, others, data):
    distinct = list(values)
    some = data.draw(st.lists(st.sampled_from(distinct))) if distinct else []
    wanted = data.draw(st.permutations([*others, *some]))
    place = {value: at for at, value in enumerate(distinct)}

    rows, places = DistinctIntegers(np.array(distinct, dtype=np.int64)).find(
        np.array(wanted, dtype=np.int64)
    )

    expected = [(row, place[one]) for row, one in enumerate(wanted) if one in place]
    assert list(zip(rows.tolist(), places.tolist(), strict=True)) == expected


FEW_BYTES = 1 << 20


@pytest.mark.parametrize("size", [0, 1, FEW_BYTES - 1, FEW_BYTES, FEW_BYTES + 1, 3 * FEW_BYTES])
@pytest.mark.parametrize("piece", [1000, FEW_BYTES, 4 * FEW_BYTES])
def test_a_digest_is_the_beginning_of_the_sha_256(size, piece):
    data = bytes(range(251)) * (size // 251 + 1)
    data = data[:size]
    pieces = [data[start : start + piece] for start in range(0, size, piece)]

    assert short_digest(pieces) == hashlib.sha256(data).hexdigest()[:12]
