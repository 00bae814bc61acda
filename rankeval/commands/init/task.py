"""Set up a gate: write rankeval.toml, a baseline, and a workflow that runs the gate."""

from __future__ import annotations

import json
import os
from pathlib import Path

from rankeval.base.checked import checked
from rankeval.base.frozen import no_choice, record
from rankeval.commands.gate.rules import parse_rule
from rankeval.commands.gate.suites import Suite
from rankeval.commands.gate.task import renewed_baseline
from rankeval.commands.toml_tables import OWN_FILE, find_tables, shown
from rankeval.errors import InputError, UsageError, printable
from rankeval.evaluation.results import Results
from rankeval.evaluation.run_names import RunNames
from rankeval.io.atomic import atomic_text, create_folder
from rankeval.io.files import RunFile, StrPath

BASELINE = "baselines/main.json"


@record
class NewGate:
    """A gate that was set up, which a terminal shows as the files that were written.

    ======= ==========================================================
    results values of the production run, which the baseline holds
    written the files: the suite, the workflow and the baseline
    ======= ==========================================================
    """

    results: Results
    written: tuple[str, ...]

    def __repr__(self) -> str:
        lines = [f"wrote {printable(path)}" for path in self.written]
        return "\n".join([*lines, "next: rankeval gate, and commit these files"])


@checked
def init(
    qrels: StrPath,
    production: StrPath,
    candidate: StrPath,
    *,
    max_drop: str = "nDCG@10=5%",
    ci: str = "github",
    requirement: str | None = None,
    jobs: int | None = None,
) -> NewGate:
    r"""Set up a gate: write rankeval.toml with one suite, a baseline, and a job that runs the gate.

    =========== ============================================================================
    qrels       file of judgments
    production  file of the production run
    candidate   file that a build writes, whose run is judged
    max_drop    largest drop of the mean: a share, or in the measure's units as nDCG@10=0.02
    ci          "github" or "gitlab"
    requirement what pip installs in the job, such as rankeval-ir==1.0 or ./tools/rankeval
    jobs        threads; all processors by default
    =========== ============================================================================

    No file is replaced: InputError if one exists. UsageError for a rule that cannot be read, and
    without a requirement.

    >>> from pathlib import Path
    >>> from rankeval import init
    >>> _ = Path("web.qrels").write_text("q1 0 d1 1\n")
    >>> _ = Path("bm25.run").write_text("q1 Q0 d7 1 0.7 x\nq1 Q0 d1 2 0.5 x\n")
    >>> init("web.qrels", "bm25.run", "new.run", max_drop="RR=2%", requirement="rankeval-ir")
    wrote rankeval.toml
    wrote .github/workflows/ranking.yml
    wrote baselines/main.json
    next: rankeval gate, and commit these files
    """
    rule = parse_rule(max_drop, "max-drop")
    if ci not in JOBS:
        raise no_choice("ci", ci, [*JOBS])
    job, template = JOBS[ci]
    paths = [os.fspath(path) for path in (qrels, production, candidate)]
    known = find_tables(Path())
    for path in ([shown(known)] if known else []) + [OWN_FILE, job, BASELINE]:
        if os.path.lexists(path):
            remedy = "move it away, or set the gate up by hand (docs/ci.md)"
            raise InputError("exists already", place=path, expected="a new file", remedy=remedy)
    if not requirement:
        raise UsageError(
            "nothing is named for the job to install",
            expected="--requirement rankeval-ir==1.0, or a path such as ./tools/rankeval",
        )
    before, after = RunNames("stem").names(["", ""], paths[1:])
    suite = Suite(
        qrels=paths[0], baseline=RunFile(BASELINE), runs=(RunFile(paths[1], before),), rules=(rule,)
    )
    results = renewed_baseline(suite, jobs=jobs)
    files = [paths[0], BASELINE, f"{after}={paths[2]}", rule.measure, rule.amount]
    texts = {OWN_FILE: SUITES.format(*map(_quoted, files)), job: template.format(requirement)}
    for path in (*texts, BASELINE):
        create_folder(path)
    results.save(BASELINE)
    for path, text in texts.items():
        with atomic_text(path) as stream:
            stream.write(text)
    return NewGate(results, (*texts, BASELINE))


def _quoted(text: str) -> str:
    """Return a basic string of TOML; InputError for bytes that are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("the name is not UTF-8", place=text, remedy="rename the file") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


SUITES = """\
# `rankeval gate` judges the run that a build writes by this file. Paths are relative to it.
[suite.main]
qrels = {0}
# The values of the production run; `rankeval gate --update-baseline` stores those of a candidate.
baseline = {1}
# The run to judge, with its name in reports.
runs = [{2}]
# observed fails at every drop above the limit, chance or not; docs/ci.md has the other policies.
policy = "observed"
# The largest drop of the mean: a share of the baseline's mean, or 0.02 in the measure's units.
rules.max-drop = {{ {3} = {4} }}
"""
GITHUB = """\
name: ranking
on: [push, pull_request]
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: {{submodules: true}}
      - uses: actions/setup-python@v5
        with: {{python-version: "3.12"}}
      - run: pip install "{0}"
      # Write the candidate's run here.
      - run: rankeval gate --github --junit gate.xml
      - uses: actions/upload-artifact@v4
        if: always()
        with: {{name: gate, path: gate.xml}}
"""
GITLAB = """\
gate:
  image: python:3.12
  variables: {{GIT_SUBMODULE_STRATEGY: recursive}}
  script:
    - pip install "{0}"
    # Write the candidate's run here.
    - rankeval gate --junit gate.xml
  artifacts: {{when: always, reports: {{junit: gate.xml}}}}
"""
JOBS = {"github": (".github/workflows/ranking.yml", GITHUB), "gitlab": (".gitlab-ci.yml", GITLAB)}
"""The file and the template of each service's job."""
