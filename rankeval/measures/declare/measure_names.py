"""Read measures from text and objects: canonical names and other tools' names.

A name is `NAME(parameter=value)@k`, whose brackets hold what Python reads as keyword arguments, or
one of the spellings of other tools that `other_names` and the catalogue list.
"""

from __future__ import annotations

import ast
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Protocol, TypeGuard, runtime_checkable

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError
from rankeval.measures.declare.definition import Alias, Definition, Measure
from rankeval.measures.declare.other_names import (
    FOLDED,
    at_level,
    expanded,
    note_of,
    number,
    refuse_text,
    split_level,
    with_at,
    with_parameters,
)
from rankeval.measures.measure_catalogue import PARSED, definitions, known_names


@runtime_checkable
class MeasureObject(Protocol):
    """An object of ir_measures: it has a name, and its text is the name with the parameters."""

    NAME: Any

    def __matmul__(self, cutoff: Any) -> Any: ...


OTHERWISE = {"Compat"}
"""Measures that ir_measures defines otherwise."""


def is_foreign(one: object) -> TypeGuard[MeasureObject]:
    """Return True for an object of ir_measures, which is not imported for that."""
    library = sys.modules.get("ir_measures.measures")
    return library is not None and isinstance(one, library.Measure)


def name_of_foreign(one: Any) -> str:
    """Return the name that rankeval has for the object; MeasureError if there is none.

    The beta of its SetF is that of trec_eval, which weighs recall by beta and not by its square.
    """
    known = sys.modules["ir_measures.measures"].registry
    if type(one) not in map(type, known.values()) or one.NAME in OTHERWISE:
        raise MeasureError(
            f"the measure {one} of ir_measures is not one of rankeval's",
            expected="a measure that both define alike",
            remedy="name a measure of rankeval, or call ir_measures for this one",
        )
    if one.NAME == "SetF" and "beta" in one.params:
        return str(one(beta=math.sqrt(one.params["beta"])))
    return str(one)


NO_MEANINGS: Mapping[str, str] = {}


@frozen
class NamedMeasure:
    """A measure, the name that the user wrote, and the parameters that the name sets.

    ======== =============================================================================
    measure  the measure with the stated and the implied parameters
    as_given the name as the user wrote it
    stated   names of the parameters in the text
    implied  those that only the name implies; other conventions may override them
    note     warning where other tools mean something else by the name; otherwise ""
    ======== =============================================================================
    """

    measure: Measure
    as_given: str
    stated: frozenset[str] = frozenset()
    implied: frozenset[str] = frozenset()
    note: str = ""


MeasureLike = Annotated[
    str | Measure | MeasureObject, "a name such as 'nDCG@10', or an object such as nDCG @ 10"
]
"""A measure's name, or an object: rankeval's own, or of ir_measures."""

MeasuresLike = Annotated[
    MeasureLike | Iterable[MeasureLike],
    "a name such as 'nDCG@10', an object such as nDCG @ 10, or several",
]
"""One measure or several; one string may name several."""


def parse_measures(
    measures: MeasuresLike, meanings: Mapping[str, str] = NO_MEANINGS
) -> list[NamedMeasure]:
    """Read one or several measures: "nDCG@10 AP(rel=2) P.5,10", or objects such as `nDCG @ 10`.

    Names are separated by blanks or commas; a list of cutoffs (`P@5,10` or trec_eval's
    `P.5,10`) gives one measure each, as do trec_eval's sets of measures and its names that have
    cutoffs by default (`official`, `P`). `meanings` maps names to the measures that a tool
    means by them. Raises MeasureError, with the nearest names, for an unknown measure and for
    an impossible parameter.

    >>> import rankeval
    >>> from rankeval.measures import parse_measures
    >>> [named.measure for named in parse_measures(["P@5,10", rankeval.AP(rel=2)])]
    [P@5, P@10, AP(rel=2)]
    """
    if isinstance(measures, str):
        key = measures, *meanings.items()
        if key not in PARSED:
            PARSED[key] = list(_parsed(measures, meanings))
        return list(PARSED[key])
    if isinstance(measures, Measure):
        measures.require_complete()
        stated = frozenset(name for name, _ in measures.given)
        return [NamedMeasure(measures, str(measures), stated)]
    if is_foreign(measures):
        named = parse_measures(name_of_foreign(measures))
        return [replace(one, as_given=str(measures)) for one in named]
    if not isinstance(measures, Iterable):
        raise MeasureError(
            f"{measures!r} is not a measure, but a {type(measures).__name__}",
            expected="a name such as 'nDCG@10', an object such as nDCG @ 10, or several of these",
        )
    return [named for measure in measures for named in parse_measures(measure, meanings)]


