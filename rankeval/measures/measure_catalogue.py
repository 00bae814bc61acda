"""The catalogue: every measure by its name and subject, with its function and facts.

An entry names a function, as `module:function` in this folder or that of trec_eval. The function is
imported when the measure is first used, and its signature and docstring are the specification.
The other arguments are fields of `Definition`.
"""

import math
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Literal

from rankeval.measures.arithmetic import MaxRel, MinRel, scale_is_exceeded
from rankeval.measures.bounds import extremes, pool, within_and_below
from rankeval.measures.declare.definition import OF_TREC_EVAL, Alias, Definition, RequiredCutoff
from rankeval.measures.declare.facts import (
    CATALOG,
    COUNT,
    ELSEWHERE,
    FEATURES,
    GEOMETRIC,
    LISTS,
    NUGGETS,
    STRATA,
    SUBTOPICS,
    SUM,
    SUPPORT,
    TRAIN,
    WHOLE_RUN,
    Aggregate,
    mean,
)
from rankeval.measures.declare.measure_parameters import Parameter

INF = math.inf

QUANTITIES = (Literal["EU", "ETU", "EC", "ETC", "ED"],)
DROPPED = "drop unjudged and negative-graded documents before ranks are counted"
OF_WALK = (
    "quantity reported: expected utility per document read, expected total utility, the same for "
    "cost, or the expected depth"
)
OF_ITS_READER = (
    "quantity reported: 'EU' is the measure itself; the others are its reader's expected total "
    "utility, cost per document read, total cost or depth in the C/W/L framework"
)
DIVIDED = "divide by the sum of the weights; False only with out='EU'"

JUDGED_ONLY = Parameter("judged_only", (bool,), DROPPED, default=False)
OUT_OF_READER = Parameter("out", QUANTITIES, OF_ITS_READER, "EU")
OF_READER = (JUDGED_ONLY, OUT_OF_READER)
MIN_REL, OUT = Parameter.of("min_rel", MinRel, 0), Parameter("out", QUANTITIES, OF_WALK, "EU")
OF_RULE = (MIN_REL, Parameter.of("max_rel", MaxRel), OUT)
OF_RULE_TO_RANK = (*OF_RULE, Parameter.of("cutoff", RequiredCutoff))
MAX_REL_OF_QRELS = Parameter.of("max_rel", MaxRel, "qrels")
OF_SCALED_RULE = (MIN_REL, MAX_REL_OF_QRELS, OUT)
NORM = Parameter("norm", (bool,), DIVIDED, default=True)
OF_TOTAL = (MIN_REL, MAX_REL_OF_QRELS, NORM, OUT)


def E(  # noqa: N802  one letter, as each line begins with it
    name: str, source: str, also: str = "", *meaning: Alias, at: str | None = None, **facts: Any
) -> Definition:
    """Return an entry; `also` has its other names, and `meaning` those that mean parameters."""
    return Definition(name, source, at, (*map(Alias, also.split()), *meaning), **facts)


def persistence(text: str) -> float:
    """Read `80` as .80, as in ranx's rbp.80, and `0.8` as it stands."""
    return float(text if "." in text else f"0.{text}")


TOP = partial(E, shared=(JUDGED_ONLY,), expected=True, relevant_only=True)
TOP_READ = partial(TOP, shared=OF_READER)
SET = partial(E, expected=True, bounds=extremes)
COUNTED = partial(E, aggregate=SUM, high=INF, expected=True)
SIGNED = partial(E, low=-INF)
RULE = partial(E, rule=True, shared=OF_RULE, caution=scale_is_exceeded)
RULE_TO_RANK = partial(RULE, at="cutoff", shared=OF_RULE_TO_RANK)
SERVED = partial(E, needs=(SUBTOPICS,))
NOVEL = partial(SERVED, terms={"rows": "novelty_terms"})
NOVEL_TOP = partial(NOVEL, at="cutoff", shared=(JUDGED_ONLY,))
GAIN_TOP = partial(E, at="cutoff", low=-INF)
OF_RUN = partial(E, at="cutoff", aggregate=WHOLE_RUN, of_run=True)
ANSWER = partial(E, needs=(NUGGETS,))
CITATIONS = partial(E, needs=(SUPPORT,))
GROUPS = partial(E, takes=(SUBTOPICS,))
N_PREFERENCES = partial(GROUPS, aggregate=SUM, high=INF)
"""Entries with facts in common."""

