"""Typeset the formulas of docstrings as MathML.

The notation of docstrings is plain text: `a / b` with spaces is a fraction of the products beside
it, and `a/b` a slash; `_` and `^` begin what stands below or above a letter, alone or in { } or
( ); Σ, Π and ∫ take what stands below and above them, and the product that follows. Words are
words, and ^ behind capitals is a hat. Lines are aligned at their first sign of equality; what
follows three spaces is a remark.
"""

import re
from html import escape

BLANK, NUMBER, QUOTED, WORD = "blank", "number", "quoted", "word"
TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<number>\d+(?:\.\d+)?)|(?P<quoted>'[^']*')"
    r"|(?P<word>[^\W\d_²⁺₀ΣΠ]+\d*(?:_(?=[a-zA-Z]{2,})\w+)*)|(?P<sign>\.\.|.)"
)
RELATIONS = "=≥≤<>:;,∈…"
LARGE = {"Σ": "∑", "Π": "∏", "∫": "∫"}
"""Letters of docstrings, and the signs that grow with what they sum."""
SPACE, WIDE = '<mspace width="0.4em"/>', '<mspace width="1em"/>'
OPENING = {"(": ")", "[": "]", "{": "}", "⌊": "⌋", "⌈": "⌉"}
RAISED = {"²": ("msup", "2"), "⁺": ("msup", "+"), "₀": ("msub", "0"), "*": ("msup", "*")}


def mathml(text: str) -> str:
    """Return a formula of one line or several as an element of MathML."""
    rows = [_cells(line) for line in text.splitlines()]
    if all(len(row) == 1 for row in rows) or "=" not in text.splitlines()[0]:
        rows = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    drawn = "".join(
        f"<mtr>{''.join(f'<mtd>{expression(cell)}</mtd>' for cell in row)}</mtr>" for row in rows
    )
    align = "left" if "=" not in text.splitlines()[0] else "right left left"
    return (
        f'<math display="block"><mtable displaystyle="true" columnalign="{align}">'
        f"{drawn}</mtable></math>"
    )


def formula(text: str) -> str:
    """Return a formula as a block of a page; one that is wider than the page scrolls."""
    return f'<div class="formula" tabindex="0">{mathml(text)}</div>'


def expression(text: str) -> str:
    """Return a part of a formula in one line as MathML."""
    return _Reader(text).everything()


def _cells(line: str) -> list[str]:
    """Return what stands before and after the first sign of equality, and the remark."""
    body, *remark = re.split(r"(?<=\S)\s{3,}(?![=+])", line, maxsplit=1)
    depth = 0
    for at, sign in enumerate(body):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "=" and depth == 0:
            return [body[:at].strip(), body[at:].strip(), *remark]
    before, *after = re.split(r"(?<=\S)\s{3,}", line, maxsplit=1)
    return [before, *after] if not line.startswith(" ") else ["", line.strip()]


