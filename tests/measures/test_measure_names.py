"""Spellings that people try: P5, map-l2, hit rate@5, precision at 10."""

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.errors import MeasureError
from rankeval.measures import definition_of, definitions, parse_measure, parse_measures
from rankeval.measures.names import _canonical
from rankeval.measures.other_names import ENDINGS, SETS
from rankeval.measures.spellings import spelled
from tests.support.oracles import assert_agrees_with_ranx
from tests.support.settings import ALL_SETTINGS, settings_of

CASE_MATTERS = {"RBP", "rbp", "Recall", "recall"}
"""ir_measures' RBP and trec_eval's rbp, a plain word and trec_eval's recall."""


def canonical(text):
    return [str(named.measure) for named in parse_measures(text)]


def refusal(text):
    """What the error says, line by line."""
    with pytest.raises(MeasureError) as caught:
        parse_measures(text)
    return str(caught.value).splitlines()


@pytest.mark.parametrize("name", definitions())
def test_a_canonical_name_reads_back_as_the_same_measure(name):
    for setting in settings_of(definitions()[name]):
        again = parse_measure(str(setting))

        assert again == setting
        assert hash(again) == hash(setting)
        assert again.parameters == setting.parameters
        assert str(again) == str(setting)


def test_different_settings_have_different_names():
    names = [str(setting) for setting in ALL_SETTINGS]

    assert len(set(names)) == len(names)
    assert len(set(ALL_SETTINGS)) == len(ALL_SETTINGS)


@examples(max_examples=60)
@given(st.lists(st.sampled_from(ALL_SETTINGS), min_size=1, max_size=5), st.data())
def test_names_in_one_string_are_separated_by_blanks_or_commas(measures, data):
    separators = st.sampled_from([" ", ", ", " ,", "  ", "\t", "\n"])
    text = "".join(f"{measure}{data.draw(separators)}" for measure in measures)

    assert [named.measure for named in parse_measures(text)] == measures


@examples(max_examples=150)
@given(st.text(alphabet="nDCGAP@_.,()={}'\"15 rel-k", max_size=20))
def test_any_text_is_read_or_refused(text):
    try:
        found = parse_measures(text)
    except MeasureError as error:
        assert error.problem  # noqa: PT017 - both outcomes are right
    else:
        assert all(parse_measure(str(named.measure)) == named.measure for named in found)


