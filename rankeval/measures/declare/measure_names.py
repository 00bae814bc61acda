"""Read measures from text and objects: canonical names and other tools' names."""

from __future__ import annotations

import ast
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeGuard, runtime_checkable

from rankeval.base.dicts import refuse_closed
from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError
from rankeval.measures.declare.definition import Alias, Definition, Measure
from rankeval.measures.declare.measure_registry import (
    definitions,
    is_registered,
    known_as,
    known_names,
)
from rankeval.measures.declare.other_names import (
    FOLDED,
    at_level,
    expanded,
    note_of,
    phrases,
    refuse_text,
    split_level,
    with_at,
    with_parameters,
)


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
    name = str(one)
    if one.NAME == "SetF" and "beta" in one.params:
        name = str(one(beta=math.sqrt(one.params["beta"])))
    return name


_NAME = re.compile(
    r"""(?P<name>[^\s(@]+?)            # nDCG, ndcg_cut_10, P.5,10
        (?:\((?P<inside>.*)\))?        # (dcg='exp-log2')
        (?:@(?P<at>[^\s()@]+))?        # @10, @5,10
        """,
    re.VERBOSE,
)
LONGEST_VALUE = 1000
"""Longer values are refused: Python cannot print every integer that it can read."""

NO_MEANINGS: Mapping[str, str] = {}

_NEXT_NUMBER = re.compile(r"[-+.\d][-+.\deE]*(?=[\s,()@]|$)")
_NEXT_PAIR = re.compile(r"([-+]?\d+|p)=")

_AT_RECALL = re.compile(r"(?P<name>[^\s(@]+@(?i:recall))\((?P<at>[^\s()]+)\)")  # k@recall(0.5)
_SUFFIXED = re.compile(r"(?P<head>.+?)(?P<mark>[_.])(?P<numbers>[pP]=[\d.]+|[-\d.][-\d.,eE]*)")


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


MeasureLike = str | Measure | MeasureObject
"""A measure's name, or an object: rankeval's own, or of ir_measures."""

MeasuresLike = MeasureLike | Iterable[MeasureLike]
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
        return _parse_text(measures, meanings)
    if isinstance(measures, Measure):
        measures.require_complete()
        stated = frozenset(name for name, _ in measures.given)
        return [NamedMeasure(measures, str(measures), stated)]
    if is_foreign(measures):
        named = _parse_text(name_of_foreign(measures), NO_MEANINGS)
        return [replace(one, as_given=str(measures)) for one in named]
    if not isinstance(measures, Iterable):
        raise MeasureError(
            f"{measures!r} is no measure, but of the type {type(measures).__name__}",
            expected="a name such as 'nDCG@10', an object such as nDCG @ 10, or several of these",
        )
    return [named for measure in measures for named in parse_measures(measure, meanings)]


def listed_measures(measures: MeasuresLike | None) -> MeasuresLike | None:
    """Return measures so that they can be read more than once: an iterator as a list."""
    if getattr(measures, "shape", None) == ():  # an array without dimensions is no list
        return str(measures)
    if isinstance(measures, Iterable) and not isinstance(measures, str):
        refuse_closed(measures, "measures")
        return list(measures)
    return measures


def measure_names(measures: MeasuresLike) -> list[str]:
    """Return measures as names, one or several in each."""
    if isinstance(measures, str):
        return [measures]
    if isinstance(measures, Measure) or is_foreign(measures) or not isinstance(measures, Iterable):
        return [str(named.measure) for named in parse_measures(measures)]
    return [name for measure in measures for name in measure_names(measure)]


_PARSED: dict[tuple[Any, ...], list[NamedMeasure]] = {}
"""Measures by the text that names them, and meanings."""

MOST_PARSED = 1000


def _parse_text(text: str, meanings: Mapping[str, str]) -> list[NamedMeasure]:
    """Read measures once for all evaluations, unless they are defined anew."""
    key = text, *meanings.items()
    found = _PARSED.get(key)
    if found is None or not all(is_registered(named.measure.definition) for named in found):
        if len(_PARSED) >= MOST_PARSED:
            _PARSED.clear()
        found = _PARSED[key] = _parsed(text, meanings)
    return list(found)


