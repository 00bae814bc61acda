"""Frozen values behave as the standard library's frozen dataclasses do."""

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from functools import cached_property, partial

import numpy as np
import pytest

from rankeval.base.frozen import frozen

standard = partial(dataclass, frozen=True)


@frozen
class Pickled:
    """At the module's level, where pickle looks for it."""

    a: int
    b: str = "b"


def value_class(decorator):
    """A class of values that one of the two decorators makes."""

    @decorator
    class Value:
        """Without a docstring, the standard library looks at the signature at once."""

        a: int
        b: list = field(default_factory=list, compare=False)
        c: str = field(default="c", repr=False)
        n: int = field(default=7, init=False)

        def __post_init__(self):
            object.__setattr__(self, "n", self.a * 2)

        @cached_property
        def twice(self):
            return [2 * self.a]

    return Value


@pytest.fixture(params=[standard, frozen], ids=["standard library", "frozen"])
def decorator(request):
    return request.param


def test_fields_are_set_by_init_alone(decorator):
    value = value_class(decorator)(1, b=[2])

    for name in "a", "b", "c", "n", "unknown", "twice":
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(value, name, 3)
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'a'"):
        del value.a
    assert (value.a, value.b, value.c, value.n) == (1, [2], "c", 2)
    assert value.twice is value.twice


def test_values_show_and_compare_by_their_fields(decorator):
    made = value_class(decorator)
    value = made(1, [5], "x")

    assert repr(value).endswith("Value(a=1, b=[5], n=2)")
    assert value == made(1, [6], "x")
    assert hash(value) == hash(made(1, [6], "x")) == hash((1, "x", 2))
    assert value != made(1, [5], "y")
    assert value != (1, "x", 2)
    assert value != value_class(decorator)(1, [5], "x")


def test_without_eq_each_value_equals_itself_alone(decorator):
    @decorator(eq=False)
    class Value:
        a: np.ndarray

    value, other = Value(np.arange(3)), Value(np.arange(3))

    assert value == value  # noqa: PLR0124  that is what is tested
    assert value != other
    assert len({value, other}) == 2


def test_a_class_inherits_fields(decorator):
    @decorator
    class Base:
        a: int

    @decorator
    class Derived(Base):
        b: int = 2

    assert [f.name for f in fields(Derived)] == ["a", "b"]
    assert repr(Derived(1)).endswith("Derived(a=1, b=2)")
    assert Derived(1) == Derived(1, 2) != Base(1)
    with pytest.raises(FrozenInstanceError):
        Derived(1).a = 2


def test_values_are_copied_replaced_and_taken_apart(decorator):
    value = value_class(decorator)(1, [5])

    assert copy.copy(value) == copy.deepcopy(value) == value
    assert replace(value, a=4).n == 8
    assert asdict(value) == {"a": 1, "b": [5], "c": "c", "n": 2}
    match value:
        case object(a=1, c=c):
            assert c == "c"
    assert value.__match_args__ == ("a", "b", "c")


def test_values_are_pickled():
    assert pickle.loads(pickle.dumps(Pickled(1))) == Pickled(1)


def test_init_has_the_signature_of_the_fields(decorator):
    made = value_class(decorator)

    assert str(inspect.signature(made)) == "(a: int, b: list = <factory>, c: str = 'c') -> None"
    for arguments in (), (1, [], "c", 4), (1, 2, 3, 4, 5):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            made(*arguments)


def test_the_first_objects_are_like_all_later_ones(decorator):
    made = value_class(decorator)

    values = [made(a=i, c="x") for i in range(40)]

    assert all(list(vars(value)) == list(vars(values[0])) for value in values)
    assert [value.n for value in values] == [2 * i for i in range(40)]
    assert len({id(value.b) for value in values}) == len(values)
