"""Check what callers give to public functions and option classes, by the annotated types.

A wrong type, or a word that is none of the choices, is a UsageError that names the parameter. What
an annotation cannot tell, such as whether a dictionary is a run, is checked where it is read.
"""

import builtins
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from enum import EnumType
from functools import cache, wraps
from inspect import CO_VARKEYWORDS, unwrap
from numbers import Integral, Real
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from rankeval.base.frozen import no_choice, require_known
from rankeval.base.wording import described
from rankeval.errors import UsageError

Checked = TypeVar("Checked", bound=Callable[..., Any])

WRONG = object()
"""In place of a value of another type."""

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
      expected: int
    """
    if isinstance(given, type):
        given.__init__ = checked(given.__init__)  # type: ignore[misc]
        return given
    function = unwrap(given)
    code, defaults = function.__code__, function.__defaults__ or ()
    places = code.co_varnames[: code.co_argcount]
    own = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    usual = dict(zip(reversed(places), reversed(defaults), strict=False))
    usual |= function.__kwdefaults__ or {}

    @wraps(given)
    def call(*values: Any, **named: Any) -> Any:
        if not named.keys() <= own:
            _require_known(function, named, own)
        # zip leaves out what is too many, which Python is to refuse
        pairs = [*zip(places, values, strict=False), *named.items()]
        read = [v if v is usual.get(n, WRONG) else _read(function, n, v) for n, v in pairs]
        n = len(read) - len(named)
        return given(*read[:n], *values[n:], **dict(zip(named, read[n:], strict=True)))

    return call  # type: ignore[return-value]  # it takes what the function takes


def _read(function: Any, name: str, value: Any) -> Any:
    """Return the value of a parameter as its type has it."""
    kind = _type_of(function, name)
    found = fits(value, kind)
    if found is not WRONG:
        return found
    choices = [*_parts(kind)[0]]
    if choices:
        raise no_choice(name, value, choices)
    raise UsageError(f"{name} is {described(value)}", expected=_in_words(kind))


def _require_known(function: Any, named: Iterable[str], own: Iterable[str]) -> None:
    """Raise TypeError for a keyword that is none of a function's own, nor of those it hands on."""
    further = next((n for n, a in function.__annotations__.items() if "Unpack" in str(a)), None)
    if further is None and function.__code__.co_flags & CO_VARKEYWORDS:
        return
    fields = get_args(_type_of(function, further))[0] if further else None
    if fields is not Any:  # a name for type checkers only: what it is handed on to knows it
        more = getattr(fields, "__annotations__", ())
        require_known(function.__qualname__.removesuffix(".__init__"), named, (*own, *more))


class _Names(dict[str, Any]):
    """The names of a module; those that are imported for type checkers only mean anything."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


@cache
def _type_of(function: Any, name: str) -> Any:
    """Return the type of a parameter, which is looked for when the parameter is first given."""
    kind = function.__annotations__.get(name, Any)
    names = _Names(vars(sys.modules[function.__module__]))
    return eval(kind, {}, names) if isinstance(kind, str) else kind  # noqa: S307  written in the code


ANYTHING: tuple[dict[str, Any], tuple[type, ...], tuple[Any, ...]] = {}, (), ()


@cache
def _parts(kind: Any) -> tuple[dict[str, Any], tuple[type, ...], tuple[Any, ...]]:
    """Return the words of choices with their members, the classes, and containers of a type."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    choices: dict[str, Any] = {}
    classes: tuple[type, ...] = ()
    containers: tuple[Any, ...] = ()
    for one in get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,):
        form: Any = get_origin(one) or one
        inner = _parts(one) if form is Annotated else ANYTHING
        if form is Literal or isinstance(form, EnumType):
            words: Any = get_args(one) or form
            choices = {str(word): word for word in words} | choices
        elif any(inner):
            classes, containers = classes + inner[1], containers + inner[2]
        elif not isinstance(form, type) or form in UNKNOWN or "numpy._typing" in str(one):
            return ANYTHING
        elif get_args(one) and issubclass(form, Iterable):
            containers = (*containers, one)
        else:
            classes = (*classes, form)
    return choices, classes, containers


def fits(value: Any, kind: Any) -> Any:
    """Return a value as its type has it, or WRONG."""
    choices, classes, containers = _parts(kind)
    found = WRONG
    if choices and isinstance(value, str):
        found = choices.get(value, WRONG)
    elif type(value) in classes or not (choices or classes or containers):
        found = value
    elif type(value).__name__ in ("bool", "bool_"):
        found = bool(value) if bool in classes else WRONG
    elif isinstance(value, Integral) and (int in classes or float in classes):
        found = int(value)
    elif isinstance(value, Real) and float in classes:
        found = float(value)
    elif _is_one(value, classes):
        found = value
    for one in containers if found is WRONG else ():
        if (found := _fits_items(value, one)) is not WRONG:
            return found
    return found


_KNOWN: dict[tuple[type, tuple[type, ...]], bool] = {}


def _is_one(value: Any, classes: tuple[type, ...]) -> bool:
    """Return isinstance: it takes long for protocols, and is the same for all values of a type."""
    key = type(value), classes
    if key not in _KNOWN:
        _KNOWN[key] = isinstance(value, classes)
    return _KNOWN[key]


def _fits_items(given: Any, container: Any) -> Any:
    """Check what a container holds; containers within others are checked where they are read."""
    form, inner = get_origin(container), get_args(container)
    item = inner[0] if inner[-1] is ... else inner[-1]
    if issubclass(form, Mapping):
        is_one = isinstance(given, form)
    else:  # text is its characters, but not where names or numbers are asked for
        other = (Mapping, str, bytes) if any(_parts(item)) else Mapping
        is_one = isinstance(given, Iterable) and not isinstance(given, other)
    if not is_one or not any(_parts(item)) or _parts(item)[2]:
        return given if is_one else WRONG
    found = [fits(v, item) for v in (given.values() if isinstance(given, Mapping) else given)]
    if WRONG in found:
        return WRONG
    if isinstance(given, Mapping):
        return dict(zip(given, found, strict=True))
    return tuple(found) if form is tuple else found


def _in_words(kind: Any) -> str:
    """Return what a type takes: the words beside it, or the type as Python writes it."""
    form, inner = get_origin(kind), get_args(kind)
    if form is Annotated:
        return str(inner[1])
    if form in (Union, UnionType):
        return ", or ".join(map(_in_words, inner)).replace("NoneType", "None")
    name = str(getattr(kind, "__name__", kind))
    return f"{name}[{', '.join(map(_in_words, inner))}]" if inner else name
