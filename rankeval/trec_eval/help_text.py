"""The text that -h prints."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from rankeval.trec_eval.catalogue import NICKNAMES, Requested, known
from rankeval.trec_eval.flags import Options
from rankeval.trec_eval.tool_version import Version, shown

FLAGS = """\
trec_eval [flags] qrels_file run_file

Evaluates a run against relevance judgments; run_file '-' is standard input,
though not in version 9.

 -h, --help                        print this help
 -v, --version                     print the version
 -q, --query_eval_wanted           print the values of every topic as well
 -m, --measure NAME[.PARAMETERS]   print this measure or set; repeatable
 -c, --complete_rel_info_wanted    average over all topics of qrels_file
 -l, --level_for_rel N             lowest level that is relevant (1)
 -n, --nosummary                   print no values for all topics
 -D, --Debug_level N[.TOPIC]       evaluate only this topic
 -J, --Judged_docs_only            drop unjudged documents from the rankings
 -N, --Number_docs_in_coll N       documents in the collection (0)
 -M, --Max_retrieved_per_topic N   keep the first N documents of each topic
 -R, --Rel_info_format FORMAT      qrels, qrels_jg, prefs or qrels_prefs (qrels)
 -T, --Results_format FORMAT       trec_results
 -o                                no effect
 -Z, --Zscore FILE                 print standard scores, from means in FILE
     --as VERSION                  9 or 10: whose rules are followed
"""

FORMATS = {
    b"qrels": "topic iteration document level",
    b"qrels_jg": "topic group document level; the groups of a topic are averaged",
    b"prefs": "topic group subgroup document level; a higher level is preferred",
    b"qrels_prefs": "topic group document level, taken as preferences",
}
WIDTH = 79
RUN_FORMAT = "topic iteration document rank score tag"


def _wrapped(head: str, names: Iterable[bytes]) -> str:
    return fill(f"{head} {' '.join(map(shown, names))}", WIDTH, subsequent_indent="  ")


def full(options: Options, requested: Sequence[Requested], version: Version) -> bytes:
    """Return the flags, the measures, and more about requested measures and formats."""
    parts = [
        FLAGS,
        _wrapped("Measures:", known(version)),
        _wrapped("Sets of measures:", NICKNAMES),
    ]
    if options.measures:
        parts.append(_wrapped("Asked for:", [request.entry.name for request in requested]))
        parts.append("'rankeval measures NAME' explains a measure.")
    if options.rel_format in FORMATS:
        parts.append(f"Lines of {shown(options.rel_format)} files: {FORMATS[options.rel_format]}")
    parts.append(f"Lines of run files: {RUN_FORMAT}")
    return ("\n\n".join(part.strip("\n") for part in parts) + "\n").encode()
