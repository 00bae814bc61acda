"""What the main commands print fits a terminal of 80 columns and 24 lines, warnings included."""

import re
from pathlib import Path

import pytest

from tests.transcript.session import WIDTH, printed

EXAMPLES = Path(__file__).parents[2] / "examples"
RUNS = [path.stem for path in sorted((EXAMPLES / "runs").glob("*.run"))]
QRELS, BM25, TITLE = "qrels/python-reference.qrels", "runs/bm25.run", "runs/title.run"
SCREEN = 24
DOCNO = re.compile(r"^(?: +\d+  )?([a-z][\w-]*\.\d+)\b", re.MULTILINE)
"""The name of a document at the start of a row, or after a rank."""


@pytest.fixture(autouse=True)
def in_examples(monkeypatch, tmp_path):
    """Run each command in a folder with the examples and a broken run."""
    for name in ("qrels", "runs"):
        (tmp_path / name).symlink_to(EXAMPLES / name)
    monkeypatch.chdir(tmp_path)
    wrong = Path(BM25).read_text().replace(" Q0 ", " ", 3) + "1 Q0 x 1 nan bm25\n"
    Path("broken.run").write_text(wrong)


@pytest.mark.parametrize(
    ("command", "most"),
    [
        (f"{QRELS} runs/*.run", SCREEN - 1),
        (f"compare {QRELS} {BM25} {TITLE}", SCREEN - 1),
        (f"compare {QRELS} runs/*.run", SCREEN),
        (f"gate {QRELS} {BM25} {TITLE} --max-drop nDCG@10=2% --min R@100=0.2", SCREEN - 1),
        (f"diff {QRELS} {BM25} {TITLE}", SCREEN - 1),
        (f"diff {QRELS} {BM25} {TITLE} 14", SCREEN - 1),
        (f"explain {QRELS} {BM25} 14", SCREEN - 1),
        (f"check {QRELS} {TITLE}", SCREEN - 1),
        (f"check {QRELS} broken.run", SCREEN - 1),
    ],
)
def test_a_command_fits_a_screen_and_the_next_prompt(command, most):
    lines = printed(f"rankeval {command}").splitlines()

    assert len(lines) <= most
    shown = [line for line in lines if not line.startswith("next: ")]  # to be copied
    assert max(map(len, shown)) <= WIDTH


@pytest.mark.parametrize("command", [f"{QRELS} runs/*.run", f"compare {QRELS} runs/*.run"])
def test_no_name_of_a_run_is_folded(command):
    lines = printed(f"rankeval {command}").splitlines()

    assert {name for name in RUNS for line in lines if line.startswith(f"{name} ")} == {*RUNS}


@pytest.mark.parametrize(
    "command", ["diff {0} {1} {2}", "diff {0} {1} {2} 14", "explain {0} {1} 14"]
)
def test_no_name_of_a_document_is_folded(command):
    known = {
        line.split()[2] for path in (BM25, TITLE) for line in Path(path).read_text().splitlines()
    }

    shown = DOCNO.findall(printed(f"rankeval {command.format(QRELS, BM25, TITLE)}"))

    assert len(shown) >= 6
    assert known.issuperset(shown)
