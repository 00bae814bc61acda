"""Check what callers give to public functions and option classes, by the annotated types.

A wrong type, or a word that is none of the choices, is a UsageError that names the parameter. What
an annotation cannot tell, such as whether a dictionary is a run, is checked where it is read.
"""

import builtins
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from enum import Enum
from functools import wraps
from inspect import CO_VARKEYWORDS, unwrap
from numbers import Integral, Real
from os import PathLike
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from rankeval.base.frozen import no_choice, require_known
from rankeval.base.wording import described
from rankeval.errors import UsageError

Checked = TypeVar("Checked", bound=Callable[..., Any])

WRONG = object()
"""The result of reading a value of another kind."""


class Kind(NamedTuple):
    """What a parameter takes: `read` returns the value to work with, or WRONG."""

    read: Callable[[Any], Any]
    words: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    is_plain: bool = True
    """False for containers: those within others are checked where they are read."""
    by_type: bool = False
    """True where values of one type are all taken as they are, or none."""


ANYTHING = Kind(lambda value: value)
UNKNOWN = (Any, object, Hashable)


def checked(given: Checked) -> Checked:
    """Check the arguments of each call of a function, or the fields of each object of a dataclass.

    Numbers of NumPy become Python's, words the members of enumerations. TypeError for an unknown
    keyword.

    >>> @checked
    ... def first(names: list[str], *, top: int = 3) -> list[str]:
    ...     return names[:top]
    >>> first(["d1", "d2"], top=1.5)
    Traceback (most recent call last):
        ...
    rankeval.errors.UsageError: top is 1.5
      expected: a whole number
    """
    if isinstance(given, type):
        return _checked_fields(given)
    function = unwrap(given)
    code = function.__code__
    places = code.co_varnames[: code.co_argcount]
    own = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    kinds = _Kinds(function)

    @wraps(given)
    def call(*values: Any, **named: Any) -> Any:
        if named:
            if not named.keys() <= own:
                _require_known(function, named, own)
            named = {name: _read(name, kinds[name], value) for name, value in named.items()}
        # zip leaves out what is too many, which Python is to refuse
        read = [_read(name, kinds[name], v) for name, v in zip(places, values, strict=False)]
        return given(*read, *values[len(read) :], **named)

    return call  # type: ignore[return-value]  # it takes what the function takes


def _checked_fields(cls: Any) -> Any:
    further = getattr(cls, "__post_init__", None)
    kinds = _Kinds(cls)
    defaults = {f.name: f.default for f in cls.__dataclass_fields__.values() if f.init}

    def __post_init__(self: Any) -> None:  # noqa: N807  put into the class
        values = vars(self)
        for name, default in defaults.items():
            value = values[name]
            if value is default:  # most are, and this is quick
                continue
            kind = kinds[name]
            if type(value) is float and kind.read(value) is WRONG and value.is_integer():
                value = int(value)  # 5.0, as files of settings and tables have it
            values[name] = _read(name, kind, value)
        if further is not None:
            further(self)

    cls.__post_init__ = __post_init__
    return cls


def _require_known(function: Any, named: Iterable[str], own: Iterable[str]) -> None:
    """Raise TypeError for a keyword that is none of a function's own, nor of those it hands on."""
    further = next((a for a in function.__annotations__.values() if "Unpack" in str(a)), None)
    if further is None and function.__code__.co_flags & CO_VARKEYWORDS:
        return
    names = _Names(function.__module__)
    fields = _resolved(get_args(_resolved(further, names))[0], names) if further else None
    if fields is Any:  # a name for type checkers only: what it is handed on to knows it
        return
    require_known(function.__name__, named, (*own, *getattr(fields, "__annotations__", ())))


class _WrongItemError(Exception):
    """A list or a dictionary holds a value of another kind."""


