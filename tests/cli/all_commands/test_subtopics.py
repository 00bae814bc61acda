"""Judgments by subtopic, and documents judged for other topics, from files."""

import json

import pytest

from tests.support.commands import run_command

BY_SUBTOPIC = "1 1 a 1\n1 2 a 2\n1 1 b 1\n1 3 c 2\n1 2 d 1\n1 0 e 0\n"
RUN = "1 Q0 b 1 4 tag\n1 Q0 a 2 3 tag\n1 Q0 x 3 2 tag\n1 Q0 c 4 1 tag\n"


pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "diverse").write_text(BY_SUBTOPIC)
    (tmp_path / "plain").write_text("1 0 a 1\n1 0 b 0\n2 0 c 1\n")
    (tmp_path / "run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def values(*arguments):
    done = run_command(["eval", *arguments, "-f", "json"])
    assert done.code == 0, done.stderr
    (found,) = json.loads(done.stdout)["runs"]
    return {name: one["mean"] for name, one in found["measures"].items()}, found["warnings"]


def test_diversity_measures_read_subtopics_and_others_the_largest_grade():
    found, warnings = values("diverse", "run", "-m", "StRecall@1 StRecall@2 DCG@2 NumRel")

    assert found["StRecall@1"] == pytest.approx(1 / 3)
    assert found["StRecall@2"] == pytest.approx(2 / 3)
    assert found["DCG@2"] == pytest.approx(1 + 2 / 1.584962500721156)
    assert found["NumRel"] == 4
    assert "subtopics: the largest grade counts for DCG@2, NumRel" in warnings[-1]


def test_a_measure_without_its_subtopics_is_refused():
    done = run_command(["eval", "plain", "run", "-m", "alpha_nDCG@10"])

    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == (
        "rankeval: alpha_nDCG@10 needs subtopics\n"
        "  expected: subtopics in the second column of the qrels: topic subtopic docno grade\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "topic,subtopic,docno,grade\n" + BY_SUBTOPIC.replace(" ", ","),
        "".join(
            '{{"qid": "{}", "intent": "{}", "docno": "{}", "grade": {}}}\n'.format(*line.split())
            for line in BY_SUBTOPIC.splitlines()
        ),
    ],
)
def test_subtopics_are_read_in_other_formats(folder, text):
    (folder / "other").write_text(text)
    measures = ["-m", "StRecall@1 StRecall@2 alpha_nDCG@3 DCG@2"]

    assert values("other", "run", *measures) == values("diverse", "run", *measures)
    assert values("other", "run", "-m", "AP") == values("diverse", "run", "-m", "AP")


def test_a_hole_is_judged_for_no_topic(folder):
    (folder / "both").write_text(RUN + "2 Q0 a 1 2 tag\n2 Q0 z 2 1 tag\n2 Q0 y 3 1 tag\n")

    words = ["eval", "plain", "both", "-q", "-f", "tsv", "--digits", "4"]
    done = run_command([*words, "-m", "Hole@2 Hole@3 Hole@4 Hole@9"])

    found = {tuple(line.split("\t")[1:3]): line.split("\t")[3] for line in done.stdout.splitlines()}
    # Topic 1: a and b are judged for it, c for topic 2, x for none; topic 2: a is for topic 1.
    of_first, of_second = ([found[f"Hole@{k}", topic] for k in (2, 3, 4, 9)] for topic in "12")
    assert of_first == ["0.0000", "0.3333", "0.2500", "0.1111"]
    assert of_second == ["0.5000", "0.6667", "0.5000", "0.2222"]


COSTS = "# docno and cost\na 10\nb 20\r\n\nc\t0.5\nx 3\n"


def test_costs_of_documents_come_from_a_file(folder):
    (folder / "costs").write_text(COSTS)

    measure = "BPM(T=9.0,max_rel=1,out='ETC')@4"
    found, _ = values("plain", "run", "-m", measure, "--with", "costs=costs", "--topics", "both")

    assert found == {measure: 20 + 10 + 3 + 0.5}
