"""Frozen values behave as the standard library's frozen dataclasses do."""

import copy
import dataclasses
import inspect
from functools import cached_property, partial
from types import SimpleNamespace

import pytest

from rankeval.base import frozen as ours

STANDARD = SimpleNamespace(
    frozen=partial(dataclasses.dataclass, frozen=True),
    field=dataclasses.field,
    replace=dataclasses.replace,
)


@pytest.fixture(params=[STANDARD, ours], ids=["standard", "ours"])
def way(request):
    return request.param


def value_class(way):
    """A class of values that is made in one of the two ways."""

    @way.frozen
    class Value:
        """Without a docstring, the standard library looks at the signature at once."""

        a: int
        b: list = way.field(default_factory=list, compare=False)
        c: str = way.field(default="c", repr=False)
        n: int = way.field(default=7, init=False)

        def __post_init__(self):
            object.__setattr__(self, "n", self.a * 2)

        @cached_property
        def twice(self):
            return [2 * self.a]

    return Value


def test_fields_are_set_by_init_alone(way):
    value = value_class(way)(1, b=[2])

    for name in "a", "b", "c", "n", "unknown", "twice":
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"'{name}'"):
            setattr(value, name, 3)
    with pytest.raises(dataclasses.FrozenInstanceError, match="'a'"):
        del value.a
    assert (value.a, value.b, value.c, value.n) == (1, [2], "c", 2)
    assert value.twice is value.twice


def test_values_show_compare_and_copy_by_their_fields(way):
    made = value_class(way)
    value = made(1, [5], "x")

    assert repr(value).endswith("Value(a=1, b=[5], n=2)")
    assert value == made(1, [6], "x") == copy.copy(value) == copy.deepcopy(value)
    assert hash(value) == hash(made(1, [6], "x")) == hash((1, "x", 2))
    assert value not in (made(1, [5], "y"), (1, "x", 2), value_class(way)(1, [5], "x"))
    assert way.replace(value, a=4).n == dataclasses.replace(value, a=4).n == 8
    assert way.replace(value, a=4).b is value.b
    assert dataclasses.asdict(value) == {"a": 1, "b": [5], "c": "x", "n": 2}


def test_each_record_equals_itself_alone():
    @ours.record
    class Value:
        a: int
        b: list = ours.field(default_factory=list, init=False)

    assert len({Value(1), Value(1)}) == 2
    assert Value(1).b is not Value(1).b


@pytest.mark.parametrize("asks_first", [True, False])
def test_a_class_inherits_fields(way, asks_first):
    @way.frozen
    class Base:
        a: int
        b: list = way.field(default_factory=list)

    @way.frozen
    class Derived(Base):
        a: int = 1
        c: int = 2

        def __init__(self, a=3):
            super().__init__(a)
            vars(self)["c"] = 4

    if asks_first:
        assert [f.name for f in dataclasses.fields(Derived)] == ["a", "b", "c"]
        assert dataclasses.fields(Derived)[1].default_factory is list
    assert repr(Derived()).endswith("Derived(a=3, b=[], c=4)")
    assert Derived(3) == Derived() != Base(3)
    assert Base(3).b == []
    assert repr(Base(None)).endswith("Base(a=None, b=[])")
    assert (Base.__match_args__, Derived.__match_args__) == (("a", "b"), ("a", "b", "c"))


def test_init_has_the_signature_of_the_fields_before_and_after_the_first_object(way):
    made = value_class(way)

    for _ in range(2):
        shown = str(inspect.signature(made)).replace("<class 'list'>", "<factory>")
        assert shown == "(a: int, b: list = <factory>, c: str = 'c') -> None"
        for arguments in (), (1, [], "c", 4), (1, 2, 3, 4, 5):
            with pytest.raises(TypeError, match=r"__init__\(\)"):
                made(*arguments)
        first, second = made(a=1), made(a=1)
        assert first == second
        assert first.b is not second.b
