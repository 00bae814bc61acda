"""JSON and TOML that are well-formed and say something else: trees with a few nodes changed."""

import json
import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

Place = tuple[Any, Any]
"""A dictionary or list, and the key or index of a node in it."""

ODD: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 10**400, -(10**400), 2**63, 1e308, float("nan")),
    *(float("inf"), "", "x", "0.5", "5%", "a\0b", "\ud800", "\x1b[31m", "::error::x", "##[error]"),
    *([], {}, [[]], [None], {"": {}}, [1, "x"], "x" * 5_000, "run.trec", "AP", "rankeval/1"),
]
KEYS = ["", "x", "per_topic", "mean", "measures", "runs", "topic", "docno", "a\0b", "\ud800", "301"]
DEPTH = 40


def mutated(rng: Random, name: str, data: bytes) -> bytes | None:
    """A JSON, JSON Lines or TOML file with changed nodes; None for any other file."""
    try:
        if name.endswith(".toml"):
            tree = tomllib.loads(data.decode())
            _change(rng, tree)
            return toml(tree).encode("utf-8", "surrogatepass")
        if name.endswith(".json"):
            tree = json.loads(data)
            _change(rng, tree)
            return _json(rng, tree)
        if name.endswith(".jsonl"):
            trees = [json.loads(line) for line in data.splitlines()]
            _change(rng, trees)
            return b"\n".join(_json(rng, tree) for tree in trees)
    except (ValueError, RecursionError):  # broken by another mutation
        return None
    return None


def _json(rng: Random, tree: Any) -> bytes:
    """The tree as JSON, now and then with a key twice."""
    text = json.dumps(tree, ensure_ascii=rng.random() < 0.7)
    if isinstance(tree, dict) and tree and rng.random() < 0.1:
        key, value = rng.choice(list(tree.items()))
        text = f"{text[:-1]}, {json.dumps(key)}: {json.dumps(value)}}}"
    return text.encode("utf-8", "surrogatepass")


def _change(rng: Random, tree: Any) -> None:
    for _ in range(rng.choice((1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            return
        inside, key = rng.choice(places)
        match rng.randrange(7):
            case 0:
                del inside[key]
            case 1:
                other, where = rng.choice(places)
                inside[key], other[where] = other[where], inside[key]
            case 2 if isinstance(inside, dict):
                inside[rng.choice(KEYS)] = inside.pop(key)
            case 3 if isinstance(inside, list):
                inside.insert(key, inside[key])
            case 4:
                inside[key] = rng.choice(([inside[key]], {"x": inside[key]}, str(inside[key])))
            case _:
                inside[key] = rng.choice(ODD)


def _places(tree: Any, depth: int = 0) -> Iterator[Place]:
    if depth > DEPTH:  # a swap may have put a node inside itself
        return
    keys = list(tree) if isinstance(tree, dict) else range(len(tree))
    for key in keys:
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from _places(tree[key], depth + 1)


def toml(tree: dict[str, Any]) -> str:
    """A dictionary as TOML: a line for each key, and everything below it inline."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in tree.items())


def _inline(value: Any) -> str:
    match value:
        case dict():
            pairs = (f"{json.dumps(str(key))} = {_inline(one)}" for key, one in value.items())
            return f"{{ {', '.join(pairs)} }}"
        case list():
            return f"[{', '.join(map(_inline, value))}]"
        case bool() | None:
            return "true" if value else "false"
        case float():
            return repr(value)
        case int():
            return f"0x{value:x}" if value > 2**200 else str(value)
    return json.dumps(str(value), ensure_ascii="\0" in str(value))
