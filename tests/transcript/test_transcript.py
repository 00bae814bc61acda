"""The week at the prompt prints what the transcripts show, and its numbers are pytrec_eval's."""

import re

import pytest

import rankeval
from tests.support.week import RUNS, qrels, rankings, write_week
from tests.transcript.session import WIDTH, repeated, transcripts

RENEW = "python -m tests.transcript --write renews it, once you have read the difference"


@pytest.fixture
def week(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_week(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("path", transcripts(), ids=lambda path: path.stem)
@pytest.mark.usefixtures("week")
def test_commands_print_what_the_transcript_shows(path):
    kept = path.read_text("utf-8")

    assert shortened("".join(repeated(kept))) == shortened(kept), RENEW


def shortened(text):
    """The text with numbers to 11 digits, and without the reader, which a compiler decides.

    Sums of integrals differ behind these digits, by processor.
    """
    text = re.sub(r"\((?:compiled|Python) reader\)", "", text)
    return re.sub(r"\d+\.\d{12,}", lambda found: f"{float(found[0]):.11g}", text)


@pytest.mark.parametrize("path", transcripts(), ids=lambda path: path.stem)
def test_tables_are_no_wider_than_the_terminal(path):
    for command, shown in re.findall(
        r"^\$ (.*)\n((?:(?!\$ ).*\n?)*)", path.read_text("utf-8"), re.MULTILINE
    ):
        if command.endswith("| cat") or command.startswith("cat ") or FOR_PROGRAMS.search(command):
            continue
        lines = [line for line in shown.splitlines() if not ONE_LINE.match(line)]
        assert [line for line in lines if len(line) > WIDTH] == [], command


FOR_PROGRAMS = re.compile(r" (-f|--data|--signature|convert) ?")
ONE_LINE = re.compile(r"rankeval: |next: |  expected: |  to fix: |  warning: |# ")
"""Messages, which a terminal folds itself."""
MEASURES = {
    "nDCG@10": "ndcg_cut_10",
    "AP": "map",
    "RR": "recip_rank",
    "P@5": "P_5",
    "R@50": "recall_50",
}


@pytest.mark.usefixtures("week")
def test_the_values_of_the_week_are_those_of_pytrec_eval():
    """Every run and measure by topic; ranks without scores are given scores that fall."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    judged = qrels()
    oracle = pytrec_eval.RelevanceEvaluator(
        judged, {"ndcg_cut.10", "map", "recip_rank", "P.5", "recall.50"}
    )
    found = rankeval.evaluate("qrels.txt", list(RUNS), " ".join(MEASURES))

    for path, run in zip(RUNS, found.runs, strict=True):
        by_topic = rankings(path, RUNS[path][1])
        if path.endswith(".tsv"):  # MS MARCO's format has ranks only
            by_topic = {t: {d: -i for i, d in enumerate(one)} for t, one in by_topic.items()}
        expected = oracle.evaluate(by_topic)
        for score in run.scores:
            name = MEASURES[score.measure]
            values = dict(zip(run.topics, score.values.tolist(), strict=True))
            assert values == pytest.approx({t: one[name] for t, one in expected.items()}, abs=1e-9)