NAMES = r"""
    map AP  map_cut_10 AP@10  map_cut.10 AP@10  gm_map GMAP  P_5 P@5  P.5 P@5  recall_5 R@5
    relative_P_5 R_cap@5  success_5 Success@5  Rprec Rprec  Rprec_mult_0.2 Rprec(mult=0.2)
    Rprec_mult.0.20 Rprec(mult=0.2)  recip_rank RR  ndcg nDCG  ndcg_cut_10 nDCG@10
    ndcg_cut.10 nDCG@10  dcg DCG  iprec_at_recall_0.10 IPrec(count='nearest')@0.1
    iprec_at_recall.0.00 IPrec(count='nearest')@0.0  11pt_avg IAP(count='nearest')  set_P SetP
    set_recall SetR  set_F SetF  set_map SetAP  set_F_0.25 SetF(beta=0.5)  set_F.4 SetF(beta=2.0)
    set_F_2 SetF(beta=1.4142135623730951)  set_F_1 SetF  set_relative_P SetRelP
    utility SetUtility  unj_5 Unjudged@5  num_q NumQ  num_ret NumRet  num_rel NumRel
    num_rel_ret NumRelRet  num_nonrel_judged_ret NumNonRelRet  yaap YAAP  map@10 AP@10
    precision@10 P@10  recall@10 R@10  f1@10 F@10  precision SetP  f1 SetF  Recall SetR
    hits NumRelRet  hits@10 NumRelRet@10  hit_rate@10 Success@10  r-precision Rprec  mrr RR
    mrr@10 RR@10  ndcg@10 nDCG@10  dcg@10 DCG@10  ndcg_burges nDCG(dcg='exp-log2')
    ndcg_burges@10 nDCG(dcg='exp-log2')@10  dcg_burges@10 DCG(dcg='exp-log2')@10  err@20 ERR@20
    MAP AP  MAP@10 AP@10  MRR RR  MRR@10 RR@10  NDCG nDCG  NDCG@10 nDCG@10  Recall@10 R@10
    Precision@10 P@10  ContextRecall@5 R@5  ContextPrecision@5 AP(norm='ret')@5
    TrAP AP(norm='ret')  F1 SetF  F1@5 F@5  R_cap@10 R_cap@10  RelP@10 R_cap@10
    HitRate@10 Success@10  Hit@10 Success@10  top_k_accuracy@10 Success@10  R-prec Rprec
    RPrec Rprec  11-pt IAP  k@recall(0.5) KAtRecall@0.5  precision@recall(0.5) PAtRecall@0.5
    dcg_cut_10 DCG@10  ideal_dcg IDCG  HR@10 Success@10  hit_ratio@5 Success@5
    context_precision@3 AP(norm='ret')@3  context_recall@2 R@2  capped_recall@5 R_cap@5
    R@10 R@10  Accuracy@10 Accuracy@10  α_nDCG@10 alpha_nDCG@10  alpha-nDCG@10 alpha_nDCG@10
    ERR-IA@20 ERR_IA@20  MAP-IA AP_IA  strec@10 StRecall@10  D#-nDCG@10 DSharp_nDCG@10
    alpha_nDCG(alpha=0.2,judged_only=True)@5 alpha_nDCG(alpha=0.2,judged_only=True)@5
    CatalogCoverage@10 Coverage@10  MeanInvUserFreq@10 MIUF@10  AvgRecPopularity@10 ARP@10
    IntraListDiversity@10 ILD@10  GiniIndex@10 Gini@10  ShannonEntropy@10 Entropy@10
    serendipity_10 Serendipity@10  rbp RBP(p=0.9,max_rel='topic')  rbp.80 RBP  rbp.95 RBP(p=0.95)
    RBP.95 RBP(p=0.95)  RBP.95@10 RBP(p=0.95)@10  rbp_p=0.7 RBP(p=0.7,max_rel='topic')
    RBP@10 RBP@10  RBP(p=0.5,rel=2)@10 RBP(p=0.5,rel=2)@10  RBP(p=0.8,max_rel=4) RBP(max_rel=4)
    rbp_resid RBPres(p=0.9,rest='unjudged')
    rbp_resid_p=0.5 RBPres(p=0.5,rest='unjudged',placeholder=True)  P5 P@5  p10 P@10  prec@5 P@5
    r_precision Rprec  R_precision Rprec  map-l2 AP(rel=2)  P5-l2 P(rel=2)@5
    precision@5-l3 P(rel=3)@5  ndcg@10-l1 nDCG@10  ndcg@10-l2 nDCG(gains={1:0})@10
    ndcg-l3 nDCG(gains={1:0,2:0})  AP(norm='rel') AP  AP(rel=1.0) AP
    AP(rel=2.0)@10.0 AP(rel=2)@10  P@1e1 P@10  ERR(max_rel=4) ERR
    ERR(max_rel=qrels) ERR(max_rel='qrels')  nDCG(dcg=log2) nDCG
    nDCG(gains={2:3.0,1:1}) nDCG(gains={1:1,2:3})  nDCG(gains={1:0.5}) nDCG(gains={1:0.5})
    nDCG(judged_only=False) nDCG  nDCG(judged_only=True)@5 nDCG(judged_only=True)@5
    SetUtility(b=-0.0) SetUtility(b=0.0)  SetUtility(c=-0.0) SetUtility
    nDCG(judged_only=True,base=3,gains={1:2},dcg='jk')
    nDCG(dcg='jk',gains={1:2},base=3.0,judged_only=True)
"""
"""Names of other tools, and other spellings of ours, each before the canonical name."""


