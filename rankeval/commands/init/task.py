"""Plan a gate: the files to write for judgments, a run in production and a rule."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath

from rankeval.base.dicts import path_text
from rankeval.base.frozen import frozen
from rankeval.choices import GateHome
from rankeval.commands.gate.rules.all_kinds import parse_rule
from rankeval.commands.gate.suites.suite import Suite
from rankeval.commands.gate.task import renewed_baseline
from rankeval.errors import InputError, RankevalError, UsageError
from rankeval.evaluation.results import Results
from rankeval.evaluation.run_names import RunNames
from rankeval.io.formats.detect_format import begin
from rankeval.io.formats.toml_tables import OWN_FILE, find_tables, shown
from rankeval.io.parsers.columns import is_number
from rankeval.io.sources.atomic import atomic_text, create_folder, write_errors
from rankeval.io.sources.parts import is_remote, one_state

WORKFLOWS: dict[GateHome, str] = {
    "github": ".github/workflows/ranking.yml",
    "gitlab": ".gitlab-ci.yml",
    "make": "ranking.mk",
}
"""The file of each."""

HISTORY, ATTRIBUTES = "rankeval-history.jsonl", ".gitattributes"
COPY = "tools/rankeval"
DISTRIBUTION = "rankeval-ir"
"""How pip installs rankeval: from a copy of its repository, or else from an index that has it."""

DEFAULT_RULE = "nDCG@10=5%"
"""The largest drop where none is named."""

DEPTH = 3
"""Folders in which files are looked for, this one included."""
MOST = 2_000
"""Files that are looked at."""


@frozen
class FoundFiles:
    """The files of judgments and the runs in a folder, in the order of their names."""

    qrels: tuple[str, ...]
    runs: tuple[str, ...]


@frozen
class Setup:
    """A gate that is to be set up.

    ======== =============================================================================
    qrels    judgments
    run      the run in production, which is the first candidate, too
    suite    name of the suite
    name     name of the run in reports and histories
    rule     its rule: the largest drop, such as nDCG@10=5%
    baseline where the values of the run in production are kept
    ci       where the gate runs
    folder   the folder that gets the gate, from which the paths go
    ======== =============================================================================
    """

    qrels: str
    run: str
    suite: str
    name: str
    rule: str
    baseline: str
    ci: GateHome
    folder: str = "."

    def at(self, path: str) -> str:
        """Return a path within the folder as one from here."""
        return _at(self.folder, path)

    @property
    def workflow(self) -> str:
        """The file that runs the gate."""
        return WORKFLOWS[self.ci]


@frozen(eq=False)
class NewGate:
    """A gate that was set up, which a terminal shows as the files that were written.

    ======== =============================================================================
    setup    what it is made of
    results  values of the run in production, which the baseline holds
    written  the files
    ======== =============================================================================
    """

    setup: Setup
    results: Results
    written: tuple[str, ...]

    def __repr__(self) -> str:
        from rankeval.commands.init.show import lines

        return "\n".join(lines(self.setup, self.results))


@one_state()
def init(
    qrels: str | os.PathLike[str] | None = None,
    run: str | os.PathLike[str] | None = None,
    *,
    folder: str | os.PathLike[str] = ".",
    max_drop: str = DEFAULT_RULE,
    suite: str = "main",
    ci: GateHome = "github",
    jobs: int | None = None,
) -> NewGate:
    r"""Set up a gate: write rankeval.toml with one suite, a baseline, and what runs it.

    ======== ===============================================================================
    qrels    file of judgments; by default the only one in the folder
    run      file of the run in production; by default the only one in the folder
    folder   where the files are written, such as the root of a repository
    max_drop largest drop of the mean: a share, or in the measure's units as nDCG@10=0.02
    suite    name of the suite
    ci       where the gate runs: "github", "gitlab" or "make"
    jobs     threads; all processors by default
    ======== ===============================================================================

    No file is replaced: InputError where one is there. UsageError for files that are not found,
    for a rule that is none, and for a place that is not known.

    >>> from pathlib import Path
    >>> from rankeval import init
    >>> Path("web").mkdir()
    >>> _ = Path("web/web.qrels").write_text("q1 0 d1 1\n")
    >>> _ = Path("web/bm25.run").write_text("q1 Q0 d7 1 0.7 x\nq1 Q0 d1 2 0.5 x\n")
    >>> init(folder="web", max_drop="RR=2%").written[0]
    'web/rankeval.toml'
    """
    root = path_text(folder, "the folder of a gate")
    found = find_files(root) if qrels is None or run is None else FoundFiles((), ())
    planned = setup(
        one_of(found.qrels, "judgments") if qrels is None else _inside(root, qrels, "judgments"),
        one_of(found.runs, "runs") if run is None else _inside(root, run, "the run"),
        suite=suite,
        rule=max_drop,
        ci=ci,
        folder=root,
    )
    of_production = Suite(
        qrels=planned.at(planned.qrels),
        baseline=planned.at(planned.baseline),
        runs=(planned.at(planned.run),),
        rules=(parse_rule(planned.rule, "max-drop"),),
    )
    names = RunNames(given=(planned.name,))
    results = renewed_baseline(of_production, run_names=names, jobs=jobs)
    return NewGate(planned, results, _written(planned, results))


def _inside(folder: str, given: str | os.PathLike[str], what: str) -> str:
    """Return the path from a folder to a file that is named from here."""
    path = path_text(given, f"the file of {what}")
    kept = folder == "." or is_remote(path) or PurePath(path).is_absolute()
    return path if kept else os.path.relpath(path, folder)


def _at(folder: str, path: str) -> str:
    return path if folder == "." or is_remote(path) else os.path.join(folder, path)  # noqa: PTH118  any text


def _written(setup: Setup, baseline: Results) -> tuple[str, ...]:
    """Write the files of a gate, those that need nothing else last."""
    files = {setup.at(path): text for path, text in texts(setup)}
    kept = setup.at(setup.baseline)
    for path in (kept, *files):
        with write_errors(path):
            create_folder(path)
    baseline.save(kept)
    for path, text in files.items():
        with atomic_text(path) as stream:
            stream.write(text)
    return (*files, kept)


def find_files(folder: str = ".") -> FoundFiles:
    """Find judgments and runs: by the ends of their names, or else by a line of TREC's form."""
    files = _files(folder)

    def found(kind: str) -> tuple[str, ...]:
        named = tuple(path for path in files if kind in path.lower().split(".")[-2:])
        return named or tuple(path for path in files if kind == _kind_of_line(_at(folder, path)))

    return FoundFiles(found("qrels"), found("run"))


