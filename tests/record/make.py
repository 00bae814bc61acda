"""Make a record of the package in a folder: python make.py SOURCE TARGET [packs]."""

import contextlib
import functools
import importlib
import io
import itertools
import json
import multiprocessing
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PACKS = HERE.parents[2] / "shared" / "conformance"
TERMINAL = {
    "COLUMNS": "100",
    "LINES": "24",
    "TERM": "dumb",
    "NO_COLOR": "1",
    "SOURCE_DATE_EPOCH": "0",
}
WITHOUT_KERNEL = re.compile(r"^(eval|check|convert|compare|trec_eval) ")


def main(source: str, target: str, *packs: str) -> None:
    """Run everything in forks of this process, which has imported what they need."""
    import rankeval
    import rankeval.__main__

    assert rankeval.__file__.startswith(source), rankeval.__file__
    for name in ("numpy", "pandas", "pyarrow.parquet", "scipy.stats", "typer"):
        importlib.import_module(name)

    from tests.record.data import write_data

    os.environ.update(TERMINAL)
    os.environ.pop("CI", None)
    folder = Path(target)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as data:
        write_data(Path(data))
        tasks = [functools.partial(_command, data, line, folder) for line in commands()]
        tasks += [
            functools.partial(_command, data, line, folder / "without_kernel", kernel="0")
            for line in commands()
            if WITHOUT_KERNEL.match(line)
        ]
        tasks += [functools.partial(_facts, folder), functools.partial(_values, data, folder)]
        if packs:
            tasks += list(_pack_cases(folder))
        with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
            for _ in pool.imap_unordered(_call, tasks, chunksize=1):
                pass


def _call(task):
    task()


def commands() -> list[str]:
    """The command lines of commands.txt and of the transcripts, without the word rankeval."""
    lines = [
        line
        for line in (HERE / "commands.txt").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    found = [one for line in lines for one in _alternatives(line)]
    for path in sorted((HERE / "transcripts").glob("*.txt")):
        found += [
            line.removeprefix("$ rankeval").strip().removesuffix("| cat")
            for line in path.read_text("utf-8").splitlines()
            if line.startswith("$ rankeval")
        ]
    return list(dict.fromkeys(found))


def _alternatives(line: str) -> list[str]:
    parts = re.split(r"\{([^}]*,[^}]*)\}", line)
    choices = [part.split(",") if place % 2 else [part] for place, part in enumerate(parts)]
    return ["".join(words) for words in itertools.product(*choices)]


def _command(data: str, line: str, target: Path, kernel: str | None = None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for path in Path(data).iterdir():
            Path(path.name).symlink_to(path)
        words = []
        for word in shlex.split(line):
            words += sorted(map(str, Path().glob(word))) if "*" in word else [word]
        code, out, err = run(words, kernel=kernel)
        written = [path for path in Path().rglob("*") if not path.is_symlink() and path.is_file()]
        kept = "".join(
            f"--- {path}\n{path.read_bytes().decode('utf-8', 'backslashreplace')}\n"
            for path in sorted(written)
            if path.suffix in {".json", ".tsv", ".csv", ".tex", ".md", ".toml", ".yml", ".run"}
        )
    text = f"$ rankeval {line}\n[exit {code}]\n--- stdout\n{out}--- stderr\n{err}{kept}"
    text = text.replace(folder, "FOLDER").replace(data, "DATA")
    text = re.sub(r"\d\d\d\d-\d\d-\d\dT[\d:.+]+Z?", "TIME", text)
    _write(target / f"{_name(line)}.txt", text)


def _name(line: str) -> str:
    return re.sub(r"[^\w@.=-]+", "_", line)[:150].strip("_") or "nothing"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    while path.exists():
        path = path.with_stem(f"{path.stem}_")
    path.write_text(text, "utf-8", "backslashreplace")


def run(words: list[str], stdin: bytes = b"", kernel: str | None = None) -> tuple[int, str, str]:
    """Run a command in this process with pipes for its streams."""
    from rankeval.__main__ import run as command

    if kernel is not None:
        os.environ["RANKEVAL_KERNEL"] = kernel
    sys.argv = ["rankeval"]
    streams = [tempfile.TemporaryFile() for _ in range(2)]
    for stream, number in zip(streams, (1, 2), strict=True):
        os.dup2(stream.fileno(), number)
    reading = tempfile.TemporaryFile()
    reading.write(stdin)
    reading.seek(0)
    os.dup2(reading.fileno(), 0)
    sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb", closefd=False))
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb", closefd=False), "utf-8", write_through=True)
    try:
        code = command(words)
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        code = f"{type(error).__name__}: {error}"
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    texts = []
    for stream in streams:
        stream.seek(0)
        texts.append(stream.read().decode("utf-8", "backslashreplace"))
    return code, *texts


def _facts(target: Path) -> None:
    """Every measure's facts: name, other names, parameters, bounds, documentation."""
    code, out, err = run(["measures", "--full", "-f", "json"])
    listed = json.loads(out) if code == 0 else err
    entries = listed.get("measures", listed) if isinstance(listed, dict) else listed
    for entry in entries:
        _write(target / "facts" / f"{entry['name']}.txt", json.dumps(entry, indent=1) + "\n")


def _values(data: str, target: Path) -> None:
    """The values and signatures of every measure, on small data, under several conventions."""
    import rankeval

    os.chdir(Path(data) / "small")
    conventions = {
        "default": {},
        "rel2": {"min_grade": 2},
        "depth": {"depth": 2},
        "judged_only": {"judged_only": True},
        "both": {"topics": "both"},
        "trec_eval": {"like": "trec_eval"},
    }
    names = _names()
    for label, settings in conventions.items():
        lines = []
        for name in names:
            for form in (name, f"{name}@2"):
                try:
                    found = rankeval.evaluate(
                        "graded.qrels", ["ties.run", "sharp.run"], form, **settings
                    )
                except Exception as error:
                    lines.append(f"{form}\t{type(error).__name__}\n")
                    continue
                for one in found.runs:
                    for measure, score in one.items():
                        values = "\t".join(map(repr, map(float, score.values)))
                        lines.append(
                            f"{measure}\t{one.name}\t{float(score)!r}\t{values}\t{score.signature}\n"
                        )
        _write(target / "values" / f"{label}.txt", "".join(lines))


def _names() -> list[str]:
    _, out, _ = run(["measures", "--full", "-f", "json"])
    return sorted(entry["name"] for entry in json.loads(out)["measures"])


def _pack_cases(target: Path):
    for pack, cases, form in (
        ("trec_eval", "cases.json", []),
        ("trec_eval", "cases9.json", ["--as", "9"]),
        ("trec_eval9", "cases.json", ["--as", "9"]),
    ):
        for case in json.loads((PACKS / pack / cases).read_text())["cases"]:
            yield functools.partial(_pack_case, pack, case, form, target / f"{pack}_{cases}")


def _pack_case(pack: str, case: dict, form: list[str], target: Path) -> None:
    os.chdir(PACKS / pack)
    stdin = Path(case["stdin"]).read_bytes() if case.get("stdin") else b""
    code, out, _ = run(["trec_eval", *form, *case["args"]], stdin)
    right = code == case.get("exit", 0) and (
        not case.get("expected")
        or Path(case["expected"]).read_bytes().decode("utf-8", "backslashreplace") == out
    )
    _write(
        target / f"{case['name']}.txt", f"{'passed' if right else 'FAILED'}\n[exit {code}]\n{out}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
