"""The part of a text that shows best why it answers a query: a window around the query's words."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from math import sqrt
from typing import NamedTuple

WINDOW = 160
"""Characters of a window, with the signs that stand for what is left out."""

SEARCHED = 1 << 18
"""Characters of a text in which its words are looked for."""

CUT = "…"

_NEAR = 24
"""Characters by which a window may be shorter, to begin and to end between words."""

_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯]|[^\W぀-ヿ㐀-鿿가-힯]+")
"""A word; in Chinese, Japanese and Korean a character, for they have no spaces between words."""


class Window(NamedTuple):
    """A part of a text, and the places in it of words of the query."""

    text: str
    marks: tuple[tuple[int, int], ...]


class _Hit(NamedTuple):
    """A word of the query in a text."""

    word: str
    start: int
    end: int


def one_line(text: str, longest: int) -> str:
    """Return a text with single spaces between its words, cut to so many characters.

    >>> one_line("  two\\n\\nlines ", 20), one_line("longer", 4)
    ('two lines', 'lon…')
    """
    if len(text) > 8 * longest:
        text = text[: 8 * longest]
    line = unicodedata.normalize("NFC", " ".join(text.split()))
    return line if len(line) <= longest else line[: longest - len(CUT)].rstrip() + CUT


def words_of(query: str) -> frozenset[str]:
    """Return the words of a query, folded by case and accents.

    >>> sorted(words_of("Crème brûlée, CRÈME"))
    ['brulee', 'creme']
    """
    line = unicodedata.normalize("NFC", query[:SEARCHED])
    return frozenset(_folded(found[0]) for found in _WORD.finditer(line))


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def marked(text: str, words: Collection[str]) -> Window:
    """Return a whole text with the places of the words."""
    return Window(text, tuple((hit.start, hit.end) for hit in _hits(text, words)))


def best_window(text: str, words: Collection[str], size: int = WINDOW) -> Window:
    """Return the part of a text, of one line, that holds most of the words.

    Each word counts once in a window, and the less the more often it occurs in the text: by
    1 / sqrt(n). Of windows with the same sum, the first is taken. A text without any of the words
    is shown from its beginning.

    >>> best_window("The spam is in the pan. Eggs follow.", {"eggs"}, 20)
    Window(text='…the pan. Eggs…', marks=((10, 14),))
    """
    if len(text) <= size:
        return marked(text, words)
    text = text[:SEARCHED]
    hits = _hits(text, words)
    first, last = _best_stretch(hits, size - 2 * len(CUT))
    start, end = _around(text, first, last, size)
    shown = (CUT if start else "") + text[start:end] + (CUT if end < len(text) else "")
    moved = len(CUT) if start else 0
    places = [(hit.start - start + moved, hit.end - start + moved) for hit in hits]
    return Window(
        shown, tuple((a, b) for a, b in places if a >= moved and b <= end - start + moved)
    )


def _hits(text: str, words: Collection[str]) -> list[_Hit]:
    if not words:
        return []
    known: dict[str, str] = {}
    hits = []
    for found in _WORD.finditer(text, 0, SEARCHED):
        word = known.get(found[0])
        if word is None:
            word = known[found[0]] = _folded(found[0])
        if word in words:
            hits.append(_Hit(word, found.start(), found.end()))
    return hits


def _best_stretch(hits: Sequence[_Hit], size: int) -> tuple[int, int]:
    """Return where the best words of a window begin and end; the text's beginning without any."""
    weight = {word: 1 / sqrt(n) for word, n in Counter(hit.word for hit in hits).items()}
    inside: Counter[str] = Counter()
    best, bounds, score, first = 0.0, (0, 0), 0.0, 0
    for hit in hits:
        inside[hit.word] += 1
        score += weight[hit.word] if inside[hit.word] == 1 else 0.0
        while hit.end - hits[first].start > size and hits[first] is not hit:
            word = hits[first].word
            inside[word] -= 1
            score -= 0.0 if inside[word] else weight[word]
            first += 1
        if score > best + 1e-9:
            best, bounds = score, (hits[first].start, hit.end)
    return bounds


def _around(text: str, first: int, last: int, size: int) -> tuple[int, int]:
    """Return the bounds of a window with the words in its middle, between words where possible."""
    room = size - 2 * len(CUT)
    last = min(last, first + room)
    start = max(0, first - (room - (last - first)) // 2)
    end = min(len(text), start + room)
    start = max(0, min(start, end - room))
    if start:
        space = text.find(" ", start - 1, min(first, start + _NEAR))
        start = space + 1 if space >= 0 else start
    if end < len(text) and text[end] != " ":
        space = text.rfind(" ", max(last, end - _NEAR), end)
        end = space if space >= 0 else end
    return start, end