def _files(folder: str) -> list[str]:
    """Return the files of a folder and of some below it, without hidden ones."""
    found: list[str] = []
    for base, folders, names in os.walk(folder):
        inside = Path(base).relative_to(folder).parts
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and len(inside) + 1 < DEPTH
        )
        found += [os.path.join(*inside, name) for name in sorted(names) if name[:1] != "."]  # noqa: PTH118  any text
        if len(found) > MOST:
            break
    return found[:MOST]


def _kind_of_line(path: str) -> str | None:
    """Return "qrels" or "run" by the first line of a file, or None for another file."""
    line = b""
    with suppress(RankevalError, OSError, ValueError):
        line = begin(path).line
    fields = line.split()
    if len(fields) == 6 and is_number(fields[3]) and is_number(fields[4]):
        return "run"
    judged = len(fields) == 4 and fields[1].isdigit() and fields[3].lstrip(b"-").isdigit()
    return "qrels" if judged else None


def setup(qrels: str, run: str, *, suite: str, rule: str, ci: GateHome, folder: str = ".") -> Setup:
    """Return the gate to set up; InputError for files that are there and would be replaced.

    Judgments and run are paths from the folder.
    """
    if ci not in WORKFLOWS:
        raise UsageError(
            f"a gate does not run in '{ci}'", expected=f"one of {', '.join(WORKFLOWS)}"
        )
    parse_rule(rule, "max-drop")
    (name,) = RunNames("stem").names([""], [run])
    if not suite or any(mark in suite for mark in "/\\=\n"):
        raise UsageError(f"'{suite}' is no name for a suite", expected="a name such as main")
    planned = Setup(qrels, run, suite, name, rule, f"baselines/{suite}.json", ci, folder)
    known = find_tables(Path(folder))
    if known is not None:
        raise InputError(
            "holds suites already",
            place=shown(known),
            remedy="add a suite to this file, or remove it to begin again",
        )
    for path in map(planned.at, (OWN_FILE, planned.baseline, planned.workflow)):
        if os.path.lexists(path):
            raise InputError(
                "is there already",
                place=path,
                expected="a new file",
                remedy="move it away, or set the gate up by hand (docs/ci.md)",
            )
    return planned