@pytest.mark.parametrize(
    ("given_name", "expected"), [*zip(*[iter(NAMES.split())] * 2, strict=True)]
)
def test_a_name_has_one_canonical_name(given_name, expected):
    assert canonical(given_name) == [expected]
    assert canonical(expected) == [expected]


ALIASES = {alias.name: one for one in definitions().values() for alias in one.aliases}


@pytest.mark.parametrize("alias", [alias for alias in ALIASES if alias not in ENDINGS])
def test_every_alias_is_read_whatever_its_case(alias):
    definition = ALIASES[alias]
    cutoff = {"cutoff": "5", "recall": "0.5"}.get(definition.at or "", "")
    name = alias.removesuffix("@")
    if name.endswith("."):
        text = f"{name}80"
    elif "@" in name:
        text = f"{name}({cutoff})"
    elif cutoff:
        text = f"{name}@{cutoff}"
    else:
        text = name

    assert parse_measure(text).definition is definition
    if name not in CASE_MATTERS:
        assert parse_measure(text.upper()) == parse_measure(text.lower()) == parse_measure(text)


@pytest.mark.parametrize("name", [*SETS, *ENDINGS])
def test_sets_and_names_without_cutoffs_stand_for_several_measures_in_any_case(name):
    found = canonical(name)

    assert len(found) > 2
    assert canonical(name.upper()) == found
    if name not in ("success", "recall"):
        assert canonical(name.capitalize()) == found
    # A list goes on with numbers only: a name that begins with one ends it.
    assert canonical(f"{name},11-pt") == [*found, "IAP"]


def test_gains_of_trec_eval_that_its_table_reorders_are_another_measure():
    assert canonical("ndcg.1=3,2=7,P.5") == ["nDCG(gains={1:3,2:7})", "P@5"]
    (tabulated,) = canonical("ndcg.1=0.5,2=0.7")
    assert tabulated == "TabulatedGain(table='1=0.5,2=0.7')"
    assert canonical(tabulated) == [tabulated]


def test_rbp_in_small_letters_is_that_of_trec_eval():
    theirs = "RBP(p=0.9,max_rel='topic')"
    assert canonical("RBP rbp RBP@5 rbp@5") == ["RBP", theirs, "RBP@5", f"{theirs}@5"]
    assert canonical("rbp.p=0.5 rbp(max_rel=4)") == [
        "RBP(p=0.5,max_rel='topic')",
        "RBP(p=0.9,max_rel=4)",
    ]
    assert canonical("rbp.50 RBP.50 Rbp_50") == ["RBP(p=0.5)"] * 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P@5,10", ["P@5", "P@10"]),
        ("P.5,10", ["P@5", "P@10"]),
        ("P_5,10", ["P@5", "P@10"]),
        ("P@5,AP", ["P@5", "AP"]),
        ("P@5,10,AP", ["P@5", "P@10", "AP"]),
        ("map,P.5,10 ndcg_cut.5", ["AP", "P@5", "P@10", "nDCG@5"]),
        ("iprec_at_recall.0.1,0.2", [f"IPrec(count='nearest')@{level}" for level in (0.1, 0.2)]),
        ("IPrec@.5,1", ["IPrec@0.5", "IPrec@1.0"]),
        ("Rprec_mult.0.2,0.4 RR", ["Rprec(mult=0.2)", "Rprec(mult=0.4)", "RR"]),
        ("set_F.4,1", ["SetF(beta=2.0)"]),
        ("AP(rel=2)@5,10", ["AP(rel=2)@5", "AP(rel=2)@10"]),
        ("nDCG(gains={1:5,10:7})@5,10", [f"nDCG(gains={{1:5,10:7}})@{k}" for k in (5, 10)]),
        ("k@recall(0.5,1)", ["KAtRecall@0.5", "KAtRecall@1.0"]),
        ('AP( rel = 2 , norm = "min" )@5', ["AP(rel=2,norm='min')@5"]),
        ("AP(rel=2,)", ["AP(rel=2)"]),
        ("nDCG(base=3, dcg='jk')@5 RR", ["nDCG(dcg='jk',base=3.0)@5", "RR"]),
        (" AP \n RR\t", ["AP", "RR"]),
        ("P_5(rel=2)", ["P(rel=2)@5"]),
        ("P(cutoff=5)", ["P@5"]),
        ("AP(cutoff=None)", ["AP"]),
        ("AP()", ["AP"]),
        ("", []),
        (" , ", []),
    ],
)
def test_lists_of_measures_and_of_cutoffs(text, expected):
    assert canonical(text) == expected


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("ndgc@10", "nDCG@10 or Rndcg or DnDCG@10 or alpha_nDCG@10"),
        ("ndgc_cut_10", "nDCG@10 or DCG@10"),
        ("precission@5", "SetP or P@5 or Rprec or PAtRecall"),
        ("recip_ran", "RR"),
        ("sucess@5", "Success@5"),
        ("set_F_x", "SetF or SetP"),
        ("foraging", "IFT"),
        ("geometric", "GMAP or GMBpref"),
    ],
)
def test_an_unknown_name_brings_up_its_neighbours(text, suggested):
    problem, expected, remedy = refusal(text)

    assert problem == f"unknown measure '{text.partition('@')[0]}'"
    assert expected == f"  expected: perhaps {suggested}"
    assert remedy == "  to fix:   'rankeval measures' lists all measures"


