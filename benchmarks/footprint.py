"""What a plain installation pulls, in MB, for rankeval and its peers.

    python -m benchmarks.footprint

Installs each from its wheel into an empty folder, without compiled caches, and adds up the files by
distribution. Needs the network, and pip or uv.
"""

import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "rankeval": str(ROOT),
    "pytrec_eval": "pytrec_eval-terrier",
    "ir_measures": "ir-measures",
    "ranx": "ranx",
}


def install(requirement: str, folder: str) -> None:
    """Install a package and what it needs into a folder."""
    uv = shutil.which("uv")
    call = [uv, "pip"] if uv else [sys.executable, "-m", "pip"]
    chosen = ["--python", sys.executable] if uv else ["--no-compile"]
    subprocess.run([*call, "install", "-q", *chosen, "--target", folder, requirement], check=True)


def sizes(folder: str) -> dict[str, float]:
    """Return the MB of each distribution in a folder, the largest first."""
    found = {}
    for one in distributions(path=[folder]):
        files = (Path(str(one.locate_file(file))) for file in one.files or ())
        total = sum(file.stat().st_size for file in files if file.is_file())
        found[one.metadata["Name"]] = total / 1e6
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def main() -> None:
    """Print a table in Markdown."""
    print("| package | MB | distributions | the largest, MB |\n| :--- | ---: | ---: | :--- |")
    for name, requirement in PACKAGES.items():
        with tempfile.TemporaryDirectory() as folder:
            install(requirement, folder)
            found = sizes(folder)
        largest = ", ".join(f"{one} {size:.0f}" for one, size in list(found.items())[:6])
        print(f"| {name} | {sum(found.values()):.0f} | {len(found)} | {largest} |", flush=True)


if __name__ == "__main__":
    main()
