"""Try wheels in clean environments: every Python that is there, the lowest and newest dependencies.

    python .ci/check_wheels.py WHEEL... [--python PATH...] [--tests PATH...] [--keep FOLDER]

Nothing is installed into the running environment, which needs pip and uv, and no Python is
downloaded. Dependencies are fetched as wheels into a folder first; the environments see only it.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RESOLUTIONS = ("lowest-direct", "highest")
TOOLS = [
    *("pytest", "pytest-xdist", "hypothesis", "pyyaml", "polars", "orjson", "jsonschema"),
    *("fsspec", "scikit-learn", "statsmodels", "ir-measures", "pytrec_eval-terrier"),
]
"""What the tests below compare with."""

TESTS = ["tests/io", "tests/ranking", "tests/evaluation", "tests/output", "tests/stats"]
QRELS = "examples/qrels/python-reference.qrels"
RUNS = [f"examples/runs/{name}.run" for name in ("bm25", "lsa", "title")]
COMMANDS = [
    ["--version"],
    [QRELS, *RUNS, "--quiet"],
    ["eval", QRELS, RUNS[0], "-q", "-f", "yaml", "-o", "bm25.yaml"],
    ["eval", QRELS, RUNS[0], "-q", "-o", "bm25.json"],
    ["compare", QRELS, *RUNS, "--all-pairs", "--test", "tukey", "-m", "nDCG@10", "-f", "latex"],
    ["gate", QRELS, "bm25.json", RUNS[1], "--max-drop", "nDCG@10=2%"],
    ["plot", "box", QRELS, *RUNS, "-o", "box.pdf"],
    ["report", QRELS, *RUNS, "-o", "report.html"],
    ["convert", RUNS[0], "bm25.parquet"],
    ["explain", QRELS, RUNS[0], "25", "-m", "AP"],
]


class Environment(NamedTuple):
    """A Python, and which dependencies it gets."""

    python: Path
    version: str
    resolution: str

    def __str__(self) -> str:
        return f"Python {self.version} ({self.python}), {self.resolution}"


def main() -> None:
    """Check the wheels; end with exit code 1 where one fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wheels", nargs="+", type=Path)
    parser.add_argument("--python", nargs="+", type=Path, help="Default: all that are there")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="of the oldest and the newest")
    parser.add_argument("--keep", type=Path, help="keep the environment of the newest Python here")
    given = parser.parse_args()
    pythons = sorted(given.python or found_pythons(), key=version_of)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        environments = [
            Environment(python, ".".join(map(str, version_of(python))), resolution)
            for python in pythons
            for resolution in RESOLUTIONS
        ]
        locks = [fetched(environment, work) for environment in environments]
        tested = (environments[0], environments[-1])
        failed = [
            environment
            for environment, lock in zip(environments, locks, strict=True)
            if not holds(environment, lock, work, given, given.tests * (environment in tested))
        ]
    sys.exit(f"{len(failed)} of {len(environments)} environments failed" if failed else 0)


def found_pythons() -> list[Path]:
    """Return the Pythons of the PATH, of pyenv, of Debian and of uv that rankeval can run on."""
    least = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
    home = Path.home()
    places = [
        *(Path(found) for minor in range(9, 30) if (found := shutil.which(f"python3.{minor}"))),
        *(home / ".pyenv/versions").glob("*/bin/python3"),
        *Path("/usr/bin").glob("python3.[0-9]*"),
        *Path("/usr/local/bin").glob("python3.[0-9]*"),
        *(home / ".local/share/uv/python").glob("*/bin/python3"),
    ]
    found: dict[Path, Path] = {}
    for place in places:
        if place.name.endswith("-config"):
            continue
        # Programs such as pyenv's only start a Python of another place, if there is one.
        asked = "import sys, os; print(os.path.realpath(sys.executable))"
        done = subprocess.run([place, "-c", asked], capture_output=True, text=True, check=False)
        if not done.returncode and version_of(place) >= least:
            found[Path(done.stdout.strip())] = place
    return list(found)


def version_of(python: Path) -> tuple[int, ...]:
    """Ask a Python for its version."""
    asked = "import sys, json; print(json.dumps(sys.version_info[:3]))"
    return tuple(json.loads(subprocess.check_output([python, "-c", asked])))


