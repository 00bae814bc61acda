"""The manual page: made from the commands, installed with the wheel, readable by man."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from rankeval.cli.man_page import man_page
from rankeval.cli.options.short_help import shown_names
from tests.support.commands import built_commands

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rankeval.1"


def test_the_page_is_what_the_commands_say():
    """`make docs` writes it."""
    assert PAGE.read_text(encoding="utf-8") == man_page()


def test_the_page_is_installed_with_the_wheel():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]

    assert shared == {"docs/rankeval.1": "share/man/man1/rankeval.1"}


def test_the_page_names_every_option_but_hidden_ones_and_old_names():
    text = man_page().replace("\\-", "-")

    for command in built_commands().values():
        for param in command.params:
            shown = param.param_type_name == "option" and not param.hidden
            for name in shown_names(param) if shown else []:
                assert name in text
    assert "--max-drift" not in text


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_groff_reads_the_page_without_a_warning():
    done = subprocess.run(
        ["groff", "-ww", "-man", "-Tutf8", "-P-cbou", PAGE],
        check=True,
        capture_output=True,
        text=True,
    )

    assert done.stderr == ""
    assert r"rankeval qrels.txt *.run -m" in done.stdout
    assert "--collapse REGEX" in done.stdout
