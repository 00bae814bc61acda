"""Names that want to be more than names, in every format of every command: none takes effect."""

import contextlib
import csv
import io
import json
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import rankeval
from rankeval.cli import COMMANDS
from rankeval.output.output_formats import BUILT_IN
from tests.support.commands import built_commands, run_command
from tests.support.typesetting import complaints, needs_latex

HOSTILE = [
    *("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]8;;http://example.org\x07link", "\x9b2J"),
    *("[bold red]x[/]", "[link=http://example.org]x[/link]", "<script>alert(1)</script>", "<!--"),
    *("![x](http://example.org/x.png)", "`x`", "a|b", "a\n| b | c |\n", "@everyone", "]]>", "&lt;"),
    *(r"\input{/etc/passwd}", r"\write18{ls}", "$x^2$", "50% & #1", "}{", "~^_"),
    *("=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", '"=1'),
    *("x\n::error::y", "::error file=a::y", "##[error]y", "::stop-commands::z", "%0A::error::y"),
    *("a\nb", "a\tb", "a\rb", "\x00", "\x85", "\u2028", "\u202eevil", "zero\u200bwidth", " a ", ""),
    *("all", "all:x", "{0}", "%s", "%(x)s", "'; ls", "$(ls)", "x" * 300),
]
OBEYED = ["\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b2J", "x\n::error::y", "a\rb", "\u202eevil"]
"""What a terminal, or the log of a workflow, would obey."""

TOPICS = [text for text in HOSTILE if text]
FILES = "\x1b[31m\n::error::=1+1 <b>[red]`|\\input{x}$%&"
"""What every name of a file holds, between its first word and its suffix."""

SAVED = f"saved{FILES}.json"
QRELS, A, B = f"qrels{FILES}.json", f"=a{FILES}.jsonl", f"./-b{FILES}.jsonl"
NUGGETS, OTHER_NUGGETS = f"nuggets{FILES}.jsonl", f"others{FILES}.jsonl"
INPUTS = {
    "eval": ["eval", QRELS, A, B, "-q", "--signature", "-m", "AP"],
    "compare": ["compare", QRELS, A, B, "-m", "AP", "--with", "groups=groups.tsv"],
    "diff": ["diff", QRELS, A, B, "--top", "99", "--rows", "9"],
    "gate": ["gate", QRELS, A, B, "--max-drop", "AP=1", "--min", "AP=1"],
    "systems": ["systems", QRELS, A, B, "-m", "AP"],
    "topics": ["topics", QRELS, A, B, "-q", "-m", "AP"],
    "judges": ["judges", QRELS, QRELS, A, B, "-q", "-m", "AP"],
    "explain": ["explain", QRELS, A, TOPICS[0], "-m", "AP"],
    "estimate": ["estimate", QRELS, A, B, "--machine", QRELS, "-m", "AP"],
    "nuggets": ["nuggets", NUGGETS, f"x={OTHER_NUGGETS}", "-q"],
    "check": ["check", QRELS, A, B],
}
NOT_THE_FORMAT = {"trec_eval", "measures", "convert", "fuse", "pool", "plot", "report"}
"""trec_eval's lines are its own, byte for byte; measures shows no file; convert and fuse keep
names; plot and report have no -f (tests/commands/plot/test_command.py, tests/report/)."""


def options(command: str) -> dict[str, list[str]]:
    """The options of a command, with the values of those that choose among some."""
    params = built_commands()[command].params
    return {opt: list(getattr(p.type, "choices", None) or ()) for p in params for opt in p.opts}


def formats(command: str) -> list[str]:
    """The formats that the help of a command names."""
    params = built_commands()[command].params
    found = [p.help.partition(" Default")[0] for p in params if "--format" in p.opts]
    return [name for name in BUILT_IN if any(re.search(rf"\b{name}\b", words) for words in found)]


CASES = [
    (command, form)
    for command in COMMANDS
    if command not in NOT_THE_FORMAT
    for form in formats(command)
]


