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

    def read(name: str, value: Any) -> Any:
        return value if value is usual.get(name, WRONG) else _read(function, name, value)

    @wraps(given)
    def call(*values: Any, **named: Any) -> Any:
        if not named.keys() <= own:
            _require_known(function, named, own)
        # zip leaves out what is too many, which Python is to refuse
        placed = [read(name, value) for name, value in zip(places, values, strict=False)]
        named = {name: read(name, value) for name, value in named.items()}
        return given(*placed, *values[len(placed) :], **named)

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


def _is_container(kind: Any) -> bool:
    form = get_origin(kind)
    return isinstance(form, type) and issubclass(form, Iterable)


@cache
def _parts(kind: Any) -> tuple[dict[str, Any], tuple[Any, ...]]:
    """Return the words of choices with their members, and other types; none if any value may do."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if "numpy._typing" in str(kind):  # almost anything is an array
        return {}, ()
    every = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    choices: dict[str, Any] = {}
    others = []
    for one in every:
        form: Any = get_origin(one) or one
        if form is Literal or isinstance(form, EnumType):
            words: Any = get_args(one) or form
            choices = {str(word): word for word in words} | choices
        elif form is Annotated or (isinstance(form, type) and form not in UNKNOWN):
            others.append(one)
        else:
            return {}, ()
    return choices, tuple([one for one in others if not (choices and one is str)])


def fits(value: Any, kind: Any) -> Any:
    """Return a value as its type has it, or WRONG."""
    choices, others = _parts(kind)
    if type(value) in others or not (choices or others):
        return value
    if choices and isinstance(value, str):
        return choices.get(value, WRONG)
    found = (_fits_one(value, one) for one in others)
    return next((one for one in found if one is not WRONG), WRONG)


def _fits_one(value: Any, kind: Any) -> Any:
    form = get_origin(kind) or kind
    if form is Annotated:
        return fits(value, kind)
    if _is_container(kind):
        return _fits_items(value, form, get_args(kind))
    if form is bool or isinstance(value, bool):
        return bool(value) if form is bool and type(value).__name__.startswith("bool") else WRONG
    if form in (int, float) and isinstance(value, Integral):
        return int(value)
    if form is float:
        return float(value) if isinstance(value, Real) else WRONG
    return value if isinstance(value, form) else WRONG


def _fits_items(given: Any, form: Any, inner: tuple[Any, ...]) -> Any:
    """Check what a container holds; containers within others are checked where they are read."""
    item = inner[0] if inner[-1] is ... else inner[-1]
    kinds = _parts(item)
    if issubclass(form, Mapping):
        is_one = isinstance(given, form)
    else:  # text is its characters, but not where names or numbers are asked for
        other = (Mapping, str, bytes) if any(kinds) else Mapping
        is_one = isinstance(given, Iterable) and not isinstance(given, other)
    if not is_one or not any(kinds) or any(map(_is_container, kinds[1])):
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
    if _is_container(kind):
        return f"{form.__name__}[{', '.join(map(_in_words, inner))}]"
    return str(getattr(kind, "__name__", kind))
