"""Number the distinct pairs of a topic and a docno in the lines of several runs."""

from collections.abc import Sequence
from itertools import count

import numpy as np

from rankeval.io.columns import Docnos
from rankeval.io.plain_parser import PlainDocnos
from rankeval.support.arrays import Integers, NDArray


def one_column(parts: Sequence[Docnos]) -> Docnos:
    """Return several columns of docnos as one; Arrow's if one of them is."""
    if len(parts) == 1:
        return parts[0]
    plain = [isinstance(part, PlainDocnos) for part in parts]
    first, *others = parts
    if plain[0] and not all(plain):
        from rankeval.io.arrow_parser import ArrowDocnos, as_names

        first = ArrowDocnos(as_names(first.tolist()))
    return first.followed_by(others)


def distinct_pairs(docnos: Docnos, topic: Integers) -> tuple[Integers, Integers]:
    """Return the first row of each distinct pair, by topic, and the number of each row's pair.

    `topic` is the number of each row's topic. Pairs are numbered topic by topic.
    """
    first, which = _by_hash(docnos, topic) or _by_name(docnos, topic)
    kind = np.uint16 if topic.max(initial=0) < 1 << 16 else np.int64  # two bytes sort fastest
    order = np.argsort(topic[first].astype(kind), kind="stable")
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return first[order], number[which]


def _by_hash(docnos: Docnos, topic: Integers) -> tuple[Integers, NDArray[np.int32]] | None:
    """Number pairs by hashes of both; None for a list, or where different pairs have equal ones."""
    if isinstance(docnos, PlainDocnos):
        return None
    from rankeval.io.arrow_parser import ArrowDocnos
    from rankeval.io.hashing import distinct_in_topics

    if not isinstance(docnos, ArrowDocnos):
        return None
    return distinct_in_topics(docnos.texts, docnos.hashes, topic)


def _by_name(docnos: Docnos, topic: Integers) -> tuple[Integers, Integers]:
    known: dict[tuple[int, bytes], int] = {}
    numbers = count()
    pairs = zip(topic.tolist(), docnos.tolist(), strict=True)
    which = np.array(
        [known[p] if p in known else known.setdefault(p, next(numbers)) for p in pairs]
    )
    first = np.empty(len(known), dtype=np.int64)
    first[which[::-1]] = np.arange(len(which) - 1, -1, -1)  # the last assignment stays
    return first, which
