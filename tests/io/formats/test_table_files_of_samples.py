"""Tables of sampled documents: people fill in the grades, and every command reads them."""

import csv

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankeval
from rankeval.errors import InputError
from rankeval.io.formats.file_format import Form
from rankeval.io.read import map_blocks
from rankeval.io.read_sizes import ReadSizes

ROWS = [
    ("q1", "d1", "1", "1.0", "1"),
    ("q1", "d2", "2", "0.5", ""),
    ("q1", "d3", "2", "0.5", "-1"),
    ("q1", "d4", "2", "0.5", "2"),
    ("q1", "d5", "2", "0.5", "-1"),
]
HEADS = ("topic", "docno", "stratum", "probability", "grade")
RUN = {"q1": {"d4": 3.0, "d2": 2.0, "d1": 1.0}}


@pytest.fixture(params=["tsv", "csv", "parquet"])
def sample(tmp_path, request):
    path = tmp_path / f"sample.{request.param}"
    if request.param == "parquet":
        topics, docnos, strata, drawn, grades = map(list, zip(*ROWS, strict=True))
        drawn, grades = [float(p) for p in drawn], [int(g) if g else None for g in grades]
        pq.write_table(pa.table([topics, docnos, strata, drawn, grades], names=HEADS), path)
    else:
        with path.open("w", newline="") as stream:
            out = csv.writer(stream, delimiter="\t" if request.param == "tsv" else ",")
            out.writerows([HEADS, *ROWS])
    return path


def test_an_empty_grade_is_that_of_an_unjudged_document(sample):
    qrels = rankeval.Qrels(sample)

    assert qrels["q1"] == {"d1": 1, "d2": -1, "d3": -1, "d4": 2, "d5": -1}
    scores = rankeval.evaluate(sample, RUN, "P@2 Unjudged@3").runs[0].scores
    assert [score.mean for score in scores] == [1 / 2, 1 / 3]


@pytest.mark.parametrize("sizes", [ReadSizes(), ReadSizes(plain_bytes=0, beside_fast_bytes=0)])
def test_every_parser_keeps_empty_grades_that_are_asked_for(sample, sizes):
    form = Form("qrels", keep=True, blanks=True)

    (columns,) = map_blocks(str(sample), form, lambda columns: columns, sizes=sizes)

    assert [str(value) for value in columns.values] == ["1.0", "nan", "-1.0", "2.0", "-1.0"]
    assert [float(text) for text in columns.kept["probability"].tolist()] == [1, *[0.5] * 4]


@pytest.mark.parametrize("target", ["tsv", "csv", "parquet", "arrow"])
def test_a_sample_that_is_converted_keeps_its_empty_grades(sample, tmp_path, target):
    rankeval.convert(sample, tmp_path / f"there.{target}")
    rankeval.convert(tmp_path / f"there.{target}", tmp_path / "back.csv")

    with (tmp_path / "back.csv").open(newline="") as stream:
        heads, *found = csv.reader(stream)
    assert tuple(heads) == HEADS
    assert [[*row[:3], float(row[3]), row[4]] for row in found] == [
        [*row[:3], float(row[3]), row[4]] for row in ROWS
    ]


def test_judgments_that_are_no_sample_need_a_grade(tmp_path):
    path = tmp_path / "qrels.tsv"
    path.write_text("topic\tdocno\tgrade\nq1\td1\t\n")

    with pytest.raises(InputError, match='grade "" is not a finite number'):
        rankeval.Qrels(path)


def test_a_sample_becomes_the_layout_of_xinfap_with_a_warning_of_what_is_lost(sample, tmp_path):
    done = rankeval.convert(sample, tmp_path / "sample.qrels")

    lines = (tmp_path / "sample.qrels").read_text().splitlines()
    assert lines == [f"q1 0 {docno} {s} {grade or -1}" for _, docno, s, _, grade in ROWS]
    assert done.warnings == (
        "trec holds no probabilities: 5 lines",
        "trec holds no empty grades: these documents count as unjudged: 1 line",
    )


def test_a_sample_becomes_the_layout_of_statap_without_unjudged_documents(sample, tmp_path):
    rankeval.convert(sample, tmp_path / "sample.prels")

    assert (tmp_path / "sample.prels").read_text() == "q1 d1 1 1 1.0\nq1 d4 2 1 0.5\n"
    assert rankeval.Qrels(tmp_path / "sample.prels")["q1"] == {"d1": 1, "d4": 2}


def test_judgments_without_probabilities_were_judged_for_certain_in_statap_s_layout(tmp_path):
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n")

    rankeval.convert(tmp_path / "a.qrels", tmp_path / "a.prels")

    assert (tmp_path / "a.prels").read_text() == "q1 d1 1 1 1.0\nq1 d2 0 1 1.0\n"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("51 clueweb09-1 0 2 0.0125", "prels"),
        ("51 clueweb09-1 -2 1 1.0", "prels"),
        ("51 0 17 1 1", "trec"),
        ("51 0 17 1 1.5", "trec"),
        ("51 0 d17 1 0.5", "trec"),
    ],
)
def test_statap_s_layout_is_known_by_its_probability(line, found):
    from rankeval.io.formats.detect_format import detect

    assert detect(line.encode(), line.encode(), "file", Form("qrels")) == found
