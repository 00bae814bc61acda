r"""Escape text from files for each kind of output; different texts stay different.

Run names, topics, paths and the words of the user may hold anything. Whatever does not print
is shown as \x1b, \u202e or \U000e0041, by which terminals, parsers and readers see one line
of plain text. All functions are one-to-one: different names stay different.
"""

import re

from rankeval.choices import ALL
from rankeval.errors import visible

_NOTHING = re.compile(r"(?!)")


# Escaping is followed by the prefix, and both can be undone: a text that starts like a formula
# after its own quotes gets one more.
_FORMULA = re.compile(r"[\s']*[-=+@＝＋－＠]")
_NUMBER = re.compile(r"[-+]\d+(\.\d+)?")
_TSV_QUOTE = re.compile(r'^"')


def csv(text: str) -> str:
    """Escape unprintable characters; put ' before text that a spreadsheet would run as a formula.

    Quoting is left to the csv module. A signed number, such as the topic -5, is no formula.
    """
    return _no_formula(visible(text, _NOTHING))


def tsv(text: str) -> str:
    """Escape as for CSV, and a leading double quote, which readers take for quoting."""
    return _no_formula(visible(text, _TSV_QUOTE))


def _no_formula(text: str) -> str:
    runs = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return f"'{text}" if runs else text


def topic(text: str) -> str:
    r"""Escape a topic called "all" or "all:hard", which would mean several topics: \x61ll."""
    return rf"\x61{text[1:]}" if text == ALL or text.startswith(f"{ALL}:") else text


_SPACE = re.compile(" ")


def trec(text: str) -> str:
    """Escape unprintable characters and spaces: programs split these lines at white space."""
    return visible(text, _SPACE)


_MARKDOWN_UNSAFE = re.compile(r"^ | \Z| (?= )|[|`]")
_MARKDOWN_PLAIN = re.compile(
    r"""(?!www\.)                   # www.example.org would become a link
        (?: [^\W_]                  # letters and digits
          | [-.+=,()% ]
          | (?<=\w)/(?=\w)          # W/T/L
          | (?<=[^\W_])_(?=[^\W_])  # bm25_rm3; elsewhere _ may start an emphasis
          | (?<=\w)@(?=\d+\Z)       # P@10; elsewhere @ may mention a user
        )+""",
    re.VERBOSE | re.IGNORECASE,
)


def markdown(text: str) -> str:
    """Return plain words unchanged; put other text in a code span, where nothing has effect."""
    shown = visible(text, _MARKDOWN_UNSAFE)
    return shown if not shown or _MARKDOWN_PLAIN.fullmatch(shown) else f"`{shown}`"


_MARKDOWN_MARKS = {ord(c): f"\\{c}" for c in "\\`*_[]<>|#~!$"} | {ord("&"): "&amp;"}
_MARKDOWN_LINKS = re.compile(r"@(?!\d)|(?<=[wW]{3})\.|:(?=//)")


def markdown_prose(text: str) -> str:
    """Escape a sentence mark by mark; addresses and names of users do not become links."""
    unlinked = _MARKDOWN_LINKS.split(visible(text))
    marks = _MARKDOWN_LINKS.findall(visible(text))
    parts = [part.translate(_MARKDOWN_MARKS) for part in unlinked]
    joined = (f"&#{ord(mark)};{part}" for mark, part in zip(marks, parts[1:], strict=True))
    return parts[0] + "".join(joined)


_BACKTICK = re.compile("`")


def markdown_code(text: str) -> str:
    """Return text in a code span outside a table, where | has no meaning."""
    return f"`{visible(text, _BACKTICK)}`"


_LATEX = {c: f"\\{c}" for c in "{}$&#_%"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"\textpm{}",
    "`": r"\textasciigrave{}",
    '"': r"\char34{}",  # babel gives " a meaning in German and other languages
    "[": "{[}",  # an argument, after the \\ that ends the row above
    "*": "{*}",  # the same
}
_LATEX_LIGATURES = re.compile(r"(?<=([-',!?]))(?=\1)")


def latex(text: str) -> str:
    """Escape characters that LaTeX would act on, and break up ligatures: -- is not an en dash."""
    parted = _LATEX_LIGATURES.split(visible(text))[::2]
    return "{}".join("".join(_LATEX.get(c, c) for c in part) for part in parted)
