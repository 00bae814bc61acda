"""Read the command line as getopt_long does: flags, parameters of measures, and two files."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Generic, TypeVar

from rankeval.base.frozen import frozen
from rankeval.trec_eval.tool_output import integer, is_integer, real
from rankeval.trec_eval.tool_version import BAD_INPUT, NAMED, USAGE, Failure, Version, shown

LONGEST_NUMBER = 8
"""Characters to which a real number in a printed name is cut."""

Parameters = TypeVar("Parameters")


@frozen
class Wording(Generic[Parameters]):
    """A value of a measure's parameters, and the name to print for it."""

    name: bytes
    parameters: Parameters


@frozen
class Pairs:
    """The parameters `key=value,...`: gains of levels, and p.

    `gains` is in the order given; a level may occur several times.
    """

    gains: tuple[tuple[int, float], ...] = ()
    p: float | None = None


Read = Callable[[bytes, bytes | None, Version], list[Wording[Parameters]]]
"""A function from a measure's name, the text of its parameters and the version to wordings."""


def none(name: bytes, _text: bytes | None, _version: Version) -> list[Wording[None]]:
    """Ignore the text: the measure has no parameters."""
    return [Wording(name, None)]


def cutoffs(*default: int) -> Read[int]:
    """Return a reader of numbers of documents, each printed on a line of its own."""

    def read(name: bytes, text: bytes | None, _version: Version) -> list[Wording[int]]:
        numbers = default if text is None else sorted(map(integer, text.split(b",")))
        if numbers[0] <= 0 or any(a == b for a, b in pairwise(numbers)):
            raise _impossible(name)
        return [Wording(b"%b_%d" % (name, number), number) for number in numbers]

    return read


def levels(*default: float) -> Read[float]:
    """Return a reader of shares of R, each printed on a line of its own."""

    def read(name: bytes, text: bytes | None, _version: Version) -> list[Wording[float]]:
        numbers = default if text is None else sorted(map(real, text.split(b",")))
        if any(a == b for a, b in pairwise(numbers)):
            raise _impossible(name)
        return [
            Wording(name + b"_" + (b"%3.2f" % number)[:LONGEST_NUMBER], number)
            for number in numbers
        ]

    return read


def reals(*default: float) -> Read[tuple[float, ...]]:
    """Return a reader of numbers that together make one line."""

    def read(
        name: bytes, text: bytes | None, _version: Version
    ) -> list[Wording[tuple[float, ...]]]:
        if text is None:
            return [Wording(name, default)]
        return [Wording(name + b"_" + text, tuple(map(real, text.split(b","))))]

    return read


def pairs(name: bytes, text: bytes | None, version: Version) -> list[Wording[Pairs]]:
    """Read gains of levels, and p, which together make one line."""
    if text is None:
        return [Wording(name, Pairs())]
    gains: list[tuple[int, float]] = []
    p = None
    for item in text.split(b","):
        if item.count(b"=") != 1:
            raise _impossible(name)
        key, _, value = item.partition(b"=")
        if key == b"p":
            p = real(value)
        if version.gain_keys == "leading digits" or is_integer(key):
            gains.append((integer(key), real(value)))
    return [Wording(name + b"_" + text, Pairs(tuple(gains), p))]


def _impossible(name: bytes) -> Failure:
    return Failure(BAD_INPUT, f"trec_eval: Cannot initialize measure '{name.decode()}'")


def split(text: bytes) -> tuple[bytes, bytes | None]:
    """Divide NAME.PARAMETERS at its first dot."""
    name, dot, parameters = text.partition(b".")
    return name, parameters if dot else None


USAGE_TEXT = """\
Usage: trec_eval [-h] [-q] [-m measure[.params]]... [other flags] qrels_file run_file
   -h: print full help
   -q: print the values of every topic as well
   -m: print this measure or set of measures ('official' when none is given)"""


@frozen
class Options:
    """The values of flags. Text stays bytes, as it is compared with bytes from files."""

    help: bool = False
    version: bool = False
    per_topic: bool = False
    measures: tuple[bytes, ...] = ()
    complete: bool = False
    level: int = 1
    summary: bool = True
    only_topic: bytes | None = None
    judged_only: bool = False
    collection_size: int = 0
    depth: int = 2147483647
    rel_format: bytes = b"qrels"
    run_format: bytes = b"trec_results"
    zscores: bytes | None = None
    imitate: bytes | None = None
    files: tuple[bytes, ...] = ()


@frozen
class _Flag:
    short: bytes
    long: bytes
    effect: Callable[[Options, bytes], Options]
    short_takes_value: bool = False
    long_takes_value: bool = False


def _set(name: str, convert: Callable[[bytes], Any] | None = None) -> Callable[..., Options]:
    def effect(options: Options, value: bytes) -> Options:
        new: Any = convert(value) if convert else True
        return replace(options, **{name: new})

    return effect


def _add_measure(options: Options, value: bytes) -> Options:
    return replace(options, measures=(*options.measures, value))


