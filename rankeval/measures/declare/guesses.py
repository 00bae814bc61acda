"""Spellings that people try: P5, map-l2, hit rate@5, precision at 10."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from rankeval.errors import MeasureError
from rankeval.measures.declare.definition import Measure

COMPACT = tuple("p prec precision r recall ndcg dcg ap map rr mrr err success hit".split())  # noqa: SIM905  a list takes 14 lines
"""Names, in lower case, that a cutoff may follow without an @."""

GAINED = ("DCG", "IDCG", "nDCG")
"""Measures whose gains below a level are 0, as they have no threshold."""

LONGEST_PHRASE = 3
"""Words in the longest name of a measure, such as mean average precision."""


def with_at(token: str) -> str:
    """Put the missing @ into a name that ends in its cutoff: P5 becomes P@5."""
    name = token.rstrip("0123456789")
    return f"{name}@{token[len(name) :]}" if name != token and name.lower() in COMPACT else token


def split_level(token: str) -> tuple[str, int | None]:
    """Split ranx's `-lN`, the lowest relevant grade, from a name; None if it has none."""
    name, _, level = token.rpartition("-l")
    return (name, int(level)) if name and level.isdecimal() else (token, None)


def at_level(measure: Measure, level: int, token: str) -> Measure:
    """Return the measure with grades below the level not relevant, as ranx has it.

    That is `rel` for measures with a threshold; DCG and nDCG have no gains below the level.
    """
    definition, given = measure.definition, dict(measure.given)
    more: dict[str, object]
    if "rel" in definition.parameters:
        more = {"rel": level}
    elif definition.name in GAINED:
        more = {"gains": dict.fromkeys(range(1, level), 0)} if level > 1 else {}
    else:
        raise MeasureError(
            f"'{token}': {definition.name} has no lowest relevant grade", expected=str(measure)
        )
    twice = [name for name in more if name in given]
    if twice:
        raise MeasureError(f"'{token}': {twice[0]} is given twice")
    return definition.measure({**given, **more})


def phrases(
    tokens: Sequence[str], names: Iterable[str], is_name: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Join words that are a measure's name together and not apart; yield names and spellings.

    `hit rate@5` is hit_rate@5, as `rate` is no measure; `precision at 10` is precision@10.
    """
    known = {name.lower() for name in names if "_" in name} if len(tokens) > 1 else set()
    at = 0
    while at < len(tokens):
        taken, name = 1, tokens[at]
        if tokens[at + 1 : at + 2] == ["at"] and tokens[at + 2 : at + 3]:
            if tokens[at + 2].isdecimal() and is_name(f"{name}@{tokens[at + 2]}"):
                taken, name = 3, f"{name}@{tokens[at + 2]}"
        else:
            for length in range(LONGEST_PHRASE, 1, -1):
                words = tokens[at : at + length]
                if len(words) < length or not all(map(_is_word, words[:-1])):
                    continue
                joined = "_".join(words)
                if re.split("[@(]", joined)[0].lower() in known and not all(map(is_name, words)):
                    taken, name = length, joined
                    break
        yield name, " ".join(tokens[at : at + taken])
        at += taken


def _is_word(token: str) -> bool:
    return token.isascii() and token.isalpha()