def listed_measures(measures: MeasuresLike | None) -> MeasuresLike | None:
    """Return measures so that they can be read more than once: an iterator as a list."""
    if getattr(measures, "shape", None) == ():  # an array without dimensions is no list
        return str(measures)
    if isinstance(measures, Iterable) and not isinstance(measures, str):
        return list(measures)
    return measures


def measure_names(measures: MeasuresLike) -> list[str]:
    """Return measures as names, one or several in each."""
    if isinstance(measures, str):
        return [measures]
    if isinstance(measures, Measure) or is_foreign(measures) or not isinstance(measures, Iterable):
        return [str(named.measure) for named in parse_measures(measures)]
    return [name for measure in measures for name in measure_names(measure)]


@checked
def parse_measure(text: MeasureLike) -> Measure:
    """Read exactly one measure; MeasureError for none, or several.

    >>> import rankeval
    >>> rankeval.parse_measure("ndcg_cut_10")
    nDCG@10
    """
    found = parse_measures(text)
    if len(found) != 1:
        raise MeasureError(f"'{text}' names {len(found)} measures", expected="one measure")
    return found[0].measure


def definition_of(text: str) -> Definition:
    """Return the definition behind a name, which may lack the cutoff: P as well as P@10."""
    try:
        return parse_measure(text).definition
    except MeasureError:
        if re.search(r"[\s(@]", text) or not text:
            raise
        return _look_up(text, None)[0]


_NUMBER = r"[-+.\d][-+.\deE]*(?=[\s,()@]|$)"
_TOKEN = re.compile(
    rf"""(?: [^\s,(@._]                                    # a letter of the name
           | [@._] (?: [-\d] | ,(?={_NUMBER}) )*           # @5,10 or .5,10: a list of cutoffs
           | ,(?= (?:[-+]?\d+|p)= )                        # .1=3,2=7: pairs of trec_eval
           | \( (?: '[^']*' | "[^"]*" | [^)'"] )* \) | \(.*  # (dcg='exp-log2')
         )+""",
    re.VERBOSE | re.DOTALL,
)


def _parsed(text: str, meanings: Mapping[str, str]) -> Iterator[NamedMeasure]:
    """Read names; words that are a measure's name together and not apart are one name.

    `hit rate@5` is hit_rate@5, as `rate` is no measure; `precision at 10` is precision@10.
    """
    tokens = _TOKEN.findall(text)
    joint = {name.lower() for name in known_names() if "_" in name} if len(tokens) > 1 else ()
    while tokens:
        name, length = tokens[0], 1
        if tokens[1:2] == ["at"] and tokens[2:] and tokens[2].isdecimal():
            name, length = f"{name}@{tokens[2]}", 3
        for words in (tokens[:3], tokens[:2]):
            joined = "_".join(words)
            if (
                all(word.isascii() and word.isalpha() for word in words[:-1])
                and re.split("[@(]", joined)[0].lower() in joint
                and not all(word in meanings or _is_name(word) for word in words)
            ):
                name, length = joined, len(words)
                break
        named = _meant(name, meanings)
        spelled = " ".join(tokens[:length])
        yield from named if length == 1 else (replace(one, as_given=spelled) for one in named)
        del tokens[:length]


def _is_name(token: str) -> bool:
    name = re.split("[@(]", token)[0]
    return bool(_several(name) or _find(name, with_cutoff=True))


def _meant(token: str, meanings: Mapping[str, str]) -> Iterator[NamedMeasure]:
    """Return the measures that a name stands for: several for a set, or without a cutoff."""
    if token in meanings:
        yield replace(parse_measures(meanings[token])[0], as_given=token)
        return
    head, level = split_level(token)
    if level is not None and token not in known_names():
        for named in _meant(head, meanings):
            measure = at_level(named.measure, level, token)
            stated = named.stated | {name for name, _ in measure.given}
            yield replace(named, measure=measure, as_given=token, stated=stated)
        return
    for each in _several(token) or [token]:
        note = note_of(token) or note_of(each)
        for named in _named(each):
            yield replace(named, note=named.note or note)


