"""Frozen values behave as the standard library's frozen dataclasses do."""

import copy
import inspect
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from functools import cached_property, partial

import pytest

from rankeval.base.frozen import frozen, record


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


@pytest.fixture(params=[partial(dataclass, frozen=True), frozen], ids=["standard", "frozen"])
def decorator(request):
    return request.param


def test_fields_are_set_by_init_alone(decorator):
    value = value_class(decorator)(1, b=[2])

    for name in "a", "b", "c", "n", "unknown", "twice":
        with pytest.raises(FrozenInstanceError, match=f"'{name}'"):
            setattr(value, name, 3)
    with pytest.raises(FrozenInstanceError, match="'a'"):
        del value.a
    assert (value.a, value.b, value.c, value.n) == (1, [2], "c", 2)
    assert value.twice is value.twice


def test_values_show_compare_and_copy_by_their_fields(decorator):
    made = value_class(decorator)
    value = made(1, [5], "x")

    assert repr(value).endswith("Value(a=1, b=[5], n=2)")
    assert value == made(1, [6], "x") == copy.copy(value) == copy.deepcopy(value)
    assert hash(value) == hash(made(1, [6], "x")) == hash((1, "x", 2))
    assert value not in (made(1, [5], "y"), (1, "x", 2), value_class(decorator)(1, [5], "x"))
    assert replace(value, a=4).n == 8
    assert asdict(value) == {"a": 1, "b": [5], "c": "x", "n": 2}
    assert value.__match_args__ == ("a", "b", "c")


def test_each_record_equals_itself_alone():
    @record
    class Value:
        a: int

    assert len({Value(1), Value(1)}) == 2


def test_a_class_inherits_fields(decorator):
    @decorator
    class Base:
        a: int

    @decorator
    class Derived(Base):
        b: int = 2

    assert [f.name for f in fields(Derived)] == ["a", "b"]
    assert repr(Derived(1, 3)).endswith("Derived(a=1, b=3)")
    assert Derived(1) == Derived(1, 2) != Base(1)


def test_init_has_the_signature_of_the_fields_before_and_after_the_first_object(decorator):
    made = value_class(decorator)

    for _ in range(2):
        shown = str(inspect.signature(made)).replace("<class 'list'>", "<factory>")
        assert shown == "(a: int, b: list = <factory>, c: str = 'c') -> None"
        for arguments in (), (1, [], "c", 4), (1, 2, 3, 4, 5):
            with pytest.raises(TypeError, match=r"__init__\(\)"):
                made(*arguments)
        first, second = made(a=1), made(a=1)
        assert first == second
        assert first.b is not second.b
