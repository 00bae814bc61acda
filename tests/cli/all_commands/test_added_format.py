"""An output format is one record: Org mode's tables, added as a plugin would, for every result."""

import re

import pytest

from rankeval.base.endings import harmless
from rankeval.output import output_formats
from rankeval.output.output_formats import OutputFormat
from rankeval.output.tables import Table
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS
from tests.support.words import FORMATS, words_of, written


def org(blocks, _style):
    """Draw tables and sentences as Org mode has them."""
    for block in blocks:
        if not isinstance(block, Table):
            yield f"{block}\n"
            continue
        yield f"#+CAPTION: {block.title}\n" if block.title else ""
        yield f"| {' | '.join(column.head for column in block.columns)} |\n"
        yield f"|{'+'.join('---' for _ in block.columns)}|\n"
        for row in block.cells():
            yield f"| {' | '.join(cell.text + cell.mark for cell in row)} |\n"


@pytest.fixture
def org_mode(monkeypatch):
    monkeypatch.setattr(output_formats, "_ADDED", {})
    output_formats.add_output_format(OutputFormat("org", (".org",), harmless, draw=org))


DRAWN = [name for name, forms in FORMATS.items() if "latex" in forms and name != "check"]


@pytest.mark.usefixtures("org_mode")
@pytest.mark.parametrize("command", DRAWN)
def test_every_command_writes_an_added_format(command, shell):
    printed = written(shell)(*words_of(command), "-f", "org")

    assert printed.code == 0, printed.err
    assert re.search(r"^\|---\+---", printed.out, re.MULTILINE)


@pytest.mark.usefixtures("org_mode")
def test_a_file_is_written_in_an_added_format_by_its_suffix(shell):
    words = words_of("eval")
    printed = written(shell)(*words, "-f", "org")

    assert shell(*words, "-o", "table.org").code == 0
    assert shell.path("table.org").read_text() == printed.out


@pytest.mark.usefixtures("org_mode")
def test_an_added_format_has_the_numbers_of_the_table(shell):
    words = ["eval", EXAMPLE_QRELS, *EXAMPLE_RUNS[:2], "-m", "AP"]
    numbers = {word for word in shell(*words).out.split() if word.startswith("0.")}

    assert numbers
    for number in numbers:
        assert f" {number.rstrip('*')} |" in shell(*words, "-f", "org").out


@pytest.mark.parametrize("missing", ["name", "suffixes", "harmless"])
def test_a_record_refuses_missing_fields(missing):
    fields = {"name": "org", "suffixes": (".org",), "harmless": harmless}
    del fields[missing]

    with pytest.raises(TypeError, match=missing):
        OutputFormat(**fields, draw=org)