NOT_A_MEASURE = "NAME, NAME@k or NAME(parameter=value)@k"
VALUES = "parameter=value with a number, True, False, None, a word in quotes or {grade:gain}"


@pytest.mark.parametrize(
    ("text", "problem", "expected"),
    [
        ("AP@", "'AP@' is not a measure", NOT_A_MEASURE),
        ("AP(rel=2", "'AP(rel=2' is not a measure", NOT_A_MEASURE),
        ("AP (rel=2)", "'(rel=2)' is not a measure", NOT_A_MEASURE),
        ("AP(rel=2))@5", "'AP(rel=2))@5': cannot read 'rel=2)'", VALUES),
        ("nDCG(gains={1:1)@5", "'nDCG(gains={1:1)@5': cannot read 'gains={1:1'", None),
        ("AP(2)", "'AP(2)': cannot read '2'", VALUES),
        ("nDCG(gains={1:nan})", "'nDCG(gains={1:nan})': cannot read 'gains={1:nan}'", VALUES),
        ("AP(rel=1,rel=2)", "'AP(rel=1,rel=2)': rel is given twice", None),
        ("P(cutoff=5)@10", "'P(cutoff=5)@10': cutoff is given twice", None),
        ("P@x", "'P@x': 'x' is not a number", "a number, as in P@10"),
        ("set_F_-1", "'set_F_-1': '-1' is not possible", "a number more than 0"),
        ("SetP@5", "SetP takes no @", "SetP"),
        ("R", "R needs a cutoff", "for instance R@10"),
        ("KAtRecall", "KAtRecall needs recall", "for instance KAtRecall@0.5"),
        ("BPM", "BPM needs max_rel and a cutoff", "for instance BPM(max_rel='qrels')@10"),
    ],
)
def test_what_cannot_be_read_is_named(text, problem, expected):
    said = refusal(text)

    assert said[0].replace('"', "'") == problem.replace('"', "'")
    if expected:
        assert said[1] == f"  expected: {expected}"


@pytest.mark.parametrize("value", ["-" * 20_000 + "1", "(" * 900, "-" * 900 + "1", "9" * 5000])
def test_overlong_and_deeply_nested_values_are_refused(value):
    assert "AP" in refusal(f"AP(rel={value})")[0]


