"""trec_eval's measures, in the order in which they are printed, and the names of sets of them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.measures.declare.other_names import DEPTHS, MULTIPLES, RECALLS, SETS
from rankeval.trec_eval import tool_measures as binary
from rankeval.trec_eval import tool_measures as graded
from rankeval.trec_eval import tool_measures as summaries
from rankeval.trec_eval.flags import Read, cutoffs, levels, none, pairs, reals, split
from rankeval.trec_eval.tool_measures import Summary
from rankeval.trec_eval.tool_version import USAGE, Failure, Version, shown

if TYPE_CHECKING:
    from rankeval.trec_eval.judged_preferences import EvaluatedPreferences
    from rankeval.trec_eval.tool_groups import GroupEvaluation

QRELS = frozenset({b"qrels"})
GROUPS = frozenset({b"qrels_jg"})
PREFERENCES = frozenset({b"prefs", b"qrels_prefs"})
ANY = QRELS | GROUPS | PREFERENCES


@frozen
class CatalogueEntry:
    """A measure of trec_eval.

    ============= ========================================================================
    name          its name
    compute       function from an Evaluation (or the view of another format of judgments) and
                  the parameters to the values of topics; None if it has no values and needs no
                  ranking
    read          function that reads the parameters
    summary       function from the values of all topics to one
    integer       True to print it without decimals
    per_topic     True to print it for each topic, with -q
    formats       formats of judgments from which it can be computed
    ============= ========================================================================
    """

    name: bytes
    compute: Callable[[Any, Any], Floats | list[bytes]] | None
    read: Read[Any] = none
    summary: Summary = summaries.mean
    integer: bool = False
    per_topic: bool = True
    formats: frozenset[bytes] = QRELS


@frozen
class Requested:
    """A requested measure, with the text of its parameters."""

    entry: CatalogueEntry
    text: bytes | None


def _count(
    name: bytes, compute: Callable[..., Floats], summary: Summary = summaries.total
) -> CatalogueEntry:
    return CatalogueEntry(name, compute, summary=summary, integer=True)


def _averaged_over_groups(name: bytes, read: Read[Any] = none) -> CatalogueEntry:
    """A measure of judgment groups; few evaluations need them, so they are imported here."""

    def compute(evaluation: "GroupEvaluation", parameters: Any) -> Floats:
        from rankeval.trec_eval.tool_groups import MEASURES

        return evaluation.average(MEASURES[name](evaluation.groups, parameters))

    return CatalogueEntry(name, compute, read, formats=GROUPS)


def _preference(name: bytes) -> CatalogueEntry:
    """A measure of preferences; few evaluations need them, so they are imported here."""

    def compute(topics: "EvaluatedPreferences", _: None) -> Floats:
        from rankeval.trec_eval.preference_measures import MEASURES

        return np.array([MEASURES[name](topic) for topic in topics], dtype=float)

    return CatalogueEntry(name, compute, formats=PREFERENCES)


def _preference_count(name: bytes) -> CatalogueEntry:
    return replace(_preference(name), summary=summaries.total, integer=True)


MEASURES = (
    CatalogueEntry(b"runid", None, summary=summaries.run_tag, per_topic=False, formats=ANY),
    CatalogueEntry(
        b"num_q",
        None,
        summary=summaries.number_of_topics,
        integer=True,
        per_topic=False,
        formats=ANY,
    ),
    _count(b"num_ret", binary.num_ret),
    _count(b"num_rel", binary.num_rel, summaries.number_relevant),
    _count(b"num_rel_ret", binary.num_rel_ret),
    CatalogueEntry(b"map", binary.mean_average_precision),
    CatalogueEntry(b"gm_map", binary.gm_map, summary=summaries.geometric, per_topic=False),
    CatalogueEntry(b"Rprec", binary.rprec),
    CatalogueEntry(b"bpref", binary.bpref),
    CatalogueEntry(b"recip_rank", binary.recip_rank),
    CatalogueEntry(b"iprec_at_recall", binary.iprec_at_recall, levels(*RECALLS)),
    CatalogueEntry(b"P", binary.p_at, cutoffs(*DEPTHS)),
    CatalogueEntry(b"relstring", binary.relstring, reals(10), summaries.nothing),
    CatalogueEntry(b"recall", binary.recall_at, cutoffs(*DEPTHS)),
    CatalogueEntry(b"infAP", binary.inf_ap),
    CatalogueEntry(b"gm_bpref", binary.gm_bpref, summary=summaries.geometric, per_topic=False),
    CatalogueEntry(b"Rprec_mult", binary.rprec_mult, levels(*MULTIPLES)),
    CatalogueEntry(b"utility", binary.utility, reals(1, -1, 0, 0)),
    CatalogueEntry(b"11pt_avg", binary.eleven_point_average, reals(*RECALLS)),
    CatalogueEntry(b"binG", binary.bin_g),
    CatalogueEntry(b"G", graded.g, pairs),
    CatalogueEntry(b"dcg", graded.dcg, pairs),
    CatalogueEntry(b"ideal_dcg", graded.ideal_dcg, pairs),
    CatalogueEntry(b"ndcg", graded.ndcg, pairs),
    CatalogueEntry(b"ndcg_rel", graded.ndcg_rel, pairs),
    CatalogueEntry(b"Rndcg", graded.rndcg, pairs),
    CatalogueEntry(b"ndcg_cut", graded.ndcg_cut, cutoffs(*DEPTHS)),
    CatalogueEntry(b"map_cut", binary.map_cut, cutoffs(*DEPTHS)),
    CatalogueEntry(b"relative_P", binary.relative_p, cutoffs(*DEPTHS)),
    CatalogueEntry(b"success", binary.success_at, cutoffs(1, 5, 10)),
    CatalogueEntry(b"set_P", binary.set_p),
    CatalogueEntry(b"set_relative_P", binary.set_relative_p),
    CatalogueEntry(b"set_recall", binary.set_r),
    CatalogueEntry(b"set_map", binary.set_map),
    CatalogueEntry(b"set_F", binary.set_f, reals(1)),
    _count(b"num_nonrel_judged_ret", binary.num_nonrel_judged_ret),
    _preference_count(b"prefs_num_prefs_poss"),
    _preference_count(b"prefs_num_prefs_ful"),
    _preference_count(b"prefs_num_prefs_ful_ret"),
    _preference(b"prefs_simp"),
    _preference(b"prefs_pair"),
    _preference(b"prefs_avgjg"),
    _preference(b"prefs_avgjg_Rnonrel"),
    _preference(b"prefs_simp_ret"),
    _preference(b"prefs_pair_ret"),
    _preference(b"prefs_avgjg_ret"),
    _preference(b"prefs_avgjg_Rnonrel_ret"),
    _preference(b"prefs_simp_imp"),
    _preference(b"prefs_pair_imp"),
    _preference(b"prefs_avgjg_imp"),
    _averaged_over_groups(b"map_avgjg"),
    _averaged_over_groups(b"P_avgjg", cutoffs(*DEPTHS)),
    _averaged_over_groups(b"Rprec_mult_avgjg", levels(*MULTIPLES)),
    CatalogueEntry(b"yaap", binary.yaap),
    CatalogueEntry(b"rbp", graded.rbp, pairs),
    CatalogueEntry(b"rbp_resid", graded.rbp_resid, pairs),
    CatalogueEntry(b"unj", binary.unj, cutoffs(5, 10, 20)),
)

NICKNAMES = {
    nickname.encode(): frozenset(name.encode() for name in names)
    for nickname, names in SETS.items()
}


def known(version: Version) -> dict[bytes, CatalogueEntry]:
    """Return the measures of a version by name, in the order in which they are printed."""
    return {
        entry.name: entry
        for entry in MEASURES
        if entry.name.decode() not in version.missing_measures
    }


def requested(names: Iterable[bytes], version: Version) -> list[Requested]:
    """Return the measures that -m names, in the order of printing; Failure for an unknown name.

    The first parameters given for a measure are its parameters.
    """
    entries = known(version)
    wanted: set[bytes] = set()
    texts: dict[bytes, bytes] = {}
    for name in names:
        head, text = split(name)
        if text == b"":
            raise Failure(
                USAGE,
                f"trec_eval: improper measure in parameter '{shown(head)}'\n"
                f"trec_eval: illegal measure '{shown(head)}'",
            )
        if head in NICKNAMES:
            wanted |= NICKNAMES[head]
        elif head in entries:
            wanted.add(head)
        else:
            raise Failure(USAGE, f"trec_eval: illegal measure '{shown(head)}'")
        if text is not None:
            texts.setdefault(head, text)
    return [
        Requested(entry, texts.get(entry.name))
        for entry in entries.values()
        if entry.name in wanted
    ]
