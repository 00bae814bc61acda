"""Text to measures: canonical names, other tools' names, several in one string."""

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rankeval.errors import MeasureError
from rankeval.measures._registry import Alias, Definition, Measure, aliases, definitions

_NAME = re.compile(
    r"""(?P<name>[^\s(@]+?)            # nDCG, ndcg_cut_10, P.5,10
        (?:\((?P<inside>.*)\))?        # (dcg='exp-log2')
        (?:@(?P<at>[^\s()@]+))?        # @10, @5,10
        """,
    re.VERBOSE,
)
_SUFFIXED = re.compile(r"(?P<head>.+?)(?P<mark>[_.])(?P<numbers>[pP]=[\d.]+|[-\d.][-\d.,eE]*)")


@dataclass(frozen=True)
class NamedMeasure:
    """A measure and the words in which it was asked for."""

    measure: Measure
    as_given: str


def parse_measures(text: str) -> list[NamedMeasure]:
    """Read one or several measures: "nDCG@10 AP(rel=2) P.5,10".

    Names are separated by blanks or commas; a list of cutoffs (`P@5,10` or trec_eval's
    `P.5,10`) gives one measure each. Raises MeasureError, with the nearest names, for an
    unknown measure and for an impossible parameter.
    """
    return [named for token in _tokens(text) for named in _parse_token(token)]


def parse_measure(text: str) -> Measure:
    """Read exactly one measure."""
    found = parse_measures(text)
    if len(found) != 1:
        raise MeasureError(f"'{text}' names {len(found)} measures", expected="one measure")
    return found[0].measure


def _tokens(text: str) -> Iterator[str]:
    """Split at blanks and commas that stand outside brackets and quotes.

    A comma between two numbers continues a list of cutoffs.
    """
    depth, quote, token = 0, "", ""
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"" and depth:
            quote = character
        elif character in "({":
            depth += 1
        elif character in ")}":
            depth -= 1
        within_list = bool(
            character == ","
            and re.search(r"[@._][-\d.,]*$", token)
            and re.match(r"[-.\d]", text[i + 1 : i + 2])
        )
        if (
            depth == 0
            and not quote
            and (character.isspace() or (character == "," and not within_list))
        ):
            if token:
                yield token
            token = ""
        else:
            token += character
    if token:
        yield token


def _parse_token(token: str) -> Iterator[NamedMeasure]:
    match = _NAME.fullmatch(token)
    if match is None:
        raise MeasureError(
            f"'{token}' is not a measure", expected="NAME, NAME@k or NAME(parameter=value)@k"
        )
    definition, implied, suffix = _look_up(match["name"], with_cutoff=match["at"] is not None)
    parameters = {**implied, **_inside(token, match["inside"])}
    if match["at"] is None:
        settings = suffix or [(token, {})]
    else:
        if definition.at is None:
            raise MeasureError(f"{definition.name} takes no @", expected=definition.name)
        head = token.rpartition("@")[0]
        if any(definition.at in extra for _, extra in suffix):
            raise MeasureError(f"'{token}' gives {definition.at} twice")
        settings = [
            (f"{head}@{each}", {**extra, definition.at: _number(token, each)})
            for each in match["at"].split(",")
            for _, extra in suffix or [("", {})]
        ]
    for as_given, extra in settings:
        yield NamedMeasure(definition.measure({**parameters, **extra}), as_given)


def _look_up(
    name: str, *, with_cutoff: bool
) -> tuple[Definition, dict[str, object], list[tuple[str, dict[str, object]]]]:
    """The definition, the parameters the name implies, and those that a list in its end sets."""
    found = _exact(name, with_cutoff=with_cutoff)
    if found:
        definition, alias = found
        return definition, dict(alias.parameters), []
    match = _SUFFIXED.fullmatch(name)
    if match:
        # An alias that ends in a dot says what the numbers of a suffix mean for its name.
        suffixed = _by_name().get(f"{match['head']}.")
        found = suffixed or _exact(match["head"], with_cutoff=True)
    if match and found:
        definition, alias = found
        target = alias.suffix or definition.at
        if target:
            settings: list[tuple[str, dict[str, object]]] = [
                (f"{match['head']}_{each}", {target: _suffix_value(alias, name, each)})
                for each in match["numbers"].split(",")
            ]
            if len(settings) == 1:
                settings = [(name, settings[0][1])]
            return definition, dict(alias.parameters), settings
    raise _unknown(name)


def _suffix_value(alias: Alias, name: str, text: str) -> object:
    value = text.lower().removeprefix("p=")
    return alias.convert(value) if alias.convert else _number(name, value)


def _exact(name: str, *, with_cutoff: bool) -> tuple[Definition, Alias] | None:
    """Find a name as it is, else regardless of case when that leaves one measure.

    An alias that ends in @ holds only where a cutoff follows: `precision@10` is P@10, while
    `precision` alone is SetP.
    """
    known = _by_name()
    if with_cutoff and f"{name}@" in known:
        return known[f"{name}@"]
    if name in known and not name.endswith(("@", ".")):
        return known[name]
    folded = [found for other, found in known.items() if other.lower() == name.lower()]
    same = all(f[0] is folded[0][0] and f[1].parameters == folded[0][1].parameters for f in folded)
    return folded[0] if folded and same else None


def _by_name() -> dict[str, tuple[Definition, Alias]]:
    return {
        **{name: (definition, Alias(name)) for name, definition in definitions().items()},
        **aliases(),
    }


def _inside(token: str, text: str | None) -> dict[str, object]:
    parameters: dict[str, object] = {}
    for assignment in _split_outside_brackets(text or ""):
        name, equals, value = assignment.partition("=")
        if not equals or not name.strip().isidentifier():
            raise MeasureError(f"'{token}': cannot read '{assignment}'", expected="parameter=value")
        if name.strip() in parameters:
            raise MeasureError(f"'{token}': {name.strip()} is given twice")
        parameters[name.strip()] = _value(token, value.strip())
    return parameters


def _split_outside_brackets(text: str) -> list[str]:
    parts = re.findall(r"""(?:[^,{'"]|\{[^}]*\}|'[^']*'|"[^"]*")+""", text)
    return [part.strip() for part in parts if part.strip()]


def _value(token: str, text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        if re.fullmatch(r"[\w.+-]+", text):
            return text
        raise MeasureError(
            f"'{token}': cannot read the value '{text}'",
            expected="a number, True, False, None, a word in quotes or {grade:gain}",
        ) from None


def _number(token: str, text: str) -> int | float:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    raise MeasureError(f"'{token}': '{text}' is not a number", expected="a number, as in P@10")


def _unknown(name: str) -> MeasureError:
    folded = {known.lower(): known for known in _by_name()}
    head = re.split(r"[_.]\d", name)[0].lower()
    close = difflib.get_close_matches(head, folded, n=4, cutoff=0.6)
    canonical = list(dict.fromkeys(_by_name()[folded[other]][0].name for other in close))
    return MeasureError(
        f"unknown measure '{name}'",
        expected=f"perhaps {' or '.join(canonical)}" if canonical else "",
        remedy="'rankeval measures' lists all measures",
    )
