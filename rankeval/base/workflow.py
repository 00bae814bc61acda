r"""Text for stderr and the log of a workflow, whose runner obeys lines that are commands.

GitHub's runner trims each line and takes what then begins with :: for a command, and what follows
the older ##[ anywhere in it. Names of topics and runs may hold either, and may come to stand first
in a line. There, the mark is shown as \x3a: or ##\x5b.
"""

import contextlib
import os
import re
import sys

_FIRST = r"(?m)(^|[\r\v\f\x1c-\x1e\x85\u2028\u2029])(\s*):(?=:)"


def in_workflow() -> bool:
    """Return True if the output goes to the log of GitHub Actions."""
    return bool(os.environ.get("GITHUB_ACTIONS"))


def harmless(text: str) -> str:
    """Return whole lines of text in which the runner finds no command."""
    return re.sub(_FIRST, r"\1\2\\x3a", text).replace("##[", r"##\x5b")


def harmless_json(text: str) -> str:
    """Return JSON of the same meaning in which the runner finds no command."""
    return text.replace("##[", r"#\u0023[")  # no line of JSON begins with ::


def harmless_latex(text: str) -> str:
    """Return LaTeX that looks the same, in which the runner finds no command."""
    return re.sub(_FIRST, r"\1\2{}:", text).replace("##[", "##{}[")


def harmless_yaml(text: str) -> str:
    r"""Return YAML of the same meaning in which the runner finds no command.

    No line of it begins with ::, and ##[ is in double quotes, see `rankeval.output.yaml_text`.
    """
    return text.replace("##[", r"#\x23[")


def tell(text: str) -> None:
    """Print on stderr, if that is possible: the work and its exit code do not depend on it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(harmless(text) if in_workflow() else text)