def _parsed(text: str, meanings: Mapping[str, str]) -> list[NamedMeasure]:
    found = []
    for name, spelled in phrases(
        list(_tokens(text)), known_names(), lambda token: _is_name(token, meanings)
    ):
        meant = _meant(name, meanings)
        found += [replace(n, as_given=spelled) for n in meant] if name != spelled else list(meant)
    return found


def _is_name(token: str, meanings: Mapping[str, str]) -> bool:
    """Return True if a token names a measure, or several, whatever its parameters."""
    match = _NAME.fullmatch(with_at(token))
    name = match["name"] if match else token
    return (
        token in meanings
        or _several(token) is not None
        or with_parameters(token) is not None
        or any(_find(name, with_cutoff=cutoff) is not None for cutoff in (True, False))
    )


def _meant(token: str, meanings: Mapping[str, str]) -> Iterator[NamedMeasure]:
    """Return the measures that a name stands for: several for a set, or without a cutoff."""
    head, level = split_level(token)
    if level is not None and token not in meanings and known_as(token) is None:
        for named in _meant(head, meanings):
            measure = at_level(named.measure, level, token)
            stated = named.stated | {name for name, _ in measure.given}
            yield replace(named, measure=measure, as_given=token, stated=stated)
        return
    if token in meanings:
        yield replace(parse_measures(meanings[token])[0], as_given=token)
        return
    several = _several(token)
    for each in several or [token]:
        note = note_of(token) or note_of(each)
        for named in _parse_token(each):
            yield replace(named, note=note) if note and not named.note else named


def _several(name: str) -> list[str] | None:
    """Return the names that a name of trec_eval stands for, in any unambiguous case."""
    found = known_as(name)
    if found is not None and not found[0].is_own:
        return None
    return expanded(name) or (None if found else expanded(FOLDED.get(name.lower(), "")))


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
        match = _NAME.fullmatch(text)
        if match is None or match["inside"] is not None or match["at"] is not None:
            raise
        return _look_up(match["name"])[0]


def _tokens(text: str) -> Iterator[str]:
    """Split at blanks and commas that stand outside brackets and quotes.

    A comma between two numbers continues a list of cutoffs, and one between two pairs of
    trec_eval's parameters continues these.
    """
    depth, quote, token = 0, "", ""
    numbers = False  # the token ends in numbers behind an @, a dot or a _
    pairs = False  # it holds key=value outside brackets
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"" and depth:
            quote = character
        elif character in "({":
            depth += 1
        elif character in ")}":
            depth -= 1
        within_list = character == "," and bool(
            (numbers and _NEXT_NUMBER.match(text, i + 1))
            or (pairs and _NEXT_PAIR.match(text, i + 1))
        )
        if (
            depth == 0
            and not quote
            and (character.isspace() or (character == "," and not within_list))
        ):
            if token:
                yield token
            token, numbers, pairs = "", False, False
        else:
            token += character
            pairs = pairs or (character == "=" and depth == 0)
            numbers = character in "@._" or (
                numbers and (character in "-," or character.isdecimal())
            )
    if token:
        yield token


