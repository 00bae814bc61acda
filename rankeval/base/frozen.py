"""Frozen dataclasses that take a quarter of the time to create, words, and values by topic.

The standard library compiles up to six methods for each frozen dataclass, which takes more than
half a millisecond, and a command starts with a hundred of them. This module compiles only
`__init__`, and that only for classes of which an object is made, or whose signature is looked at
(`docs/decisions.md`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, dataclass_transform, overload

from rankeval.base.wording import listed, nearest_of
from rankeval.errors import UsageError
from rankeval.other_words import KEYWORDS

Class = TypeVar("Class", bound=type)
Given = ParamSpec("Given")
Value = TypeVar("Value")


@overload
def frozen(cls: Class, /) -> Class: ...
@overload
def frozen(*, eq: bool = True) -> Callable[[Class], Class]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, /, *, eq: bool = True) -> Any:
    """Make a frozen dataclass, as `dataclass(frozen=True)` does: only `__init__` sets fields.

    With `eq`, objects of one class with equal fields are equal and have the same hash; without, an
    object equals only itself. Methods defined in the class are kept. Creating, comparing and
    hashing an object takes up to a microsecond more than with the standard library.
    """
    if cls is None:
        return partial(frozen, eq=eq)
    own = vars(cls)
    if "__init__" not in own:
        cls.__init__ = _Init(cls)
    dataclass(init=False, repr=False, eq=False)(cls)
    for name in METHODS if eq else METHODS[: -len(OF_VALUES)]:
        if own.get(name) is None:  # Python sets this in a class that defines __eq__
            setattr(cls, name, vars(_Frozen)[name])
    return cls


class _Init:
    """Stands for `__init__` until the first object is made: of most classes there is none."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls

    def __get__(self, instance: object, owner: type) -> Any:
        """Put the compiled function in place, and return it."""
        self.cls.__init__ = _compiled_init(self.cls)
        return self.cls.__init__.__get__(instance, owner)


def _compiled_init(cls: Any) -> Any:
    """Return the `__init__` of a dataclass; it stores the values without asking `__setattr__`."""
    parameters, lines = ["self"], ["__fields = self.__dict__"]
    names: dict[str, object] = {"_MADE": _MADE}
    for f in fields(cls):
        value, default = f.name, f"_default_{f.name}"
        if f.default_factory is not MISSING:
            names[default] = f.default_factory
            value = f"{default}() if {f.name} is _MADE else {f.name}" if f.init else f"{default}()"
            parameters += [f"{f.name}=_MADE"] * f.init
        elif not f.init:  # `__post_init__` sets the field
            continue
        elif f.default is not MISSING:
            names[default] = f.default
            parameters.append(f"{f.name}={default}")
        else:
            parameters.append(f.name)
        lines.append(f"__fields[{f.name!r}] = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n    ".join(lines)
    exec(f"def __init__({', '.join(parameters)}):\n    {body}", names)  # noqa: S102  names of fields only
    init: Any = names["__init__"]
    init.__annotations__ = {f.name: f.type for f in fields(cls) if f.init} | {"return": None}
    init.__module__, init.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return init


class _Made:
    """The default of parameters whose values are made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE = _Made()


class _Frozen:
    """The methods of all frozen classes; the last two where objects are equal by their fields."""

    def __setattr__(self, name: str, _value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self: Any) -> str:
        """Show the fields that are not as they are by default."""
        values = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if _is_shown(self, f))
        return f"{type(self).__qualname__}({', '.join(values)})"

    def __getstate__(self: Any) -> dict[str, object]:
        """Return what is pickled: the fields, and not what was computed from them, such as hashes
        by the random numbers of this process.
        """
        every = {f.name for f in fields(self)}
        return {name: getattr(self, name) for name in vars(self) if name in every}

    def __eq__(self, other: object) -> bool:
        return _values(self) == _values(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(_values(self))


OF_VALUES = ("__eq__", "__hash__")
METHODS = ("__setattr__", "__delattr__", "__repr__", "__getstate__", *OF_VALUES)


def _is_shown(value: Any, f: Field[Any]) -> bool:
    one, usual = getattr(value, f.name), f.default
    if f.default_factory is not MISSING:
        usual = f.default_factory()
    return f.repr and (type(one) is not type(usual) or one != usual)


def _values(value: Any) -> tuple[object, ...]:
    return tuple([getattr(value, f.name) for f in fields(value) if f.compare])


class _Call(partial[Any]):
    """A call that is still to be made, unlike other functions that a field may hold."""


def later(function: Callable[Given, Value], *given: Given.args, **named: Given.kwargs) -> Value:
    """Return the value of a field that `may_be_later`: the function is called at the first read.

    What the function is given stays in memory until then.
    """
    call: Any = _Call(function, *given, **named)
    return call


class _MayBeLater:
    """The field's place in the class; it has no value there, so that it has no default."""

    def __set_name__(self, _: Any, name: str) -> None:
        self.name = name

    def __get__(self, made: Any, owner: type) -> Any:
        if made is None:
            raise AttributeError(self.name)
        value = made.__dict__[self.name]
        if isinstance(value, _Call):
            value = made.__dict__[self.name] = value()
        return value

    def __set__(self, made: Any, value: Any) -> None:
        """Keep the value; without this method, Python would not ask `__get__` for it."""
        made.__dict__[self.name] = value


def may_be_later() -> Any:
    """Declare a required field of a frozen value that takes the value of `later(function, ...)`.

    Whoever reads, compares, copies or pickles the field has its value.

    >>> from rankeval.base.frozen import frozen
    >>> @frozen
    ... class Square:
    ...     side: int
    ...     area: int = may_be_later()
    >>> Square(3, later(pow, 3, 2))
    Square(side=3, area=9)
    """
    return _MayBeLater()


Choice = TypeVar("Choice", bound=str)


def choice(name: str, value: object, known: Iterable[Choice]) -> Choice:
    """Return the known word that a value is; UsageError lists them for another value."""
    words = [*known]
    if isinstance(value, str) and value in words:
        return words[words.index(value)]
    raise no_choice(name, value, words)


def no_choice(
    name: str, value: object, known: Sequence[str], expected: str | None = None
) -> UsageError:
    """Return the error of a word that is no choice, with the nearest one."""
    near = nearest_of(value, known) if isinstance(value, str) else []
    hint = f"; did you mean {near[0]!r}?" if near else ""
    expected = expected or f"one of {', '.join(known)}"
    return UsageError(f"{name} cannot be {value!r}{hint}", expected=expected)


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