def _several(name: str) -> list[str]:
    """Return the names that a name of trec_eval stands for, in any unambiguous case."""
    known = known_names().get(name)
    if known and not known[0].is_own:
        return []
    return expanded(name) or ([] if known else expanded(FOLDED.get(name.lower(), "")))


_NAME = re.compile(r"([^\s(@]+?)(?:\((.*)\))?(?:@([^\s()@]+))?", re.DOTALL)
_AT_RECALL = re.compile(r"([^\s(@]+@(?i:recall))()\(([^\s()]+)\)")  # k@recall(0.5)


def _named(token: str) -> Iterator[NamedMeasure]:
    """Read a name of one measure, whose suffix or `@` may list several values."""
    if special := with_parameters(token):
        own_name, said, implied, note = special
        measure = definitions()[own_name].measure({**implied, **said})
        yield NamedMeasure(measure, token, frozenset(said), frozenset(implied), note)
        return
    if with_at(token) != token and _find(token, with_cutoff=False) is None:
        yield from (replace(named, as_given=token) for named in _named(with_at(token)))
        return
    match = _NAME.fullmatch(token) or _AT_RECALL.fullmatch(token)
    if match is None:
        raise MeasureError(
            f"'{token}' is not a measure", expected="NAME, NAME@k or NAME(parameter=value)@k"
        )
    name, inside, at = match.groups()
    definition, alias, settings = _look_up(name, at)
    keywords = _keywords(token, inside) if inside else {}
    stated = _joined(token, alias.parameters, keywords)
    if at is not None:
        if definition.at is None:
            raise MeasureError(f"{definition.name} takes no @", expected=definition.name)
        before, after = token[: match.start(3)], token[match.end(3) :]
        settings = [
            (f"{before}{n}{after}", _joined(token, extra, {definition.at: number(token, n)}))
            for n in at.split(",")
            for _, extra in settings
        ]
    for as_given, extra in settings:
        every = _joined(token, stated, extra)
        usual = {n: v for n, v in alias.usual.items() if n not in every}
        measure = definition.measure({**usual, **every})
        yield NamedMeasure(measure, as_given or token, frozenset(every), frozenset(usual))


def _joined(
    token: str, parameters: Mapping[str, object], more: Mapping[str, object]
) -> dict[str, object]:
    for name in more:
        if name in parameters:
            raise MeasureError(f"'{token}': {name} is given twice")
    return {**parameters, **more}


Found = tuple[Definition, Alias, list[tuple[str, dict[str, object]]]]
"""A measure, its matched name, and the settings of the name's suffix, each with its spelling."""


def _look_up(name: str, at: str | None) -> Found:
    """Return the measure of a name; those of installed packages are loaded when need be."""
    found = _find(name, with_cutoff=at is not None)
    if found is None:
        from rankeval.measures.plugins import load_installed  # imported for unknown names only

        load_installed()
        found = _find(name, with_cutoff=at is not None)
    if found is None:
        refuse_text(name)
        raise _unknown(name, at)
    return found


_SUFFIXED = re.compile(r"(.+?)[_.](?:[pP]=(?=[\d.]+$))?([-\d.][-\d.,eE]*)")


def _find(name: str, *, with_cutoff: bool) -> Found | None:
    """Find a name, or one in front of numbers: ndcg_cut_10, P.5,10, rbp.80."""
    if exact := _exact(name, with_cutoff=with_cutoff):
        return *exact, [("", {})]
    if not (match := _SUFFIXED.fullmatch(name)):
        return None
    head, numbers = match.groups()
    # An alias that ends in a dot names the parameter that the numbers behind it set.
    found = next(iter(_alike(f"{head}.")), None) or _exact(head, with_cutoff=True)
    target = found and (found[1].suffix or found[0].at)
    if not found or not target:
        return None
    definition, alias = found
    settings: list[tuple[str, dict[str, object]]] = []
    for text in numbers.split(","):
        try:
            value = alias.convert(text) if alias.convert else number(name, text)
        except ValueError:
            raise MeasureError(
                f"'{name}': '{text}' is not possible",
                expected=definition.parameters[target].allowed,
            ) from None
        settings.append((f"{head}_{text}" if "," in numbers else name, {target: value}))
    return definition, alias, settings


