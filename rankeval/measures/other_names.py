"""Names of other tools: trec_eval's sets, cutoffs and parameters, and names in other spellings."""

import math
import re
from collections.abc import Mapping

from rankeval.errors import MeasureError
from rankeval.measures.definition import Measure
from rankeval.measures.facts import ParameterValue

RECALLS = tuple(level / 10 for level in range(11))

_IN_ORDER = """runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank
    iprec_at_recall P relstring recall infAP gm_bpref Rprec_mult utility 11pt_avg binG G dcg
    ideal_dcg ndcg ndcg_rel Rndcg ndcg_cut map_cut relative_P success set_P set_relative_P
    set_recall set_map set_F num_nonrel_judged_ret prefs_num_prefs_poss prefs_num_prefs_ful
    prefs_num_prefs_ful_ret prefs_simp prefs_pair prefs_avgjg prefs_avgjg_Rnonrel prefs_simp_ret
    prefs_pair_ret prefs_avgjg_ret prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp
    prefs_avgjg_imp map_avgjg P_avgjg Rprec_mult_avgjg yaap rbp rbp_resid unj"""
NAMES = tuple(_IN_ORDER.split())
"""All measures, in the order in which trec_eval prints them."""

TEXTS = frozenset({"runid", "relstring"})
"""Names whose value is text, not a number."""

_PREFERENCES = tuple(name for name in NAMES if name.startswith("prefs_"))
_OF_GROUPS = ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg")
_SET = """runid num_q num_ret num_rel num_rel_ret utility set_P set_recall set_relative_P set_map
    set_F"""
SETS: Mapping[str, frozenset[str]] = {
    "official": frozenset(NAMES[: NAMES.index("relstring")]),
    "set": frozenset(_SET.split()),
    "all_trec": frozenset(NAMES) - {*_PREFERENCES, *_OF_GROUPS, "dcg", "ideal_dcg", "yaap"},
    "prefs": frozenset(("runid", "num_q", *_PREFERENCES[:6])),
    "all_prefs": frozenset(("runid", "num_q", *_PREFERENCES)),
    "qrels_jg": frozenset(("runid", "num_q", *_OF_GROUPS)),
}

_OF_DEPTHS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_OF_MULTIPLES = tuple(f"{multiple / 5:.2f}" for multiple in range(1, 11))
ENDINGS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("P", "recall", "relative_P", "ndcg_cut", "map_cut", "P_avgjg"), _OF_DEPTHS),
    "success": ("1", "5", "10"),
    "unj": ("5", "10", "20"),
    "iprec_at_recall": tuple(f"{level:.2f}" for level in RECALLS),
    "Rprec_mult": _OF_MULTIPLES,
    "Rprec_mult_avgjg": _OF_MULTIPLES,
}
"""Suffixes by which a name without parameters is completed."""

FOLDED = {name.lower(): name for name in (*SETS, *ENDINGS)}
"""Names that stand for several measures, in lower case."""

_GAINED = {"G": "G", "dcg": "DCG", "ideal_dcg": "IDCG", "ndcg": "nDCG", "ndcg_rel": "nDCG_rel"}
_GAINED["Rndcg"] = "Rndcg"

OF_VERSION_10 = (
    "iprec_at_recall and 11pt_avg are those of trec_eval 10; for version 9, which pytrec_eval "
    "contains, take --like trec_eval9"
)
OF_RBP = (
    "rbp is trec_eval's: p=0.9, and gains from 0 to 1 by the highest grade of each topic; RBP, "
    "as ir_measures has it, is p=0.8 and binary"
)
NOTES: Mapping[str, str] = {
    "recall": "recall is trec_eval's: R at nine cutoffs; recall of all that was retrieved is SetR",
    "Recall": "Recall is SetR, of all that was retrieved; recall, as trec_eval writes it, is R at "
    "nine cutoffs",
    "accuracy": "accuracy@k is Success@k, as in Sentence Transformers; the share of pairs in the "
    "right order, as ir_measures has it, is Accuracy@k",
    "rbp": OF_RBP,
    "iprec_at_recall": OF_VERSION_10,
    "11pt_avg": OF_VERSION_10,
}
"""Notes on spellings that mean different things to different tools."""


Wanted = tuple[str, dict[str, ParameterValue], dict[str, ParameterValue], str]
"""A measure's name, its stated parameters, those that trec_eval implies, and a note or ""."""


def expanded(name: str) -> list[str]:
    """Return the names that a set, or a name without cutoffs, stands for; [] for others."""
    if name in SETS:
        numbers = [one for one in NAMES if one in SETS[name] - TEXTS]
        return [each for number in numbers for each in expanded(number) or [number]]
    return [f"{name}_{ending}" for ending in ENDINGS.get(name, ())]


def note_of(token: str) -> str:
    """Return the note on a name as the user wrote it; "" for none."""
    head = re.split(r"[(@]|[._](?=[-.\d])", token, maxsplit=1)[0]
    if head == "rbp" and re.fullmatch(r"rbp[._][\d.]+", token):
        return f"{token} is ranx's: binary gains; trec_eval's, rbp.p=…, are graded"
    return NOTES.get(head if head not in ("recall", "Recall") else token, "")


