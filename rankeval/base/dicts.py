"""Values of callers: refuse closed files and wrong paths; dictionaries that cannot be changed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from rankeval.base.other_words import KEYWORDS
from rankeval.base.wording import listed
from rankeval.errors import InputError, UsageError

Choice = TypeVar("Choice", bound=str)


def choice(name: str, value: object, known: Iterable[Choice]) -> Choice:
    """Return the known word that a value is; UsageError lists them for another value."""
    words = [*known]
    if isinstance(value, str) and value in words:
        return words[words.index(value)]
    raise no_choice(name, value, words)


def no_choice(name: str, value: object, known: Sequence[str], *further: str) -> UsageError:
    """Return the error of a word that is no choice, with the nearest one and what else is."""
    near = [] if not isinstance(value, str) else nearest_of(value, known)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    expected = ", or ".join([f"one of {', '.join(known)}", *further])
    return UsageError(f"{name} cannot be {value!r}{hint}", expected=expected)


def nearest_of(word: str, known: Sequence[str]) -> list[str]:
    """Return the known word that is most like a word, or none."""
    from difflib import get_close_matches  # seldom needed

    return get_close_matches(word, known, n=1)


def require_known(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError for an unknown keyword of a function; it suggests the nearest known one."""
    names = [*known]
    for name in given:
        if name not in names:
            problem = f"{function}() got an unexpected keyword argument {name!r}"
            word = KEYWORDS.get(name, "")
            near = [word] if word in names else nearest_of(name, names)
            hint = f"did you mean {near[0]!r}?" if near else ""
            hint = word if " " in word else hint
            raise TypeError(f"{problem}; {hint}" if hint else problem)


def refuse_closed(given: object, place: str) -> None:
    """Raise InputError for a file that was closed; anything else is left alone."""
    if getattr(given, "closed", False) is True:
        raise InputError(
            "the file is closed", place=place, expected="a file that is open for reading"
        )


Key = TypeVar("Key")
Value = TypeVar("Value")


class ReadOnly(dict[Key, Value]):
    """A dictionary that refuses changes with TypeError."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse the change."""
        raise TypeError("these values cannot be changed; dict(values) makes a copy that can")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle it as its items."""
        return type(self), (dict(self),)


def read_only(given: Mapping[Key, Value]) -> ReadOnly[Key, Value]:
    """Return a mapping that cannot be changed: the same, or a copy."""
    return given if isinstance(given, ReadOnly) else ReadOnly(given)


UNCHANGING = {str, int, float, bool, tuple, type(None)}
"""Types of most values, which nobody can change."""


def seal(value: Any, *names: str) -> None:
    """Keep arrays and dictionaries of a frozen value from being changed: its `__post_init__`.

    Dictionaries are copied, those in them, too; of an array the value has a view. `names` are the
    fields that may hold them, all by default.
    """
    _seal(vars(value), names or [*vars(value)])


def _seal(values: dict[Any, Any], names: Iterable[Any]) -> None:
    for name in names:
        one = values[name]
        kind = type(one)
        if kind in UNCHANGING:
            continue
        if kind is dict:
            copied = dict(one)
            _seal(copied, one)
            values[name] = ReadOnly(copied)
        elif hasattr(one, "setflags") and one.flags.writeable:  # an array, without an import
            values[name] = one.view()
            values[name].setflags(write=False)


class ByTopic(dict[str, Value]):
    """Values by topic: `found[7]` is `found["7"]`; a look-up that fails lists the first topics.

    Topics are text, whatever they were where they came from: a file does not say whether its
    topics are integers.
    """

    called = "topic"
    """The name of a key in messages."""

    if TYPE_CHECKING:

        def __getitem__(self, topic: str | int) -> Value: ...

    def __missing__(self, topic: object) -> Value:
        name = _digits(topic)
        if name is not topic and name in self:
            return self[name]
        names = [name.encode("utf-8", "surrogateescape") for name in self]
        raise KeyError(f"no {self.called} {topic!r}; there is {listed(names)}")

    def __contains__(self, topic: object) -> bool:
        return super().__contains__(_digits(topic))

    def get(self, topic: Any, default: Any = None) -> Any:
        """Return the value of a topic, or the default."""
        return super().get(_digits(topic), default)


class ByDocument(ByTopic[Value]):
    """Values by docno: `found[12]` is `found["12"]`."""

    called = "document"


def _digits(topic: Any) -> Any:
    """Return the digits of an integer, of Python's or NumPy's; anything else as it is."""
    if isinstance(topic, str | bool) or not hasattr(topic, "__index__"):
        return topic
    return str(topic.__index__())
