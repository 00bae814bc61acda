"""trec_eval's measures, in the order in which they are printed, and the names of sets of them."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from rankeval.measures.base.trec_eval_names import DEPTHS, MULTIPLES, RECALLS, SETS
from rankeval.support.arrays import Floats
from rankeval.support.frozen import frozen
from rankeval.trec_eval import binary, graded, summaries
from rankeval.trec_eval.failure import USAGE, Failure, shown
from rankeval.trec_eval.parameters import Read, cutoffs, levels, none, pairs, reals, split
from rankeval.trec_eval.summaries import Summary
from rankeval.trec_eval.version import Version

QRELS = frozenset({b"qrels"})
GROUPS = frozenset({b"qrels_jg"})
PREFERENCES = frozenset({b"prefs", b"qrels_prefs"})
ANY = QRELS | GROUPS | PREFERENCES


@frozen
class Entry:
    """A measure of trec_eval.

    ============= ========================================================================
    name          its name
    compute       from an Evaluation, or what its format has for it, and the parameters to a
                  value for each topic; None when there is none and no ranking is needed
    read          how its parameters are read
    summary       how the values of all topics become one
    integer       printed without decimals
    per_topic     printed for each topic, with -q
    formats       the formats of judgments that it can be computed from
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
    """A measure that was asked for, with the text of its parameters."""

    entry: Entry
    text: bytes | None


def _count(
    name: bytes, compute: Callable[..., Floats], summary: Summary = summaries.total
) -> Entry:
    return Entry(name, compute, summary=summary, integer=True)


def _late(module: str, function: str) -> Callable[[Any, Any], Floats]:
    """A function of a module that few evaluations need, imported when it is called."""

    def compute(evaluation: Any, parameters: Any) -> Floats:
        home = import_module(f"rankeval.trec_eval.{module}")
        values: Floats = getattr(home, function)(evaluation, parameters)
        return values

    return compute


def _jg(name: bytes, function: str, read: Read[Any] = none) -> Entry:
    return Entry(name, _late("groups", function), read, formats=GROUPS)


def _preference(name: bytes, function: str) -> Entry:
    return Entry(name, _late("preference_measures", function), formats=PREFERENCES)


def _preference_count(name: bytes, function: str) -> Entry:
    compute = _late("preference_measures", function)
    return Entry(name, compute, summary=summaries.total, integer=True, formats=PREFERENCES)


MEASURES = (
    Entry(b"runid", None, summary=summaries.run_tag, per_topic=False, formats=ANY),
    Entry(
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
    Entry(b"map", binary.mean_average_precision),
    Entry(b"gm_map", binary.gm_map, summary=summaries.geometric, per_topic=False),
    Entry(b"Rprec", binary.rprec),
    Entry(b"bpref", binary.bpref),
    Entry(b"recip_rank", binary.recip_rank),
    Entry(b"iprec_at_recall", binary.iprec_at_recall, levels(*RECALLS)),
    Entry(b"P", binary.p_at, cutoffs(*DEPTHS)),
    Entry(b"relstring", binary.relstring, reals(10), summaries.nothing),
    Entry(b"recall", binary.recall_at, cutoffs(*DEPTHS)),
    Entry(b"infAP", binary.inf_ap),
    Entry(b"gm_bpref", binary.gm_bpref, summary=summaries.geometric, per_topic=False),
    Entry(b"Rprec_mult", binary.rprec_mult, levels(*MULTIPLES)),
    Entry(b"utility", binary.utility, reals(1, -1, 0, 0)),
    Entry(b"11pt_avg", binary.eleven_point_average, reals(*RECALLS)),
    Entry(b"binG", binary.bin_g),
    Entry(b"G", graded.g, pairs),
    Entry(b"dcg", graded.dcg, pairs),
    Entry(b"ideal_dcg", graded.ideal_dcg, pairs),
    Entry(b"ndcg", graded.ndcg, pairs),
    Entry(b"ndcg_rel", graded.ndcg_rel, pairs),
    Entry(b"Rndcg", graded.rndcg, pairs),
    Entry(b"ndcg_cut", graded.ndcg_cut, cutoffs(*DEPTHS)),
    Entry(b"map_cut", binary.map_cut, cutoffs(*DEPTHS)),
    Entry(b"relative_P", binary.relative_p, cutoffs(*DEPTHS)),
    Entry(b"success", binary.success_at, cutoffs(1, 5, 10)),
    Entry(b"set_P", binary.set_p),
    Entry(b"set_relative_P", binary.set_relative_p),
    Entry(b"set_recall", binary.set_r),
    Entry(b"set_map", binary.set_map),
    Entry(b"set_F", binary.set_f, reals(1)),
    _count(b"num_nonrel_judged_ret", binary.num_nonrel_judged_ret),
    _preference_count(b"prefs_num_prefs_poss", "num_possible"),
    _preference_count(b"prefs_num_prefs_ful", "num_fulfilled"),
    _preference_count(b"prefs_num_prefs_ful_ret", "num_fulfilled_ret"),
    _preference(b"prefs_simp", "simple"),
    _preference(b"prefs_pair", "pair"),
    _preference(b"prefs_avgjg", "by_group"),
    _preference(b"prefs_avgjg_Rnonrel", "rnonrel"),
    _preference(b"prefs_simp_ret", "simple_ret"),
    _preference(b"prefs_pair_ret", "pair_ret"),
    _preference(b"prefs_avgjg_ret", "by_group_ret"),
    _preference(b"prefs_avgjg_Rnonrel_ret", "rnonrel_ret"),
    _preference(b"prefs_simp_imp", "simple_imp"),
    _preference(b"prefs_pair_imp", "pair_imp"),
    _preference(b"prefs_avgjg_imp", "by_group_imp"),
    _jg(b"map_avgjg", "mean_average_precision"),
    _jg(b"P_avgjg", "p_at", cutoffs(*DEPTHS)),
    _jg(b"Rprec_mult_avgjg", "rprec_mult", levels(*MULTIPLES)),
    Entry(b"yaap", binary.yaap),
    Entry(b"rbp", graded.rbp, pairs),
    Entry(b"rbp_resid", graded.rbp_resid, pairs),
    Entry(b"unj", binary.unj, cutoffs(5, 10, 20)),
)

NICKNAMES = {
    nickname.encode(): frozenset(name.encode() for name in names)
    for nickname, names in SETS.items()
}


def known(version: Version) -> dict[bytes, Entry]:
    """The measures that a version has, by name, in the order in which they are printed."""
    return {
        entry.name: entry
        for entry in MEASURES
        if entry.name.decode() not in version.missing_measures
    }


def requested(names: Iterable[bytes], version: Version) -> list[Requested]:
    """What -m asks for, in the order of printing; Failure for an unknown name.

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