class _Reader:
    """Reads a line from left to right; every method returns the MathML of what it has read."""

    def __init__(self, text: str) -> None:
        self.tokens = [(m.lastgroup or "", m[0]) for m in TOKEN.finditer(text)]
        self.at = 0
        self.bars = 0

    def everything(self) -> str:
        parts = []
        while self.at < len(self.tokens):
            parts.append(self.sum(""))
            if self.at < len(self.tokens):  # a bracket that nothing opened
                parts.append(_operator(self.taken()))
        return f"<mrow>{''.join(parts)}</mrow>"

    def sum(self, end: str, *, narrow: bool = False) -> str:
        """Read relations, sums and words up to the sign `end`, or to a wide blank if `narrow`."""
        parts: list[str] = []
        first = 0  # of the sum that `  /  ` divides
        while self.at < len(self.tokens) and self.sign() != end and self.sign() not in ")]}⌋⌉":
            kind, text = self.tokens[self.at]
            wide = kind == BLANK and len(text) > 1
            if wide and self.follows(text, "/"):
                self.at += 2
                self.skip_blank()
                over, under = "".join(parts[first:]), self.sum(end, narrow=True)
                parts[first:] = [_fraction(over, under)]
            elif wide and narrow and not self.follows(text, "+"):
                break
            elif kind == BLANK:
                self.at += 1
                if wide or parts[-1:] == [_operator(",")]:
                    parts.append(WIDE if wide else SPACE)
            elif text in RELATIONS or text in "+-±∩":
                self.at += 1
                parts.append(_operator(text))
                first = first if text in "+-∩" else len(parts)
            else:
                parts.append(self.product())
                if self.word_follows():
                    parts.append(SPACE)
        return "".join(parts)

    def product(self) -> str:
        """Read a product; ` / ` makes a fraction of the product before it and the one after it."""
        parts = [self.power()]
        while self.at < len(self.tokens):
            if self.sign() == "·":
                self.at += 1
                parts += [_operator("·"), self.power()]
            elif self.sign() == "/":
                self.at += 1
                parts += [_operator("/"), self.power()]
            elif self.follows(" ", "/"):
                self.at += 2
                parts = [_fraction("".join(parts), self.denominator())]
            elif self.tokens[self.at][0] != BLANK and self.begins_factor():
                parts.append(self.power())
            else:
                break
        return "".join(parts)

    def denominator(self) -> str:
        self.skip_blank()
        under = self.product()
        while self.follows(" ", "of"):
            self.skip_blank()
            under += f"{SPACE}{self.words()}"
        return under

    def words(self) -> str:
        """Read words up to the next sign."""
        parts = [self.power()]
        while self.word_follows():
            self.skip_blank()
            parts += [SPACE, self.power()]
        return "".join(parts)

    def power(self) -> str:
        """Read an atom with what stands below and above it."""
        large = self.sign() in LARGE
        capital = self.at < len(self.tokens) and self.tokens[self.at][1][:1].isupper()
        base = self.atom()
        below = above = ""
        while self.at < len(self.tokens) and (self.sign() in "_^" or self.sign() in RAISED):
            sign = self.taken()
            if sign in RAISED:
                tag, text = RAISED[sign]
                base = f"<{tag}>{base}<mrow>{_number_or_sign(text)}</mrow></{tag}>"
            elif sign == "_":
                below = self.script()
            elif capital and base.startswith("<mi>"):
                base = f"<mover>{base}<mo>^</mo></mover>"
            else:
                above = self.script(above=True)
        if large:
            self.skip_blank()
            return _with_limits(base, below, above) + self.product()
        if below and above:
            return f"<msubsup>{base}{below}{above}</msubsup>"
        if below:
            return f"<msub>{base}{below}</msub>"
        return f"<msup>{base}{above}</msup>" if above else base

    def script(self, *, above: bool = False) -> str:
        """Read what stands below or above: in braces, in brackets, or one atom."""
        if self.sign() in "{(":
            opened = self.taken()
            inside = self.sum(OPENING[opened])
            self.at += 1
            return f"<mrow>{inside}</mrow>"
        is_word = self.tokens[self.at][0] == WORD
        first = self.atom()
        if above and self.sign() == "_":
            self.at += 1
            first = f"<msub>{first}{self.script()}</msub>"
        if above and is_word and self.sign() == "(":
            first += self.atom()
        if self.sign() == "..":  # A_1..i
            return f"<mrow>{first}{_operator(self.taken())}{self.atom()}</mrow>"
        return f"<mrow>{first}</mrow>"

    def atom(self) -> str:
        """Read a number, a word, a sign, or what stands between brackets or bars."""
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind in (NUMBER, QUOTED, WORD):
            return _letters(kind, text)
        if text in OPENING or text == "|":
            inside = self.sum(OPENING.get(text, "|"))
            closing = self.taken() if self.at < len(self.tokens) else ""
            return f"<mrow>{_bracket(text, inside)}{inside}{_bracket(closing, inside)}</mrow>"
        negative = text == "-" and self.at < len(self.tokens)
        return _operator(text) + (self.power() if negative else "")

    def begins_factor(self) -> bool:
        kind, text = self.tokens[self.at]
        return kind in (NUMBER, WORD, QUOTED) or text in OPENING or text in LARGE or text in "@½"

    def word_follows(self) -> bool:
        """Return True if a blank separates what was read from another factor."""
        return (
            self.at + 1 < len(self.tokens)
            and self.tokens[self.at] == (BLANK, " ")
            and self.tokens[self.at + 1][1] not in RELATIONS + "+-/·)]}|"
        )

    def follows(self, blank: str, sign: str) -> bool:
        if self.at + 1 >= len(self.tokens):
            return False
        return self.tokens[self.at][1] == blank and self.tokens[self.at + 1][1] == sign

    def skip_blank(self) -> None:
        while self.at < len(self.tokens) and self.tokens[self.at][0] == BLANK:
            self.at += 1

    def sign(self) -> str:
        """Return the sign at this place, a blank where a word or number stands."""
        if self.at == len(self.tokens):
            return " "
        kind, text = self.tokens[self.at]
        return text if kind == "sign" else " "

    def taken(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1][1]


