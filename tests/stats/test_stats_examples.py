"""The examples of docstrings run, and print what they show."""

import doctest
import importlib
import pkgutil

import pytest

import rankeval.stats

MODULES = [module.name for module in pkgutil.iter_modules(rankeval.stats.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_show(name):
    failed, _ = doctest.testmod(importlib.import_module(f"rankeval.stats.{name}"))

    assert not failed
