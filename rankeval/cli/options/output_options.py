"""Options for the format and the file of results and pictures."""

from collections.abc import Collection
from functools import partial
from typing import Annotated, Any

from rankeval.base.frozen import record
from rankeval.base.wording import nearest
from rankeval.choices import known_word
from rankeval.cli.options.panels import OUTPUT, WRITTEN, complete_order
from rankeval.errors import UsageError
from rankeval.output.output_formats import ALIASES, OUTPUT_FORMATS, Printer, format_of
from rankeval.output.style import Style

PerTopic = Annotated[
    bool, OUTPUT("--per-topic -q", "Show the values of each topic as well.", common=True)
]


TABLES = tuple(name for name, one in OUTPUT_FORMATS.items() if one.function)
"""The formats of every table."""


def form_option(*names: str) -> Any:
    """Return the option that chooses among the formats of a command."""

    aliases = ", ".join(f"{short} for {name}" for short, name in ALIASES.items() if name in names)
    return OUTPUT(
        "--format -f FORMAT",
        f"Output format: {', '.join(names)} ({aliases}). Default: by the suffix of -o, else table.",
        any_of=tuple(OUTPUT_FORMATS),
        common=True,
    )


def chosen_format(name: str, forms: Collection[str]) -> str:
    """Return the format's name; UsageError if it is not among those that a command can write."""
    name = known_word(name, OUTPUT_FORMATS)
    if name not in OUTPUT_FORMATS:
        raise UsageError(
            f"there is no format '{name}'",
            place="--format",
            expected=nearest(name, [*forms], cutoff=0.8),
        )
    if name not in forms:
        raise UsageError(
            f"this cannot be written as {name}",
            place="--format",
            expected=f"one of {', '.join(forms)}",
        )
    return name


sort_option = partial(OUTPUT, "--sort KEY", autocompletion=complete_order, common=True)
"""The option for the order of runs, with the help text of a command."""


@record
class Printout:
    """A result's printer, and the format, the file and the style in which a command prints it."""

    printer: Printer[Any]
    form: str
    output: str | None
    style: Style

    def write(self, result: object) -> None:
        """Print the result."""
        from rankeval.output.writing import write_result  # --help prints none

        write_result(self.printer, result, self.form, self.output, self.style)

    @property
    def decimals(self) -> int | None:
        """The decimals of numbers; None for full precision."""
        written = OUTPUT_FORMATS[self.form]
        if written.of == "document" or self.form == "jsonl":
            return None
        if self.style.digits is not None or self.form in ("tsv", "csv"):
            return self.style.digits
        return self.style.decimals


@record
class OutputOptions:
    """The format and the file of the results."""

    form: Annotated[str | None, form_option(*(n for n in TABLES if n != "latex"))] = None
    output: Annotated[
        str | None,
        OUTPUT("--output -o FILE", "Write to FILE, completely or not at all.", common=True),
        WRITTEN,
    ] = None
    no_color: Annotated[bool, OUTPUT("--no-color", "Print tables without colours.")] = False

    def style(self, **more: Any) -> Style:
        """Return the style, with the choices that only some commands offer."""
        return Style(colour=False if self.no_color else None, **more)

    def page(self, printer: Printer[Any], **style: Any) -> Printout:
        """Return how the command prints a result of this printer; UsageError if it cannot.

        Load plugins before this.
        """
        form = self.chosen(printer.formats())
        return Printout(printer, form, self.output, self.style(**style))

    @property
    def file(self) -> str | None:
        """The file to write; None for standard output."""
        return None if self.output == "-" else self.output

    def chosen(self, forms: Collection[str]) -> str:
        """Return the format given, else the one that the output's suffix names, else table.

        Load plugins before this. Raise UsageError if the command cannot write the format.
        """
        if self.form:
            return chosen_format(ALIASES.get(self.form.lower(), self.form), forms)
        return "table" if self.file is None else format_of(self.file, forms)


@record
class NumbersOutput(OutputOptions):
    """The options of commands that print numbers."""

    form: Annotated[str | None, form_option(*TABLES)] = None
    digits: Annotated[
        int | None,
        OUTPUT(
            "--digits N",
            "Number of decimals. Default: 4 in tables, full precision in TSV and CSV. JSON "
            "always has full precision.",
            min=0,
            max=17,
        ),
    ] = None

    def style(self, **more: Any) -> Style:
        """Return the style, with the choices that only some commands offer."""
        return super().style(digits=self.digits, **more)
