"""Set up a gate: write rankeval.toml, a baseline, and a workflow that runs the gate."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.commands.gate.rules.all_kinds import parse_rule
from rankeval.commands.gate.suites.suite import Suite
from rankeval.commands.gate.task import renewed_baseline
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.results import Results
from rankeval.evaluation.run_names import RunNames
from rankeval.io.formats.toml_tables import OWN_FILE, find_tables, shown
from rankeval.io.parsers.columns import is_number
from rankeval.io.sources.atomic import atomic_text, create_folder, write_errors
from rankeval.io.sources.parts import one_state

WORKFLOW = ".github/workflows/ranking.yml"
COPY, DISTRIBUTION = "tools/rankeval", "rankeval-ir"
"""How pip installs rankeval: from a copy of its repository, or else by its name."""
DEFAULT_RULE = "nDCG@10=5%"
"""The largest drop where none is named."""


@frozen(eq=False)
class NewGate:
    """A gate that was set up, which a terminal shows as the files that were written.

    ======= ==========================================================
    results values of the run in production, which the baseline holds
    written the files: the suite, the workflow and the baseline
    ======= ==========================================================
    """

    results: Results
    written: tuple[str, ...]

    def __repr__(self) -> str:
        from rankeval.commands.init.show import lines

        return "\n".join(lines(self))


@checked
@one_state()
def init(
    qrels: str | os.PathLike[str],
    run: str | os.PathLike[str],
    *,
    max_drop: str = DEFAULT_RULE,
    suite: str = "main",
    install: str | None = None,
    jobs: int | None = None,
) -> NewGate:
    r"""Set up a gate: write rankeval.toml with one suite, a baseline, and a workflow of GitHub.

    ======== ===============================================================================
    qrels    file of judgments
    run      file of the run in production
    max_drop largest drop of the mean: a share, or in the measure's units as nDCG@10=0.02
    suite    name of the suite
    install  what pip installs in the workflow, such as rankeval-ir==1.0; by default a copy in
             tools/rankeval if there is one, else rankeval-ir
    jobs     threads; all processors by default
    ======== ===============================================================================

    No file is replaced: InputError where one is there. UsageError for a rule that is none.

    >>> from pathlib import Path
    >>> from rankeval import init
    >>> _ = Path("web.qrels").write_text("q1 0 d1 1\n")
    >>> _ = Path("bm25.run").write_text("q1 Q0 d7 1 0.7 x\nq1 Q0 d1 2 0.5 x\n")
    >>> init("web.qrels", "bm25.run", max_drop="RR=2%").written[0]
    'rankeval.toml'
    """
    rule = parse_rule(max_drop, "max-drop")
    if not suite or any(mark in suite for mark in "/\\=\n"):
        raise UsageError(f"'{suite}' is no name for a suite", expected="a name such as main")
    judgments, production = os.fspath(qrels), os.fspath(run)
    (name,) = RunNames("stem").names([""], [production])
    baseline = f"baselines/{suite}.json"
    _refuse_present((OWN_FILE, WORKFLOW, baseline))
    results = renewed_baseline(
        Suite(qrels=judgments, baseline=baseline, runs=(production,), rules=(rule,)),
        run_names=RunNames(given=(name,)),
        jobs=jobs,
    )
    measure, _, limit = max_drop.rpartition("=")
    texts = {
        OWN_FILE: SUITES.format(
            suite=_key(suite),
            qrels=_quoted(judgments),
            baseline=_quoted(baseline),
            run=_quoted(production),
            name=_quoted(name),
            measure=_quoted(measure.strip()),
            limit=limit if is_number(limit.encode()) else _quoted(limit),
        ),
        WORKFLOW: GITHUB.format(install=install or _copy()),
    }
    written = (*texts, baseline)
    for path in written:
        with write_errors(path):
            create_folder(path)
    results.save(written[-1])
    for path, text in zip(written, texts.values(), strict=False):
        with atomic_text(path) as stream:
            stream.write(text)
    return NewGate(results, written)


def _refuse_present(paths: tuple[str, ...]) -> None:
    """Raise InputError for suites that are there, and files that would be replaced."""
    known = find_tables(Path())
    if known is not None:
        raise InputError(
            "holds suites already",
            place=shown(known),
            remedy="add a suite to this file, or remove it to begin again",
        )
    for path in paths:
        if os.path.lexists(path):
            raise InputError(
                "is there already",
                place=path,
                expected="a new file",
                remedy="move it away, or set the gate up by hand (docs/ci.md)",
            )


def _copy() -> str:
    return f"./{COPY}" if Path(COPY).is_dir() else DISTRIBUTION


def _quoted(text: str) -> str:
    """Return a basic string of TOML; InputError for bytes that are no text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(
            "the name is not UTF-8, which TOML asks for", place=text, remedy="rename the file"
        ) from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    """Return a key of TOML."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


SUITES = """\
# The gate of this repository's rankings: `rankeval gate` judges by it.
# Paths are relative to this file.

[suite.{suite}]
# Which documents are relevant.
qrels = {qrels}

# The values of the run in production, by topic. When a candidate is accepted,
# `rankeval gate --update-baseline` replaces them; when judgments change,
# `rankeval eval QRELS RUN -q -o FILE.json` evaluates that run again.
baseline = {baseline}

# The run to judge, which your build writes anew. Reports and histories call it by this name.
runs = [{{ path = {run}, name = {name} }}]

# observed fails at every drop above the limit, chance or not. not-shown-worse fails when the drop
# is also more than chance; few topics then let much pass.
policy = "observed"

[suite.{suite}.rules]
# The largest drop of the mean, in the measure's units (0.02) or of the baseline's mean ("5%").
max-drop = {{ {measure} = {limit} }}
"""

GITHUB = """\
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
