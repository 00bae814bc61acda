"""An option that takes an integer takes the largest, or says what is wrong with it."""

import pytest

from tests.support.commands import built_commands
from tests.support.words import words_of, written

HUGE = str(10**30)
OPTIONS = [
    (name, option.opts[0])
    for name, command in built_commands().items()
    for option in command.params
    if option.param_type_name == "option" and "INT" in str(option.type).upper()
]


def test_many_options_take_an_integer():
    assert ("diff", "--rows") in OPTIONS
    assert len(OPTIONS) > 20


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_an_integer_of_any_size_is_taken_or_refused(shell, name, option):
    outcome = written(shell)(*words_of(name), option, HUGE)

    assert outcome.code in (0, 1, 2), outcome.err
    assert outcome.code == 0 or outcome.err.startswith("rankeval: "), outcome.err
