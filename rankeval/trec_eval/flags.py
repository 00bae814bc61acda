"""Read the command line as C does: flags by getopt_long, numbers by atol and atof.

Also the rules of both versions, exit statuses, and what -h prints.
"""

import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from getopt import GetoptError, gnu_getopt
from textwrap import fill
from typing import Any, Literal, NamedTuple

from rankeval.base.frozen import frozen
from rankeval.errors import printable

USAGE = 1
"""Wrong usage, or an unknown measure."""

BAD_INPUT = 2
"""A file that cannot be read, an unknown format, an impossible parameter of a measure."""

BAD_TOPIC = 4
"""A topic that cannot be evaluated."""

NO_TOPIC = 7
"""No topic was evaluated."""

BAD_ZSCORES = 255
"""The file of means and standard deviations cannot be used."""


class Failure(Exception):  # noqa: N818 - raised for wrong usage and bad files
    """Stop with an exit status; the message goes to standard error, one line or several."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def shown(text: bytes) -> str:
    """Return bytes from a command line or a file as text for a message."""
    return printable(text.decode("utf-8", "backslashreplace"))


LARGEST_INTEGER = 2**63 - 1

_INTEGER = re.compile(rb"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_REAL = re.compile(
    rb"[ \t\n\v\f\r]*([+-]?(?:(0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    rb"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|nan))",
    re.IGNORECASE,
)


def integer(text: bytes) -> int:
    """Read an integer as C's atol does."""
    match = _INTEGER.match(text)
    if match is None:
        return 0
    return max(-LARGEST_INTEGER - 1, min(LARGEST_INTEGER, int(match[1][:40])))


def real(text: bytes) -> float:
    """Read a double as C's atof does."""
    try:
        if b"_" not in text:
            return float(text)
    except ValueError:
        pass
    match = _REAL.match(text)
    if match is None:
        return 0.0
    number = match[1].decode("ascii")
    try:
        return float.fromhex(number) if match[2] else float(number)
    except OverflowError:
        return -math.inf if number.startswith("-") else math.inf


@frozen
class Version:
    """The rules of one version of trec_eval; the defaults are those of version 10.

    ================== ===================================================================
    number             what -v prints
    topics             "judged": all topics of the qrels; one that the run lacks is an error, or
                       with -c gets the placeholder document. "both": topics in both files
    single_precision   True to round scores and the levels of preferences to 4-byte floats
    documents_needed   rounding of a share of R to a number of documents: to the nearest
                       integer, or the integer part of the share plus 0.9
    missing_measures   measures of the other version that this one does not have
    comments           True if lines that begin with # are comments
    standard_input     True if a path that begins with - is standard input
    gain_keys          "integer": ignore levels in a list of gains that are not integers;
                       "leading digits": take their leading digits, or 0 if there are none
    zscores_reader     name of the function in error messages about the file of z-scores
    ================== ===================================================================
    """

    number: str = "10.0-rc3"
    topics: Literal["judged", "both"] = "judged"
    single_precision: bool = False
    documents_needed: Literal["nearest", "add 0.9"] = "nearest"
    missing_measures: frozenset[str] = frozenset()
    comments: bool = True
    standard_input: bool = True
    gain_keys: Literal["integer", "leading digits"] = "integer"
    zscores_reader: str = "get_zscores"


TEN = Version()
NINE = Version(
    number="9.0.7",  # 9.0.8 calls itself so
    topics="both",
    single_precision=True,
    documents_needed="add 0.9",
    missing_measures=frozenset({"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"}),
    comments=False,
    standard_input=False,
    gain_keys="leading digits",
    zscores_reader="get_prefs",
)
NAMED = {b"9": NINE, b"10": TEN}
"""Versions by the names that --as and RANKEVAL_TREC_EVAL accept."""


@frozen
class Options:
    """The values of flags. Text stays bytes, as it is compared with bytes from files."""

    help: bool = False
    version: bool = False
    per_topic: bool = False
    measures: tuple[bytes, ...] = ()
    complete: bool = False
    level: int = 1
    no_summary: bool = False
    only_topic: bytes | None = None
    judged_only: bool = False
    collection_size: int = 0
    depth: int = 2147483647
    rel_format: bytes = b"qrels"
    run_format: bytes = b"trec_results"
    zscores: bytes | None = None
    imitate: bytes | None = None
    files: tuple[bytes, ...] = ()


class Flag(NamedTuple):
    """A flag: the option that it sets, what it does, and what reads its value, if it takes one."""

    short: str
    long: str
    option: str
    about: str
    read: Callable[[bytes], Any] | None = None


