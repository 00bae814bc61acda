"""A run without any judged document: the warning names the likely reason."""

import pytest

from tests.support.commands import run_command

OTHER_TOPICS = (
    "documents such as Doc3 are judged for other topics; check that run and qrels number the "
    "topics in the same way"
)
OTHER_COLLECTION = "the run may be of another collection; the run has zzz, the qrels Doc1"
QRELS = "1 0 Doc1 1\n1 0 Doc2 0\n2 0 Doc3 1\n"


@pytest.fixture
def warned(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def warned(*docnos, options=()):
        lines = [f"1 Q0 {docno} {i} {9 - i} t\n" for i, docno in enumerate(docnos)]
        (tmp_path / "qrels").write_text(QRELS)
        (tmp_path / "run").write_text("".join(lines))
        done = run_command(["qrels", "run", "-m", "P@5", "-v", *options])
        assert done.code == 0
        return [line for line in done.stderr.splitlines() if "no document of the run" in line]

    return warned


@pytest.mark.parametrize(
    ("docno", "reason"),
    [
        ("doc1", "docnos differ by case or blanks: the run has doc1, the qrels Doc1"),
        ("DOC2", "docnos differ by case or blanks: the run has DOC2, the qrels Doc2"),
        (
            "Doc1#3",
            "docnos look like chunks: the run has Doc1#3, the qrels Doc1; try --collapse '#.*'",
        ),
        (
            "Doc2_p7",
            "docnos look like chunks: the run has Doc2_p7, the qrels Doc2; try --collapse '_.*'",
        ),
        ("Doc3", OTHER_TOPICS),
        ("x", OTHER_COLLECTION),
        ("DOC3", OTHER_COLLECTION),  # of another topic, too
    ],
)
def test_the_reason_is_told(warned, docno, reason):
    assert warned("zzz", docno) == [
        f"rankeval: warning: no document of the run is judged: {reason}"
    ]


def test_the_suggested_option_helps(warned):
    assert warned("Doc1#3", options=["--collapse", "#.*"]) == []
