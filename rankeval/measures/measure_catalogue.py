"""The catalogue: every measure by its name and subject, with its function and facts.

An entry is `of` a function: `module:function` in this folder or that of trec_eval. The function is
imported when the measure is first used, and its signature and docstring are the specification.
The other facts are fields of `Definition`, which is made when the measure is first looked up; other
names are `also`, or `aliases` where they mean parameters.
"""

import math
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from rankeval.measures.definition import OF_TREC_EVAL, Definition
from rankeval.measures.facts import (
    CATALOG,
    COUNT,
    ELSEWHERE,
    FEATURES,
    GEOMETRIC,
    LISTS,
    NUGGETS,
    QUANTITIES,
    STRATA,
    SUBTOPICS,
    SUM,
    SUPPORT,
    TRAIN,
    WHOLE_RUN,
    Aggregate,
    Alias,
    Parameter,
    mean,
)

INF = math.inf

DROPPED = "drop unjudged and negative-graded documents before ranks are counted"
OF_ITS_READER = (
    "quantity reported: 'EU' is the measure itself; the others are its reader's expected total "
    "utility, cost per document read, total cost or depth in the C/W/L framework"
)
JUDGED_ONLY = Parameter("judged_only", (bool,), DROPPED, default=False)
OUT_OF_READER = Parameter("out", QUANTITIES, OF_ITS_READER, "EU")

Facts = Mapping[str, Any]


def persistence(text: str) -> float:
    """Read `80` as .80, as in ranx's rbp.80, and `0.8` as it stands."""
    return float(text if "." in text else f"0.{text}")


EXTREMES, POOL, WITHIN_AND_BELOW = "bounds:extremes", "bounds:pool", "bounds:within_and_below"

E: Callable[..., Facts] = dict
TOP = partial(E, shared=(JUDGED_ONLY,), expected=True, relevant_only=True)
TOP_READ = partial(TOP, shared=(JUDGED_ONLY, OUT_OF_READER))
SET = partial(E, expected=True, bounds=EXTREMES)
COUNTED = partial(E, aggregate=SUM, high=INF, expected=True)
SIGNED = partial(E, low=-INF)
RULE = partial(E, rule=True, shared="walk:OF_RULE", caution="arithmetic:scale_is_exceeded")
RULE_TO_RANK = partial(RULE, at="cutoff", shared="walk:OF_RULE_TO_RANK")
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
CASCADE = {"rows": "cascade_terms"}
BPREF = {"rows": "nonrelevant_above", "quantities": "nonrelevant_terms"}


def _preferred(entry: Callable[..., Facts], names: Mapping[str, str]) -> dict[str, Facts]:
    """Return entries whose names in trec_eval mean ties by rising docno."""
    return {
        name: entry(
            of=f"trec_eval.preferences:{theirs}",
            aliases=(Alias(theirs, usual={"tied": "reversed"}),),
        )
        for name, theirs in names.items()
    }


