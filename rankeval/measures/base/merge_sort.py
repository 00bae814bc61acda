"""The C library's merge sort, whose result is visible where comparisons are inconsistent."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def merge_sorted(items: Sequence[Item], compare: Callable[[Item, Item], float]) -> list[Item]:
    """Sort by merging halves, the left one being the shorter; ties keep their order.

    With NaN among the scores, or gains compared by the integer part of their difference, the
    result depends on which pairs are compared. This function compares the pairs that glibc
    compares.
    """
    if len(items) <= 1:
        return list(items)
    middle = len(items) // 2
    left = merge_sorted(items[:middle], compare)
    right = merge_sorted(items[middle:], compare)
    merged: list[Item] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if compare(left[i], right[j]) <= 0:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]