def _exact(name: str, *, with_cutoff: bool) -> tuple[Definition, Alias] | None:
    """Find a name as it is, else regardless of case when that leaves one measure.

    An alias that ends in @ holds only where a cutoff follows: `precision@10` is P@10, while
    `precision` alone is SetP.
    """
    if name.endswith("."):
        return None
    wanted = [f"{name}@", name] if with_cutoff else [name]
    for word in wanted:
        if known := known_names().get(word):
            return known
    for word in wanted:
        alike = _alike(word)
        if len({(one.name, *alias.implied.items()) for one, alias in alike}) == 1:
            return alike[0]
    return None


def _alike(word: str) -> list[tuple[Definition, Alias]]:
    """Return the measures whose names differ from a word in case at most."""
    folded = word.lower()
    return [known for name, known in known_names().items() if name.lower() == folded]


LONGEST = 1000
"""Longer parameters are refused: Python cannot print every integer that it can read."""


def _keywords(token: str, text: str) -> dict[str, object]:
    """Read parameters as Python reads keyword arguments; a bare word is a text."""
    parameters: dict[str, object] = {}
    try:
        call: Any = ast.parse(f"f({text})" if len(text) <= LONGEST else "", mode="eval").body
        if call.args or not isinstance(call.func, ast.Name):  # f(rel=1)(2) calls another function
            call = None
        for keyword in call.keywords:
            value = _value(token, keyword.value)
            parameters = _joined(token, parameters, {str(keyword.arg): value})
    except (AttributeError, ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        shown = f"{text[:40]}…" if len(text) > LONGEST else text
        raise MeasureError(
            f"'{token[:60]}': cannot read '{shown}'",
            expected="parameter=value with a number, True, False, None, a word in quotes or "
            "{grade:gain}",
        ) from None
    return parameters


def _value(token: str, node: ast.expr) -> object:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        text = ast.unparse(node).replace(" ", "")
        if not re.fullmatch(r"[\w.+-]+", text):
            raise
        return text
    if isinstance(node, ast.Dict) and len(value) < len(node.keys):
        text = ast.unparse(node).replace(" ", "")
        raise MeasureError(f"'{token}': '{text}' names a grade twice", expected="one gain each")
    return value


def _unknown(name: str, at: str | None) -> MeasureError:
    """Return the error for an unknown name, with the nearest ones, which keep its cutoff."""
    import difflib  # names are seldom wrong

    head, *cutoff = re.split(r"[_.](?=\d)|(?<=[A-Za-z])(?=\d+$)", name, maxsplit=1)
    wanted = at or next(iter(cutoff), None)
    word = re.sub(r"^(cosine|dot|euclidean|manhattan)_|_at$", "", head.lower())
    same = _exact(word, with_cutoff=wanted is not None)
    folded = {known.lower(): definition for known, (definition, _) in known_names().items()}
    near = difflib.get_close_matches(head.lower(), folded, n=8, cutoff=0.6)
    close = [same[0]] if same else [folded[other] for other in near]
    if not close:  # the words may be those of a title: expected, discounted
        words = set(re.findall(r"[a-z]+", head.lower()))
        close = [one for one in definitions().values() if words & _title_of(one)]
    canonical = (
        ["all_trec"]
        if name == "all_qrels"
        else [
            f"{one.name}@{wanted}" if wanted and one.at == "cutoff" else one.name
            for one in list({one.name: one for one in close}.values())[:4]
        ]
    )
    return MeasureError(
        f"unknown measure '{name}'",
        expected=f"perhaps {' or '.join(canonical)}" if canonical else "",
        remedy="'rankeval measures' lists all measures",
    )


def _title_of(definition: Definition) -> set[str]:
    title, colon, _ = definition.summary.partition(":")
    return set(re.findall(r"[a-z]{5,}", title.lower())) if colon else set()


def __getattr__(name: str) -> Measure:
    """Return the measure of a name, which may still lack a cutoff: `from rankeval import nDCG`."""
    # Imports look for names such as __path__.
    found = None if name.startswith("__") else _exact(name, with_cutoff=True)
    if found is None or not found[0].is_own:
        raise AttributeError(f"rankeval has no measure '{name}'")
    definition, alias = found
    return definition.begun(alias.implied)