def _topic_of(value: bytes) -> bytes | None:
    """The topic in `N.TOPIC`; the debug level N has no effect here."""
    _, dot, topic = value.partition(b".")
    return topic if dot else None


def _without_effect(options: Options, _value: bytes) -> Options:
    return options


def _depth(value: bytes) -> int:
    """The number of documents to keep; 0 for negative ones."""
    return max(0, integer(value))


def _simple(short: str, long: str, effect: Callable[..., Options]) -> _Flag:
    return _Flag(short.encode(), long.encode(), effect)


def _valued(short: str, long: str, effect: Callable[..., Options]) -> _Flag:
    return _Flag(
        short.encode(), long.encode(), effect, short_takes_value=True, long_takes_value=True
    )


_FLAGS = (
    _simple("h", "help", _set("help")),
    _simple("v", "version", _set("version")),
    _simple("q", "query_eval_wanted", _set("per_topic")),
    _valued("m", "measure", _add_measure),
    _simple("c", "complete_rel_info_wanted", _set("complete")),
    _valued("l", "level_for_rel", _set("level", integer)),
    _simple("n", "nosummary", _set("summary", lambda _value: False)),
    _valued("D", "Debug_level", _set("only_topic", _topic_of)),
    _simple("J", "Judged_docs_only", _set("judged_only")),
    _valued("N", "Number_docs_in_coll", _set("collection_size", integer)),
    _valued("M", "Max_retrieved_per_topic", _set("depth", _depth)),
    _valued("R", "Rel_info_format", _set("rel_format", bytes)),
    _valued("T", "Results_format", _set("run_format", bytes)),
    # The short form takes no value and the long form needs one; neither does anything.
    _Flag(b"o", b"Output_old_results_format", _without_effect, long_takes_value=True),
    _valued("Z", "Zscore", _set("zscores", bytes)),
    # A flag of rankeval only. It has no abbreviation, so those of trec_eval keep their meaning.
    _Flag(b"", b"as", _set("imitate", bytes), long_takes_value=True),
)
_SHORT = {flag.short: flag for flag in _FLAGS if flag.short}

_Found = tuple[_Flag, bytes]


def parse(words: Sequence[bytes]) -> Options:
    """Read the words of a command line; Failure for a wrong flag.

    Words after -v are ignored, because -v acts at once.
    """
    options = Options()
    operands: list[bytes] = []
    for found in _found(words):
        if isinstance(found, bytes):
            operands.append(found)
            continue
        flag, value = found
        options = flag.effect(options, value)
        if options.version:
            break
    if options.imitate is not None and shown(options.imitate) not in NAMED:
        raise _wrong(f"--as {shown(options.imitate)}: there is {' and '.join(NAMED)}")
    return replace(options, files=tuple(operands))


def _found(words: Sequence[bytes]) -> Iterator[_Found | bytes]:
    """Yield flags with their values, and operands, in the order of the line."""
    waiting = iter(words)
    for word in waiting:
        if word == b"--":
            yield from waiting
        elif word.startswith(b"--"):
            yield _long(word[2:], waiting)
        elif word.startswith(b"-") and word != b"-":
            yield from _joined(word[1:], waiting)
        else:
            yield word


def _long(text: bytes, waiting: Iterator[bytes]) -> _Found:
    name, equals, value = text.partition(b"=")
    exact = [flag for flag in _FLAGS if flag.long == name]
    candidates = exact or [f for f in _FLAGS if f.long.startswith(name) and f.short]
    if not candidates:
        raise _wrong(f"unrecognized option '--{shown(name)}'")
    if len(candidates) > 1:
        possible = " ".join(f"'--{shown(flag.long)}'" for flag in candidates)
        raise _wrong(f"option '--{shown(name)}' is ambiguous; possibilities: {possible}")
    (flag,) = candidates
    if not flag.long_takes_value:
        if equals:
            raise _wrong(f"option '--{shown(flag.long)}' doesn't allow an argument")
        return flag, b""
    if not equals:
        given = next(waiting, None)
        if given is None:
            raise _wrong(f"option '--{shown(flag.long)}' requires an argument")
        value = given
    return flag, value


def _joined(letters: bytes, waiting: Iterator[bytes]) -> Iterator[_Found]:
    for at in range(len(letters)):
        letter = letters[at : at + 1]
        flag = _SHORT.get(letter)
        if flag is None:
            raise _wrong(f"invalid option -- '{shown(letter)}'")
        if not flag.short_takes_value:
            yield flag, b""
            continue
        value = letters[at + 1 :] or next(waiting, None)
        if value is None:
            raise _wrong(f"option requires an argument -- '{shown(letter)}'")
        yield flag, value
        return


def _wrong(problem: str) -> Failure:
    return Failure(USAGE, f"trec_eval: {problem}\n{USAGE_TEXT}")


def two_files(options: Options) -> tuple[bytes, bytes]:
    """Return the qrels and the run; Failure unless exactly two files are named."""
    match options.files:
        case (qrels, run):
            return qrels, run
        case _:
            raise Failure(USAGE, USAGE_TEXT)
