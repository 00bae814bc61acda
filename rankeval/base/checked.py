"""Check what callers give to public functions and option classes, by the annotated types.

A wrong type, or a word that is none of the choices, is a UsageError that names the parameter. What
an annotation cannot tell, such as whether a dictionary is a run, is checked where it is read.
"""

import builtins
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from enum import Enum
from functools import cache, wraps
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
    get_args,
    get_origin,
)

from rankeval.base.frozen import no_choice, require_known
from rankeval.base.wording import described
from rankeval.errors import InputError, UsageError

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
    kinds = _kinds(function.__annotations__, function.__module__)

    @wraps(given)
    def call(*values: Any, **named: Any) -> Any:
        if named:
            if not named.keys() <= own:
                _require_known(function, named, own)
            named = {name: _read(name, kinds(name), value) for name, value in named.items()}
        # zip leaves out what is too many, which Python is to refuse
        read = [_read(name, kinds(name), v) for name, v in zip(places, values, strict=False)]
        return given(*read, *values[len(read) :], **named)

    return call  # type: ignore[return-value]  # it takes what the function takes


def _checked_fields(cls: Any) -> Any:
    further = getattr(cls, "__post_init__", None)
    every = {f.name: f for f in cls.__dataclass_fields__.values() if f.init}
    kinds = _kinds({name: f.type for name, f in every.items()}, cls.__module__)

    def __post_init__(self: Any) -> None:  # noqa: N807  put into the class
        values = vars(self)
        for name, f in every.items():
            value = values[name]
            if value is f.default:  # most are, and this is quick
                continue
            if type(value) is float and value.is_integer() and kinds(name).read(value) is WRONG:
                value = int(value)  # 5.0, as files of settings and tables have it
            values[name] = _read(name, kinds(name), value)
        if further is not None:
            further(self)

    cls.__post_init__ = __post_init__
    return cls


def _read(name: str, kind: Kind, value: Any) -> Any:
    if hasattr(type(value), "closed") and value.closed is True:
        expected = "a file that is open for reading"
        raise InputError("the file is closed", place=name, expected=expected)
    found = kind.read(value)
    if found is not WRONG:
        return found
    if kind.choices:
        raise no_choice(name, value, kind.choices, *kind.words)
    raise UsageError(f"{name} is {described(value)}", expected=", or ".join(kind.words))


def _require_known(function: Any, named: Iterable[str], own: Iterable[str]) -> None:
    """Raise TypeError for a keyword that is none of a function's own, nor of those it hands on."""
    further = next((a for a in function.__annotations__.values() if "Unpack" in str(a)), None)
    if further is None and function.__code__.co_flags & CO_VARKEYWORDS:
        return
    names = _Names(function.__module__)
    fields = _resolved(get_args(_resolved(further, names))[0], names) if further else None
    if fields is not Any:  # a name for type checkers only: what it is handed on to knows it
        more = getattr(fields, "__annotations__", ())
        require_known(function.__name__, named, (*own, *more))


class _Names(dict[str, Any]):
    """The names of a module; those that are imported for type checkers only mean anything."""

    def __init__(self, module: str) -> None:
        super().__init__(vars(sys.modules[module]))

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


def _kinds(annotations: Mapping[str, Any], module: str) -> Callable[[str], Kind]:
    """Return the function from a name to what it takes, which is found when it is first needed.

    Imports, and most commands, are to be quick.
    """
    return cache(lambda name: _kind(annotations.get(name, Any), _Names(module)))


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


def _kind_of_class(form: type, inner: tuple[Any, ...], names: _Names) -> Kind:
    if issubclass(form, Enum):
        return _choice(form)
    if issubclass(form, Iterable) and (inner or issubclass(form, Mapping)):
        of = {*inner[issubclass(form, Mapping) :]} - {Ellipsis}
        return _container(form, _kind(of.pop(), names) if len(of) == 1 else ANYTHING)
    words = "a path" if issubclass(form, PathLike) else f"{form.__name__}(...)"
    return Kind(_instance_of(form), (words,))