def _parse_token(token: str) -> Iterator[NamedMeasure]:
    wanted = with_parameters(token)
    if wanted is not None:
        measure = definitions()[wanted.measure].measure({**wanted.implied, **wanted.stated})
        said = frozenset(wanted.stated), frozenset(wanted.implied)
        yield NamedMeasure(measure, token, *said, wanted.note)
        return
    spelled = with_at(token)
    if spelled != token and _find(token, with_cutoff=False) is None:
        yield from (replace(named, as_given=token) for named in _parse_token(spelled))
        return
    match = _NAME.fullmatch(token) or _AT_RECALL.fullmatch(token)
    if match is None:
        raise MeasureError(
            f"'{token}' is not a measure", expected="NAME, NAME@k or NAME(parameter=value)@k"
        )
    definition, alias, suffix = _look_up(match["name"], at=match["at"])
    inside = _inside(token, match.groupdict().get("inside"))
    settings = suffix or [(token, {})]
    usual = {n: v for n, v in alias.usual.items() if n not in {*inside, *settings[0][1]}}
    fixed = _joined(token, dict(alias.parameters), inside)
    if match["at"] is not None:
        if definition.at is None:
            raise MeasureError(f"{definition.name} takes no @", expected=definition.name)
        before, after = token[: match.start("at")], token[match.end("at") :]
        settings = [
            (f"{before}{each}{after}", _joined(token, extra, {definition.at: _number(token, each)}))
            for each in match["at"].split(",")
            for _, extra in settings
        ]
    for as_given, extra in settings:
        stated = _joined(token, fixed, extra)
        measure = definition.measure({**usual, **stated})
        yield NamedMeasure(measure, as_given, frozenset(stated), frozenset(usual))


def _joined(
    token: str, parameters: dict[str, object], more: dict[str, object]
) -> dict[str, object]:
    twice = [name for name in more if name in parameters]
    if twice:
        raise MeasureError(f"'{token}': {twice[0]} is given twice")
    return {**parameters, **more}


def _look_up(
    name: str, *, at: str | None = None
) -> tuple[Definition, Alias, list[tuple[str, dict[str, object]]]]:
    """Return the definition, its matched name, and the parameters set by the name's suffix.

    Installed plugins are loaded when a name is not found without them.
    """
    from rankeval.measures.declare.plugins import load_installed

    found = _find(name, with_cutoff=at is not None)
    if found is None and load_installed():
        found = _find(name, with_cutoff=at is not None)
    if found is None:
        refuse_text(name)
        raise _unknown(name, at)
    return found


def _find(
    name: str, *, with_cutoff: bool
) -> tuple[Definition, Alias, list[tuple[str, dict[str, object]]]] | None:
    found = _exact(name, with_cutoff=with_cutoff)
    if found:
        return *found, []
    match = _SUFFIXED.fullmatch(name)
    if match:
        found = _dotted(match["head"]) or _exact(match["head"], with_cutoff=True)
    if match and found:
        definition, alias = found
        target = alias.suffix or definition.at
        if target:
            settings: list[tuple[str, dict[str, object]]] = [
                (f"{match['head']}_{each}", {target: _suffix_value(definition, alias, name, each)})
                for each in match["numbers"].split(",")
            ]
            if len(settings) == 1:
                settings = [(name, settings[0][1])]
            return definition, alias, settings
    return None


def _dotted(head: str) -> tuple[Definition, Alias] | None:
    """Find an alias that ends in a dot; it names the parameter set by the suffix's numbers."""
    return next(map(known_as, _spelled_like(f"{head}.")), None)


def _suffix_value(definition: Definition, alias: Alias, name: str, text: str) -> object:
    value = text.lower().removeprefix("p=")
    if alias.convert is None:
        return _number(name, value)
    try:
        return alias.convert(value)
    except ValueError:
        allowed = definition.parameters[alias.suffix].allowed if alias.suffix else ""
        raise MeasureError(f"'{name}': '{text}' is not possible", expected=allowed) from None


def _exact(name: str, *, with_cutoff: bool) -> tuple[Definition, Alias] | None:
    """Find a name as it is, else regardless of case when that leaves one measure.

    An alias that ends in @ holds only where a cutoff follows: `precision@10` is P@10, while
    `precision` alone is SetP.
    """
    if name.endswith("."):
        return None
    wanted = [f"{name}@", name] if with_cutoff else [name]
    for word in wanted:
        found = known_as(word)
        if found:
            return found
    for word in wanted:
        folded = [found for found in map(known_as, _spelled_like(word)) if found]
        if folded and all(
            definition is folded[0][0] and alias.implied == folded[0][1].implied
            for definition, alias in folded
        ):
            return folded[0]
    return None


