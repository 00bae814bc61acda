"""`rankeval trec_eval`, as `rankeval --help` lists it; the start of rankeval runs it directly."""

import typer


def trec_eval(context: typer.Context) -> None:
    """Be trec_eval: its own flags and its output, byte for byte."""
    from rankeval.trec_eval.command import main

    raise typer.Exit(main(context.args, program="trec_eval"))