@pytest.mark.parametrize(("text", "n"), [("", 0), ("AP RR", 2), ("P@5,10", 2)])
def test_one_measure_is_not_none_and_not_several(text, n):
    with pytest.raises(MeasureError, match=f"names {n} measures"):
        parse_measure(text)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("acc@3", "Success@3"),
        ("recall_cap@5", "R_cap@5"),
        ("cosine_accuracy@1", "Success@1"),
        ("cosine_ndcg@10", "nDCG@10"),
        ("dot_recall@5", "R@5"),
        ("map_at_100", "AP@100"),
        ("MRR_at_10", "RR@10"),
        ("all_qrels", "all_trec"),
    ],
)
def test_a_name_of_another_tool_is_or_brings_up_the_measure_with_its_values(name, meant):
    try:
        assert [one.measure for one in parse_measures(name)] == [parse_measure(meant)]
    except MeasureError as error:
        assert error.expected == f"perhaps {meant}"  # noqa: PT017  one of the two


def test_accuracy_at_k_is_that_of_sentence_transformers_and_says_so():
    """Its InformationRetrievalEvaluator: whether a relevant document is in the top k."""
    (named,) = parse_measures("accuracy@10")

    assert str(named.measure) == "Success@10"
    assert "Accuracy@k" in named.note
    assert str(parse_measure("Accuracy@10")) == "Accuracy@10"  # ir_measures': pairs in order


def meant(text):
    """The measures, and the names as given."""
    found = parse_measures(text)
    return [str(one.measure) for one in found], [one.as_given for one in found]


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("R100 nDCG10 MAP10 mrr10", ["R@100", "nDCG@10", "AP@10", "RR@10"]),
        ("hit rate@5", ["Success@5"]),
        ("hit rate@1,5", ["Success@1", "Success@5"]),
        ("average precision", ["AP"]),
        ("mean average precision@100", ["AP@100"]),
        ("mean reciprocal rank@10", ["RR@10"]),
        ("precision at 10", ["P@10"]),
        ("AP hit rate@5 recall@100", ["AP", "Success@5", "R@100"]),
        ("hit rate@5, average precision, P5", ["Success@5", "AP", "P@5"]),
    ],
)
def test_a_spelling_means_a_measure(text, measures):
    assert meant(text)[0] == measures


@pytest.mark.parametrize("name", definitions())
def test_no_spelling_takes_over_a_canonical_name(name):
    assert definition_of(name).name == name


@pytest.mark.parametrize("text", ["AP P@5", "P precision", "official map", "recall precision"])
def test_names_of_measures_are_not_joined(text):
    first, second = text.split()
    alone = [str(one.measure) for word in (first, second) for one in parse_measures(word)]

    assert meant(text)[0] == alone


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("err@10-l2", "'err@10-l2': ERR@10 takes no lowest relevant grade"),
        ("map(rel=2)-l2", "'map(rel=2)-l2': AP(rel=2) takes no lowest relevant grade"),
        ("map-l0", "AP: rel=0 is not possible"),
        ("rate@5", "unknown measure 'rate'"),
        ("hit score@5", "Success needs a cutoff"),
    ],
)
def test_a_spelling_that_means_nothing_is_refused(text, problem):
    with pytest.raises(MeasureError) as caught:
        parse_measures(text)

    assert str(caught.value).splitlines()[0] == problem


@pytest.mark.parametrize(
    "theirs", ["map-l2", "precision@5-l2", "ndcg@10-l2", "ndcg-l3", "recall@10-l3", "mrr-l2"]
)
def test_ranx_means_the_same_by_a_level(theirs):
    (ours,) = meant(theirs)[0]

    assert_agrees_with_ranx(ours, theirs)


@pytest.mark.parametrize("name", definitions())
def test_a_canonical_name_means_what_the_whole_grammar_reads(name):
    """Names of the catalogue are read by a look-up; the grammar of all spellings says the same."""
    texts = [name, f"{name}@1", f"{name}@01 AP", f"AP@7 {name}@1"]
    for text in [text for text in texts if _canonical(text, {})]:
        assert _canonical(text, {}) == [*spelled(text, {})]
