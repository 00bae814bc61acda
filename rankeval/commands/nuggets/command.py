"""`rankeval nuggets`: score answers by the nuggets that they support."""

from typing import Annotated

import typer

import rankeval
from rankeval.base.frozen import replace
from rankeval.cli.options import file_options as files
from rankeval.cli.options.evaluating_options import WarningOptions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput, PerTopic
from rankeval.cli.options.panels import MEASURES


@grouped
def nuggets(
    answers: Annotated[
        list[files.RunFile],
        typer.Argument(
            metavar="FILE",
            help="Nuggets assigned to the answers of a run: JSON Lines of qid and nuggets, each "
            "with importance (vital, okay) and assignment (support, partial_support, "
            "not_support). NAME=FILE names a run.",
        ),
    ],
    *,
    beta: Annotated[
        float | None,
        MEASURES("--beta B", "Weight of recall in F, which needs the answers' text. Default: 3."),
    ] = None,
    run_names: files.RunNaming = "tag",
    per_topic: PerTopic = False,
    output: NumbersOutput,
    running: WarningOptions,
) -> None:
    """Score answers by the vital and okay nuggets that they support, as TREC's RAG track does.

    Examples:
        rankeval nuggets answers.jsonl
            vital, all and weighted scores
        rankeval nuggets gpt.jsonl llama.jsonl -q -o scores.tsv
            two runs, every topic
    """
    from rankeval.evaluation.show import PRINTER
    from rankeval.measures.answers import BETA

    page = output.page(replace(PRINTER, drawings={}), per_topic=per_topic)
    if page.form == "json":  # other commands read it, and need the topics
        page = replace(page, style=replace(page.style, per_topic=True))
    results = rankeval.nuggets(
        [answer.path for answer in answers],
        beta=BETA if beta is None else beta,
        run_names=files.run_names(run_names, answers),
    )
    running.write(page, results, running.of_runs(results.runs, page.decimals))
