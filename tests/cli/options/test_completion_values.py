"""The measures that completion knows are those of the registry."""

import json

from rankeval.cli.options.completion_values import CATALOGUE, catalogue
from rankeval.measures import definitions


def test_the_catalogue_is_what_the_measures_declare():
    """`make docs` writes it."""
    assert CATALOGUE.read_text(encoding="utf-8") == catalogue()


def test_the_catalogue_has_every_parameter():
    known = json.loads(CATALOGUE.read_text(encoding="utf-8"))

    for name, definition in definitions().items():
        others = set(definition.parameters) - {definition.at}
        assert set(known[name]["parameters"]) == others
        assert known[name]["at"] == definition.at
