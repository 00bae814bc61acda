"""Read measures by the spellings of other tools, with parameters, and in any unambiguous case.

A name is `NAME(parameter=value)@k`, whose brackets hold what Python reads as keyword arguments, or
one of the spellings of other tools that `other_names` and the catalogue list.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from rankeval.base.frozen import replace
from rankeval.errors import MeasureError
from rankeval.measures.definition import Definition, NamedMeasure
from rankeval.measures.facts import Alias
from rankeval.measures.measure_catalogue import catalogued, definitions, known_names
from rankeval.measures.other_names import (
    FOLDED,
    at_level,
    expanded,
    note_of,
    number,
    with_at,
    with_parameters,
)

_NUMBER = r"[-+.\d][-+.\deE]*"
_TOKEN = rf"""(?xs)(?: [^\s,(@._]                              # a letter of the name
           | [@._] (?: [-\d] | ,(?={_NUMBER}(?=[\s,()@]|$)) )*  # @5,10 or .5,10: cutoffs
           | ,(?= (?:[-+]?\d+|p)= )                        # .1=3,2=7: pairs of trec_eval
           | \( (?: '[^']*' | "[^"]*" | [^)'"] )* \) | \(.*  # (dcg='exp-log2')
         )+"""
_LIST = rf"(?s)(.+?)([@._]|@(?i:recall)\()({_NUMBER}(?:,{_NUMBER})+)(\)?)"


def spelled(text: str, meanings: Mapping[str, str]) -> Iterator[NamedMeasure]:
    """Read one or several measures; see `parse_measures`."""
    text = _joined_words(text)
    for token in re.findall(_TOKEN, text) if "(" in text or "," in text else text.split():
        yield from _meant(token, meanings)


def _joined_words(text: str) -> str:
    """Put the underscores into names of several words: `hit rate@5`, and `precision at 10`.

    Words that are measures by themselves, as in `recall precision`, stay apart.
    """
    if not re.search(r"\w\s+\w", text):
        return text
    alone = {name.lower().removesuffix("@") for name in known_names()} | set(FOLDED)
    joint = (name.split("_") for name in alone if re.fullmatch(r"[a-z]+(_[a-z]+)+", name))
    words = [r"\s+".join(parts) for parts in joint if not alone.issuperset(parts)]
    pattern = rf"(?i)(?<!\S)({'|'.join(sorted(words, key=len, reverse=True))})(?![^\s@(,])"
    joined = re.sub(pattern, lambda found: "_".join(found[0].split()), text)
    return re.sub(r"(?<=\S)\s+at\s+(?=\d)", "@", joined)


def _meant(token: str, meanings: Mapping[str, str]) -> Iterator[NamedMeasure]:
    """Return the measures that a name stands for: several for a set, a list or a bare name."""
    if token in meanings:
        yield replace(next(spelled(meanings[token], {})), as_given=token)
        return
    head, _, level = token.rpartition("-l")  # ranx's lowest relevant grade
    if head and level.isdecimal() and token not in known_names():
        for named in _meant(head, meanings):
            measure = at_level(named.measure, int(level), token)
            stated = named.stated | {name for name, _ in measure.given}
            yield replace(named, measure=measure, as_given=token, stated=stated)
        return
    for each in _several(token) or [token]:
        named = _named(each)
        yield replace(named, note=named.note or note_of(token) or note_of(each))


def _several(token: str) -> list[str]:
    """Return the names that a set of trec_eval, in any unambiguous case, or a list stands for."""
    known = known_names().get(token)
    match = re.fullmatch(_LIST, token) if known is None and "," in token else None
    if match and not with_parameters(token):
        name, mark, numbers, end = match.groups()
        return [f"{name}{mark.replace('.', '_')}{text}{end}" for text in numbers.split(",")]
    if known and not known[0].is_own:
        return []
    return expanded(token) or ([] if known else expanded(FOLDED.get(token.lower(), "")))


_NAME = re.compile(r"([^\s(@]+?)(?:\((.*)\))?(?:@([^\s()@]+))?", re.DOTALL)
_AT_RECALL = r"([^\s(@]+@(?i:recall))()\(([^\s()]+)\)"  # k@recall(0.5)


def _named(token: str) -> NamedMeasure:
    """Read a name of one measure."""
    if special := with_parameters(token):
        own_name, said, implied, note = special
        measure = catalogued(own_name).measure({**implied, **said})
        return NamedMeasure(measure, token, frozenset(said), frozenset(implied), note)
    name_at = with_at(token) if _find(token, with_cutoff=False) is None else token
    match = _NAME.fullmatch(name_at) or re.fullmatch(_AT_RECALL, token)
    if match is None:
        raise MeasureError(
            f"'{token}' is not a measure", expected="NAME, NAME@k or NAME(parameter=value)@k"
        )
    name, inside, at = match.groups()
    definition, alias, suffix = look_up(name, at)
    every: dict[str, object] = {}
    given = [*alias.parameters.items(), *_keywords(token, inside or ""), *suffix.items()]
    if at is not None:
        if definition.at is None:
            raise MeasureError(f"{definition.name} takes no @", expected=definition.name)
        given.append((definition.at, number(token, at)))
    for parameter, value in given:
        if parameter in every:
            raise MeasureError(f"'{token}': {parameter} is given twice")
        every[parameter] = value
    usual = {n: v for n, v in alias.usual.items() if n not in every}
    measure = definition.measure({**usual, **every})
    return NamedMeasure(measure, token, frozenset(every), frozenset(usual))


Found = tuple[Definition, Alias, dict[str, object]]
"""A measure, its matched name, and the parameter that the name's suffix sets."""


def look_up(name: str, at: str | None) -> Found:
    """Return the measure of a name; those of installed packages are loaded when need be."""
    if found := _find(name, with_cutoff=at is not None):
        return found
    from rankeval.measures.plugins import load_installed  # imported for unknown names only

    load_installed()
    if found := _find(name, with_cutoff=at is not None):
        return found
    raise _unknown(name, at)


_SUFFIXED = re.compile(r"(.+?)[_.](?:[pP]=(?=[\d.]+$))?([-\d.][-\d.eE]*)")


def _find(name: str, *, with_cutoff: bool) -> Found | None:
    """Find a name, or one in front of a number: ndcg_cut_10, rbp.80."""
    if known := exact(name, with_cutoff=with_cutoff):
        return *known, {}
    if not (match := _SUFFIXED.fullmatch(name)):
        return None
    head, text = match.groups()
    # An alias that ends in a dot names the parameter that the number behind it sets.
    found = next(iter(_alike(f"{head}.")), None) or exact(head, with_cutoff=True)
    target = found and (found[1].suffix or found[0].at)
    if not found or not target:
        return None
    definition, alias = found
    try:
        return definition, alias, {target: (alias.convert or partial(number, name))(text)}
    except ValueError:
        allowed = definition.parameters[target].allowed
        raise MeasureError(f"'{name}': '{text}' is not possible", expected=allowed) from None


def exact(name: str, *, with_cutoff: bool) -> tuple[Definition, Alias] | None:
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


def _keywords(token: str, text: str) -> list[tuple[str, object]]:
    """Read parameters as Python reads keyword arguments; a bare word is a text."""
    try:
        call: Any = ast.parse(f"f({text})" if len(text) <= LONGEST else "", mode="eval").body
        if call.args or not isinstance(call.func, ast.Name):  # f(rel=1)(2) calls another function
            raise ValueError(text)  # noqa: TRY301  told below
        return [(str(keyword.arg), _value(keyword.value)) for keyword in call.keywords]
    except (AttributeError, ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise MeasureError(
            f"'{token[:60]}': cannot read '{text[:60]}'",
            expected="parameter=value with a number, True, False, None, a word in quotes or "
            "{grade:gain}",
        ) from None


def _value(node: ast.expr) -> object:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        value = ast.unparse(node).replace(" ", "")
        if not re.fullmatch(r"[\w.+-]+", value):
            raise
    if isinstance(node, ast.Dict) and len(value) < len(node.keys):
        raise ValueError("a grade is named twice")
    return value


def _unknown(name: str, at: str | None) -> MeasureError:
    """Return the error for an unknown name, with the nearest ones, which keep its cutoff."""
    import difflib  # names are seldom wrong

    head, *cutoff = re.split(r"[_.](?=\d)|(?<=[A-Za-z])(?=\d+$)", name.lower(), maxsplit=1)
    wanted = at or next(iter(cutoff), None)
    word = re.sub(r"^(cosine|dot|euclidean|manhattan)_|_at$", "", head)
    known = {name.lower(): one for name, (one, _) in known_names().items()}
    if same := exact(word, with_cutoff=wanted is not None):
        close = [same[0]]
    else:
        close = [known[other] for other in difflib.get_close_matches(head, known, 8, 0.6)]
    if not close:  # the words may be those of a title: expected, discounted
        words = set(re.findall(r"[a-z]+", head))
        close = [one for one in definitions().values() if words & _title_of(one)]
    names = [f"{o.name}@{wanted}" if wanted and o.at == "cutoff" else o.name for o in close]
    nearest = "all_trec" if name == "all_qrels" else " or ".join([*dict.fromkeys(names)][:4])
    return MeasureError(
        f"unknown measure '{name}'",
        expected=nearest and f"perhaps {nearest}",
        remedy="'rankeval measures' lists all measures",
    )


def _title_of(definition: Definition) -> set[str]:
    title, colon, _ = str(definition.function.__doc__).partition("\n")[0].partition(":")
    return set(re.findall(r"[a-z]{5,}", title.lower())) if colon else set()
