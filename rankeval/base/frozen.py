"""Dataclasses whose methods are made when they are first used, words, and values by topic.

The standard library compiles up to six methods for each frozen dataclass, more than half a
millisecond, and a command starts with many of them. Here `__init__` is compiled for the first
object, and the other methods are functions that all classes share (`docs/decisions.md`).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from rankeval.base.wording import listed, nearest_of
from rankeval.errors import UsageError
from rankeval.other_words import KEYWORDS

Value = TypeVar("Value")
NOTHING = object()


class Field(dict[str, Any]):
    """What a class says of a field, as `dataclasses.field` takes it; and the `type`."""

    type: Any


if TYPE_CHECKING:
    from dataclasses import field as field  # noqa: PLC0414  for all modules
    from dataclasses import replace as replace  # noqa: PLC0414  so too
else:
    field = Field

    def replace(value: Value, /, **changes: object) -> Value:
        """Return an object with some fields changed, as `dataclasses.replace` does."""
        kept = {n: getattr(value, n) for n in names(value, "init") if n not in changes}
        return type(value)(**kept, **changes)


def declared(cls: Any) -> dict[str, Field]:
    """Return the fields of a class; none if it is not made here."""
    return getattr(cls, "_declared", {})


def names(cls: Any, only: str) -> tuple[str, ...]:
    """Return the fields, of a class or an object, that `init`, `repr` or `compare` is true of."""
    return tuple([name for name, said in cls._declared.items() if said.get(only, True)])


class _Later:
    """An attribute that each class makes when it is first asked for."""

    def __init__(self, name: str, make: Callable[[Any], Any]) -> None:
        self.name, self.make = name, make

    def __get__(self, made: object, owner: type) -> Any:
        cls = next(one for one in owner.__mro__ if vars(one).get(self.name) is self)
        value = self.make(cls)
        setattr(cls, self.name, value)
        return value.__get__(made, owner) if callable(value) else value


def _fields(cls: Any) -> object:
    """Let the standard library read the fields of a class."""
    import dataclasses

    for name in cls.__annotations__:
        if said := cls._declared[name]:
            setattr(cls, name, dataclasses.field(**said))
    dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False)(cls)
    return vars(cls)["__dataclass_fields__"]


def _init(cls: Any) -> object:
    """Compile the method that sets the fields."""
    taken, fields = names(cls, "init"), cls._declared.items()
    makes = {n: said["default_factory"] for n, said in fields if "default_factory" in said}
    usual = {n: said["default"] for n, said in fields if "default" in said} | makes
    lines = [
        f"{n} = __makes[{n!r}]()" + f" if {n} is __makes[{n!r}] else {n}" * (n in taken)
        for n in makes
    ]
    every = [f"{n}={n}" for n in dict.fromkeys((*taken, *makes))]
    at_once = f"self.__dict__.update({', '.join(every)})"  # also where no field may be set
    lines += map("self.".__add__, every) if cls.__setattr__ is object.__setattr__ else [at_once]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    known: dict[str, Any] = {"__makes": makes}
    body = "\n    ".join(lines)
    exec(f"def __init__({', '.join(['self', *taken])}):\n    {body}", known)  # noqa: S102  names of fields only
    made = known["__init__"]
    made.__defaults__ = tuple([usual[n] for n in taken if n in usual])
    made.__annotations__ = {n: cls._declared[n].type for n in taken} | {"return": None}
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return made


INIT, FIELDS = _Later("__init__", _init), _Later("__dataclass_fields__", _fields)
MATCHED = _Later("__match_args__", lambda cls: names(cls, "init"))


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def record(cls: Any) -> Any:
    """Make a dataclass of values within a computation, which equal only themselves.

    Type checkers refuse to set a field; Python does not. All annotations are fields.
    """
    every = {n: f for up in cls.__bases__[::-1] for n, f in getattr(up, "_declared", {}).items()}
    for name, kind in cls.__annotations__.items():
        said = getattr(cls, name, NOTHING)
        if type(said) is not Field:
            said = Field() if said is NOTHING else Field(default=said)
        else:
            setattr(cls, name, said.get("default", NOTHING))
        every[name], said.type = said, kind
    cls._declared = every
    for later in (INIT, FIELDS, MATCHED):
        if later.name not in vars(cls):
            setattr(cls, later.name, later)
    return cls


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any) -> Any:
    """Make a frozen dataclass, as `dataclass(frozen=True)` does: only `__init__` sets fields.

    Objects of one class with equal fields are equal and have the same hash. Methods defined in the
    class are kept, and `__repr__` also in a base.
    """
    own = vars(cls) | ({} if cls.__repr__ is object.__repr__ else {"__repr__": cls.__repr__})
    for name, one in vars(_Frozen).items():
        # Python sets `__hash__` to None in a class that defines `__eq__`.
        if callable(one) and own.get(name) is None:
            setattr(cls, name, one)
    return record(cls)


class _Frozen:
    """The methods of all frozen classes."""

    def __setattr__(self, name: str, *_: object) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot change the field {name!r}")

    __delattr__ = __setattr__

    def __repr__(self: Any) -> str:
        """Show the fields that are not as they are by default."""
        usual = {n: self._declared[n].get("default", NOTHING) for n in names(self, "repr")}
        every = [(n, getattr(self, n), value) for n, value in usual.items()]
        shown = [f"{n}={v!r}" for n, v, u in every if type(v) is not type(u) or v != u]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __getstate__(self: Any) -> dict[str, object]:
        """Return what is pickled: the fields, and not what was computed from them, such as hashes
        by the random numbers of this process.
        """
        return {name: getattr(self, name) for name in self._declared}

    def __eq__(self: Any, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        pairs = ((getattr(self, n), getattr(other, n)) for n in names(self, "compare"))
        return all(a is b or a == b for a, b in pairs)

    def __hash__(self: Any) -> int:
        return hash(tuple([getattr(self, n) for n in names(self, "compare")]))


def no_choice(name: str, value: object, known: Sequence[str]) -> UsageError:
    """Return the error of a word that is no choice, with the nearest one."""
    near = nearest_of(value, known) if isinstance(value, str) else []
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return UsageError(f"{name} cannot be {value!r}{hint}", expected=f"one of {', '.join(known)}")


def require_known(function: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise TypeError for an unknown keyword of a function; it suggests the nearest known one."""
    for name in given:
        if name not in known:
            word = KEYWORDS.get(name, "")
            near = [word] if word in known else nearest_of(name, [*known])
            hint = f"; {word}" if " " in word else f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


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
        raise KeyError(f"no {self.called} {topic!r}; there is {listed([*self])}")

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
    other = type(topic) is bool or not hasattr(topic, "__index__")
    return topic if other else str(topic.__index__())
