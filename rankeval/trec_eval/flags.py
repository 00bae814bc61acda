"""Read the command line as C does: flags by getopt_long, numbers by atol and atof."""

import math
import os
import re
from collections.abc import Iterable, Sequence
from getopt import GetoptError, gnu_getopt
from textwrap import fill
from types import SimpleNamespace
from typing import Any

from rankeval.errors import printable

USAGE, BAD_INPUT, BAD_TOPIC, NO_TOPIC, BAD_ZSCORES = 1, 2, 4, 7, 255
"""Exit statuses: wrong usage, or an unknown measure; a file, a format or a measure's parameter that
cannot be used; a topic that cannot be evaluated; no topic; and no file of z-scores."""


class Failure(Exception):  # noqa: N818 - raised for wrong usage and bad files
    """Stop with an exit status; the message goes to standard error, one line or several."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def shown(text: bytes) -> str:
    """Return bytes from a command line or a file as text for a message."""
    return printable(text.decode("utf-8", "backslashreplace"))


def integer(text: bytes) -> int:
    """Read an integer as C's atol does."""
    match = re.match(rb"[ \t\n\v\f\r]*([+-]?[0-9]+)", text)
    return max(-(2**63), min(2**63 - 1, int(match[1][:40]))) if match else 0


REAL = (
    rb"[ \t\n\v\f\r]*([+-]?(?:(0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    rb"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|nan))"
)


def real(text: bytes) -> float:
    """Read a double as C's atof does."""
    try:
        if b"_" not in text:
            return float(text)
    except ValueError:
        pass
    match = re.match(REAL, text, re.IGNORECASE)
    if match is None:
        return 0.0
    number = match[1].decode("ascii")
    try:
        return float.fromhex(number) if match[2] else float(number)
    except OverflowError:
        return -math.inf if number.startswith("-") else math.inf


def _topic_of(value: bytes) -> bytes | None:
    """The topic in `N.TOPIC`; the debug level N has no effect here."""
    _, dot, topic = value.partition(b".")
    return topic if dot else None


def _depth(value: bytes) -> int:
    """The number of documents to keep; 0 for negative ones."""
    return max(0, integer(value))


FORMATS = "lines of qrels_file: qrels, qrels_jg, qrels_prefs or prefs"
FLAGS: Sequence[tuple[str, str, str, Any, Any, str]] = (
    ("h", "help", "help", False, None, "print this help"),
    ("v", "version", "version", False, None, "print the version"),
    ("q", "query_eval_wanted", "per_topic", False, None, "print the values of every topic as well"),
    ("m", "measure", "measures", (), bytes, "NAME[.PARAMETERS] to print; repeatable"),
    ("c", "complete_rel_info_wanted", "complete", False, None, "average over topics of qrels_file"),
    ("l", "level_for_rel", "level", 1, integer, "lowest level that is relevant (1)"),
    ("n", "nosummary", "no_summary", False, None, "print no values for all topics"),
    ("D", "Debug_level", "only_topic", None, _topic_of, "N.TOPIC: evaluate only this topic"),
    ("J", "Judged_docs_only", "judged_only", False, None, "drop unjudged documents from rankings"),
    ("N", "Number_docs_in_coll", "collection_size", 0, integer, "documents in the collection"),
    ("M", "Max_retrieved_per_topic", "depth", 2**31 - 1, _depth, "documents to keep of each topic"),
    ("R", "Rel_info_format", "rel_format", b"qrels", bytes, FORMATS),
    ("T", "Results_format", "run_format", b"trec_results", bytes, "trec_results"),
    # The short form takes no value and the long form needs one; neither does anything.
    ("o", "", "ignored", False, None, ""),
    ("", "Output_old_results_format", "ignored", False, bytes, "no effect"),
    ("Z", "Zscore", "zscores", None, bytes, "print standard scores, from means in this file"),
    # A flag of rankeval only; none of trec_eval's begins with its letter.
    ("", "as", "imitate", None, bytes, "9 or 10: whose rules are followed"),
)
"""Each flag, short and long: the option that it sets, the usual value, what reads another value if
the flag takes one, and what it does."""

USAGE_TEXT = """\
Usage: trec_eval [-h] [-q] [-m measure[.params]]... [other flags] qrels_file run_file
   -h: print full help
   -q: print the values of every topic as well
   -m: print this measure or set of measures ('official' when none is given)"""


def parse(words: Sequence[bytes]) -> SimpleNamespace:
    """Return the options by name, and the `files`; Failure for a wrong flag.

    Text stays bytes, as it is compared with bytes from files.
    """
    short = "".join(flag[0] + ":" * bool(flag[0] and flag[4]) for flag in FLAGS)
    long = [flag[1] + "=" * bool(flag[4]) for flag in FLAGS if flag[1]]
    texts = [*map(os.fsdecode, words)]
    try:
        found, files = gnu_getopt(texts, short, long)
    except GetoptError as error:
        if "-v" not in texts and "--version" not in texts:  # they act at once, whatever follows
            raise _wrong(printable(error.msg)) from None
        found, files = [("-v", "")], []
    options = SimpleNamespace(**{option: usual for _, _, option, usual, _, _ in FLAGS})
    options.files = [*map(os.fsencode, files)]
    by_name = {f"-{f[0]}": f for f in FLAGS} | {f"--{f[1]}": f for f in FLAGS}
    for name, text in found:
        _, _, option, _, read, _ = by_name[name]
        value = read(os.fsencode(text)) if read else True
        setattr(options, option, (*options.measures, value) if option == "measures" else value)
    if options.imitate not in (None, b"9", b"10"):
        raise _wrong(f"--as {shown(options.imitate)}: there is 9 and 10")
    return options


def _wrong(problem: str) -> Failure:
    return Failure(USAGE, f"trec_eval: {problem}\n{USAGE_TEXT}")


def help_text(known: Iterable[str], sets: Iterable[str]) -> bytes:
    """Return what -h prints: the flags, the measures and the sets of measures."""
    flags = [
        f" {f'-{short}, ' if short else '    '}--{long:<25} {about}"
        for short, long, _, _, _, about in FLAGS
        if long
    ]
    parts = [
        fill(f"{head} {' '.join(names)}", 79, subsequent_indent="  ")
        for head, names in (("Measures:", known), ("Sets of measures:", sets))
    ]
    end = "'rankeval measures NAME' explains a measure.\n"
    return "\n\n".join((USAGE_TEXT, "\n".join(flags), *parts, end)).encode()
