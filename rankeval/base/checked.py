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
from rankeval.errors import InputError, UsageError

Checked = TypeVar("Checked", bound=Callable[..., Any])

Parts = tuple[dict[str, Any], tuple[type, ...], tuple[Any, ...]]
"""The words of choices with their members, the classes, and the containers of a type."""

ANYTHING: Parts = {}, (), ()

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
        given.__init__ = checked(given.__init__)  # type: ignore[misc]  # of this class alone
        return given
    function: Any = unwrap(given)
    code, defaults = function.__code__, function.__defaults__ or ()
    places = code.co_varnames[: code.co_argcount]
    own = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    usual = dict(zip(places[::-1], defaults[::-1], strict=False)) | (function.__kwdefaults__ or {})

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
    if hasattr(type(value), "closed") and value.closed is True:
        raise InputError("the file is closed", place=name, expected="a file open for reading")
    kind, parts = _type_of(function, name)
    if (found := fits(value, parts)) is not WRONG:
        return found
    if parts[0]:
        raise no_choice(name, value, [*parts[0]])
    raise UsageError(f"{name} is {described(value)}", expected=_in_words(kind))


def _require_known(function: Any, named: Iterable[str], own: Iterable[str]) -> None:
    """Raise TypeError for a keyword that is none of a function's own, nor of those it hands on."""
    further = next((n for n, a in function.__annotations__.items() if "Unpack" in str(a)), None)
    if further is None and function.__code__.co_flags & CO_VARKEYWORDS:
        return
    fields = get_args(_type_of(function, further)[0])[0] if further else None
    if fields is not Any:  # a name for type checkers only: what it is handed on to knows it
        more = getattr(fields, "__annotations__", ())
        require_known(function.__qualname__.removesuffix(".__init__"), named, (*own, *more))


class _Names(dict[str, Any]):
    """The names of a module; those that are imported for type checkers only mean anything."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


@cache
def _type_of(function: Any, name: str) -> tuple[Any, Parts]:
    """Return the type of a parameter, and its parts, when the parameter is first given."""
    kind = function.__annotations__.get(name, Any)
    names = _Names(vars(sys.modules[function.__module__]))
    kind = eval(kind, {}, names) if isinstance(kind, str) else kind  # noqa: S307  written in the code
    return kind, _parts(kind)


@cache
def _parts(kind: Any) -> Parts:
    """Take a type apart; ANYTHING for what can be an array, or only type checkers know."""
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
            *_, item = [inner for inner in get_args(one) if inner is not ...]
            containers = (*containers, (form, _parts(item)))
        else:
            classes = (*classes, form)
    return choices, classes, containers


def fits(value: Any, parts: Parts) -> Any:
    """Return a value as its type has it, or WRONG."""
    choices, classes, containers = parts
    if not (choices or classes or containers) or (type(value) in classes and not choices):
        return value
    if choices and isinstance(value, str):
        return choices.get(value, WRONG)
    if type(value).__name__ in ("bool", "bool_"):
        return bool(value) if bool in classes else WRONG
    found = WRONG
    if isinstance(value, Real):
        number: Any = int if isinstance(value, Integral) else float
        found = number(value) if number in classes or float in classes else WRONG
    for one in containers if found is WRONG else ():
        if (found := _fits_items(value, *one)) is not WRONG:
            return found
    # Protocols take their time, and are last.
    return value if found is WRONG and isinstance(value, classes) else found


def _fits_items(given: Any, form: Any, parts: Parts) -> Any:
    """Check what a container holds; containers within others are checked where they are read."""
    if issubclass(form, Mapping):
        is_one = isinstance(given, form)
    else:  # text is its characters, but not where names or numbers are asked for
        other = (Mapping, str, bytes) if any(parts) else Mapping
        is_one = isinstance(given, Iterable) and not isinstance(given, other)
    if not is_one or not any(parts) or parts[2]:
        return given if is_one else WRONG
    found = [fits(v, parts) for v in (given.values() if isinstance(given, Mapping) else given)]
    if any(one is WRONG for one in found):  # other values may compare by element
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
    items = f"[{', '.join(map(_in_words, inner))}]" if inner else ""
    return f"{getattr(kind, '__name__', kind)}{items}"
