"""Compile rankeval/io/kernel.c where there is a compiler, and make the schemas of documents."""

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from shutil import which
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("rankeval/io")
SCHEMAS = Path("rankeval/schemas")
LIBRARY = "libkernel." + {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so.1")
"""As in rankeval/io/kernel.py."""


class Kernel(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the compiled reader and the schemas into the wheel, or where they lie for editing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make both; where compiling fails, say nothing, for every value is the same without."""
        sys.path.insert(0, self.root)
        from docs.pages.schemas import write_schemas

        source = Path(self.root, FOLDER, "kernel.c")
        if version == "editable":
            compiled(source, source.with_name(LIBRARY))
            write_schemas(Path(self.root, SCHEMAS))
            return
        self._folder = tempfile.TemporaryDirectory()
        for schema in write_schemas(Path(self._folder.name, "schemas")):
            build_data["force_include"][str(schema)] = str(SCHEMAS / schema.name)
        library = Path(self._folder.name, LIBRARY)
        if os.environ.get("RANKEVAL_KERNEL") == "0" or not compiled(source, library):
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(library)] = str(FOLDER / LIBRARY)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ.get('RANKEVAL_PLATFORM', platform)}"

    def finalize(self, version: str, *_: Any) -> None:
        """Remove what was compiled for the wheel."""
        if version != "editable":
            self._folder.cleanup()


def compiled(source: Path, library: Path) -> bool:
    """Compile the source; False, and no library, where there is no compiler that can."""
    library.unlink(missing_ok=True)
    command = [*compiler(), *shlex.split(os.environ.get("CFLAGS", "")), str(source)]
    if sys.platform == "win32":
        command += [f"/Fe:{library}", f"/Fo:{library.with_suffix('.obj')}"]
    else:
        command += ["-o", str(library), "-lm"]
    try:
        done = subprocess.run(  # noqa: S603  the compiler
            command, capture_output=True, check=False, cwd=library.parent
        )
    except OSError:  # there is none
        return False
    if done.returncode:
        library.unlink(missing_ok=True)
    return library.exists()


def compiler() -> list[str]:
    """Return the compiler and what it is told: CC, or the usual one of the platform."""
    if sys.platform == "win32":
        return [os.environ.get("CC", "cl"), "/nologo", "/O2", "/std:c11", "/LD"]
    usual = which("cc") or which("gcc") or which("clang") or "cc"
    given = shlex.split(os.environ.get("CC", "")) or [usual]
    return [*given, "-std=c11", "-O3", "-g0", "-fPIC", "-shared"]
