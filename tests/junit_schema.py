"""What the common schema of JUnit reports allows, and what a document has beyond it."""

import re

_NUMBER, _COUNT, _TEXT = r"\d+(\.\d+)?", r"\d+", r"(?s).*"

# Element: attributes with their patterns, those required, and the children in their order.
ELEMENTS = {
    "testsuites": (
        dict.fromkeys(("tests", "failures", "errors", "disabled"), _COUNT)
        | {"name": _TEXT, "time": _NUMBER},
        set(),
        ["testsuite"],
    ),
    "testsuite": (
        dict.fromkeys(("tests", "failures", "errors", "skipped", "disabled"), _COUNT)
        | dict.fromkeys(("name", "hostname", "id", "package", "timestamp"), _TEXT)
        | {"time": _NUMBER},
        {"name", "tests"},
        ["properties", "testcase", "system-out", "system-err"],
    ),
    "properties": ({}, set(), ["property"]),
    "property": ({"name": _TEXT, "value": _TEXT}, {"name"}, []),
    "testcase": (
        {"name": _TEXT, "classname": _TEXT, "time": _NUMBER, "assertions": _COUNT, "status": _TEXT},
        {"name"},
        ["skipped", "error", "failure", "system-out", "system-err"],
    ),
    "failure": ({"message": _TEXT, "type": _TEXT}, set(), []),
    "error": ({"message": _TEXT, "type": _TEXT}, set(), []),
    "skipped": ({"message": _TEXT}, set(), []),
    "system-out": ({}, set(), []),
    "system-err": ({}, set(), []),
}


def problems(element, where="testsuites"):
    """Name everything in a document that the schema does not allow, and counts that are wrong."""
    if where == "testsuites" and element.tag != "testsuites":
        return [f"the root is {element.tag}"]
    if element.tag not in ELEMENTS:
        return [f"{where}: unknown element"]
    attributes, required, children = ELEMENTS[element.tag]
    found = [f"{where}: no {name}" for name in required - element.attrib.keys()]
    for name, value in element.attrib.items():
        if not re.fullmatch(attributes.get(name, r"(?!)"), value):
            found.append(f"{where}: {name}={value!r}")
    order = [children.index(child.tag) if child.tag in children else -1 for child in element]
    if -1 in order or order != sorted(order):
        found.append(f"{where}: children {[child.tag for child in element]}")
    if element.tag in ("testsuite", "testsuites"):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            if int(element.get(name, "0")) != len(list(element.iter(tag))):
                found.append(f"{where}: wrong number of {name}")
    for child in element:
        found += problems(child, f"{where}/{child.tag}")
    return found