_LONGEST_FIRST = "|".join(sorted((*_GAINED, "rbp", "rbp_resid"), key=len, reverse=True))
_PAIR = r"[^,=\s()@]*=[^,=\s()@]*"
_WITH_PAIRS = rf"({_LONGEST_FIRST})[._]({_PAIR}(?:,{_PAIR})*)"
_WITH_NUMBERS = r"(utility|11pt_avg|set_F)[._]([-+\d.][-+\d.,eE]*)"


def with_parameters(token: str) -> Wanted | None:
    """Read `ndcg.1=3,2=7`, `utility.1,-1,0,0` and their kin; None for other names."""
    if match := re.fullmatch(_WITH_PAIRS, token):
        return _of_pairs(token, *match.groups())
    if not (match := re.fullmatch(_WITH_NUMBERS, token)):
        return None
    name, text = match.groups()
    numbers = [float(number(token, item)) for item in text.split(",")]
    if name == "11pt_avg":
        return "IAP", {"levels": text}, {"count": "nearest"}, OF_VERSION_10
    if name == "utility":
        if len(numbers) != 4:
            raise MeasureError(f"'{token}' has {len(numbers)} coefficients", expected="four")
        # Without -N, trec_eval assumes an empty collection.
        size: dict[str, ParameterValue] = {"N": 0} if numbers[3] else {}
        return (
            "SetUtility",
            dict(zip("abcd", numbers, strict=True)),
            {"placeholder": True, **size},
            "",
        )
    if numbers[0] <= 0:
        raise MeasureError(f"'{token}': '{text}' is not possible", expected="a number more than 0")
    note = f"{token}: trec_eval takes the first number only" if numbers[1:] else ""
    return "SetF", {"beta": math.sqrt(numbers[0])}, {}, note


def _of_pairs(token: str, name: str, text: str) -> Wanted:
    gains: list[tuple[int, float]] = []
    stated: dict[str, ParameterValue] = {}
    implied: dict[str, ParameterValue] = {"p": 0.9} if name.startswith("rbp") else {}
    for key, _, value in (item.partition("=") for item in text.split(",")):
        if key == "p" and name.startswith("rbp"):
            implied.pop("p", None)
            stated["p"] = float(number(token, value))
        elif re.fullmatch(r"[-+]?\d+", key):
            gains.append((int(key), float(number(token, value))))
        else:
            raise MeasureError(
                f"'{token}': '{key}' is not a grade",
                expected="GRADE=GAIN, as in ndcg.1=3,2=7, or for rbp p=0.9",
            )
    if name == "rbp_resid":
        return "RBPres", stated, {**implied, "rest": "unjudged", "placeholder": True}, ""
    if name == "rbp" and not gains:
        return "RBP", stated, {**implied, "max_rel": "topic"}, OF_RBP
    table = dict(gains)
    # trec_eval reads pairs as measures read {grade: gain} if they are in order and whole.
    ordinary = len(table) == len(gains) and all(
        grade >= 0 <= gain < 2**31 and gain.is_integer() for grade, gain in gains
    )
    if ordinary and name != "rbp" and not (name == "Rndcg" and 0 in table.values()):
        return _GAINED[name], {"gains": tuple(sorted(gains))}, {}, ""
    if -1 in table:
        implied["placeholder"] = True
    text = ",".join(f"{grade}={gain!r}".removesuffix(".0") for grade, gain in gains)
    return "TabulatedGain", {"of": _GAINED.get(name, "RBP"), "table": text, **stated}, implied, ""


def number(token: str, text: str) -> int | float:
    """Read a number of a name; MeasureError for another text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        problem = f"'{token}': '{text}' is not a number"
        raise MeasureError(problem, expected="a number, as in P@10")
    return int(text) if text.lstrip("+-").isdecimal() else value


COMPACT = tuple("p prec precision r recall ndcg dcg ap map rr mrr err success hit".split())  # noqa: SIM905  a list takes 14 lines
"""Names, in lower case, that a cutoff may follow without an @."""


def with_at(token: str) -> str:
    """Put the missing @ into a name that ends in its cutoff: P5 becomes P@5."""
    name = token.rstrip("0123456789")
    return f"{name}@{token[len(name) :]}" if name != token and name.lower() in COMPACT else token


def at_level(measure: Measure, level: int, token: str) -> Measure:
    """Return the measure with grades below the level not relevant, as ranx's `-lN` has it.

    That is `rel` for measures with a threshold; DCG and nDCG have no gains below the level.
    """
    name = "rel" if "rel" in measure.definition.parameters else "gains"
    takes_it = name == "rel" or measure.name in ("DCG", "IDCG", "nDCG")
    if not takes_it or name in dict(measure.given):
        problem = f"'{token}': {measure} takes no lowest relevant grade"
        raise MeasureError(problem, expected=str(measure))
    if name == "rel":
        return measure(rel=level)
    return measure(gains=dict.fromkeys(range(1, level), 0)) if level > 1 else measure