def _read(name: str, kind: Kind, value: Any) -> Any:
    try:
        found = kind.read(value)
    except _WrongItemError as error:
        place, kind, value = error.args
        name, found = f"{name}[{place!r}]", WRONG
    if found is WRONG:
        if kind.choices:
            raise no_choice(name, value, kind.choices, *kind.words)
        raise UsageError(f"{name} is {described(value)}", expected=", or ".join(kind.words))
    return found


class _Names(dict[str, Any]):
    """The names of a module; those that are imported for type checkers only mean anything."""

    def __init__(self, module: str) -> None:
        super().__init__(vars(sys.modules[module]))

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


class _Kinds(dict[str, Kind]):
    """What the parameters of a function take, or the fields of a class, by name.

    Each is found when the first value is given: imports, and most commands, are to be quick.
    """

    def __init__(self, given: Any) -> None:
        super().__init__()
        self._given = given

    def __missing__(self, name: str) -> Kind:
        annotation = _annotations(self._given).get(name, Any)
        kind = self[name] = _kind(annotation, _Names(self._given.__module__))
        return kind


def _annotations(given: Any) -> Mapping[str, Any]:
    if not isinstance(given, type):
        return cast("Mapping[str, Any]", given.__annotations__)
    return {f.name: f.type for f in given.__dataclass_fields__.values()}  # type: ignore[attr-defined]


def _resolved(annotation: Any, names: _Names) -> Any:
    if isinstance(annotation, ForwardRef):
        annotation = annotation.__forward_arg__
    return eval(annotation, {}, names) if isinstance(annotation, str) else annotation  # noqa: S307  written in the code


def _kind(annotation: Any, names: _Names) -> Kind:
    """Return what a type takes; ANYTHING for what can be an array, or only checkers know."""
    annotation = _resolved(annotation, names)
    form, inner = get_origin(annotation) or annotation or NoneType, get_args(annotation)
    if form is Annotated:  # the type, and words for it
        return _kind(inner[0], names)._replace(words=inner[1:], choices=())
    if form is Union or form is UnionType:
        return _any_of([_kind(one, names) for one in inner])
    if form is Literal:
        return _choice(inner)
    if form in PLAIN:
        return PLAIN[form]
    if not isinstance(form, type) or form in UNKNOWN or form.__module__.startswith("numpy._typing"):
        return ANYTHING
    return _kind_of_class(form, inner, names)


def _kind_of_class(cls: Any, inner: tuple[Any, ...], names: _Names) -> Kind:
    if issubclass(cls, Enum):
        return _choice(cls)
    if issubclass(cls, Iterable) and (inner or issubclass(cls, Mapping)):
        container = _mapping if issubclass(cls, Mapping) else _sequence
        item = inner[-1] if container is _mapping and inner else (*inner, Any)[0]
        # Containers in containers, and tuples of several types, are checked where they are read.
        origin = get_origin(item)
        deep = isinstance(origin, type) and origin is not UnionType
        alike = container is _mapping or all(one in (item, Ellipsis) for one in inner)
        return container(cls, _kind(item, names) if alike and not deep else ANYTHING)
    words = "a path" if issubclass(cls, PathLike) else f"{cls.__name__}(...)"
    return Kind(lambda value: value if isinstance(value, cls) else WRONG, (words,), by_type=True)


def _any_of(kinds: list[Kind]) -> Kind:
    if ANYTHING in kinds:
        return ANYTHING
    if any(kind.choices for kind in kinds):  # `Correction | str` takes members and their words
        kinds = [kind for kind in kinds if kind is not PLAIN[str]]
    # Classes come before what they may look like: results can be gone through, as lists can.
    in_order = sorted(kinds, key=lambda kind: not kind.is_plain)
    taken: set[type] = set()  # protocols take a while to check

    def read(value: Any) -> Any:
        if type(value) in taken:
            return value
        for kind in in_order:
            if (found := kind.read(value)) is not WRONG:
                if kind.by_type:
                    taken.add(type(value))
                return found
        return WRONG

    words = (word for kind in kinds for word in kind.words)
    choices = (choice for kind in kinds for choice in kind.choices)
    is_plain = all(kind.is_plain for kind in kinds)
    return Kind(read, tuple(dict.fromkeys(words)), tuple(dict.fromkeys(choices)), is_plain)


