"""What the main commands print fits a terminal of 80 columns and 24 lines, warnings included."""

from pathlib import Path

import pytest

from tests.transcript.session import WIDTH, printed

EXAMPLES = Path(__file__).parents[2] / "examples"
QRELS, BM25, TITLE = "qrels/python-reference.qrels", "runs/bm25.run", "runs/title.run"
SCREEN = 24


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