def _letters(kind: str, text: str) -> str:
    if text == "log2":
        return "<msub><mi>log</mi><mn>2</mn></msub>"
    if text.startswith("log_"):
        return f"<msub><mi>log</mi><mi>{escape(text.removeprefix('log_'), quote=False)}</mi></msub>"
    tag = {NUMBER: "mn", QUOTED: "mtext", WORD: "mi"}[kind]
    return f"<{tag}>{escape(text, quote=False)}</{tag}>"


def _operator(text: str) -> str:
    shown = {"-": "−", "..": "…", **LARGE}.get(text, text)
    close = ' lspace="0" rspace="0"' if text in "@/" else ""
    return f"<mo{close}>{escape(shown)}</mo>"


def _with_limits(sign: str, below: str, above: str) -> str:
    """Return a large sign with its limits: of `i = 1 .. n` below it, n stands above it."""
    found = re.fullmatch(r"<mrow>([^…]*<mo>=</mo>[^…]*)<mo>…</mo>([^…]+)</mrow>", below)
    if found and not above and "<mo>,</mo>" not in found[1]:
        below, above = f"<mrow>{found[1]}</mrow>", f"<mrow>{found[2]}</mrow>"
    if above:
        return f"<munderover>{sign}{below}{above}</munderover>"
    return f"<munder>{sign}{below}</munder>" if below else sign


def _bracket(text: str, inside: str) -> str:
    """Return a bracket that is as high as what it holds only where that is a fraction."""
    if not text:
        return ""
    stretched = "" if "<mfrac>" in inside or "<munder" in inside else ' stretchy="false"'
    return f"<mo{stretched}>{text}</mo>"


def _fraction(over: str, under: str) -> str:
    return f"<mfrac><mrow>{_unbracketed(over)}</mrow><mrow>{_unbracketed(under)}</mrow></mfrac>"


def _unbracketed(text: str) -> str:
    """Return the inside of one pair of round brackets, which the line of a fraction replaces."""
    found = re.fullmatch(r"<mrow><mo[^>]*>\(</mo>(.*)<mo[^>]*>\)</mo></mrow>", text)
    if found is None or not _balanced(found[1]):
        return text
    return found[1]


def _balanced(text: str) -> bool:
    depth = 0
    for tag in re.findall(r"</?mrow>", text):
        depth += 1 if tag == "<mrow>" else -1
        if depth < 0:
            return False
    return True


def _number_or_sign(text: str) -> str:
    return f"<mn>{text}</mn>" if text.isdigit() else f"<mo>{text}</mo>"
