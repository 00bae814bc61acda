"""An ideal ranking that serves the subtopics of a topic in turn."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain


def serve_in_turn(
    documents: Iterable[int],
    subtopics: Mapping[int, AbstractSet[int]],
    rank: Mapping[int, int],
    depth: int,
) -> list[int]:
    """Put documents in an ideal order, down to `depth` places.

    The next document is the one that serves the most of the subtopics in turn: those served
    least so far, among the ones that still have a document. Among equals it is the one of the
    best rank, then the one that served more before. These numbers change with each place, so
    places are filled one by one.
    """
    left = list(documents)
    nowhere = max(rank.values(), default=0) + 1
    waiting: dict[int, int] = {}
    for subtopic in chain.from_iterable(subtopics[document] for document in left):
        waiting[subtopic] = waiting.get(subtopic, 0) + 1
    served = dict.fromkeys(waiting, 0)
    ideal: list[int] = []
    while left and len(ideal) < depth:
        least = min((served[s] for s, n in waiting.items() if n), default=0)
        turn = {s for s, n in waiting.items() if n and served[s] == least}
        worth = {document: len(turn & subtopics[document]) for document in left}
        left.sort(key=lambda d: (-worth[d], rank.get(d, nowhere)))
        best = left.pop(0)
        ideal.append(best)
        for subtopic in subtopics[best]:
            served[subtopic] += 1
            waiting[subtopic] -= 1
    return ideal