def _spelled_like(word: str) -> Iterator[str]:
    """Return the names that differ from a word in case at most."""
    folded = word.lower()
    return (name for name in known_names() if name.lower() == folded)


def _inside(token: str, text: str | None) -> dict[str, object]:
    parameters: dict[str, object] = {}
    for assignment in _split_outside_brackets(token, text) if text else []:
        name, equals, value = assignment.partition("=")
        if not equals or not name.strip().isidentifier():
            raise MeasureError(f"'{token}': cannot read '{assignment}'", expected="parameter=value")
        parameters = _joined(token, parameters, {name.strip(): _value(token, value.strip())})
    return parameters


def _split_outside_brackets(token: str, text: str) -> list[str]:
    parts: list[str] = re.findall(r"""(?:[^,{'"]|\{[^}]*\}|'[^']*'|"[^"]*")+""", text)
    # findall passes over what it cannot match, such as a quote that is never closed.
    if ",".join(parts) != text:
        raise MeasureError(f"'{token}': cannot read '{text}'", expected="parameter=value")
    return [part.strip() for part in parts]


def _value(token: str, text: str) -> object:
    if len(text) > LONGEST_VALUE:
        raise MeasureError(
            f"'{token[:40]}…': a value has {len(text)} characters",
            expected=f"at most {LONGEST_VALUE}",
        )
    try:
        tree = ast.parse(text, mode="eval").body
        value = ast.literal_eval(tree)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        if re.fullmatch(r"[\w.+-]+", text):
            return text
        raise MeasureError(
            f"'{token}': cannot read the value '{text}'",
            expected="a number, True, False, None, a word in quotes or {grade:gain}",
        ) from None
    if isinstance(value, dict) and isinstance(tree, ast.Dict) and len(value) < len(tree.keys):
        raise MeasureError(f"'{token}': '{text}' names a grade twice", expected="one gain each")
    return value


def _number(token: str, text: str) -> int | float:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    raise MeasureError(f"'{token}': '{text}' is not a number", expected="a number, as in P@10")


MEANT = {
    **dict.fromkeys(("hr", "hit_ratio", "hitratio", "acc"), "Success"),
    "context_precision": "ContextPrecision",
    "context_recall": "ContextRecall",
    **dict.fromkeys(("capped_recall", "recall_cap", "recall_capped"), "R_cap"),
    "all_qrels": "all_trec",
}
"""Names of other tools, whose values ours have, and which no spelling leads to."""


def _unknown(name: str, at: str | None) -> MeasureError:
    """Return the error for an unknown name, with the nearest ones, which keep its cutoff."""
    folded = {known.lower(): known for known in known_names()}
    head, *cutoff = re.split(r"[_.](?=\d)|(?<=[A-Za-z])(?=\d+$)", name, maxsplit=1)
    import difflib  # names are seldom wrong

    wanted = at or next(iter(cutoff), None)
    word = re.sub(r"^(cosine|dot|euclidean|manhattan)_|_at$", "", head.lower())
    same = _exact(word, with_cutoff=wanted is not None)
    if word in MEANT or (same and not same[1].implied and word != head.lower()):
        meant = MEANT.get(word) or (same[0].name if same else "")
        at_cutoff = f"@{wanted}" if wanted and meant != "all_trec" else ""
        return MeasureError(f"unknown measure '{name}'", expected=f"{meant}{at_cutoff}")
    close = difflib.get_close_matches(head.lower(), folded, n=8, cutoff=0.6)
    near = {one[0].name: one[0] for one in (known_as(folded[other]) for other in close) if one}
    canonical = [
        f"{one.name}@{wanted}" if wanted and one.at == "cutoff" else one.name
        for one in [*near.values()][:4]
    ]
    return MeasureError(
        f"unknown measure '{name}'",
        expected=f"perhaps {' or '.join(canonical)}" if canonical else "",
        remedy="'rankeval measures' lists all measures",
    )
