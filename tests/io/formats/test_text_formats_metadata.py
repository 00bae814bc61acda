"""Headers of ir_metadata: skipped by all readers, and kept by convert."""

import gzip

import pytest

import rankeval
from rankeval.io.formats.formats import begin
from rankeval.io.formats.layouts import RUN
from rankeval.io.formats.text_formats import LARGEST, metadata_of
from rankeval.io.read import map_blocks
from rankeval.io.sources.blocks import USUAL
from tests.support.commands import run_command
from tests.support.files import BM25, QRELS
from tests.support.read_sizes import fast

HEADER = """\
# ir_metadata.start
# schema-version: 0.1
# tag: bm25
# platform:
#   hardware:
#     cpu:
#       number of cores: 16
#   software:
#     libraries:
#     - numpy==1.15.4
#     - scipy==1.1.0
# method:
#   automatic: true
#   retrieval:
#   - name: bm25
#     b: 0.4
# actor:
#   name: Jimmy Lin
# ir_metadata.end
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "plain.run").write_text(BM25)
    (tmp_path / "bm25.run").write_text(HEADER + BM25)
    return tmp_path


def test_the_header_is_found_as_it_is_written():
    found = metadata_of(begin("bm25.run"), "bm25.run")

    assert found.decode() == HEADER


@pytest.mark.parametrize("sizes", [USUAL, fast()], ids=["plain", "arrow"])
@pytest.mark.parametrize("before", [HEADER, "\n# a note\n" + HEADER + "\n#\n# more\n", "#\n"])
def test_both_parsers_read_the_lines_behind_it(folder, sizes, before):
    (folder / "some.run").write_text(before + BM25)

    def lines(path):
        (columns,) = map_blocks(path, RUN, lambda one: one, sizes=sizes)
        numbers = [number - before.count("\n") * (path == "some.run") for number in columns.lines]
        return (columns.topics, columns.docnos.tolist(), columns.values.tolist(), numbers)

    assert lines("some.run") == lines("plain.run")


@pytest.mark.parametrize(
    "words",
    [
        ["eval", "qrels.txt", "{}", "-q", "-f", "csv"],
        ["convert", "{}", "-", "--to", "jsonl"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("packed", [False, True])
def test_commands_read_the_same_with_a_header(folder, words, packed):
    if packed:
        (folder / "bm25.run.gz").write_bytes(gzip.compress((HEADER + BM25).encode()))
    name = "bm25.run.gz" if packed else "bm25.run"

    found = [run_command([word.format(one) for word in words]) for one in ("plain.run", name)]

    assert found[0].code == found[1].code == 0, found[1].stderr
    assert found[0].stdout == found[1].stdout


def test_convert_keeps_it_byte_for_byte(folder):
    done = rankeval.convert("bm25.run", "new.run", depth=1)

    text = (folder / "new.run").read_text()
    assert text == HEADER + "301 Q0 a 1 3.5 bm25\n302 Q0 d 1 9 bm25\n".replace(" 9 ", " 9.0 ")
    assert done.warnings == ()
    through = run_command(["convert", "-", "-", "--to", "trec"], (HEADER + BM25).encode()).stdout
    assert through.startswith(HEADER)


def test_convert_tells_when_it_is_lost_or_out_of_date(folder):
    lost = rankeval.convert("bm25.run", "new.csv").warnings
    tagged = rankeval.convert("bm25.run", "new.run", tag="mine").warnings
    (folder / "cut.run").write_text(HEADER.replace("# ir_metadata.end\n", "") + BM25)
    cut = rankeval.convert("cut.run", "new.run").warnings

    assert lost == ("csv has no ir_metadata header: it is left out",)
    assert tagged == ("the ir_metadata header is kept as it is, without the tag mine",)
    assert cut == ("cut.run: the ir_metadata header has no end, and is left out",)


def test_a_header_without_an_end_is_read_no_further_than_its_limit(folder):
    long = "# ir_metadata.start\n" + "# a: b\n" * (LARGEST // 7) + "# ir_metadata.end\n"
    (folder / "some.run").write_text(long + BM25)

    (report,) = rankeval.check("some.run")

    assert report.facts["lines"] == 5
    assert rankeval.evaluate("qrels.txt", "some.run", "AP").runs
