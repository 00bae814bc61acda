"""Sets what rankeval writes with a real LaTeX."""

import shutil
import subprocess

import pytest

PACKAGES = "booktabs.sty", "longtable.sty"


def needs_latex():
    """Skip the test where pdflatex or a package of it is missing."""
    for program in ("pdflatex", "kpsewhich"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (Debian: texlive-latex-base)")
    found = subprocess.run(["kpsewhich", *PACKAGES], capture_output=True, check=False)
    if found.returncode:
        pytest.skip("a LaTeX package is not installed (texlive-latex-recommended)")


def complaints(text, folder, packages="booktabs,longtable"):
    """Set text in an article; return what LaTeX calls an error. The result is folder/set.pdf."""
    source = folder / "set.tex"
    source.write_text(
        f"\\documentclass{{article}}\n\\usepackage{{{packages}}}\n"
        f"\\begin{{document}}\n{text}\\end{{document}}\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", source.name],
        cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    log = done.stdout.decode(errors="replace").splitlines()
    found = [line for line in log if line.startswith("!")]
    assert found or (folder / "set.pdf").exists(), log[-5:]
    return found
