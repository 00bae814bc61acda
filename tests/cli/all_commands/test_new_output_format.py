"""An output format is one module and one record: Org mode's tables."""

import sys
from types import ModuleType

from rankeval.output.output_formats import OUTPUT_FORMATS, OutputFormat
from rankeval.output.tables import Table


def org(blocks, _):
    """Print tables as Org mode has them, and sentences."""
    for block in blocks:
        if isinstance(block, Table):
            heads = [column.head for column in block.columns]
            rows = [[cell.text for cell in row] for row in block.cells()]
            lines = [f"| {' | '.join(cells)} |\n" for cells in (heads, *rows)]
            yield from (lines[0], f"|{'+'.join('---' for _ in heads)}|\n", *lines[1:])
        else:
            yield f"{block}\n"


def test_an_output_format_is_one_module_and_one_record(shell, monkeypatch, tmp_path):
    module = ModuleType("rankeval.output.org")
    module.org = org
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(OUTPUT_FORMATS, "org", OutputFormat("blocks", "org.org", (".org",)))
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    (tmp_path / "a.run").write_text("q1 Q0 d2 1 9 a\nq1 Q0 d1 2 8 a\n")
    words = ["eval", str(tmp_path / "qrels.txt"), str(tmp_path / "a.run"), "-m", "AP P@1"]

    printed = shell(*words, "-f", "org")
    shell(*words, "-o", str(tmp_path / "x.org"))

    table = "| run | AP | P@1 |\n|---+---+---|\n| a | 0.5000 | 0.0000 |\n"
    assert table in printed.out
    assert (tmp_path / "x.org").read_text() == printed.out
