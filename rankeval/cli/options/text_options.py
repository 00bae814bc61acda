"""Options for the texts of topics and documents."""

from dataclasses import asdict
from typing import Annotated, Any

from rankeval.base.frozen import frozen
from rankeval.choices import TextForm
from rankeval.cli.options.file_options import READ
from rankeval.cli.options.panels import TEXTS

Queries = Annotated[
    str | None,
    TEXTS(
        "--queries FILE",
        "Queries of the topics, which are shown with them: TSV, CSV, JSON Lines, Parquet, TREC "
        "topics, or irds:NAME.",
        common=True,
    ),
    READ,
]


@frozen
class QueryOptions:
    """The queries of topics."""

    queries: Queries = None

    def given(self) -> dict[str, Any]:
        """Return the options as the library takes them."""
        return asdict(self)


@frozen
class TextOptions(QueryOptions):
    """The queries of topics, and the texts of documents."""

    docs: Annotated[
        str | None,
        TEXTS(
            "--docs FILE|FOLDER",
            "Texts of the documents, which are shown with them: TSV, CSV, JSON Lines, Parquet, "
            "TREC's SGML, MS MARCO's, or irds:NAME; compressed or in parts.",
            common=True,
        ),
        READ,
    ] = None
    text: Annotated[
        TextForm,
        TEXTS(
            "--text PART",
            "Part of a document that is shown. window (default): its title, and the 160 "
            "characters that hold most words of the query; full: the whole text; none: only the "
            "title.",
        ),
    ] = "window"
