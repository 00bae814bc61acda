"""`rankeval measures`, as it is typed."""

import json

import pytest

from rankeval.__main__ import run as run_command
from rankeval.commands.measures.task import ONLY_TREC_EVAL
from rankeval.measures import definitions

SUCCESS = """\
Success@k
Success at k: 1 when a relevant document is among the first k.

  Success@k = [h(k) ≥ 1]

Parameters
  rel          lowest grade that counts as relevant: a number more than 0;
               default 1
  judged_only  drop unjudged and negative-graded documents before ranks are
               counted: True or False; default False
  @ (cutoff)   ranks considered: an integer at least 1; no default

Also called
  hit_rate, HitRate, Hit, top_k_accuracy

In short
  Range [0, 1]; more is better; over topics: mean; family precision, tier 1.

Source
  trec_eval, success; "top-k accuracy" and "Recall@k" in question answering.

Example: Success@2 = 1.0000
rank  docno  score  grade    adds   value
-----------------------------------------
   1  a         9      2*  1.0000  1.0000
   2  x         8=     ?   0.0000  1.0000

Made of: NumRet 7, NumRel 4, NumRelRet@2 1.
Relevant and not retrieved: f (grade 1).
Relevant below the last rank: d (rank 7, grade 3), c (rank 4, grade 1).
* relevant; grade ? unjudged; = same score as its neighbour, ordered by docno;
value: of the ranking down to there.
"""


@pytest.fixture
def measures(capsys, monkeypatch):
    """Run the command; give exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")

    def shown(*arguments):
        code = run_command(["measures", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return shown


def test_a_measure_is_explained_with_an_example_that_has_its_parameters(measures):
    assert measures("hit_rate@2") == (0, SUCCESS, "")


def test_the_list_holds_every_measure_in_80_columns(measures):
    code, out, err = measures()

    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    names = {line.split()[0].partition("@")[0] for line in lines if line.startswith("  ")}
    listed = {n for n, one in definitions().items() if one.family not in ONLY_TREC_EVAL}
    assert listed <= names
    assert not {"PrefSimp", "APAvgjg", "TabulatedGain"} & names
    assert lines[-1] == f"{len(listed)} measures; 'rankeval measures NAME' explains one."


def test_every_explanation_fits_in_80_columns(measures):
    code, out, _ = measures("--full")

    assert code == 0
    assert [line for line in out.splitlines() if len(line) > 80] == []


def test_words_find_measures(measures):
    _, out, _ = measures("bejeweled", "player")
    assert out.startswith("BPM@k\n")

    _, out, _ = measures("geometric")
    names = [line.split()[0] for line in out.splitlines() if line.startswith("  G")]
    assert names == ["GMAP", "GMBpref"]

    _, out, _ = measures("--list", "precision")
    assert {"SetP", "P@k", "AP@k", "IPrec@r"} <= {
        line.split()[0] for line in out.splitlines() if line
    }


def test_json_lists_everything_that_is_declared(measures):
    _, out, _ = measures("-f", "json")
    document = json.loads(out)

    assert document["schema"] == "rankeval-measures/1"
    assert sorted(one["name"] for one in document["measures"]) == sorted(definitions())

    _, out, _ = measures("ERR", "--format", "json")
    (err,) = json.loads(out)["measures"]
    assert err["range"] == [0.0, 1.0]
    assert err["better"] == "higher"
    assert err["aliases"] == [{"name": "err", "meaning": "ERR"}]
    assert err["parameters"][0]["default"] == "4"
    assert err["parameters"][1]["at"]
    assert err["differences"]
    assert err["example"]["documents"][0]["terms"]["stops"] == pytest.approx(3 / 16)
    (dcg,) = json.loads(measures("DCG", "-f", "json")[1])["measures"]
    assert dcg["range"] == [None, None]


def test_markdown_explains_and_lists(measures, tmp_path):
    _, out, _ = measures("nDCG", "-f", "markdown")
    assert out.startswith("### nDCG@k\n\nNormalised discounted")
    assert "```text\nnDCG@k = DCG@k / IDCG@k\n```" in out

    assert measures("-o", str(tmp_path / "list.md"))[:2] == (0, "")
    text = (tmp_path / "list.md").read_text(encoding="utf-8")
    assert "| `AP@k` | [0, 1] | Average precision: " in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nDGC", "perhaps nDCG"),
        ("AP(relevant=2)", "no parameter 'relevant'"),
        ("P@0", "cutoff=0 is not possible"),
    ],
)
def test_what_is_not_known_is_an_error_that_helps(measures, text, told):
    code, out, err = measures(text)

    assert (code, out) == (2, "")
    assert told in err


GROUPS = [
    "precision and recall",
    "average precision",
    "gain",
    "reciprocal rank",
    "user models",
    "preferences",
    "diversity",
    "incomplete judgments",
    "areas",
    "counts",
    "recommenders",
    "answers",
]


def test_measures_are_grouped_as_people_think(measures):
    _, out, _ = measures()
    _, document, _ = measures("-f", "json")
    groups = [one["group"] for one in json.loads(document)["measures"]]

    heads = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert heads[:-1] == [group.capitalize() for group in GROUPS]
    assert list(dict.fromkeys(groups)) == GROUPS


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("P", "precision and recall"),
        ("AP", "average precision"),
        ("nDCG", "gain"),
        ("RR", "reciprocal rank"),
        ("RBP", "user models"),
        ("PrefSimp", "preferences"),
        ("alpha_nDCG", "diversity"),
        ("Bpref", "incomplete judgments"),
        ("AUC", "areas"),
        ("NumRet", "counts"),
        ("Coverage", "recommenders"),
        ("MIUF", "recommenders"),
    ],
)
def test_a_measure_is_in_its_group(measures, name, group):
    _, out, _ = measures(name, "-f", "json")

    assert json.loads(out)["measures"][0]["group"] == group


def test_tsv_has_a_line_per_measure(measures):
    code, out, _ = measures("-f", "tsv")
    heads, *rows = [line.split("\t") for line in out.splitlines()]
    by_name = {row[0].partition("@")[0]: dict(zip(heads, row, strict=True)) for row in rows}

    assert code == 0
    assert set(by_name) == set(definitions())
    assert by_name["P"]["measure"] == "P@k"
    assert by_name["Unjudged"]["better"] == "lower"
    assert (by_name["AP"]["low"], by_name["DCG"]["low"]) == ("0", "")
    assert "map" in by_name["AP"]["also"].split()


def test_one_measure_is_a_line_of_tsv_too(measures):
    code, out, _ = measures("nDCG", "-f", "tsv")

    assert code == 0
    assert out.splitlines()[1:] == [
        line for line in measures("-f", "tsv")[1].splitlines() if line.startswith("nDCG@k\t")
    ]


def test_help_lists_every_format_of_the_list(measures):
    said = " ".join(measures("--help")[1].split())

    assert "Output format: table, tsv, csv, json, jsonl, markdown, or one that" in said
