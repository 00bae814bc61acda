"""Whether a JUnit report is one: the schemas of Ant and of Jenkins, and counts that add up."""

import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest

xmlschema = pytest.importorskip("xmlschema")


@cache
def _schemas():
    folder = Path(__file__).parents[1] / "data"
    names = ("junit-ant.xsd", "junit-jenkins.xsd")
    return {name: xmlschema.XMLSchema10(folder / name) for name in names}


def problems(path):
    """Name everything in a document that a schema does not allow, and counts that are wrong."""
    document = ET.parse(path).getroot()
    found = [
        f"{name}: {error.path}: {error.reason}"
        for name, schema in _schemas().items()
        for error in schema.iter_errors(document)
    ]
    for suite in document.iter("testsuite"):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            if suite.get(name) != str(len(list(suite.iter(tag)))):
                found.append(f"{suite.tag}: wrong number of {name}")
    return found
