"""`rankeval trec_eval`, as `rankeval --help` lists it; the start of rankeval runs it directly."""

import typer


def trec_eval(context: typer.Context) -> None:
    """Act as trec_eval: the same options and the same output, byte for byte."""
    from rankeval.trec_eval.command import main

    raise typer.Exit(main(context.args, program="trec_eval"))
