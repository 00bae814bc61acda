"""Values of options that are one of a few words, which may be written in any case."""

from collections.abc import Callable, Sequence

from rankeval.support.wording import known_word


def in_any_case(words: Sequence[str]) -> Callable[[str | None], str | None]:
    """Return typer's callback of an option: the word that is meant, or the value as it is."""

    def meant(value: str | None) -> str | None:
        return None if value is None else known_word(value, words)

    return meant