DCG_TERMS = {"rows": "gain_terms", "places": "discount_terms"}
NDCG_TERMS = {**DCG_TERMS, "ideal": "ideal_terms"}
CASCADE = {"rows": "cascade_terms"}
BPREF = {"rows": "nonrelevant_above", "quantities": "nonrelevant_terms"}


def PREFERRED(name: str, alias: str, of: Callable[..., Definition] = GROUPS) -> Definition:  # noqa: N802  as E
    """Return an entry whose name in trec_eval means ties by rising docno."""
    source = f"trec_eval.preferences:{alias}"
    return of(name, source, "", Alias(alias, usual={"tied": "reversed"}))


# An entry is a line or two.
# fmt: off
CATALOGUE: Mapping[str, tuple[Definition, ...]] = {
    "precision and recall": (
        TOP_READ("P", "precision:precision", "precision@ prec@", at="cutoff",
            reader="stopping_reader", bounds=extremes),
        TOP("R", "precision:recall", "recall Recall@ ContextRecall context_recall", at="cutoff",
            bounds=within_and_below),
        TOP("F", "precision:f_measure", "F1@ f1@", at="cutoff", parts=("P", "R"),
            bounds=within_and_below),
        TOP("R_cap", "precision:capped_recall", "relative_P RelP capped_recall recall_cap",
            at="cutoff", bounds=within_and_below),
        TOP("Success", "precision:success",
            "hit_rate HitRate Hit hit_ratio hitratio hr acc top_k_accuracy accuracy@",
            at="cutoff", bounds=extremes),
        TOP("Rprec", "precision:r_precision", "R-prec RPrec R-precision r-precision r_precision",
            Alias("Rprec_mult", suffix="mult"), bounds="precision_at_r_bounds"),
        SET("SetP", "precision:set_precision", "set_P precision", shared=(JUDGED_ONLY,)),
        SET("SetRelP", "precision:set_relative_precision", "set_relative_P"),
        SET("SetR", "precision:set_recall", "set_recall Recall"),
        SET("SetF", "precision:set_f", "f1 F1",
            Alias("set_F", suffix="beta", convert=lambda x: math.sqrt(float(x))),
            shared=(JUDGED_ONLY,), parts=("SetP", "SetR")),
        SET("SetE", "precision:set_e", loss=True, parts=("SetF",)),
        SET("SetJaccard", "precision:set_jaccard"),
        SET("SetAP", "precision:set_average_precision", "set_map", shared=(JUDGED_ONLY,),
            parts=("SetP", "SetR")),
        SET("SetUtility", "precision:set_utility", "utility", low=-INF, high=INF),
        E("IPrec", "average_precision:interpolated_precision", "",
            Alias("iprec_at_recall", usual={"count": "nearest"}), at="recall",
            shared=(JUDGED_ONLY,)),
        E("IAP", "average_precision:eleven_point_average_precision", "11-pt",
            Alias("11pt_avg", usual={"count": "nearest"})),
        E("KAtRecall", "average_precision:rank_at_recall", "k@recall", at="recall", low=1.0,
            high=INF, loss=True),
        E("PAtRecall", "average_precision:precision_at_recall", "precision@recall", at="recall",
            parts=("KAtRecall",)),
    ),
    "average precision": (
        TOP_READ("AP", "average_precision:average_precision",
            "map MAP map_cut average_precision mean_average_precision",
            Alias("ContextPrecision", {"norm": "ret"}), Alias("context_precision", {"norm": "ret"}),
            Alias("TrAP", {"norm": "ret"}), at="cutoff", reader="average_precision_reader",
            terms={"rows": "precision_terms"}, bounds="average_precision_bounds"),
        E("GMAP", "average_precision:geometric_mean_average_precision", "gm_map",
            aggregate=GEOMETRIC, expected=True, terms={"rows": "precision_terms"},
            bounds="average_precision_bounds"),
        E("YAAP", "average_precision:yet_another_average_precision", "yaap", low=-INF, high=INF,
            terms={"rows": "precision_terms"}),
    ),
    "gain": (
        TOP("DCG", "gain:discounted_cumulated_gain", "dcg dcg_cut",
            Alias("dcg_burges", {"dcg": "exp-log2"}), at="cutoff", low=-INF, high=INF,
            terms=DCG_TERMS, bounds=extremes),
        E("IDCG", "gain:ideal_discounted_cumulated_gain", "ideal_dcg", at="cutoff", high=INF,
            expected=True, terms={"ideal": "ideal_terms"}, bounds=pool),
        TOP("nDCG", "gain:normalised_discounted_cumulated_gain", "ndcg NDCG ndcg_cut",
            Alias("ndcg_burges", {"dcg": "exp-log2"}), at="cutoff", low=-INF, terms=NDCG_TERMS,
            parts=("DCG", "IDCG"), bounds="normalised_bounds"),
        SIGNED("nDCG_rel", "gain:normalised_gain_at_relevant", "ndcg_rel"),
        SIGNED("Rndcg", "gain:normalised_gain_at_levels"),
        SIGNED("G", "gain:cost_discounted_gain"),
        E("binG", "gain:binary_cost_discounted_gain"),
        SIGNED("Q", "ntcir:q_measure", "Q-measure", at="cutoff"),
        E("OMeasure", "ntcir:o_measure", "O-measure", low=-INF),
        SIGNED("PMeasure", "ntcir:p_measure", "P-measure"),
        SIGNED("PPlus", "ntcir:p_plus", "P+"),
        SIGNED("NCU", "ntcir:normalised_cumulative_utility"),
        SIGNED("EBR", "ntcir:expected_blended_ratio"),
        E("iRBU", "ntcir:intentwise_rank_biased_utility"),
    ),
    "reciprocal rank": (
        TOP_READ("RR", "reciprocal_rank:reciprocal_rank",
            "recip_rank MRR mrr reciprocal_rank mean_reciprocal_rank", at="cutoff",
            reader="first_relevant_reader", bounds=extremes),
        E("ERR", "reciprocal_rank:expected_reciprocal_rank", "err", at="cutoff",
            caution="scale_is_assumed", terms=CASCADE, bounds=extremes),
        E("nERR", "reciprocal_rank:normalised_expected_reciprocal_rank", "nerr", at="cutoff",
            caution="scale_is_assumed", terms=CASCADE, parts=("ERR",)),
    ),
    "user models": (
        E("RBP", "rank_biased:rank_biased_precision", "",
            Alias("rbp", suffix="p", convert=persistence, usual={"p": 0.9, "max_rel": "topic"}),
            Alias("RBP.", suffix="p", convert=persistence), at="cutoff", shared=(OUT_OF_READER,),
            reader="persistent_reader", idle={"max_rel": "rel"}, expected=True,
            caution=scale_is_exceeded, bounds="rank_biased_bounds",
            terms={"rows": "rank_biased_terms", "places": "rank_biased_weights"}),
        E("RBPres", "rank_biased:rank_biased_residual", "",
            Alias("RBPres.", suffix="p", convert=persistence),
            Alias("rbp_resid", suffix="p", convert=persistence,
                usual={"p": 0.9, "rest": "unjudged"}), loss=True, expected=True,
            terms={"places": "rank_biased_weights"}),
        RULE("INST", "cwl:inst"),
        RULE("INSQ", "cwl:insq", bounds=extremes),
        RULE_TO_RANK("BPM", "cwl:bejeweled_player"),
        RULE_TO_RANK("SDCG", "cwl:scaled_discounted_cumulated_gain", bounds=extremes),
        RULE("IFT", "cwl:information_foraging", shared=OF_SCALED_RULE),
        RULE("NPV", "cwl:net_present_value", shared=OF_SCALED_RULE, bounds=extremes),
        RULE("TBG", "cwl:time_biased_gain", shared=OF_TOTAL, high=INF, bounds=extremes),
        RULE("UMeasure", "cwl:u_measure", shared=OF_TOTAL, high=INF, bounds=extremes),
        RULE_TO_RANK("NERR8", "cwl:nearly_expected_reciprocal_rank_8"),
        RULE_TO_RANK("NERR9", "cwl:nearly_expected_reciprocal_rank_9"),
        RULE("NERR10", "cwl:nearly_expected_reciprocal_rank_10"),
        RULE("NERR11", "cwl:nearly_expected_reciprocal_rank_11"),
    ),
    "preferences": (
        E("Compat", "rank_biased:compatibility"),
        SERVED("AlphaCompat", "diversity:diversified_compatibility"),
    ),
    "diversity": (
        NOVEL_TOP("alpha_DCG", "diversity:alpha_discounted_cumulated_gain",
            "α_DCG alpha-DCG α-DCG"),
        NOVEL_TOP("alpha_nDCG", "diversity:alpha_normalised_discounted_cumulated_gain",
            "α_nDCG alpha-nDCG α-nDCG", high=INF),
        NOVEL_TOP("ERR_IA", "diversity:intent_aware_expected_reciprocal_rank", "ERR-IA"),
        NOVEL_TOP("nERR_IA", "diversity:normalised_intent_aware_expected_reciprocal_rank",
            "nERR-IA", high=INF),
        NOVEL("NRBP", "diversity:novelty_and_rank_biased_precision"),
        NOVEL("nNRBP", "diversity:normalised_novelty_and_rank_biased_precision", high=INF),
        SERVED("AP_IA", "diversity:intent_aware_average_precision", "MAP_IA MAP-IA AP-IA",
            shared=(JUDGED_ONLY,)),
        SERVED("P_IA", "diversity:intent_aware_precision", "P-IA", at="cutoff",
            shared=(JUDGED_ONLY,)),
        SERVED("StRecall", "diversity:subtopic_recall", "STREC strec I-rec I_rec", at="cutoff"),
        SERVED("RBU", "diversity:rank_biased_utility", at="cutoff", low=-INF),
        SERVED("DnDCG", "diversity:global_discounted_cumulated_gain", "D-nDCG", at="cutoff"),
        SERVED("DSharp_nDCG", "diversity:sharpened_global_discounted_cumulated_gain",
            "D#-nDCG D#nDCG", at="cutoff", parts=("StRecall", "DnDCG")),
    ),
    "incomplete judgments": (
        E("Judged", "incomplete:judged_share", at="cutoff", expected=True),
        E("Unjudged", "incomplete:unjudged_share", "unj", at="cutoff", loss=True, expected=True),
        E("Hole", "incomplete:hole_share", "hole", at="cutoff", loss=True, needs=(ELSEWHERE,)),
        E("Bpref", "incomplete:binary_preference", "bpref", terms=BPREF),
        E("GMBpref", "incomplete:geometric_mean_binary_preference", "gm_bpref", aggregate=GEOMETRIC,
            terms=BPREF),
        E("infAP", "incomplete:inferred_average_precision", "infap"),
        E("xinfAP", "incomplete:extended_inferred_average_precision", "xinfap", needs=(STRATA,)),
        E("infNDCG", "incomplete:inferred_discounted_cumulated_gain", "infndcg", high=INF,
            needs=(STRATA,)),
        E("statAP", "incomplete:statistical_average_precision", "statap", high=INF,
            needs=(STRATA,)),
    ),
    "areas": (
        E("AUC", "areas:area_under_curve", expected=True),
        E("GAUC", "areas:grouped_area_under_curve", expected=True, caution="says_weight",
            aggregate=Aggregate("mean, weighted by weight=", mean, fixed=True),
            weights="group_weights"),
        E("Accuracy", "areas:pairwise_accuracy", at="cutoff"),
        GAIN_TOP("precG", "areas:precision_gain"),
        GAIN_TOP("recG", "areas:recall_gain"),
        GAIN_TOP("FG", "areas:f_gain", parts=("precG", "recG")),
        SIGNED("PRG", "areas:gain_at_recall_gain", at="level"),
        SIGNED("AUPRG", "areas:area_under_gain_curve"),
        SIGNED("EFG", "areas:expected_f_gain", parts=("AUPRG",)),
    ),
    "counts": (
        COUNTED("NumQ", "precision:number_of_topics", "num_q", aggregate=COUNT, bounds=extremes),
        COUNTED("NumRet", "precision:number_retrieved", "num_ret", at="cutoff",
            bounds="retrieved_bounds"),
        COUNTED("NumRel", "precision:number_relevant", "num_rel", bounds=pool),
        COUNTED("NumRelRet", "precision:number_relevant_retrieved", "num_rel_ret hits", at="cutoff",
            bounds=extremes),
        COUNTED("NumNonRelRet", "precision:number_nonrelevant_retrieved", "num_nonrel_judged_ret"),
    ),
    "recommenders": (
        OF_RUN("Coverage", "recommenders:coverage", "CatalogCoverage ItemCoverage",
            needs=(LISTS, CATALOG)),
        OF_RUN("Entropy", "recommenders:entropy", "ShannonEntropy", high=INF, needs=(LISTS,)),
        OF_RUN("Gini", "recommenders:gini", "GiniIndex", loss=True, needs=(LISTS, CATALOG)),
        E("ILD", "recommenders:intra_list_diversity", "IntraListDiversity", at="cutoff", high=INF,
            needs=(LISTS, FEATURES)),
        E("MIUF", "recommenders:mean_inverse_user_frequency", "MeanInvUserFreq", at="cutoff",
            high=INF, needs=(LISTS, TRAIN)),
        E("ARP", "recommenders:average_recommendation_popularity",
            "AvgRecPopularity AveragePopularity", at="cutoff", high=INF, loss=True,
            needs=(LISTS, TRAIN)),
        E("Serendipity", "recommenders:serendipity", at="cutoff", needs=(LISTS, TRAIN, CATALOG)),
    ),
    "answers": (
        ANSWER("vital_score", "answers:vital_score"),
        ANSWER("strict_vital_score", "answers:strict_vital_score"),
        ANSWER("all_score", "answers:all_score"),
        ANSWER("strict_all_score", "answers:strict_all_score"),
        ANSWER("weighted_score", "answers:weighted_score"),
        ANSWER("strict_weighted_score", "answers:strict_weighted_score"),
        ANSWER("nugget_precision", "answers:nugget_precision"),
        ANSWER("nugget_f_score", "answers:nugget_f_score"),
        CITATIONS("support_precision", "answers:support_precision"),
        CITATIONS("support_recall", "answers:support_recall"),
        CITATIONS("sentence_coverage", "answers:sentence_coverage"),
    ),
    OF_TREC_EVAL: (
        E("TabulatedGain", "trec_eval.tabulated:tabulated_gain", low=-INF, high=INF),
        GROUPS("APAvgjg", "trec_eval.preferences:average_precision_over_groups", "map_avgjg"),
        GROUPS("PAvgjg", "trec_eval.preferences:precision_over_groups", "P_avgjg", at="cutoff"),
        GROUPS("RprecAvgjg", "trec_eval.preferences:r_precision_over_groups", "",
            Alias("Rprec_mult_avgjg", suffix="mult")),
        *(
            PREFERRED(f"{name}{kind}", f"{alias}{kind}")
            for name, alias in zip(
                ("PrefSimp", "PrefPair", "PrefAvgjg"),
                ("prefs_simp", "prefs_pair", "prefs_avgjg"),
                strict=True,
            )
            for kind in ("", "_ret", "_imp")
        ),
        PREFERRED("PrefAvgjg_Rnonrel", "prefs_avgjg_Rnonrel"),
        PREFERRED("PrefAvgjg_Rnonrel_ret", "prefs_avgjg_Rnonrel_ret"),
        N_PREFERENCES("NumPrefsPoss", "trec_eval.preferences:prefs_num_prefs_poss",
            "prefs_num_prefs_poss"),
        PREFERRED("NumPrefsFul", "prefs_num_prefs_ful", N_PREFERENCES),
        PREFERRED("NumPrefsFulRet", "prefs_num_prefs_ful_ret", N_PREFERENCES),
    ),
}
# fmt: on
"""The measures by subject, in the order of lists; the last are known to trec_eval alone."""

BY_NAME: dict[str, Definition] = {}
"""All measures by canonical name: those of the catalogue, then those of plugins."""

for _subject, _entries in CATALOGUE.items():
    for _entry in _entries:
        object.__setattr__(_entry, "subject", _subject)  # a copy of each takes half a millisecond
        BY_NAME[_entry.name] = _entry


def definitions() -> Mapping[str, Definition]:
    """Return all measures by canonical name: those of the catalogue, then those of plugins."""
    return BY_NAME


@cache
def known_names() -> Mapping[str, tuple[Definition, Alias]]:
    """Return all names of measures, canonical ones first, with the measures that they mean."""
    own = {name: (definition, Alias(name)) for name, definition in BY_NAME.items()}
    every = [(one, alias) for one in BY_NAME.values() for alias in one.aliases]
    return {**own, **{alias.name: (one, alias) for one, alias in every}, **own}


PARSED: dict[tuple[Any, ...], Any] = {}
"""Measures by the text that names them; see `measure_names`."""


def forget_names() -> None:
    """Forget what was made of the table, which has changed."""
    known_names.cache_clear()
    PARSED.clear()
