"""Runs read side by side: whole topics of all runs, and only the lines in memory that wait."""

import gc
from pathlib import Path

from rankeval.fusion.side_by_side import read_side_by_side
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.names import Texts
from rankeval.io.read_sizes import ReadSizes
from rankeval.ranking.rank import BY_SCORE
from rankeval.ranking.run_source import RunSource

TOPICS = [f"q{t}" for t in range(1000)]
DOCUMENTS = 100
LINES = len(TOPICS) * DOCUMENTS


SMALL_BLOCKS = ReadSizes(block_bytes=1 << 16, ranked_lines=1 << 11)
"""Blocks of some twenty topics."""


def together(path, topics):
    """A file whose topics stand together, in this order."""
    lines = [f"{t} Q0 document-{i:09} 0 {-i} x\n" for t in topics for i in range(DOCUMENTS)]
    path.write_text("".join(lines))
    return str(path)


def scattered(path, topics):
    """A file with the first document of each topic, then the second ones, and so on."""
    lines = [f"{t} Q0 document-{i:09} 0 {-i} x\n" for i in range(DOCUMENTS) for t in topics]
    path.write_text("".join(lines))
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
            batch = some.batch()
            assert (batch.candidates.retrieved == DOCUMENTS).all()
            assert len(batch.docnos) == DOCUMENTS * len(batch.topics)
            found.extend(batch.topics)

    read_side_by_side(
        [*map(RunSource.of, paths)], [Form("run")] * len(paths), BY_SCORE, use, sizes=SMALL_BLOCKS
    )
    return found, max(held)


def test_lines_that_were_passed_on_are_not_held_with_the_ones_that_wait(tmp_path):
    """A tenth of each block of the first run waits for the end of the second one."""
    late = TOPICS[::10]
    first = together(tmp_path / "a.run", TOPICS)
    a_tenth = together(tmp_path / "b.run", [t for t in TOPICS if t not in late] + late)
    backwards = together(tmp_path / "c.run", TOPICS[::-1])

    topics, held = topics_and_names_held([first, a_tenth])

    assert sorted(topics) == sorted(t.encode() for t in TOPICS)
    assert held < 0.5 * topics_and_names_held([first, backwards])[1]


def test_lines_of_scattered_topics_are_held_once(tmp_path):
    paths = [scattered(tmp_path / f"{i}.run", TOPICS) for i in range(2)]

    topics, held = topics_and_names_held(paths)

    assert topics == [t.encode() for t in TOPICS]
    assert held < 1.5 * sum(Path(path).stat().st_size for path in paths)


def test_runs_with_scattered_topics_come_in_the_order_of_the_first_one(tmp_path):
    """So that no run waits for another one; topics that the first one lacks come behind."""
    more = ["new", *reversed(TOPICS)]
    paths = [scattered(tmp_path / "a.run", TOPICS), scattered(tmp_path / "b.run", more)]
    found = []

    def use(every):
        for some in every:
            found.extend(some.batch().topics)

    read_side_by_side(
        [*map(RunSource.of, paths)], [Form("run")] * 2, BY_SCORE, use, sizes=SMALL_BLOCKS
    )

    assert found == [t.encode() for t in [*TOPICS, "new"]]
