"""The notebook of the examples runs from its first cell to its last."""

import json
from pathlib import Path

import pytest

PATH = Path(__file__).parents[1] / "examples" / "tour.ipynb"


def test_the_notebook_holds_no_output():
    cells = json.loads(PATH.read_text(encoding="utf-8"))["cells"]

    assert [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_runs():
    nbformat = pytest.importorskip("nbformat", reason="extra docs")
    client = pytest.importorskip("nbclient", reason="extra docs")
    pytest.importorskip("ipykernel", reason="extra docs")
    notebook = nbformat.read(PATH, as_version=4)

    client.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": PATH.parent}}
    ).execute()

    shown = [
        output["data"]["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    assert len(shown) >= 5
    assert "title vs. baseline bm25" in str(notebook.cells)