@pytest.fixture(autouse=True)
def folder(inputs, tmp_path, monkeypatch):
    """A copy of the inputs, in which the test runs."""
    shutil.copytree(inputs, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Judgments of hostile topics and documents, and two runs with hostile tags."""
    folder = tmp_path_factory.mktemp("inputs")
    with contextlib.chdir(folder):
        write_inputs()
    return folder


def write_inputs() -> None:
    documents = {text: i % 3 for i, text in enumerate(TOPICS)}
    Path(QRELS).write_text(json.dumps(dict.fromkeys(TOPICS, documents)))
    for path, sign, tag in (A, 1, "\x1b[31m=a\n::error::x"), (B, -1, "<b>|-b"):
        lines = [
            {"topic": topic, "docno": docno, "score": sign * i, "tag": tag}
            for topic in TOPICS
            for i, docno in enumerate([*TOPICS, "unjudged\n=1"])
        ]
        Path(path).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    groups = "".join(
        f"{topic}\t{topic}\n" for topic in TOPICS if topic.isprintable() and topic == topic.strip()
    )
    Path("groups.tsv").write_text(f"topic\tkind\n{groups}")
    labels = [{"importance": one, "assignment": "support"} for one in ("vital", TOPICS[0])]
    answers = [
        {"qid": topic, "nuggets": labels, "answer_text": topic, "run_id": "\x1b[31m=a\n::error::x"}
        for topic in TOPICS
    ]
    for path, some in ((NUGGETS, answers), (OTHER_NUGGETS, answers[1:])):
        Path(path).write_text("".join(f"{json.dumps(answer)}\n" for answer in some))
    rankeval.evaluate(QRELS, [A, B], "AP").save(SAVED)


def printed(words: list[str], *, code: int | None = 0) -> str:
    """What a command prints; what it says on stderr takes no effect either."""
    done = run_command(words)
    assert code is None or done.code == code, done.stderr
    takes_no_effect(done.stderr)
    for line in done.stderr.splitlines():
        assert not line.startswith(("::", "##["))
    takes_no_effect(done.stdout.replace("\t", ""))
    return done.stdout


def takes_no_effect(text: str) -> None:
    """No character that a terminal, an editor or a reader would obey instead of showing it."""
    for line in text.split("\n"):
        assert line.isprintable(), line


CODES = {"gate": 1}


@pytest.mark.slow
@pytest.mark.parametrize(("command", "form"), CASES)
def test_names_take_no_effect(command, form):
    text = printed([*INPUTS[command], "-f", form], code=CODES.get(command, 0))

    assert text
    if form in CHECKS:
        CHECKS[form](text)


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command, form in CASES if form == "latex"])
def test_latex_sets_the_names(command, folder):
    """pdfLaTeX has no wide signs, which need another LaTeX and a font with them."""
    needs_latex()
    text = printed([*INPUTS[command], "-f", "latex"], code=CODES.get(command, 0))

    assert complaints(text.replace("＝", "="), folder) == []


WRITTEN = {
    command: [form for name, form in CASES if name == command]
    for command in dict(CASES)
    if "-o" in options(command)
}
IN_FILES = {
    *((command, form) for command in ("eval", "compare") for form in WRITTEN[command]),
    *((command, forms[at % len(forms)]) for at, (command, forms) in enumerate(WRITTEN.items())),
}
"""Every format for two commands, and one for each other: files differ from stdout by format."""


@pytest.mark.parametrize(("command", "form"), sorted(IN_FILES))
def test_names_take_no_effect_in_files(command, form):
    printed([*INPUTS[command], "-f", form, "-o", "out.file"], code=CODES.get(command, 0))

    text = Path("out.file").read_text()
    takes_no_effect(text.replace("\t", ""))
    assert text
    if form in CHECKS:
        CHECKS[form](text)


FORMULA = re.compile(r"\s*[=+@＝＋＠-]")
NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?%?|-")


def no_formula(cells: list[list[str]]) -> None:
    """No cell that a spreadsheet would compute, but for numbers; rows of one length."""
    assert cells
    for row in cells:
        for cell in row:
            assert not FORMULA.match(cell) or NUMBER.fullmatch(cell), cell


def check_csv(text: str) -> None:
    no_formula(list(csv.reader(io.StringIO(text))))


def check_tsv(text: str) -> None:
    rows = [line.split("\t") for line in text.splitlines()]
    no_formula(rows)
    assert not any(cell.startswith('"') for row in rows for cell in row)


def check_json(text: str) -> None:
    json.loads(text)


def check_lines(text: str) -> None:
    for line in text.splitlines():
        json.loads(line)


def check_markdown(text: str) -> None:
    """Outside of code spans nothing is HTML, a link, an image, a mention or another column."""
    widths: set[int] = set()
    for line in text.splitlines():
        bare = re.sub(r"`[^`]*`", "", line)
        assert not re.search(
            r"(?<!\\)<(?!sup>|/sup>|br>)|(?<!\\)!\[|(?<!\\)\]\(|@(everyone|SUM)", bare
        ), line
        if line.startswith("|"):
            widths.add(line.count("|"))
        else:
            assert len(widths) <= 1, line
            widths = set()


def check_latex(text: str) -> None:
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert not re.search(r"\\(input|write|include|def|catcode|usepackage)", body)
    assert body.count("{") - body.count(r"\{") == body.count("}") - body.count(r"\}")


def check_trec(text: str) -> None:
    assert {len(line.split()) for line in text.splitlines()} <= {3, 4}


CHECKS = {
    "csv": check_csv,
    "tsv": check_tsv,
    "json": check_json,
    "jsonl": check_lines,
    "markdown": check_markdown,
    "latex": check_latex,
    "trec": check_trec,
}


def test_json_has_names_as_they_are():
    found = json.loads(printed([*INPUTS["eval"], "-f", "json"]))["runs"][0]

    assert set(found["measures"]["AP"]["per_topic"]) == set(TOPICS)
    assert found["name"] == "\x1b[31m=a\n::error::x"
    assert found["path"] == A


def test_names_take_no_effect_in_junit():
    printed([*INPUTS["gate"], "--junit", "gate.xml"], code=1)
    (suite,) = ET.parse("gate.xml").getroot()

    cases = list(suite.iter("testcase"))
    assert len(cases) == int(suite.get("tests")) == 2
    assert sum(1 for _ in suite.iter("failure")) == int(suite.get("failures"))


def test_names_are_no_commands_for_github(monkeypatch, folder):
    summary = folder / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    text = printed([*INPUTS["gate"], "--github"], code=1)

    commands = [line for line in text.splitlines() if line.startswith("::")]
    assert all(
        re.match(r"::(error|warning) title=rankeval gate[^:,]*::", line) for line in commands
    )
    assert len([line for line in commands if line.startswith("::error")]) == 1
    assert "##[" not in text
    takes_no_effect(summary.read_text())
    check_markdown(summary.read_text())


@pytest.mark.parametrize("text", OBEYED)
@pytest.mark.parametrize(
    "words",
    [
        ["eval", "{}", A],
        ["eval", QRELS, "{}"],
        ["eval", QRELS, A, "-m", "{}"],
        ["eval", QRELS, A, "--with", "groups:{}=" + A],
        ["eval", QRELS, A, "--qrels-format", "{}"],
        ["eval", QRELS, A, "--columns", "topic={}"],
        ["eval", QRELS, A, "--collapse", "({}"],
        ["eval", QRELS, A, "-f", "{}"],
        ["eval", QRELS, A, "-o", "missing/{}"],
        ["eval", QRELS, A, "--with", "weights={}"],
        ["explain", QRELS, A, "no such {}"],
        ["gate", QRELS, A, B, "--max-drop", "{}"],
        ["gate", "--config", "{}"],
        ["gate", "--suite", "{}"],
        ["measures", "{}"],
        ["check", "{}"],
        ["compare", QRELS, A, "{}"],
        ["diff", QRELS, A, "{}"],
        ["plot", "box", QRELS, A, "{}"],
        ["plot", "{}", QRELS, A],
        ["report", QRELS, A, "-o", "{}"],
        ["report", QRELS, "{}", "-o", "x.html"],
        ["plot", "box", QRELS, A, "-o", "{}"],
        ["plot", "tradeoff", QRELS, A, "--run-costs", "{}"],
        ["convert", "{}", "out.csv"],
        ["convert", A, "missing/{}.csv"],
        ["{}"],
        ["trec_eval", "{}", A],
        ["trec_eval", "-m", "{}", QRELS, A],
    ],
    ids=lambda words: " ".join(word for word in words if word not in (QRELS, A, B)),
)
def test_words_of_the_command_line_take_no_effect_in_messages(words, text):
    printed([word.replace("{}", text) for word in words], code=None)
