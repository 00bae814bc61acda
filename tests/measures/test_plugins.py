"""Measures from elsewhere: decorators, files, installed packages, and what is refused."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rankeval
from rankeval.__main__ import run as command
from rankeval.measures import definitions, parse_measure
from tests.support.builders import UNJUDGED, ranked
from tests.support.samples import collection

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
QRELS = str(ROOT / "examples" / "qrels" / "python-reference.qrels")
BM25 = str(ROOT / "examples" / "runs" / "bm25.run")
MINIMAL = '''
import rankeval

@rankeval.measure("{name}")
def first_grade(ranking, *, rel: int = 1) -> float | None:
    """Grade of the first document."""
    return ranking.grades[0] if ranking.retrieved else None
'''


pytestmark = pytest.mark.usefixtures("forgotten")


def block_of(kind, containing):
    """The first block of the page of a kind that contains a text."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return next(text for k, text in blocks if k == kind and containing in text)


@pytest.fixture
def documented(tmp_path):
    """The plugin of the page, as printed there."""
    file = tmp_path / "early_measures.py"
    file.write_text(block_of("python", "early_relevance"), encoding="utf-8")
    return file


@pytest.fixture
def plugin(tmp_path):
    """Write a plugin and give its path."""

    def write(text, name="mine.py"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write


def test_the_plugin_of_the_page_runs_as_printed(documented):
    shown = block_of("", "$ rankeval --plugin")
    call, expected = shown.removeprefix("$ rankeval ").split("\n", 1)
    options, measures = re.fullmatch(r'(.*) -m "(.*)"', call).groups()
    arguments = [str(documented) if word == documented.name else word for word in options.split()]

    ran = subprocess.run(
        [sys.executable, "-m", "rankeval", *arguments, "-m", measures],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout == expected
    # No bytecode is left beside the user's file.
    assert list(documented.parent.iterdir()) == [documented]


def test_the_measures_of_the_page_are_worked_by_hand(documented):
    rankeval.load_plugin(documented)
    judged = ranked([1, UNJUDGED, 1], [0, 0, 1], [], missed=[[1], [], [0]])

    early = parse_measure("early(decay=0.5)@2").values(judged)
    bearable = parse_measure("Bearable@1").values(judged)

    assert early.tolist() == [0.5 * 1, 0, 0]
    np.testing.assert_array_equal(bearable, [2 / 3, 0, np.nan])


def test_a_topic_is_seen_in_plain_values():
    seen = []

    @rankeval.measure("Seen")
    def look(ranking: rankeval.TopicRanking) -> float:
        grades, judged = ranking.grades.tolist(), ranking.judged_grades.tolist()
        seen.append((ranking.topic, str(grades), ranking.retrieved, judged))
        return 0

    parse_measure("Seen").values(ranked([None, 2, None, -1], [], missed=[[1, 0], [0.5]]))

    assert seen == [
        ("t0000", "[nan, 2.0, nan, -1.0]", 4, [2, 1, 0, -1]),
        ("t0001", "[]", 0, [0.5]),
    ]


def test_a_plain_function_gives_what_a_vectorised_one_gives():
    @rankeval.measure("SlowP", at="k")
    def slow_precision(ranking: rankeval.TopicRanking, *, k: int = 5) -> float:
        return int((ranking.grades[:k] >= 1).sum()) / k

    qrels, run = collection(5)
    slow, fast = rankeval.evaluate(qrels, run, "SlowP@10 P@10").runs[0].scores

    np.testing.assert_array_equal(slow.values, fast.values)
    assert slow.aggregate == fast.aggregate


def test_a_function_that_is_defined_again_takes_its_own_place():
    for _ in range(2):

        @rankeval.measure("Again", aliases=("encore",))
        def again(ranking: rankeval.TopicRanking) -> float:
            return ranking.retrieved

        assert definitions()["Again"].function.__wrapped__ is again.definition.function.__wrapped__


@pytest.mark.parametrize(
    ("name", "owner"), [("AP", "AP"), ("map", "AP"), ("Ndcg", "nDCG"), ("setp", "SetP")]
)
def test_a_name_that_is_taken_is_refused_and_both_are_named(plugin, name, owner):
    path = plugin(MINIMAL.format(name=name))

    with pytest.raises(rankeval.MeasureError) as error:
        rankeval.load_plugin(path)

    assert f"mine.py:4: the plugin mine.py cannot be loaded: the measure name '{name}'" in str(
        error.value
    )
    assert f"is taken by {owner} (rankeval itself)" in str(error.value)


HEAD = "import rankeval\n\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "mine.py: registers no measure"),
        ("def f(:\n", "mine.py:1: the plugin mine.py cannot be loaded"),
        ("\nimport no_such_module\n", "mine.py:2: .*ModuleNotFoundError"),
        ("1 / 0\n", "mine.py:1: .*ZeroDivisionError"),
        ("raise SystemExit(3)\n", "mine.py:1: .*SystemExit"),
        (MINIMAL.format(name="My_10"), "mine.py:4: .*cannot be the name"),
        (MINIMAL.format(name="a b"), "mine.py:4: .*cannot be the name"),
        (MINIMAL.format(name="Fine") + "1 / 0\n", "mine.py:8: .*ZeroDivisionError"),
        (
            HEAD + '@rankeval.measure("X", at="k")\ndef x(judged): ...\n',
            "mine.py:3: .*@ is to set 'k', which is not a parameter",
        ),
        (
            HEAD + '@rankeval.measure("X")\ndef x(judged, *, k=1): ...\n',
            "mine.py:3: .*the parameter 'k' is not declared",
        ),
        (
            HEAD + '@rankeval.measure("X")\ndef x(judged, k: int = 1): ...\n',
            "mine.py:3: .*the parameter 'k' is not declared",
        ),
        (
            HEAD + '@rankeval.measure("X")\ndef x(judged, *, k: int = "a"): ...\n',
            "mine.py: .*k='a' is not possible",
        ),
    ],
)
def test_a_broken_file_is_told(plugin, capsys, text, message):
    path = plugin(text)

    assert command(["--plugin", path, QRELS, BM25]) == 2

    error = capsys.readouterr().err
    assert re.search(message, error)
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("1 / 0", "Fails failed: ZeroDivisionError"),
        ("'much'", "Fails failed: ValueError"),
        ("float('inf')", "Fails gave an infinite value"),
    ],
)
def test_a_function_that_fails_is_named(plugin, capsys, body, message):
    text = f'@rankeval.measure("Fails")\ndef fails(ranking): return {body}\n'
    path = plugin(HEAD + text)

    assert command(["--plugin", path, QRELS, BM25, "-m", "Fails"]) == 2

    error = capsys.readouterr().err
    assert f"mine.py:3: {message}" in error
    assert "Traceback" not in error


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package in miniature: a module and its metadata on the path."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(text, module="measures_of_a_package"):
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
        metadata = tmp_path / "early_birds-1.2.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: early-birds\nVersion: 1.2\n"
        )
        (metadata / "entry_points.txt").write_text(f"[rankeval.measures]\nearly = {module}\n")

    return install


def test_the_measures_of_an_installed_package_are_found_by_name(installed):
    installed(MINIMAL.format(name="Installed"))

    assert "Installed" not in definitions()
    assert str(parse_measure("Installed(rel=2)")) == "Installed(rel=2)"
    assert parse_measure("installed").values(ranked([2])).tolist() == [2.0]


# The first documents have the grades 3 and 2 in good.run, and 1 and 0 in bad.run.


def test_a_broken_package_is_named(installed, capsys):
    installed("raise ValueError('sick')")

    assert command([QRELS, BM25, "-m", "Unheard"]) == 2

    error = capsys.readouterr().err
    assert "measures_of_a_package of the package early-birds 1.2 cannot be loaded" in error
    assert "ValueError: sick" in error
