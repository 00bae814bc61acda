"""Runs read side by side: whole topics of all runs, and only the lines in memory that wait."""

from rankeval.fusion.side_by_side import read_side_by_side
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers import arrow_parser
from rankeval.io.read_sizes import ReadSizes
from rankeval.ranking.rank import BY_SCORE
from rankeval.ranking.run_source import RunSource

TOPICS = [f"q{t}" for t in range(1000)]
DOCUMENTS = 100
LINES = len(TOPICS) * DOCUMENTS


SMALL_BLOCKS = ReadSizes(
    block_bytes=1 << 16, shared_block_bytes=1 << 16, batch_lines=1 << 11, ranked_run_lines=1 << 11
)
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


def topics_and_names_held(paths):
    """The topics in the order in which they come, and the most bytes of docnos held, per line."""
    before, held, found = arrow_parser.POOL.bytes_allocated(), [], []

    def use(every):
        for some in every:
            held.append(arrow_parser.POOL.bytes_allocated() - before)
            batch = some.batch()
            assert (batch.candidates.retrieved == DOCUMENTS).all()
            assert len(batch.docnos) == DOCUMENTS * len(batch.topics)
            found.extend(batch.topics)

    read_side_by_side(
        [*map(RunSource.of, paths)], [Form("run")] * len(paths), BY_SCORE, use, sizes=SMALL_BLOCKS
    )
    return found, max(held) / LINES


def test_lines_that_were_passed_on_are_not_held_with_the_ones_that_wait(tmp_path):
    """A tenth of each block of the first run waits for the end of the second one."""
    late = TOPICS[::10]
    paths = [
        together(tmp_path / "a.run", TOPICS),
        together(tmp_path / "b.run", [t for t in TOPICS if t not in late] + late),
    ]

    topics, held = topics_and_names_held(paths)

    assert sorted(topics) == sorted(t.encode() for t in TOPICS)
    assert held < (18 + 4) * 0.4  # docnos of 18 bytes and their offsets, of one run


def test_lines_of_scattered_topics_are_held_once(tmp_path):
    paths = [scattered(tmp_path / f"{i}.run", TOPICS) for i in range(2)]

    topics, held = topics_and_names_held(paths)

    assert topics == [t.encode() for t in TOPICS]
    assert held < 2 * (18 + 4) * 1.5


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