def texts(setup: Setup) -> Iterator[tuple[str, str]]:
    """Yield the files except the baseline, and their content."""
    yield OWN_FILE, _suites(setup)
    yield setup.workflow, _workflow(setup)
    yield ATTRIBUTES, _attributes(setup)


def one_of(paths: Sequence[str], what: str) -> str:
    """Return the only path; UsageError for none and for several."""
    if len(paths) == 1:
        return paths[0]
    found = f"several: {', '.join(paths[:5])}" if paths else "none here"
    raise UsageError(
        f"found no single file of {what}, but {found}" if paths else f"found {what}: {found}",
        expected="both files named, such as init qrels.txt bm25.run",
    )


def _suites(setup: Setup) -> str:
    measure, _, limit = setup.rule.rpartition("=")
    amount = limit if is_number(limit.encode()) else _quoted(limit)
    return f"""\
# The gate of this repository's rankings: `rankeval gate` judges by it.
# Paths are relative to this file.

[suite.{_key(setup.suite)}]
# Which documents are relevant.
qrels = {_quoted(setup.qrels)}

# The values of the run in production, by topic. When a candidate is accepted, `rankeval promote`
# replaces them; when judgments change, `rankeval rebaseline` evaluates that run again.
baseline = {_quoted(setup.baseline)}

# The run to judge, which your build writes anew. Reports and histories call it by this name,
# whatever its file and tag are; if you change the name, list the old one: aliases = ["OLD"].
runs = [{{ path = {_quoted(setup.run)}, name = {_quoted(setup.name)} }}]

# observed fails at every drop above the limit, chance or not. not-shown-worse fails when the drop
# is also more than chance; few topics then let much pass.
policy = "observed"

[suite.{_key(setup.suite)}.rules]
# The largest drop of the mean, in the measure's units (0.02) or of the baseline's mean ("5%").
max-drop = {{ {_quoted(measure.strip())} = {amount} }}
"""


def _quoted(text: str) -> str:
    """Return a basic string of TOML; InputError for bytes that are no text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(
            "the name is not UTF-8, which TOML asks for",
            place=text,
            remedy="rename the file",
        ) from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    """Return a key of TOML."""
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else _quoted(name)


def _install(setup: Setup) -> str:
    return f"./{COPY}" if Path(setup.at(COPY)).is_dir() else DISTRIBUTION


def _workflow(setup: Setup) -> str:
    written = {"github": _github, "gitlab": _gitlab, "make": _make}
    return written[setup.ci](_install(setup))


def _github(install: str) -> str:
    return f"""\
name: ranking
on: [pull_request]
permissions:
  contents: read
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          submodules: true
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - name: Install
        run: pip install {install}
      # Add the step that writes the candidate's run here.
      - name: Gate
        run: rankeval gate --all-suites --github --junit gate.xml
"""


def _gitlab(install: str) -> str:
    return f"""\
gate:
  image: python:3.12
  variables:
    GIT_SUBMODULE_STRATEGY: recursive
  script:
    - pip install {install}
    # Add the command that writes the candidate's run here.
    - rankeval gate --all-suites --junit gate.xml --json gate.json
  artifacts:
    when: always
    paths: [gate.json]
    reports:
      junit: gate.xml
"""


def _make(_install: str) -> str:
    return """\
# make -f ranking.mk gate, or include ranking.mk in your Makefile.
RANKEVAL ?= rankeval

.PHONY: gate promote rebaseline

# Let gate depend on the candidate's run, if make writes it.
gate:
	$(RANKEVAL) gate --all-suites --junit gate.xml

promote:
	$(RANKEVAL) promote

rebaseline:
	$(RANKEVAL) rebaseline
"""


def _attributes(setup: Setup) -> str:
    """Return the attributes of the repository, with a line that lets git merge histories."""
    line = f"{HISTORY} merge=union\n"
    present = ""
    with suppress(FileNotFoundError):
        present = Path(setup.at(ATTRIBUTES)).read_text(encoding="utf-8", errors="surrogateescape")
    if line.strip() in present.splitlines():
        return present
    return present + ("" if not present or present.endswith("\n") else "\n") + line
