"""The code blocks of README and docs run, and print what the pages show.

`python -m tests.test_pages` writes what `console` blocks print now; read the difference.
"""

import sys
import tempfile
from pathlib import Path

import pytest

from tests.support.page_blocks import ROOT, blocks, renewed, run_blocks, stand_ins
from tests.support.page_files import CALLS, FILES
from tests.support.schemas import built_schemas

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TESTED_ELSEWHERE = {
    *("docs/ci.md", "docs/ci-setups.md", "docs/gallery.md"),
    *("docs/plugins.md", "docs/python.md"),
}
"""Pages whose blocks have tests of their own: test_ci_docs, test_examples, test_plugins,
test_python_page."""

UNRUN = {
    "rankeval s3://bucket/qrels.parquet s3://bucket/logs -m nDCG@10",
    'rankeval eval --engine spark qrels.parquet logs/ -m "nDCG@10 GAUC"',
    (
        "rankeval eval --engine spark=sc://server:15002 "
        "hdfs://cluster/qrels.parquet hdfs://cluster/logs.parquet -m GAUC"
    ),
    (
        "rankeval eval --engine spark=yarn hdfs://cluster/qrels.parquet "
        "hdfs://cluster/logs.parquet -m GAUC"
    ),
    """from rankeval import spark

found = spark.evaluate(
    session.read.parquet("qrels/"),
    session.read.parquet("logs/"),
    "nDCG@10 GAUC",
    columns={"topic": "user", "docno": "item"},
)
found  # Results, as rankeval.evaluate returns them, warnings and signatures included
session.createDataFrame(found.to_frame(per_topic=True))  # run, topic, measure and value
""",
    'df.repartition("topic").sortWithinPartitions("topic").write.parquet("run/")  # Spark\n',
}
"""Commands and blocks that need what no test has: a server, a cluster."""


def title(page):
    return page.relative_to(ROOT).as_posix()


def prepare(page, text, folder):
    name = title(page)
    stand_ins(text, folder, FILES.get(name, {}), CALLS.get(name, []))


RUN = [
    page
    for page in PAGES
    if blocks(page.read_text(encoding="utf-8")) and title(page) not in TESTED_ELSEWHERE
]


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=title)
@pytest.mark.filterwarnings("ignore")
def test_the_blocks_of_a_page_run_and_print_what_it_shows(page, tmp_path, monkeypatch):
    built_schemas(tmp_path.with_name("package"), monkeypatch)
    text = page.read_text(encoding="utf-8")
    prepare(page, text, tmp_path)

    run_blocks(text, tmp_path, unrun=UNRUN)


def main():
    """Write what the `console` blocks of pages print now."""
    for page in RUN:
        text = page.read_text(encoding="utf-8")
        if "```console" in text:
            with tempfile.TemporaryDirectory() as folder:
                prepare(page, text, Path(folder))
                page.write_text(renewed(text, Path(folder)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
