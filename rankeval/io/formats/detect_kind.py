"""Guess whether a file holds a run, judgments or preferences, where its argument does not tell."""

from rankeval.io.formats import formats
from rankeval.io.formats.detect_format import is_of, suffix
from rankeval.io.formats.file_format import FileFormat
from rankeval.io.formats.form import Beginning, Form
from rankeval.io.parsers.column_names import KINDS, ContentGuess


def kind_of(begun: Beginning | None, path: str, form: Form) -> ContentGuess:
    """Guess from the beginning of a file what it holds.

    A file that could be either holds judgments if its first number is an integer. `begun` is None
    for a data set of ir_datasets.
    """
    if begun is None:  # ir_datasets
        return ContentGuess("qrels", certain=False)
    for one in formats.registered_formats():
        guess = _guess_of_registered(one, begun, path, form)
        if guess is not None:
            return guess
    for one in formats.own_formats():
        if one.has_magic(begun.first) or not one.magic:
            guess = one.guess(begun, path, form.columns)
            if guess is not None:
                return guess
    return ContentGuess("run", certain=False)


def _guess_of_registered(
    one: FileFormat, begun: Beginning, path: str, form: Form
) -> ContentGuess | None:
    """Guess what a file of a plugin's format holds; None if it is of another format."""
    kinds = [what for what in KINDS if what in one.limits.kinds]
    named = form.name == one.name or suffix(path) in one.suffixes
    if form.name not in (None, one.name) or not (
        named or any(is_of(one, begun.first, begun.line, Form(what)) for what in kinds)
    ):
        return None
    guess = one.guess(begun, path, form.columns)
    return guess or ContentGuess(kinds[0], certain=len(kinds) == 1)
