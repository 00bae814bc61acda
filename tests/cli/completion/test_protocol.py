"""Completion as shells ask for it: bash, zsh and fish, by typer's protocol."""

import csv
import subprocess
import sys

import pytest

from rankeval.__main__ import run
from rankeval.cli import COMMANDS
from rankeval.cli.completion.protocol import VARIABLE

QRELS = "301 0 a 1\n301 0 b 0\n302 0 c 1\n401 0 d 2\n"


@pytest.fixture
def ask(tmp_path, monkeypatch, capsys):
    """Ask for completions of a line with the cursor at its end; return code and lines."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)

    def ask(shell, line, **more):
        words = line.split(" ")
        values = {
            VARIABLE: f"complete_{shell}",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            "_TYPER_COMPLETE_ARGS": line,
            **more,
        }
        with monkeypatch.context() as patched:
            for name, value in values.items():
                patched.setenv(name, value)
            code = run([])
        captured = capsys.readouterr()
        assert captured.err == ""
        return code, captured.out.splitlines()

    return ask


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rankeval ", [*COMMANDS, "help"]),
        ("rankeval ev", ["eval"]),
        ("rankeval --v", ["--version"]),
        ("rankeval --show-completion ", ["bash", "zsh", "fish"]),
        ("rankeval --install-completion f", ["fish"]),
        ("rankeval help co", ["compare", "convert"]),
        ("rankeval help eval ", []),
        ("rankeval eval --tie", ["--ties"]),
        ("rankeval qrels.txt a.run --tie", ["--ties"]),
        ("rankeval qrels.txt a.run -m AP --tie", ["--ties"]),
        ("rankeval --tie", ["--ties"]),
        ("rankeval eval q r --ties ", ["docno", "input", "rank", "best", "worst", "expected"]),
        ("rankeval eval q r --ties=be", ["--ties=best"]),
        ("rankeval eval q r --on-error ", ["refuse", "skip"]),
        ("rankeval eval q r --run-format pa", ["parquet"]),
        ("rankeval eval q r -f js", ["json", "jsonl"]),
        ("rankeval eval q r --sort na", ["name"]),
        ("rankeval compare q a b --sort P@1", ["P@1", "P@10", "P@100", "P@1000"]),
        ("rankeval eval q r --quiet --qui", []),
        ("rankeval eval q r -m AP --meas", ["--measure", "--measure-names"]),
        ("rankeval convert in out --to m", ["msmarco"]),
        ("rankeval eval qrels.t", []),
        ("rankeval nothing.such -", None),
        ("rankeval explain qrels.txt a.run ", ["301", "302", "401"]),
        ("rankeval explain qrels.txt a.run 3", ["301", "302"]),
        ("rankeval explain qrels.txt a.run 301 ", []),
        ("rankeval explain -m AP qrels.txt a.run 4", ["401"]),
        ("rankeval explain none.txt a.run ", []),
    ],
)
def test_bash_gets_one_word_per_line(ask, line, expected):
    code, lines = ask("bash", line)

    assert code == 0
    if expected is None:
        assert "--ties" in lines
    else:
        assert lines == expected


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        ("nDC", ["nDCG", "nDCG_rel"]),
        ("ndc", []),
        ("nDCG@10", ["nDCG@10", "nDCG@100", "nDCG@1000"]),
        ("IPrec@0.", ["IPrec@0.1", "IPrec@0.2", "IPrec@0.5", "IPrec@0.8"]),
        ("RR(", ["RR(rel=", "RR(judged_only=", "RR(out="]),
        ("RR(rel=2,", ["RR(rel=2,judged_only=", "RR(rel=2,out="]),
        ("nDCG(dcg='e", ["nDCG(dcg='exp-log2')", "nDCG(dcg='exp-jk')"]),
        ("P(judged_only=", ["P(judged_only=True)", "P(judged_only=False)"]),
        ("P(rel=2)@5", ["P(rel=2)@5", "P(rel=2)@50"]),
        ("Rprec@", []),
        ("zzz", []),
    ],
)
def test_measures_and_their_parameters_are_completed(ask, begun, expected):
    quoted = '"' + begun

    assert ask("bash", f"rankeval eval q r -m {quoted}")[1] == expected
    assert ask("bash", f"rankeval measures {quoted}")[1] == expected


def test_the_last_of_several_measures_is_completed(ask):
    words = 'rankeval\nq\nr\n-m\n"AP(rel=2) nDCG@10 Bp'

    _, lines = ask("bash", "", COMP_WORDS=words, COMP_CWORD="4")

    assert lines == ["AP(rel=2) nDCG@10 Bpref"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rankeval", "q", "r", "-m", "nDCG", "@", "2"], ["@20"]),
        (
            ["rankeval", "q", "r", "-m", "nDCG", "@"],
            ["@1", "@3", "@5", "@10", "@20", "@50", "@100", "@1000"],
        ),
        (["rankeval", "q", "r", "-m", "nDCG@2"], ["nDCG@20"]),
        (["rankeval", "q", "r", "--ties=be"], ["--ties=best"]),
        (["rankeval", "q", "r", "-m", r"RR\(re"], [r"RR\(rel="]),
        (["rankeval", "q", "r", "--ties", "=", "be"], ["best"]),
        (["rankeval", "explain", "qrels.txt", "a b.run", "4"], ["401"]),
    ],
)
def test_words_that_bash_breaks_are_put_together(ask, words, expected):
    """Bash breaks words at @, = and others, and takes what follows the break, and the @."""
    _, lines = ask("bash", "", COMP_WORDS="\n".join(words), COMP_CWORD=str(len(words) - 1))

    assert lines == expected


def test_suites_of_the_nearest_file_are_completed(ask, tmp_path):
    (tmp_path / "rankeval.toml").write_text("[suite.nightly]\nqrels = 'q'\n[suite.quick]\n")
    (tmp_path / "other.toml").write_text("[suite.other]\n")

    assert ask("bash", "rankeval gate --suite ")[1] == ["nightly", "quick"]
    assert ask("bash", "rankeval gate --suite n")[1] == ["nightly"]
    assert ask("bash", "rankeval gate --config other.toml --suite ")[1] == ["other"]
    (tmp_path / "rankeval.toml").write_text("[suite.")
    assert ask("bash", "rankeval gate --suite ") == (0, [])


def test_topics_of_other_formats_are_found(ask, tmp_path):
    (tmp_path / "qrels.csv").write_text("query-id,corpus-id,score\nq1,a,1\nq2,b,1\n")

    assert ask("bash", "rankeval explain qrels.csv a.run ")[1] == ["q1", "q2"]


def test_fish_gets_words_with_descriptions_in_one_line_each(ask):
    get = {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    code, lines = ask("fish", "rankeval eval --t", **get)

    assert code == 0
    words = ["--train", "--topics", "--ties", "--timeout"]
    assert [line.split("\t")[0] for line in lines] == words
    assert lines[1] == "--topics\tTopics to evaluate: judged, both"


@pytest.mark.parametrize(("line", "code"), [("rankeval eval --t", 0), ("rankeval eval qrels.t", 1)])
def test_fish_is_told_whether_there_are_words_or_files(ask, line, code):
    assert ask("fish", line, _TYPER_COMPLETE_FISH_ACTION="is-args") == (code, [])


def test_zsh_gets_arguments_or_files(ask):
    (line,) = ask("zsh", "rankeval eval --to")[1]

    assert line.startswith('_arguments \'*: :(("--topics"\\:"Topics to evaluate\\: judged, both"')
    assert line.count("'") == 2
    assert ask("zsh", "rankeval eval qrels.t")[1] == ["_files"]


def test_the_scripts_for_shells_are_still_typers(monkeypatch, capsys):
    monkeypatch.setenv(VARIABLE, "source_zsh")

    assert run([]) == 0
    assert "#compdef rankeval" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        ("4", [r"4\ \$\(x\)\;\"\'\`", "4é"]),
        ("'4", ["4 $(x);\"'\\''`", "4é"]),
        ('"4', [r"""4 \$(x);\"'\`""", "4é"]),
    ],
)
def test_bash_gets_names_that_take_no_effect(ask, tmp_path, begun, expected):
    rows = [("4 $(x);\"'`", "d"), ("4\x1b[31m", "d"), ("4é", "d")]
    with (tmp_path / "q.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [("query-id", "corpus-id", "score"), *((*row, 1) for row in rows)]
        )
    words = f"rankeval\nexplain\nq.csv\na.run\n{begun}"

    assert ask("bash", "", COMP_WORDS=words, COMP_CWORD="4")[1] == expected


def test_completion_imports_no_library_for_numbers():
    code = (
        "import os, sys; os.environ.update(_RANKEVAL_COMPLETE='complete_bash',"
        " COMP_WORDS='rankeval eval -m nD', COMP_CWORD='3');"
        "from rankeval.__main__ import run; run([]);"
        "print(sorted({'numpy', 'pandas', 'pyarrow', 'scipy', 'rich'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert done.stdout.split("\n") == ["nDCG", "nDCG_rel", "[]", ""]
