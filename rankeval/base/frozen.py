"""Frozen dataclasses that take a quarter of the time to create, words, and values by topic.

The standard library compiles up to six methods for each frozen dataclass, which takes more than
half a millisecond, and a command starts with many of them. Here only `__init__` is compiled, which
stores values without asking `__setattr__`; the others are functions that all classes share
(`docs/decisions.md`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from rankeval.base.wording import listed, nearest_of
from rankeval.errors import UsageError
from rankeval.other_words import KEYWORDS

Value = TypeVar("Value")


if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
    def record(cls: type[Value], /) -> type[Value]:
        """Make a dataclass of values within a computation, which equal only themselves.

        Type checkers refuse to set a field; Python does not.
        """

else:
    record = partial(dataclass, repr=False, eq=False, match_args=False)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any) -> Any:
    """Make a frozen dataclass, as `dataclass(frozen=True)` does: only `__init__` sets fields.

    Objects of one class with equal fields are equal and have the same hash. Methods defined in the
    class are kept. Creating, comparing and hashing an object takes up to a microsecond more than
    with the standard library.
    """
    own = vars(cls)
    dataclass(init=False, repr=False, eq=False)(cls)
    for name in METHODS:
        if own.get(name) is None:  # Python sets `__hash__` so in a class that defines `__eq__`
            setattr(cls, name, vars(_Frozen)[name])
    if "__init__" in own:
        return cls
    usual: dict[str, Any] = {}
    parameters, lines = ["self"], ["__fields = self.__dict__"]
    for f in fields(cls):
        if not f.init:  # `__post_init__` sets the field
            continue
        name, place, value = f.name, f"__usual[{f.name!r}]", f.name
        usual[name] = f.default
        if f.default_factory is not MISSING:
            usual[name] = f.default_factory
            value = f"{name}() if {name} is {place} else {name}"
        parameters.append(name if usual[name] is MISSING else f"{name}={place}")
        lines.append(f"__fields[{name!r}] = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    names: dict[str, Any] = {"__usual": usual}
    body = "\n    ".join(lines)
    exec(f"def __init__({', '.join(parameters)}):\n    {body}", names)  # noqa: S102  names of fields only
    init = cls.__init__ = names["__init__"]
    init.__annotations__ = {f.name: f.type for f in fields(cls) if f.init} | {"return": None}
    init.__module__, init.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return cls


class _Frozen:
    """The methods of all frozen classes."""

    def __setattr__(self, name: str, *_: object) -> None:
        raise FrozenInstanceError(f"cannot change the field {name!r}")

    __delattr__ = __setattr__

    def __repr__(self: Any) -> str:
        """Show the fields that are not as they are by default."""
        every = [(f.name, getattr(self, f.name), f.default) for f in fields(self) if f.repr]
        shown = [f"{n}={v!r}" for n, v, usual in every if type(v) is not type(usual) or v != usual]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __getstate__(self: Any) -> dict[str, object]:
        """Return what is pickled: the fields, and not what was computed from them, such as hashes
        by the random numbers of this process.
        """
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __eq__(self: Any, other: object) -> bool:
        names, is_like = [f.name for f in fields(self) if f.compare], type(self) is type(other)
        values = [(getattr(self, n), getattr(other, n)) for n in names if is_like]
        return all(a is b or a == b for a, b in values) if is_like else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(tuple([getattr(self, f.name) for f in fields(self) if f.compare]))


METHODS = ("__setattr__", "__delattr__", "__repr__", "__getstate__", "__eq__", "__hash__")


def no_choice(name: str, value: object, known: Sequence[str]) -> UsageError:
    """Return the error of a word that is no choice, with the nearest one."""
    near = nearest_of(value, known) if isinstance(value, str) else []
    hint = f"; did you mean {near[0]!r}?" if near else ""
    expected = f"one of {', '.join(known)}"
    return UsageError(f"{name} cannot be {value!r}{hint}", expected=expected)


def require_known(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError for an unknown keyword of a function; it suggests the nearest known one."""
    names = [*known]
    for name in given:
        if name not in names:
            word = KEYWORDS.get(name, "")
            near = [word] if word in names else nearest_of(name, names)
            hint = word if " " in word else f"did you mean {near[0]!r}?" if near else ""
            problem = f"{function}() got an unexpected keyword argument {name!r}"
            raise TypeError(f"{problem}; {hint}" if hint else problem)


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
    is_integer = hasattr(topic, "__index__") and not isinstance(topic, bool)
    return str(topic.__index__()) if is_integer else topic