def fetched(environment: Environment, work: Path) -> Path:
    """Pin the dependencies, fetch their wheels into work/wheels, and return the pins."""
    name = f"{environment.version}-{environment.resolution}-{environment.python.parts[1]}"
    lock, tools = work / f"{name}.txt", work / f"{name}-tools.txt"
    pin = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"]
    pin += ["--only-binary", ":all:", "--python", str(environment.python)]
    pyproject = str(ROOT / "pyproject.toml")
    extras = ["--extra", "all", "--resolution", environment.resolution]
    run([*pin, pyproject, *extras, "-o", str(lock)])
    wanted = work / "tools.in"
    wanted.write_text("\n".join(TOOLS))
    run([*pin, str(wanted), "-c", str(lock), "-o", str(tools)])
    pip = [sys.executable, "-m", "pip", "--python", str(environment.python), "-qq"]
    run([*pip, "download", "--no-deps", "--only-binary", ":all:", "-d", str(work / "wheels"),
         "-r", str(lock), "-r", str(tools)])  # fmt: skip
    return lock


def holds(
    environment: Environment, lock: Path, work: Path, given: argparse.Namespace, tests: list[str]
) -> bool:
    """Try each wheel in a new environment, and say what failed."""
    begun, good = time.monotonic(), True
    tried = f" and {', '.join(tests)}" if tests else ""
    for number, wheel in enumerate(given.wheels):
        clean = work / "clean"
        uv = [sys.executable, "-m", "uv"]
        run([*uv, "venv", "--quiet", "--clear", "--no-python-downloads", "--python",
             str(environment.python), str(clean)])  # fmt: skip
        install = [*uv, "pip", "install", "--quiet", "--offline", "--no-index"]
        install += ["--find-links", str(work / "wheels"), "--python", str(clean)]
        run([*install, "-r", str(lock), str(wheel)])
        if given.keep and environment.resolution == "highest":
            shutil.rmtree(given.keep, ignore_errors=True)
            shutil.copytree(clean, given.keep, symlinks=True)
        run([*uv, "pip", "check", "--quiet", "--python", str(clean)])
        failures = list(wrong_commands(clean))
        # Once: the wheels differ in their reader only.
        if tests and not number:
            run([*install, "-r", str(lock.with_name(f"{lock.stem}-tools.txt"))])
            failures += wrong_tests(clean, work, tests)
        verdict = "FAIL" if failures else "ok  "
        done = f"{len(COMMANDS)} commands{tried}"
        print(f"{verdict} {environment}: {wheel.name}: {done}", flush=True)
        tried = ""
        print("".join(f"     {line}\n" for line in failures), end="")
        good = good and not failures
    pinned = [line for line in lock.read_text().splitlines() if named(line)]
    print(f"     {' '.join(pinned)} ({time.monotonic() - begun:.0f} s)", flush=True)
    return good


def named(line: str) -> bool:
    """Whether rankeval's pyproject.toml names the package of a pinned line."""
    extras = PROJECT["optional-dependencies"]
    direct = [*PROJECT["dependencies"], *extras["report"], *extras["yaml"]]
    return any(need.lower().startswith(line.partition("==")[0] + ">") for need in direct)


def wrong_commands(clean: Path) -> Iterator[str]:
    """Run commands in a folder without the source; yield what fails."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder, "examples"))
        for words in COMMANDS:
            done = subprocess.run(
                [clean / "bin/rankeval", *words],
                cwd=folder, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                yield f"rankeval {' '.join(words)}: exit code {done.returncode}"
                yield from done.stderr.splitlines()[-3:]


def wrong_tests(clean: Path, work: Path, tests: Sequence[str]) -> list[str]:
    """Run tests of the installed package; return the lines on those that fail."""
    checkout = work / "checkout"
    if not checkout.exists():
        kept = shutil.ignore_patterns(".*", "rankeval", "dist", "site", "build", "__pycache__")
        shutil.copytree(ROOT, checkout, ignore=kept)
    options = ["-q", "-n", "auto", "-m", "not slow and not hypothesis", "-p", "no:cacheprovider"]
    options += ["-o", "filterwarnings=default", "-o", "addopts=--import-mode=importlib"]
    done = subprocess.run(
        [clean / "bin/python", "-m", "pytest", *options, *tests],
        cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if not done.returncode:
        return []
    lines = done.stdout.splitlines()
    return [line for line in lines if line.startswith(("FAILED", "ERROR"))] or lines[-9:]


def run(command: Sequence[str]) -> None:
    """Run a command that must succeed."""
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