def _topic_of(value: bytes) -> bytes | None:
    """The topic in `N.TOPIC`; the debug level N has no effect here."""
    _, dot, topic = value.partition(b".")
    return topic if dot else None


def _depth(value: bytes) -> int:
    """The number of documents to keep; 0 for negative ones."""
    return max(0, integer(value))


FORMATS = "lines of qrels_file: qrels, qrels_jg, qrels_prefs or prefs"
FLAGS = (
    Flag("h", "help", "help", "print this help"),
    Flag("v", "version", "version", "print the version"),
    Flag("q", "query_eval_wanted", "per_topic", "print the values of every topic as well"),
    Flag("m", "measure", "measures", "NAME[.PARAMETERS] to print; repeatable", bytes),
    Flag("c", "complete_rel_info_wanted", "complete", "average over all topics of qrels_file"),
    Flag("l", "level_for_rel", "level", "lowest level that is relevant (1)", integer),
    Flag("n", "nosummary", "no_summary", "print no values for all topics"),
    Flag("D", "Debug_level", "only_topic", "N.TOPIC: evaluate only this topic", _topic_of),
    Flag("J", "Judged_docs_only", "judged_only", "drop unjudged documents from the rankings"),
    Flag("N", "Number_docs_in_coll", "collection_size", "documents in the collection", integer),
    Flag("M", "Max_retrieved_per_topic", "depth", "documents to keep of each topic", _depth),
    Flag("R", "Rel_info_format", "rel_format", FORMATS, bytes),
    Flag("T", "Results_format", "run_format", "trec_results", bytes),
    # The short form takes no value and the long form needs one; neither does anything.
    Flag("o", "", "", ""),
    Flag("", "Output_old_results_format", "", "no effect", bytes),
    Flag("Z", "Zscore", "zscores", "print standard scores, from means in this file", bytes),
    # A flag of rankeval only; none of trec_eval's begins with its letter.
    Flag("", "as", "imitate", "9 or 10: whose rules are followed", bytes),
)

USAGE_TEXT = """\
Usage: trec_eval [-h] [-q] [-m measure[.params]]... [other flags] qrels_file run_file
   -h: print full help
   -q: print the values of every topic as well
   -m: print this measure or set of measures ('official' when none is given)"""


SHORT = "".join(flag.short + ":" * bool(flag.short and flag.read) for flag in FLAGS)
LONG = [flag.long + "=" * bool(flag.read) for flag in FLAGS if flag.long]
"""The flags as getopt takes them."""


def parse(words: Sequence[bytes]) -> Options:
    """Read the words of a command line; Failure for a wrong flag."""
    found, files = _found([*map(os.fsdecode, words)])
    by_name = {f"-{flag.short}": flag for flag in FLAGS} | {
        f"--{flag.long}": flag for flag in FLAGS
    }
    given: dict[str, Any] = {"measures": (), "files": tuple(map(os.fsencode, files))}
    for name, text in found:
        flag = by_name[name]
        value = flag.read(os.fsencode(text)) if flag.read else True
        given[flag.option] = (*given["measures"], value) if flag.option == "measures" else value
    given.pop("", None)
    options = Options(**given)
    if options.imitate is not None and options.imitate not in NAMED:
        raise _wrong(f"--as {shown(options.imitate)}: there is {' and '.join(map(shown, NAMED))}")
    return options


def _found(words: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the flags with their values, and the files."""
    try:
        return gnu_getopt(words, SHORT, LONG)
    except GetoptError as error:
        if "-v" in words or "--version" in words:  # it acts at once, whatever follows
            return [("-v", "")], []
        raise _wrong(printable(error.msg)) from None


def _wrong(problem: str) -> Failure:
    return Failure(USAGE, f"trec_eval: {problem}\n{USAGE_TEXT}")


def help_text(known: Iterable[bytes], sets: Iterable[str]) -> bytes:
    """Return what -h prints: the flags, the measures and the sets of measures."""
    flags = [
        f" {f'-{f.short}, ' if f.short else '    '}--{f.long:<25} {f.about}"
        for f in FLAGS
        if f.long
    ]
    parts = [
        fill(f"{head} {' '.join(names)}", 79, subsequent_indent="  ")
        for head, names in (("Measures:", map(shown, known)), ("Sets of measures:", sets))
    ]
    end = "'rankeval measures NAME' explains a measure.\n"
    return "\n\n".join((USAGE_TEXT, "\n".join(flags), *parts, end)).encode()