# An entry is a line or two.
# fmt: off
CATALOGUE: Mapping[str, Mapping[str, Facts]] = {
    "precision and recall": {
        "P": TOP_READ(of="precision:precision", also="precision@ prec@", at="cutoff",
            reader="stopping_reader", bounds=EXTREMES),
        "R": TOP(of="precision:recall", also="recall Recall@ ContextRecall context_recall",
            at="cutoff", bounds=WITHIN_AND_BELOW),
        "F": TOP(of="precision:f_measure", also="F1@ f1@", at="cutoff", parts=("P", "R"),
            bounds=WITHIN_AND_BELOW),
        "R_cap": TOP(of="precision:capped_recall", also="relative_P RelP capped_recall recall_cap",
            at="cutoff", bounds=WITHIN_AND_BELOW),
        "Success": TOP(of="precision:success",
            also="hit_rate HitRate Hit hit_ratio hitratio hr acc top_k_accuracy accuracy@",
            at="cutoff", bounds=EXTREMES),
        "Rprec": TOP(of="precision:r_precision",
            also="R-prec RPrec R-precision r-precision r_precision",
            aliases=(Alias("Rprec_mult", suffix="mult"),), bounds="precision_at_r_bounds"),
        "SetP": SET(of="precision:set_precision", also="set_P precision", shared=(JUDGED_ONLY,)),
        "SetRelP": SET(of="precision:set_relative_precision", also="set_relative_P"),
        "SetR": SET(of="precision:set_recall", also="set_recall Recall"),
        "SetF": SET(of="precision:set_f", also="f1 F1",
            aliases=(Alias("set_F", suffix="beta", convert=lambda x: math.sqrt(float(x))),),
            shared=(JUDGED_ONLY,), parts=("SetP", "SetR")),
        "SetE": SET(of="precision:set_e", loss=True, parts=("SetF",)),
        "SetJaccard": SET(of="precision:set_jaccard"),
        "SetAP": SET(of="precision:set_average_precision", also="set_map", shared=(JUDGED_ONLY,),
            parts=("SetP", "SetR")),
        "SetUtility": SET(of="precision:set_utility", also="utility", low=-INF, high=INF),
        "IPrec": E(of="average_precision:interpolated_precision",
            aliases=(Alias("iprec_at_recall", usual={"count": "nearest"}),), at="recall",
            shared=(JUDGED_ONLY,)),
        "IAP": E(of="average_precision:eleven_point_average_precision", also="11-pt",
            aliases=(Alias("11pt_avg", usual={"count": "nearest"}),)),
        "KAtRecall": E(of="average_precision:rank_at_recall", also="k@recall", at="recall", low=1.0,
            high=INF, loss=True),
        "PAtRecall": E(of="average_precision:precision_at_recall", also="precision@recall",
            at="recall", parts=("KAtRecall",)),
    },
    "average precision": {
        "AP": TOP_READ(of="average_precision:average_precision",
            also="map MAP map_cut average_precision mean_average_precision",
            aliases=(Alias("ContextPrecision", {"norm": "ret"}),
                Alias("context_precision", {"norm": "ret"}), Alias("TrAP", {"norm": "ret"})),
            at="cutoff", reader="average_precision_reader", terms={"rows": "precision_terms"},
            bounds="average_precision_bounds"),
        "GMAP": E(of="average_precision:geometric_mean_average_precision", also="gm_map",
            aggregate=GEOMETRIC, expected=True, terms={"rows": "precision_terms"},
            bounds="average_precision_bounds"),
        "YAAP": E(of="average_precision:yet_another_average_precision", also="yaap", low=-INF,
            high=INF, terms={"rows": "precision_terms"}),
    },
    "gain": {
        "DCG": TOP(of="gain:discounted_cumulated_gain", also="dcg dcg_cut",
            aliases=(Alias("dcg_burges", {"dcg": "exp-log2"}),), at="cutoff", low=-INF, high=INF,
            terms=DCG_TERMS, bounds=EXTREMES),
        "IDCG": E(of="gain:ideal_discounted_cumulated_gain", also="ideal_dcg", at="cutoff",
            high=INF, expected=True, bounds=POOL),
        "nDCG": TOP(of="gain:normalised_discounted_cumulated_gain", also="ndcg NDCG ndcg_cut",
            aliases=(Alias("ndcg_burges", {"dcg": "exp-log2"}),), at="cutoff", low=-INF,
            terms=DCG_TERMS, parts=("DCG", "IDCG"), bounds="normalised_bounds"),
        "nDCG_rel": SIGNED(of="gain:normalised_gain_at_relevant", also="ndcg_rel"),
        "Rndcg": SIGNED(of="gain:normalised_gain_at_levels"),
        "G": SIGNED(of="gain:cost_discounted_gain"),
        "binG": E(of="gain:binary_cost_discounted_gain"),
        "Q": SIGNED(of="ntcir:q_measure", also="Q-measure", at="cutoff"),
        "OMeasure": E(of="ntcir:o_measure", also="O-measure", low=-INF),
        "PMeasure": SIGNED(of="ntcir:p_measure", also="P-measure"),
        "PPlus": SIGNED(of="ntcir:p_plus", also="P+"),
        "NCU": SIGNED(of="ntcir:normalised_cumulative_utility"),
        "EBR": SIGNED(of="ntcir:expected_blended_ratio"),
        "iRBU": E(of="ntcir:intentwise_rank_biased_utility"),
    },
    "reciprocal rank": {
        "RR": TOP_READ(of="reciprocal_rank:reciprocal_rank",
            also="recip_rank MRR mrr reciprocal_rank mean_reciprocal_rank", at="cutoff",
            reader="first_relevant_reader", bounds=EXTREMES),
        "ERR": E(of="reciprocal_rank:expected_reciprocal_rank", also="err", at="cutoff",
            caution="scale_is_assumed", terms=CASCADE, bounds=EXTREMES),
        "nERR": E(of="reciprocal_rank:normalised_expected_reciprocal_rank", also="nerr",
            at="cutoff", caution="scale_is_assumed", terms=CASCADE, parts=("ERR",)),
    },
    "user models": {
        "RBP": E(of="rank_biased:rank_biased_precision",
            aliases=(
                Alias("rbp", suffix="p", convert=persistence, usual={"p": 0.9, "max_rel": "topic"}),
                Alias("RBP.", suffix="p", convert=persistence)),
            at="cutoff", shared=(OUT_OF_READER,), reader="persistent_reader",
            idle={"max_rel": "rel"}, expected=True, caution="arithmetic:scale_is_exceeded",
            bounds="rank_biased_bounds",
            terms={"rows": "rank_biased_terms", "places": "rank_biased_weights"}),
        "RBPres": E(of="rank_biased:rank_biased_residual",
            aliases=(Alias("RBPres.", suffix="p", convert=persistence),
                Alias("rbp_resid", suffix="p", convert=persistence,
                    usual={"p": 0.9, "rest": "unjudged"})),
            loss=True, expected=True, terms={"places": "rank_biased_weights"}),
        "INST": RULE(of="cwl:inst"),
        "INSQ": RULE(of="cwl:insq", bounds=EXTREMES),
        "BPM": RULE_TO_RANK(of="cwl:bejeweled_player"),
        "SDCG": RULE_TO_RANK(of="cwl:scaled_discounted_cumulated_gain", bounds=EXTREMES),
        "IFT": RULE(of="cwl:information_foraging", shared="walk:OF_SCALED_RULE"),
        "NPV": RULE(of="cwl:net_present_value", shared="walk:OF_SCALED_RULE", bounds=EXTREMES),
        "TBG": RULE(of="cwl:time_biased_gain", shared="walk:OF_TOTAL", high=INF, bounds=EXTREMES),
        "UMeasure": RULE(of="cwl:u_measure", shared="walk:OF_TOTAL", high=INF, bounds=EXTREMES),
        "NERR8": RULE_TO_RANK(of="cwl:nearly_expected_reciprocal_rank_8"),
        "NERR9": RULE_TO_RANK(of="cwl:nearly_expected_reciprocal_rank_9"),
        "NERR10": RULE(of="cwl:nearly_expected_reciprocal_rank_10"),
        "NERR11": RULE(of="cwl:nearly_expected_reciprocal_rank_11"),
    },
    "preferences": {
        "Compat": E(of="rank_biased:compatibility"),
        "AlphaCompat": SERVED(of="diversity:diversified_compatibility"),
    },
    "diversity": {
        "alpha_DCG": NOVEL_TOP(of="diversity:alpha_discounted_cumulated_gain",
            also="α_DCG alpha-DCG α-DCG"),
        "alpha_nDCG": NOVEL_TOP(of="diversity:alpha_normalised_discounted_cumulated_gain",
            also="α_nDCG alpha-nDCG α-nDCG", high=INF),
        "ERR_IA": NOVEL_TOP(of="diversity:intent_aware_expected_reciprocal_rank", also="ERR-IA"),
        "nERR_IA": NOVEL_TOP(of="diversity:normalised_intent_aware_expected_reciprocal_rank",
            also="nERR-IA", high=INF),
        "NRBP": NOVEL(of="diversity:novelty_and_rank_biased_precision"),
        "nNRBP": NOVEL(of="diversity:normalised_novelty_and_rank_biased_precision", high=INF),
        "AP_IA": SERVED(of="diversity:intent_aware_average_precision", also="MAP_IA MAP-IA AP-IA",
            shared=(JUDGED_ONLY,)),
        "P_IA": SERVED(of="diversity:intent_aware_precision", also="P-IA", at="cutoff",
            shared=(JUDGED_ONLY,)),
        "StRecall": SERVED(of="diversity:subtopic_recall", also="STREC strec I-rec I_rec",
            at="cutoff"),
        "RBU": SERVED(of="diversity:rank_biased_utility", at="cutoff", low=-INF),
        "DnDCG": SERVED(of="diversity:global_discounted_cumulated_gain", also="D-nDCG",
            at="cutoff"),
        "DSharp_nDCG": SERVED(of="diversity:sharpened_global_discounted_cumulated_gain",
            also="D#-nDCG D#nDCG", at="cutoff", parts=("StRecall", "DnDCG")),
    },
    "incomplete judgments": {
        "Judged": E(of="incomplete:judged_share", at="cutoff", expected=True),
        "Unjudged": E(of="incomplete:unjudged_share", also="unj", at="cutoff", loss=True,
            expected=True),
        "Hole": E(of="incomplete:hole_share", also="hole", at="cutoff", loss=True,
            needs=(ELSEWHERE,)),
        "Bpref": E(of="incomplete:binary_preference", also="bpref", terms=BPREF),
        "GMBpref": E(of="incomplete:geometric_mean_binary_preference", also="gm_bpref",
            aggregate=GEOMETRIC, terms=BPREF),
        "infAP": E(of="incomplete:inferred_average_precision", also="infap"),
        "xinfAP": E(of="incomplete:extended_inferred_average_precision", also="xinfap",
            needs=(STRATA,)),
        "infNDCG": E(of="incomplete:inferred_discounted_cumulated_gain", also="infndcg", high=INF,
            needs=(STRATA,)),
        "statAP": E(of="incomplete:statistical_average_precision", also="statap", high=INF,
            needs=(STRATA,)),
    },
    "areas": {
        "AUC": E(of="areas:area_under_curve", expected=True),
        "GAUC": E(of="areas:grouped_area_under_curve", expected=True, caution="says_weight",
            aggregate=Aggregate("mean, weighted by weight=", mean, fixed=True),
            weights="group_weights"),
        "Accuracy": E(of="areas:pairwise_accuracy", at="cutoff"),
        "precG": GAIN_TOP(of="areas:precision_gain"),
        "recG": GAIN_TOP(of="areas:recall_gain"),
        "FG": GAIN_TOP(of="areas:f_gain", parts=("precG", "recG")),
        "PRG": SIGNED(of="areas:gain_at_recall_gain", at="level"),
        "AUPRG": SIGNED(of="areas:area_under_gain_curve"),
        "EFG": SIGNED(of="areas:expected_f_gain", parts=("AUPRG",)),
    },
    "counts": {
        "NumQ": COUNTED(of="precision:number_of_topics", also="num_q", aggregate=COUNT,
            bounds=EXTREMES),
        "NumRet": COUNTED(of="precision:number_retrieved", also="num_ret", at="cutoff",
            bounds="retrieved_bounds"),
        "NumRel": COUNTED(of="precision:number_relevant", also="num_rel", bounds=POOL),
        "NumRelRet": COUNTED(of="precision:number_relevant_retrieved", also="num_rel_ret hits",
            at="cutoff", bounds=EXTREMES),
        "NumNonRelRet": COUNTED(of="precision:number_nonrelevant_retrieved",
            also="num_nonrel_judged_ret"),
    },
    "recommenders": {
        "Coverage": OF_RUN(of="recommenders:coverage", also="CatalogCoverage ItemCoverage",
            needs=(LISTS, CATALOG)),
        "Entropy": OF_RUN(of="recommenders:entropy", also="ShannonEntropy", high=INF,
            needs=(LISTS,)),
        "Gini": OF_RUN(of="recommenders:gini", also="GiniIndex", loss=True, needs=(LISTS, CATALOG)),
        "ILD": E(of="recommenders:intra_list_diversity", also="IntraListDiversity", at="cutoff",
            high=INF, needs=(LISTS, FEATURES)),
        "MIUF": E(of="recommenders:mean_inverse_user_frequency", also="MeanInvUserFreq",
            at="cutoff", high=INF, needs=(LISTS, TRAIN)),
        "ARP": E(of="recommenders:average_recommendation_popularity",
            also="AvgRecPopularity AveragePopularity", at="cutoff", high=INF, loss=True,
            needs=(LISTS, TRAIN)),
        "Serendipity": E(of="recommenders:serendipity", at="cutoff", needs=(LISTS, TRAIN, CATALOG)),
    },
    "answers": {
        **{name: ANSWER(of=f"answers:{name}") for name in (
            "vital_score", "strict_vital_score", "all_score", "strict_all_score",
            "weighted_score", "strict_weighted_score", "nugget_precision", "nugget_f_score")},
        **{name: CITATIONS(of=f"answers:{name}") for name in (
            "support_precision", "support_recall", "sentence_coverage")},
    },
    OF_TREC_EVAL: {
        "TabulatedGain": E(of="trec_eval.tabulated:tabulated_gain", low=-INF, high=INF),
        "APAvgjg": GROUPS(of="trec_eval.preferences:average_precision_over_groups",
            also="map_avgjg"),
        "PAvgjg": GROUPS(of="trec_eval.preferences:precision_over_groups", also="P_avgjg",
            at="cutoff"),
        "RprecAvgjg": GROUPS(of="trec_eval.preferences:r_precision_over_groups",
            aliases=(Alias("Rprec_mult_avgjg", suffix="mult"),)),
        **_preferred(GROUPS, {
            **{f"{name}{kind}": f"{theirs}{kind}"
                for name, theirs in (("PrefSimp", "prefs_simp"), ("PrefPair", "prefs_pair"),
                    ("PrefAvgjg", "prefs_avgjg")) for kind in ("", "_ret", "_imp")},
            "PrefAvgjg_Rnonrel": "prefs_avgjg_Rnonrel",
            "PrefAvgjg_Rnonrel_ret": "prefs_avgjg_Rnonrel_ret",
        }),
        "NumPrefsPoss": N_PREFERENCES(of="trec_eval.preferences:prefs_num_prefs_poss",
            also="prefs_num_prefs_poss"),
        **_preferred(N_PREFERENCES, {"NumPrefsFul": "prefs_num_prefs_ful",
            "NumPrefsFulRet": "prefs_num_prefs_ful_ret"}),
    },
}
# fmt: on
"""The measures by subject, in the order of lists; the last are known to trec_eval alone."""

