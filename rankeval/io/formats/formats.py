"""The table of formats: rankeval's own, and those that plugins and packages register."""

from functools import cache

from rankeval.base.doors import Registry, restored_on_failure
from rankeval.errors import UsageError
from rankeval.io.formats.file_format import FileFormat

NAMES = ("trec", "msmarco", "prels", "beir", "csv", "tsv", "json", "jsonl", "parquet", "arrow")
"""The names of rankeval's own formats, in the order of --help, which needs no more of them."""

GROUP = "rankeval.formats"
"""The group of entry points in which packages declare modules that register formats."""

_REGISTERED: Registry[FileFormat] = Registry()


@cache
def own_formats() -> tuple[FileFormat, ...]:
    """Return rankeval's own formats in the order in which a file is tried for them."""
    from rankeval.io.formats.delimited import BEIR, CSV, TSV
    from rankeval.io.formats.json_and_tables import ARROW, JSON, JSONL, PARQUET
    from rankeval.io.formats.msmarco import MSMARCO
    from rankeval.io.formats.trec import PRELS, TREC

    return PARQUET, ARROW, JSONL, JSON, CSV, TSV, BEIR, PRELS, MSMARCO, TREC


def registered_formats() -> tuple[FileFormat, ...]:
    """Return the formats that plugins have registered."""
    return tuple(_REGISTERED.values())


def all_formats() -> tuple[FileFormat, ...]:
    """Return every known format, those of plugins first."""
    return (*registered_formats(), *own_formats())


def known_names() -> tuple[str, ...]:
    """Return the names of all formats."""
    return (*NAMES, *_REGISTERED)


def format_named(name: str) -> FileFormat:
    """Return the format of a name; UsageError if there is none.

    Formats of installed packages are loaded when the name is not known without them.
    """
    check_name(name)
    return next(form for form in all_formats() if form.name == name)


def check_name(name: str | None) -> None:
    """Raise UsageError if there is no format of that name; None means no name."""
    if name is None or name in known_names():
        return
    load_installed_formats()
    if name not in known_names():
        raise UsageError(
            f"there is no format '{name}'", expected=f"one of {', '.join(known_names())}"
        )


def register_format(new: FileFormat) -> None:
    r"""Add a format, for reading and writing; one of the same name is replaced.

    UsageError if one of rankeval's own formats has the name, or another format the suffix.

    >>> from pathlib import Path
    >>> from rankeval import evaluate
    >>> from rankeval.options import line_format, register_format
    >>> register_format(line_format("doctest", run="score topic docno", suffixes=[".doctest"]))
    >>> _ = Path("bm25.doctest").write_text("0.5 q1 d1\n")
    >>> evaluate({"q1": {"d1": 1}}, "bm25.doctest", "RR").to_dict()
    {'bm25': {'RR': 1.0}}
    """
    from rankeval.io.formats.file_format import LONGEST_MAGIC

    problem = ""
    others = [form for form in all_formats() if form.name != new.name]
    known = {suffix for one in others for suffix in (*one.suffixes, *one.output_suffixes)}
    shared = sorted(known.intersection((*new.suffixes, *new.output_suffixes)))
    if new.name in NAMES:
        problem = f"there is a format '{new.name}' already"
    elif shared:
        problem = f"another format has the suffix '{shared[0]}'"
    elif not new.name.isidentifier():
        problem = f"a format cannot be called '{new.name}'"
    elif any(len(magic) >= LONGEST_MAGIC for magic in new.magic):
        problem = f"the first bytes of the format '{new.name}' are more than {LONGEST_MAGIC - 1}"
    if problem:
        raise UsageError(problem, remedy="change the format before it is registered")
    _REGISTERED[new.name] = new


@cache
def load_installed_formats() -> None:
    """Load the formats of installed packages, once; UsageError names a package that fails."""
    from importlib.metadata import entry_points  # slow, and seldom needed

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.value, entry.name)):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.name
        try:
            with restored_on_failure():
                entry.load()
        except Exception as error:
            raise UsageError(
                f"the formats {entry.value} of the package {package} cannot be loaded: "
                f"{type(error).__name__}: {error}",
                remedy="mend the package, or uninstall it",
            ) from error
