"""The release: its checks of versions, its workflow, and the templates of the repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rankeval

VERSION = rankeval.__version__

yaml = pytest.importorskip("yaml")


ROOT = Path(__file__).parents[1]
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))

pytestmark = pytest.mark.skipif(
    os.name == "nt" or shutil.which("bash") is None, reason="needs bash"
)


@pytest.fixture
def checkout(tmp_path):
    """Copy what the release checks before it builds."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / "rankeval").mkdir()
    for name in (".ci/release", "rankeval/version.py", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def release(checkout, *tag):
    return subprocess.run(
        [".ci/release", *tag],
        cwd=checkout,
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("tag", "file", "change", "told"),
    [
        ("99.0", None, None, f"the tag is v99.0, and rankeval/version.py has {VERSION}"),
        (
            VERSION,
            "CITATION.cff",
            ("\nversion: ", "\nversion: 9"),
            "CITATION.cff has another version",
        ),
        (VERSION, "CHANGELOG.md", (f"## {VERSION}", "## 99.0"), f'nothing under "{VERSION}"'),
    ],
)
def test_a_release_that_does_not_fit_is_refused(checkout, tag, file, change, told):
    if file:
        text = (checkout / file).read_text("utf-8")
        (checkout / file).write_text(text.replace(*change), "utf-8")

    outcome = release(checkout, f"v{tag}")

    assert outcome.returncode == 1
    assert told in outcome.stderr
    assert not (checkout / "dist").exists()


@pytest.mark.slow
def test_a_rehearsal_builds_the_same_bytes_twice_and_passes_twine(tmp_path):
    pytest.importorskip("build", reason="extra release")
    pytest.importorskip("twine", reason="extra release")
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "site", "dist", "data", ".*_cache", ".hypothesis"
    )
    copy = tmp_path / "checkout"
    shutil.copytree(ROOT, copy, ignore=ignored)

    outcome = release(copy)

    assert outcome.returncode == 0, outcome.stderr
    assert sorted(path.suffix for path in (copy / "dist").iterdir()) == [".gz", ".md", ".whl"]


def test_nothing_is_published_without_a_tag_and_tests():
    publish = WORKFLOW["jobs"]["publish"]

    assert publish["if"] == "github.ref_type == 'tag'"
    assert set(publish["needs"]) == {"test", "image", "wheels"}
    assert publish["permissions"]["id-token"] == "write"  # no password is kept
    matrix = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert matrix["include"] == [{"python": "3.11", "dependencies": "lowest-direct"}]