def _choice(members: Iterable[Any]) -> Kind:
    """Take one of some words, or members of an enumeration by their words, as the shell does."""
    known = {str(getattr(one, "value", one)): one for one in members}

    def read(value: Any) -> Any:
        if not isinstance(value, str):
            return next((v for v in known.values() if type(v) is type(value) and v == value), WRONG)
        return known.get(value, WRONG)

    return Kind(read, (), tuple(known))


def _mapping(cls: Any, values: Kind) -> Kind:
    is_checked = values.is_plain and values is not ANYTHING

    def read(given: Any) -> Any:
        if type(given) is not dict and not isinstance(given, cls):
            return WRONG
        if not is_checked:
            return given
        return {name: _item(name, values, value) for name, value in given.items()}

    return Kind(
        read,
        (f"a dictionary{_of(values) * is_checked}",),
        (),
        is_plain=False,
        by_type=not is_checked,
    )


def _sequence(cls: Any, items: Kind) -> Kind:
    """Take lists, tuples, arrays and what else can be gone through, but no mapping.

    Text is its characters, but not where names or numbers are asked for.
    """
    is_checked = items.is_plain and items is not ANYTHING

    def read(given: Any) -> Any:
        if isinstance(given, str | bytes) and items is not ANYTHING:
            return WRONG
        if isinstance(given, Mapping) or not isinstance(given, Iterable):
            return WRONG
        if not is_checked or getattr(given, "closed", False) is True:  # a file
            return given
        found = [_item(place, items, item) for place, item in enumerate(given)]
        return cls(found) if cls in (tuple, set, frozenset) else found

    return Kind(
        read, (f"a list{_of(items) * is_checked}",), (), is_plain=False, by_type=not is_checked
    )


def _item(place: object, kind: Kind, value: Any) -> Any:
    found = kind.read(value)
    if found is WRONG:
        raise _WrongItemError(place, kind, value)
    return found


def _of(inner: Kind) -> str:
    """Say what a list or a dictionary holds: " of whole numbers"."""
    words = [f"{word[2:]}s" if word.startswith("a ") else word for word in inner.words]
    words += [f"one of {', '.join(inner.choices)}"] * bool(inner.choices)
    return f" of {' or '.join(words)}" if words else ""


def _truth(value: Any) -> Any:
    return bool(value) if type(value).__name__ in ("bool", "bool_") else WRONG


def _integer(value: Any) -> Any:
    if type(value) is int:
        return value
    return WRONG if isinstance(value, bool) or not isinstance(value, Integral) else int(value)


def is_real(value: Any) -> bool:
    """Return True for a real number, of `decimal`, too."""
    if isinstance(value, Real):
        return True
    from decimal import Decimal  # few values are none of Python's other numbers

    return isinstance(value, Decimal)


def _number(value: Any) -> Any:
    if type(value) is float:
        return value
    if isinstance(value, bool) or not is_real(value):
        return WRONG
    return _integer(value) if isinstance(value, Integral) else float(value)


PLAIN: dict[Any, Kind] = {
    NoneType: Kind(lambda value: None if value is None else WRONG, ("None",)),
    bool: Kind(_truth, ("True or False",)),
    int: Kind(_integer, ("a whole number",)),
    float: Kind(_number, ("a number",)),
    str: Kind(lambda value: value if isinstance(value, str) else WRONG, ("text",)),
    bytes: Kind(lambda value: value if isinstance(value, bytes) else WRONG, ("bytes",)),
    Callable: Kind(lambda value: value if callable(value) else WRONG, ("a function",)),
}
