"""In the log of a workflow no line of a report is a command, whatever names come to stand first."""

import pytest

from rankeval.endings import harmless
from tests.cli.all_commands.test_contract import commands_in


@pytest.mark.parametrize("blank", ["", " ", "\t  ", "\u3000", "\xa0"])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x85", "\u2028"])
def test_blanks_and_line_ends_of_any_kind_are_seen_through(blank, end):
    text = f"x{end}{blank}::error::y ##[error]z"

    assert commands_in(harmless(text)) == []


def test_what_is_no_command_stays():
    text = "std::vector\n  a::b\n:x\n#[ #["

    assert harmless(text) == text
