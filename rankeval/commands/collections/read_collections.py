"""Read collections: judgments and runs that rankeval.toml names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankeval.base.checked import checked
from rankeval.base.frozen import field, frozen, replace
from rankeval.commands.toml_tables import (
    COLLECTION,
    CONVENTIONS,
    SUITE,
    TableReader,
    tables_of,
)
from rankeval.errors import UsageError, printable

if TYPE_CHECKING:  # reading needs no arithmetic, and completion none at all
    from rankeval.evaluation.settings import Settings

KEYS = ("qrels", "runs", "measures", *CONVENTIONS)
OF_GATES = {SUITE, "rules", "baseline"}
"""Keys that only files with suites have above the tables."""
PLACEHOLDER = "{collection}"


@checked
@frozen
class Collection:
    """Judgments and the runs of several systems, as a file describes them.

    =========== ===================================================================================
    name        the name of its table
    qrels       the judgments
    runs        the path of each system's run
    measures    names of measures, the same for all collections of a file; empty for the default
    place       the file and table, for messages
    conventions the fields of `Settings` that are set
    =========== ===================================================================================

    Paths are relative to the working directory.
    """

    name: str
    qrels: str
    runs: Mapping[str, str]
    measures: tuple[str, ...] = ()
    place: str = ""
    conventions: Mapping[str, Any] = field(default_factory=dict)

    def settings(self) -> Settings:
        """Return the conventions of the evaluation."""
        from rankeval.evaluation.settings import Settings

        return Settings.like_tool(**self.conventions)


@checked
def read_collections(path: str | Path) -> tuple[Collection, ...]:
    r"""Read the collections of a file, in its order.

    Each `[collection.NAME]` has `qrels`, `runs` by system, and optionally the conventions and rules
    of reading that suites have. Keys above the tables hold for all collections, unless a table has
    its own; `runs` are joined by system, and `measures` are there only.
    `{collection}` in a path means the collection's name. Paths are relative to the file.

    InputError for what cannot be used, with the file and the table.

    >>> from pathlib import Path
    >>> from rankeval.options import read_collections
    >>> _ = Path("beir.toml").write_text('''
    ... qrels = "qrels/{collection}.tsv"
    ... runs = { bm25 = "bm25/{collection}.run", dense = "dense/{collection}.run" }
    ... measures = ["nDCG@10", "R@100"]
    ... [collection.scifact]
    ... [collection.nfcorpus]
    ... ''')
    >>> for one in read_collections("beir.toml"):
    ...     print(one.name, one.qrels, list(one.runs), one.measures)
    scifact qrels/scifact.tsv ['bm25', 'dense'] ('nDCG@10', 'R@100')
    nfcorpus qrels/nfcorpus.tsv ['bm25', 'dense'] ('nDCG@10', 'R@100')
    """
    return tuple(_CollectionReader(Path(path)).collections(tables_of(Path(path))))


class _CollectionReader(TableReader):
    """Reads and checks the collections of one file."""

    def collections(self, table: Mapping[str, Any]) -> list[Collection]:
        tables = self._tables(table, COLLECTION)
        if not tables:
            self._refuse("", "has no collections", '[collection.NAME] with qrels = "FILE"')
        if not OF_GATES & table.keys():  # keys of gates may be new ones
            self._check_keys(table, (*KEYS, COLLECTION), "")
        above = {key: table[key] for key in KEYS if key in table}
        if not isinstance(above.get("runs"), dict):
            above.pop("runs", None)  # the candidates of a gate, which have no names
        found = []
        for name, own in tables.items():
            where = f"{COLLECTION}.{name}"
            self._check_keys(own, [key for key in KEYS if key != "measures"], where)
            example = 'runs = { bm25 = "FILE", dense = "FILE" }'
            runs = self._typed("runs", own.get("runs", {}), dict, example, where)
            joined = {**above.get("runs", {}), **runs}
            found.append(self._collection(name, {**above, **own, "runs": joined}, where))
        return found

    def _collection(self, name: str, table: Mapping[str, Any], where: str) -> Collection:
        """Return a collection with the keys of its table, and those above it."""
        if "qrels" not in table:
            self._refuse(where, "has no qrels", 'qrels = "FILE", here or above the collections')
        if not table["runs"]:
            self._refuse(where, "has no runs", 'runs = { bm25 = "FILE" }')
        qrels = self._file("qrels", table["qrels"], where)
        runs = {
            system: self._file(f"the run of {system}", run, where)
            for system, run in table["runs"].items()
        }
        measures = self._texts("measures", table.get("measures", []), where)
        conventions = self._fields(table, CONVENTIONS, where)
        with self._errors_placed(where):
            found = Collection(
                name,
                in_path(qrels, name),
                {system: in_path(path, name) for system, path in runs.items()},
                tuple(measures),
                self._place(where),
                conventions,
            )
            found.settings()
        return found

    def _file(self, key: str, value: Any, where: str) -> str:
        """Return the path of a file, relative to the working directory."""
        text: str = self._typed(key, value, str, "a path", where)
        if text == "-":
            self._refuse(where, f"{key} is '-'", "a file, for it is read again")
        return self._path(key, text, where)


def in_path(path: str, collection: str) -> str:
    """Put the name of a collection where a path has {collection}.

    UsageError for a name that would lead elsewhere than the path says: up, to a root, or to several
    files. Folders, as in beir/scifact, are below the place in which the path has the name.
    """
    if PLACEHOLDER not in path:
        return path
    folders = collection.split("/")
    leaves = {"", ".", ".."}.intersection(folders) or set("\\:*?[]{}").intersection(collection)
    if leaves or not collection.isprintable():
        raise UsageError(
            f"the name '{printable(collection)}' cannot replace {PLACEHOLDER} in a path",
            expected="a name without .., and without \\ : * ? [ ] { and }",
            remedy=f"rename the collection, or write its paths without {PLACEHOLDER}",
        )
    return path.replace(PLACEHOLDER, collection)


def restated(collection: Collection, **facts: Any) -> Collection:
    """Return the collection with `measures` or `conventions` that take precedence."""
    return replace(
        collection,
        measures=tuple(facts.get("measures") or collection.measures),
        conventions={**collection.conventions, **facts.get("conventions", {})},
    )
