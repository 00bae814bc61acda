"""`rankeval trec_eval`, for the list of commands; `__main__` runs it directly."""

import typer


def trec_eval(context: typer.Context) -> None:
    """Act as trec_eval: the same options and the same output, byte for byte."""
    from rankeval.trec_eval.command import main

    raise typer.Exit(main(context.args, program="trec_eval"))
