"""Run the code blocks of a page, in order, in a folder with stand-ins for the files they name.

- `console`: each line "$ rankeval ..." with what it prints, on standard output and standard error,
  in a terminal of 80 columns; `| cat` and `cat FILE` as in transcripts.
- `bash`, `sh`: each call of rankeval must succeed. Other commands are not run, but for `cd FOLDER`.
- `python`: the code runs, and a comment that is a literal is the value of its line.

Runs stand for those of the examples, judgments for their judgments.
"""

import ast
import contextlib
import gzip
import io
import itertools
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from rankeval.__main__ import run
from tests.transcript.session import expanded, repeated

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(console|bash|sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMES = ("bm25", "lsa", "tfidf", "rrf", "qld", "title")
RUNS = [ROOT / "examples" / "runs" / f"{name}.run" for name in NAMES]
QRELS = ROOT / "examples" / "qrels" / "python-reference.qrels"
BY_NAME = {"bm25": RUNS[0], "lsa": RUNS[1], "dense": RUNS[1], "baseline": RUNS[0], "rm3": RUNS[3]}
MADE = re.compile(r"(?:-o|--output|--data) ('?)(\S+)\1|convert .*? (\S+\.\w+(?:\.zst)?)(?: |$)")
ENDINGS = "run|qrels|txt|gz|tsv|json|jsonl|parquet"
NAMED = re.compile(rf"(?<![\w/.*-])[\w-]+(?:\.[\w-]+)*\.(?:{ENDINGS})\b")


def blocks(page):
    """Return the blocks of a page as pairs of language and text."""
    return BLOCK.findall(page)


def stand_ins(page, folder, more, calls):
    """Write the files that the blocks of a page name and do not make.

    `more` gives texts by name, and `calls` of rankeval make other files.
    """
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=_caches)
    text = "\n".join(block for _, block in blocks(page))
    made = {found for match in MADE.findall(text) for found in match if found}
    runs = itertools.cycle(RUNS)
    for name in dict.fromkeys(NAMED.findall(text)):
        path = folder / name
        if name not in more and name not in made and not path.exists():
            _write(path, next(runs))
    for name, content in more.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    with contextlib.chdir(folder):
        for call in calls:
            output = Path(shlex.split(call)[-1])
            output.parent.mkdir(parents=True, exist_ok=True)
            assert run([*shlex.split(call), "--quiet"]) == 0


def _write(path, source):
    stem = path.name.partition(".")[0]
    if path.suffix in (".qrels", ".txt") and ("qrels" in path.name or path.suffix == ".qrels"):
        lines = QRELS.read_text(encoding="utf-8").splitlines(keepends=True)
        shift = sum(path.stem.encode()) % 7  # judgments of several names differ
        kept = [one for at, one in enumerate(lines) if path.stem == "qrels" or at % 7 != shift]
        path.write_text("".join(kept), encoding="utf-8")
    elif path.suffix == ".json":
        calls = ["eval", str(QRELS), str(BY_NAME.get(stem, source)), "-m", "nDCG@10 AP", "-q"]
        assert run([*calls, "--quiet", "-o", str(path)]) == 0
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(BY_NAME.get(stem, source).read_bytes()))
    elif path.suffix in (".run", ".txt"):
        content = BY_NAME.get(stem, source).read_text(encoding="utf-8")
        tag = content.split(maxsplit=6)[5]
        path.write_text(content.replace(f" {tag}\n", f" {stem}\n"), encoding="utf-8")


def _caches(_folder, names):
    return [name for name in names if name in ("__pycache__", "tables")]


def run_blocks(page, folder, *, unrun=()):
    """Run the blocks of a page; assert that commands succeed and values are as shown."""
    shown = {}
    with contextlib.chdir(folder):
        for language, block in blocks(page):
            if language == "console":
                assert "".join(repeated(_as_transcript(block))) == block
            elif language == "python" and block not in unrun:
                run_python(block, shown)
            elif language != "python":
                for line in block.splitlines():
                    if line.partition("  #")[0].strip() not in unrun:
                        run_line(line)


def renewed(page, folder):
    """Return the page with what its console blocks print now."""

    def printed(match):
        language, block = match.groups()
        if language == "console":
            block = "".join(repeated(_as_transcript(block)))
        elif language != "python":
            for line in block.splitlines():
                if line.startswith("cd "):
                    run_line(line)
        return f"```{language}\n{block}```"

    with contextlib.chdir(folder):
        return BLOCK.sub(printed, page)


def _as_transcript(block):
    return "\n".join(line for line in block.splitlines() if line.startswith("$ "))


def run_line(line):
    """Run the calls of rankeval in a line of shell; a pipe gives what `zcat` or rankeval print."""
    given = b""
    for piece in line.split(" | "):
        part, words = piece, shlex.split(piece, comments=True)
        if words[:1] == ["cd"]:
            os.chdir(words[1])
        elif words[:1] == ["zcat"]:
            given = b"".join(gzip.decompress(Path(name).read_bytes()) for name in words[1:])
        elif words[:1] == ["rankeval"]:
            part, _, source = part.partition("  #")[0].partition(" < ")
            given = Path(source.strip()).read_bytes() if source else given
            arguments = expanded(part)[1:]
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
                held = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
                told = io.StringIO()
                patched.setattr(sys, "stdout", held)
                patched.setattr(sys, "stderr", told)
                code = run(arguments)
                given = held.buffer.getvalue()
            allowed = (0, 1) if arguments[0] in ("gate", "check") else (0,)
            assert code in allowed, f"{line}\n{told.getvalue()}"


def run_python(block, shown):
    """Run a block of Python; a comment that is a literal is the value of the line before it."""
    for node in ast.parse(block).body:
        source = "\n".join(block.splitlines()[node.lineno - 1 : node.end_lineno])
        value = source.rpartition("  # ")[2] if "  # " in source else ""
        code = compile(ast.Module([node], []), "page", "exec")
        if isinstance(node, ast.Expr) and _is_literal(value):
            found = eval(compile(ast.Expression(node.value), "page", "eval"), shown)
            assert found == ast.literal_eval(value), source
        else:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(code, shown)


def _is_literal(text):
    try:
        ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return False
    return True