SUBJECTS = {name: subject for subject, entries in CATALOGUE.items() for name in entries}
"""The subject of each measure of the catalogue."""

BY_NAME: dict[str, Definition] = {}
"""The measures of plugins by canonical name."""


@cache
def catalogued(name: str) -> Definition:
    """Return the measure of the catalogue by its canonical name."""
    subject = SUBJECTS[name]
    facts = {**CATALOGUE[subject][name]}
    aliases = (*map(Alias, facts.pop("also", "").split()), *facts.pop("aliases", ()))
    return Definition(name, facts.pop("of"), subject=subject, aliases=aliases, **facts)


@cache
def definitions() -> Mapping[str, Definition]:
    """Return all measures by canonical name: those of the catalogue, then those of plugins."""
    return {**{name: catalogued(name) for name in SUBJECTS}, **BY_NAME}


@cache
def known_names() -> Mapping[str, tuple[Definition, Alias]]:
    """Return all names of measures, canonical ones first, with the measures that they mean."""
    own = {name: (definition, Alias(name)) for name, definition in definitions().items()}
    every = [(one, alias) for one in definitions().values() for alias in one.aliases]
    return {**own, **{alias.name: (one, alias) for one, alias in every}, **own}


PARSED: dict[tuple[Any, ...], Any] = {}
"""Measures by the text that names them; see `names`."""


def forget_names() -> None:
    """Forget what was made of the table, which has changed."""
    definitions.cache_clear()
    known_names.cache_clear()
    PARSED.clear()