def _instance_of(cls: type) -> Callable[[Any], Any]:
    known: dict[type, bool] = {}  # protocols take a while to check

    def read(value: Any) -> Any:
        kind = type(value)
        if kind not in known:
            known[kind] = isinstance(value, cls)
        return value if known[kind] else WRONG

    return read


def _any_of(kinds: list[Kind]) -> Kind:
    if ANYTHING in kinds:
        return ANYTHING
    choices = tuple(dict.fromkeys(choice for kind in kinds for choice in kind.choices))
    # `Correction | str` takes members and their words.
    kinds = [kind for kind in kinds if not (choices and kind is PLAIN[str])]
    # Classes come before what they may look like: results can be gone through, as lists can.
    in_order = sorted(kinds, key=lambda kind: not kind.is_plain)

    def read(value: Any) -> Any:
        for kind in in_order:
            if (found := kind.read(value)) is not WRONG:
                return found
        return WRONG

    words = dict.fromkeys(word for kind in kinds for word in kind.words)
    return Kind(read, tuple(words), choices, all(kind.is_plain for kind in kinds))


def _choice(members: Iterable[Any]) -> Kind:
    """Take one of some words, or members of an enumeration by their words, as the shell does."""
    known = {str(getattr(one, "value", one)): one for one in members}

    def read(value: Any) -> Any:
        if isinstance(value, str):
            return known.get(value, WRONG)
        return next((v for v in known.values() if type(v) is type(value) and v == value), WRONG)

    return Kind(read, (), tuple(known))


def _container(cls: Any, item: Kind) -> Kind:
    """Take a mapping; or lists, tuples, arrays and what else can be gone through, but no mapping.

    Text is its characters, but not where names or numbers are asked for.
    """
    is_mapping = issubclass(cls, Mapping)
    is_one = _instance_of(cls if is_mapping else Iterable)
    wrong = () if is_mapping else (Mapping,) if item is ANYTHING else (Mapping, str, bytes)
    is_checked = item is not ANYTHING and item.is_plain

    def read(given: Any) -> Any:
        if isinstance(given, wrong) or is_one(given) is WRONG:
            return WRONG
        if not is_checked:
            return given
        found = [item.read(one) for one in (given.values() if is_mapping else given)]
        if any(one is WRONG for one in found):
            return WRONG
        if is_mapping:
            return dict(zip(given, found, strict=True))
        return cls(found) if cls in (tuple, set, frozenset) else found

    of = [f"{word[2:]}s" if word.startswith("a ") else word for word in item.words]
    of += [f"one of {', '.join(item.choices)}"] * bool(item.choices)
    words = "a dictionary" if is_mapping else "a list"
    return Kind(read, (f"{words} of {' or '.join(of)}" if of and is_checked else words,), (), False)  # noqa: FBT003


def _truth(value: Any) -> Any:
    return bool(value) if type(value).__name__ in ("bool", "bool_") else WRONG


def _integer(value: Any) -> Any:
    return WRONG if isinstance(value, bool) or not isinstance(value, Integral) else int(value)


def _number(value: Any) -> Any:
    if type(value) is float:
        return value
    is_real = isinstance(value, Real) and not isinstance(value, bool | Integral)
    return float(value) if is_real else _integer(value)


PLAIN: dict[Any, Kind] = {
    NoneType: Kind(lambda value: None if value is None else WRONG, ("None",)),
    bool: Kind(_truth, ("True or False",)),
    int: Kind(_integer, ("a whole number",)),
    float: Kind(_number, ("a number",)),
    str: Kind(_instance_of(str), ("text",)),
    bytes: Kind(_instance_of(bytes), ("bytes",)),
    Callable: Kind(lambda value: value if callable(value) else WRONG, ("a function",)),
}
