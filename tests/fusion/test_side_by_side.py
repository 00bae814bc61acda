"""Runs read side by side: whole topics of all runs, and only the lines in memory that wait."""

import gc
from operator import itemgetter
from pathlib import Path

from rankeval.evaluation.settings import Reading
from rankeval.fusion.side_by_side import FusionInput
from rankeval.io.blocks import ReadSizes
from rankeval.io.names import Texts

TOPICS = [f"q{t}" for t in range(1000)]
DOCUMENTS = 100
SMALL_BLOCKS = ReadSizes(block_bytes=1 << 16, ranked_lines=1 << 11)
"""Blocks of some twenty topics."""


def file(path, topics, *, scattered=False):
    """A file with the documents of each topic, or the first ones of all topics, then the second."""
    pairs = [(t, i) for t in topics for i in range(DOCUMENTS)]
    if scattered:
        pairs.sort(key=itemgetter(1))
    path.write_text("".join(f"{t} Q0 document-{i:09} 0 {-i} x\n" for t, i in pairs))
    return str(path)


def names_held():
    """The bytes that the names in memory take, or those of the blocks that they are views of."""
    texts = [one.text for one in gc.get_objects() if isinstance(one, Texts)]
    found = {id(text): memoryview(text).nbytes for text in texts}
    return sum(found.values())


def topics_and_names_held(paths):
    """The topics in the order in which they come, and the most bytes of names held."""
    held, found = [], []

    def use(every):
        for some in every:
            held.append(names_held())
            batch = some.matched()
            assert (batch.retrieved == DOCUMENTS).sum(axis=0).all()
            assert len(batch.docnos) == DOCUMENTS * len(batch.topics)
            found.extend(batch.topics)

    FusionInput.of(paths, "docno", Reading(), 1).read(use, sizes=SMALL_BLOCKS)
    return found, max(held)


def test_lines_that_were_passed_on_are_not_held_with_the_ones_that_wait(tmp_path):
    """A tenth of each block of the first run waits for the end of the second one."""
    late = TOPICS[::10]
    first = file(tmp_path / "a.run", TOPICS)
    a_tenth = file(tmp_path / "b.run", [t for t in TOPICS if t not in late] + late)
    backwards = file(tmp_path / "c.run", TOPICS[::-1])

    topics, held = topics_and_names_held([first, a_tenth])

    assert sorted(topics) == sorted(t.encode() for t in TOPICS)
    assert topics_and_names_held([backwards, backwards])[0] == [t.encode() for t in TOPICS[::-1]]
    assert held < 0.5 * topics_and_names_held([first, backwards])[1]


def test_scattered_runs_are_held_once(tmp_path):
    orders = {"a.run": TOPICS, "b.run": ["new", *reversed(TOPICS)]}
    paths = [file(tmp_path / name, topics, scattered=True) for name, topics in orders.items()]

    topics, held = topics_and_names_held(paths)

    assert sorted(topics) == sorted(t.encode() for t in [*TOPICS, "new"])
    assert held < 1.5 * sum(Path(path).stat().st_size for path in paths)
