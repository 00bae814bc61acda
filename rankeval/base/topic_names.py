"""Dictionaries by topic, in which a topic that is an integer is found by its digits."""

from typing import TYPE_CHECKING, Any, TypeVar

from rankeval.base.wording import listed

Value = TypeVar("Value")


class ByTopic(dict[str, Value]):
    """Values by topic: `found[7]` is `found["7"]`; a look-up that fails lists the first topics.

    Topics are text, whatever they were where they came from: a file does not say whether its
    topics are integers.
    """

    if TYPE_CHECKING:

        def __getitem__(self, topic: str | int) -> Value: ...

    def __missing__(self, topic: object) -> Value:
        name = _digits(topic)
        if name is not topic and name in self:
            return self[name]
        names = [name.encode("utf-8", "surrogateescape") for name in self]
        raise KeyError(f"no topic {topic!r}; there is {listed(names)}")

    def __contains__(self, topic: object) -> bool:
        return super().__contains__(_digits(topic))

    def get(self, topic: Any, default: Any = None) -> Any:
        """Return the value of a topic, or the default."""
        return super().get(_digits(topic), default)


def _digits(topic: Any) -> Any:
    """Return the digits of an integer, of Python's or NumPy's; anything else as it is."""
    if isinstance(topic, str | bool) or not hasattr(topic, "__index__"):
        return topic
    return str(topic.__index__())
