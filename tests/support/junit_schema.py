"""Whether a JUnit report is one: the schema of Jenkins, and counts that add up."""

import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest

xmlschema = pytest.importorskip("xmlschema")


@cache
def _schema():
    return xmlschema.XMLSchema10(Path(__file__).parents[1] / "data" / "junit-jenkins.xsd")


def problems(path):
    """Name everything in a document that the schema does not allow, and counts that are wrong."""
    document = ET.parse(path).getroot()
    found = [f"{error.path}: {error.reason}" for error in _schema().iter_errors(document)]
    for suite in document.iter("testsuite"):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            if suite.get(name) != str(len(list(suite.iter(tag)))):
                found.append(f"{suite.tag}: wrong number of {name}")
    return found
