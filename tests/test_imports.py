"""What is imported when: a command that needs little starts at once."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from rankeval.cli import COMMANDS
from tests.support.compiled import needs_kernel

HEAVY = {"pandas", "scipy", "matplotlib", "pyspark", "jinja2"}
RUN = "from rankeval.__main__ import run\nassert run({arguments}) == 0"


@pytest.fixture
def files(tmp_path) -> Path:
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 b 2\n")
    (tmp_path / "run.txt").write_text("1 0 a 1 2 tag\n2 0 c 1 2 tag\n2 0 b 2 2 tag\n")
    return tmp_path


def imported(code: str, folder: Path | None = None, *, whole: bool = False) -> set[str]:
    """The modules that are there after the code has run in a fresh interpreter.

    Top-level modules only, unless their `whole` names are asked for.
    """
    report = "\nimport json, sys\nsys.stderr.write('\\n' + json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code + report],
        capture_output=True,
        check=True,
        text=True,
        cwd=folder,
    )
    names = json.loads(done.stderr.splitlines()[-1])
    return set(names) if whole else {name.partition(".")[0] for name in names}


def after(arguments: list[str], folder: Path | None = None) -> set[str]:
    return imported(RUN.format(arguments=arguments), folder)


def test_import_rankeval_imports_next_to_nothing():
    assert not imported("import rankeval") & {*HEAVY, "numpy", "pyarrow", "typer", "rich"}


def test_evaluating_dictionaries_imports_neither_tables_nor_readers_of_files():
    found = imported(
        "import rankeval\n"
        "qrels, run = {'1': {'a': 1}}, {'1': {'a': 0.5, 'b': 0.7}}\n"
        "rankeval.evaluate(qrels, run, 'AP nDCG@10')\n"
        "rankeval.Evaluator(qrels, 'AP nDCG@10').means(run)\n",
        whole=True,
    )

    assert not found & {*HEAVY, "pyarrow", "polars", "pathlib", "csv", "typer", "rich"}
    assert not found & {"bz2", "lzma", "threading", "numpy.typing"}
    assert not found & {
        "rankeval.io.text_formats",
        "rankeval.io.json_formats",
        "rankeval.io.table_files",
    }


@needs_kernel
@pytest.mark.parametrize("n_lines", [90_000, 400_000])
def test_a_large_run_is_evaluated_without_arrow(tmp_path, n_lines):
    lines = (f"{i // 1000} Q0 doc-{i} {i % 1000} {1000 - i % 1000}.5 tag" for i in range(n_lines))
    (tmp_path / "a.run").write_text("\n".join(lines))
    judgments = (f"1 0 doc-{i} 1" for i in range(70_000))  # which are measured in parts
    (tmp_path / "a.qrels").write_text("\n".join(judgments))
    code = "import rankeval\nassert rankeval.evaluate('a.qrels', 'a.run', 'RR')"

    assert not imported(code, tmp_path) & {"pyarrow", "numpy.ma"}


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_evaluating_small_files_needs_numpy_only(files, form):
    found = after(["eval", "qrels.txt", "run.txt", "-f", form], files)

    assert "numpy" in found
    assert not found & {*HEAVY, "pyarrow"}


def test_evaluating_tables_needs_no_pandas(tmp_path):
    table = {"topic": ["1"], "docno": ["a"]}
    parquet.write_table(pa.table({**table, "grade": [1]}), tmp_path / "qrels.parquet")
    parquet.write_table(pa.table({**table, "score": [2.5]}), tmp_path / "run.parquet")

    assert not after(["eval", "qrels.parquet", "run.parquet"], tmp_path) & HEAVY


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "qrels.txt", "run.txt", "best.txt"],
        ["compare", "qrels.txt", "run.txt", "best.txt", "-f", "json"],
        ["gate", "qrels.txt", "run.txt", "best.txt", "--max-drop", "AP=5%"],
    ],
)
def test_comparing_by_t_needs_no_scipy(files, arguments):
    (files / "best.txt").write_text("1 0 a 1 2 best\n2 0 b 1 2 best\n")

    found = after(arguments, files)

    assert "numpy" in found
    assert not found & {*HEAVY, "pyarrow"}


def test_evaluating_imports_nothing_of_pictures_and_pages(files):
    command = [sys.executable, "-X", "importtime", "-m", "rankeval", "eval", "qrels.txt", "run.txt"]

    done = subprocess.run(command, capture_output=True, check=True, text=True, cwd=files)

    found = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "rankeval.evaluation.notices" in found
    assert "| numpy\n" in done.stderr  # first of all, and not within another module's import
    rooms = ("rankeval.plots", "rankeval.commands.report.collect", "matplotlib", "jinja2", "PIL")
    assert not {name for name in found if name.startswith(rooms)}
    others = {"glob", "rankeval.output.escape", "rankeval.output.declared_columns"}
    assert not found & others  # of patterns of paths, and of formats other than tables


@pytest.mark.parametrize(
    "arguments", [[], ["--version"], ["-h"], ["--help"], *([name, "--help"] for name in COMMANDS)]
)
def test_help_imports_neither_numpy_nor_what_a_command_does(arguments):
    code = f"from rankeval.__main__ import run\nrun({arguments}, program='rankeval')"
    if not arguments:  # a shell completes an option of a command
        completed = {"_RANKEVAL_COMPLETE": "complete_bash", "COMP_CWORD": "4"}
        completed["COMP_WORDS"] = "rankeval gate q r --m"
        code = f"import os\nos.environ.update({completed})\n{code}"
    elif arguments[0] == "trec_eval":
        pytest.skip("its help is that of its own parser")

    found = imported(code, whole=True)

    assert not found & {"numpy", "pyarrow", "rich", *HEAVY}
    assert not {name for name in found if name.startswith("rankeval.") and name.endswith(".task")}
    rooms = ("rankeval.evaluation.", "rankeval.ranking.")
    assert not {name for name in found if name.startswith(rooms)}


@pytest.mark.parametrize("command", ["eval", "trec_eval"])
def test_a_run_of_one_block_is_evaluated_without_threads_and_decimals(files, command):
    names = ["a", "b", *(f"other-{i}" for i in range(1000))]  # too many for the plain parser
    ranked = [(topic, *one) for topic in "12" for one in enumerate(names, 1)]
    lines = (f"{topic} Q0 {name} {rank} {-rank} tag\n" for topic, rank, name in ranked)
    (files / "run.txt").write_text("".join(lines))

    found = imported(RUN.format(arguments=[command, "qrels.txt", "run.txt"]), files)

    assert not found & {"concurrent", "logging", "string", "decimal", "unicodedata"}
    assert command == "eval" or not found & {"dataclasses", "pathlib", "typer"}
