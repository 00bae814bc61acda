"""Integers found among others, held to a dictionary."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rankeval.base.arrays import SortedIntegers

INTEGERS = st.integers(-(2**40), 2**40) | st.integers(-3, 3)


@given(st.sets(INTEGERS), st.lists(INTEGERS), st.data())
def test_rows_and_places_are_those_of_a_dictionary(values, others, data):
    ascending = sorted(values)
    some = data.draw(st.lists(st.sampled_from(ascending))) if ascending else []
    wanted = data.draw(st.permutations([*others, *some]))
    place = {value: at for at, value in enumerate(ascending)}

    rows, places = SortedIntegers(np.array(ascending, dtype=np.int64)).find(
        np.array(wanted, dtype=np.int64)
    )

    expected = [(row, place[one]) for row, one in enumerate(wanted) if one in place]
    assert list(zip(rows.tolist(), places.tolist(), strict=True)) == expected
