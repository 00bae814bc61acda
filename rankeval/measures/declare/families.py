"""The families of rankeval's own measures: their modules, and the names that each declares.

A name is enough to import its family and no other, so that a command starts sooner. Families with
a central measure come first.
"""

from functools import cache
from importlib import import_module

NAMES = {
    "average_precision": (
        "AP map MAP map_cut average_precision mean_average_precision ContextPrecision TrAP GMAP "
        "gm_map YAAP yaap"
    ),
    "cascade": "ERR err nERR nerr",
    "cumulated_gain": (
        "DCG dcg dcg_cut dcg_burges IDCG ideal_dcg nDCG ndcg NDCG ndcg_cut ndcg_burges"
    ),
    "gain_space": "precG recG FG PRG AUPRG EFG",
    "precision": (
        "P precision@ prec@ R recall Recall@ ContextRecall F F1@ f1@ R_cap relative_P RelP "
        "Success hit_rate HitRate Hit top_k_accuracy Rprec R-prec RPrec R-precision r-precision "
        "r_precision Rprec_mult"
    ),
    "recall_levels": (
        "IPrec iprec_at_recall IAP 11pt_avg 11-pt KAtRecall k@recall PAtRecall precision@recall"
    ),
    "reciprocal_rank": "RR recip_rank MRR mrr reciprocal_rank mean_reciprocal_rank",
    "roc": "AUC GAUC Accuracy",
    "sets": (
        "SetP set_P precision SetRelP set_relative_P SetR set_recall Recall SetF set_F f1 F1 SetE "
        "SetJaccard SetAP set_map SetUtility utility"
    ),
    "compat": "Compat AlphaCompat",
    "counts": (
        "NumQ num_q NumRet num_ret NumRel num_rel NumRelRet num_rel_ret hits NumNonRelRet "
        "num_nonrel_judged_ret"
    ),
    "cwl": "INST INSQ BPM SDCG IFT NPV TBG UMeasure",
    "cwl_nerr": "NERR8 NERR9 NERR10 NERR11",
    "diversity": (
        "alpha_DCG α_DCG alpha-DCG α-DCG alpha_nDCG α_nDCG alpha-nDCG α-nDCG ERR_IA ERR-IA "
        "nERR_IA nERR-IA NRBP nNRBP AP_IA MAP_IA MAP-IA AP-IA P_IA P-IA StRecall STREC strec "
        "I-rec I_rec"
    ),
    "incomplete": "Judged Unjudged unj Hole hole Bpref bpref GMBpref gm_bpref infAP infap",
    "rank_biased": "RBP rbp RBP. RBPres rbp_resid RBPres.",
    "recommenders": (
        "Coverage CatalogCoverage ItemCoverage Entropy ShannonEntropy Gini GiniIndex ILD "
        "IntraListDiversity MIUF MeanInvUserFreq ARP AvgRecPopularity AveragePopularity Serendipity"
    ),
    "answers": (
        "vital_score strict_vital_score all_score strict_all_score weighted_score "
        "strict_weighted_score nugget_precision nugget_f_score "
        "support_precision support_recall sentence_coverage"
    ),
    "ideal_walk": "nDCG_rel ndcg_rel Rndcg G binG",
    "intents": "RBU DnDCG D-nDCG DSharp_nDCG D#-nDCG D#nDCG",
    "ntcir": "Q Q-measure OMeasure O-measure PMeasure P-measure PPlus P+ NCU EBR iRBU",
    "preferences": (
        "PrefSimp prefs_simp PrefSimp_ret prefs_simp_ret PrefSimp_imp prefs_simp_imp PrefPair "
        "prefs_pair PrefPair_ret prefs_pair_ret PrefPair_imp prefs_pair_imp PrefAvgjg prefs_avgjg "
        "PrefAvgjg_ret prefs_avgjg_ret PrefAvgjg_imp prefs_avgjg_imp NumPrefsPoss "
        "prefs_num_prefs_poss NumPrefsFul prefs_num_prefs_ful NumPrefsFulRet "
        "prefs_num_prefs_ful_ret "
        "PrefAvgjg_Rnonrel prefs_avgjg_Rnonrel PrefAvgjg_Rnonrel_ret prefs_avgjg_Rnonrel_ret "
        "APAvgjg map_avgjg PAvgjg P_avgjg RprecAvgjg Rprec_mult_avgjg"
    ),
    "stratified": "xinfAP xinfap infNDCG infndcg statAP statap",
    "tabulated": "TabulatedGain",
}
"""The names of measures by family, other spellings included, in the order of the declarations."""

OF_TREC_EVAL = ("preferences", "tabulated")
"""Families that nothing but trec_eval knows: they lie beside it, and lists for people leave them
out."""

FAMILY_OF = {name: family for family, names in NAMES.items() for name in names.split()}


def import_family_of(name: str) -> None:
    """Import the family that declares a name; do nothing for another name."""
    if name in FAMILY_OF:
        _import(FAMILY_OF[name])


@cache
def import_families() -> None:
    """Import all families."""
    for family in NAMES:
        _import(family)


def _import(family: str) -> None:
    room = "trec_eval" if family in OF_TREC_EVAL else "measures"
    import_module(f"rankeval.{room}.{family}")
