"""Names that do not print are shown by each of a gate's reports with one escape, never with two."""

import html
import json
import re
import xml.etree.ElementTree as ET

import pytest

from tests.support.gate_files import PERFECT, QRELS, worse_on

TAG, TOPIC, SUITE = "dense\x1b[31m", "t\x1b]0;", "nightly\x9b"
TOML = (
    'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["candidate.txt"]\n'
    '[suite."nightly\\u009B".rules]\nmax-drop = { RR = 0.01 }\nmax-topic-drop = { RR = 0.5 }\n'
    "[suite.other.rules]\nmin = { RR = 0.1 }\n"
)


def shown_by_markdown(text):
    """Return Markdown without its escapes of marks, which readers do not see."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", html.unescape(text))


READERS = {
    "out.txt": str,
    "out.md": shown_by_markdown,
    "out.json": lambda text: "\n".join(strings(json.loads(text))),
    "g.xml": lambda text: "\n".join([*ET.fromstring(text).itertext(), *attributes(text)]),
    "comment.md": shown_by_markdown,
    "annotations": lambda text: text.replace("%25", "%"),
}


def strings(value):
    if isinstance(value, str):
        yield value
    for part in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from strings(part)


def attributes(text):
    return [value for element in ET.fromstring(text).iter() for value in element.attrib.values()]


@pytest.fixture(params=[["--suite", SUITE], []], ids=["a suite", "all suites"])
def reports(shell, request):
    base = PERFECT + f"{TOPIC} Q0 r1 1 3 perfect\n"
    candidate = worse_on(2, tag=TAG) + f"{TOPIC} Q0 x0 1 3 {TAG}\n"
    shell.write(qrels=QRELS + f"{TOPIC} 0 r1 1\n", base=base, candidate=candidate)
    shell.path("rankeval.toml").write_text(TOML)
    files = ["--junit", "g.xml", "--comment", "comment.md"]
    texts = {}
    for name in ("out.txt", "out.md", "out.json"):
        assert shell("gate", *request.param, *files, "-o", name).code == 1
    for name in ("out.txt", "out.md", "out.json", "g.xml", "comment.md"):
        texts[name] = shell.path(name).read_text(encoding="utf-8")
    texts["annotations"] = shell("gate", *request.param, "--github", "-o", "out.txt").out
    return texts


@pytest.mark.parametrize("name", READERS)
def test_names_are_escaped_once(reports, name):
    shown = READERS[name](reports[name])

    if name == "out.json":  # the names themselves, which JSON escapes
        assert "\x1b" not in reports[name]
        assert TAG in shown
        return
    words = " ".join(shown.split())
    assert "\x1b" not in words
    assert "\x9b" not in words
    if name != "annotations":  # they are about a rule, and only one candidate is judged
        assert r"dense\x1b[31m" in words
    assert r"t\x1b]0;" in words
    assert r"nightly\x9b" in words
    assert r"\\x1b" not in words
    assert r"\\x9b" not in words


def test_an_error_has_its_names_escaped_once(shell):
    shell.write(qrels=QRELS, base=PERFECT)
    files = ["--junit", "g.xml", "--comment", "comment.md", "--github"]
    printed = shell("gate", "qrels.txt", "base.txt", "a\x1b[1m", "--min", "RR=0", *files)
    assert printed.code == 2
    texts = {name: shell.path(name).read_text() for name in ("g.xml", "comment.md")}

    for name, text in {**texts, "annotations": printed.out}.items():
        shown = READERS[name](text)
        assert r"a\x1b[1m" in shown
        assert r"\\x1b" not in shown
        assert "\x1b" not in shown
