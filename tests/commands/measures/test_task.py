"""The catalogue: measures found by name and by words, and their worked examples."""

import math

import pytest

from rankeval.commands.measures.task import describe, find_measures, search_measures


@pytest.mark.parametrize(
    ("text", "name", "example"),
    [
        ("nDCG", "nDCG", "nDCG"),
        ("nDCG@3", "nDCG", "nDCG@3"),
        ("ndcg_cut_3", "nDCG", "nDCG@3"),
        ("map", "AP", "AP"),
        ("AP(rel=2)", "AP", "AP(rel=2)"),
        ("P", "P", "P@5"),
        ("ndcg_burges", "nDCG", "nDCG(dcg='exp-log2')"),
        ("KAtRecall", "KAtRecall", "KAtRecall@0.5"),
    ],
)
def test_a_measure_is_found_by_any_of_its_names(text, name, example):
    (found,) = find_measures(text)

    assert (found.name, found.example) == (name, example)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("reciprocal rank expected", {"ERR", "nERR", "NERR8", "NERR9", "NERR10", "NERR11"}),
        ("gm_", {"GMAP", "GMBpref"}),
        ("RECIP_", {"RR"}),
        ("jaccard", {"SetJaccard"}),
    ],
)
def test_words_are_found_in_names_other_names_and_titles(words, names):
    assert {one.name for one in search_measures(words)} == names


def test_a_description_holds_what_the_declaration_says():
    one = describe("nDCG@10")

    assert one.usage == "nDCG@k"
    assert (one.low, one.high, one.loss, one.aggregate) == (-math.inf, 1.0, False, "mean")
    assert {p.name: p.default for p in one.parameters} == {
        "dcg": "'log2'",
        "gains": "None",
        "base": "2.0",
        "judged_only": "False",
        "cutoff": "None",
    }
    assert [p.sign for p in one.parameters][-1] == "@"
    assert {s.name: s.meaning for s in one.synonyms} == {
        "ndcg": "",
        "NDCG": "",
        "ndcg_cut": "",
        "ndcg_burges": "nDCG(dcg='exp-log2')",
    }
