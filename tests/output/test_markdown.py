"""Tables in Markdown."""

from rankeval.choices import Format
from rankeval.evaluation.show import PRINTER
from rankeval.output.style import Style
from tests.support.results import NAN, results, score, two_runs


def text(found, form, **style):
    return "".join(PRINTER.text(found, form, Style(**style)))


def test_markdown_has_a_row_per_run_and_the_best_in_bold():
    assert text(two_runs(), Format.MARKDOWN, signature=True) == (
        "| run | NumQ | AP | Unjudged@10 |\n"
        "| :--- | ---: | ---: | ---: |\n"
        "| bm25 | 2 | **0.3750** | **0.1000** |\n"
        "| dense | 2 | 0.3125 | 0.2000 |\n"
        "\n"
        "`qrels: robust.qrels (2 topics, 1,234 judgments, digest 3f9a1c)`\n"
        "\n"
        "`signature: NumQ rankeval:0.1|NumQ|qrels:3f9a1c`\n"
        "\n"
        "`signature: AP rankeval:0.1|AP|qrels:3f9a1c`\n"
        "\n"
        "`signature: Unjudged@10 rankeval:0.1|Unjudged@10|qrels:3f9a1c`\n"
    )


def test_markdown_tells_all_topics_from_a_topic_called_all():
    found = results({"a|b": [score("AP", [0.25, NAN], 0.25)]}, ["all", "<b>"])

    assert text(found, Format.MARKDOWN, per_topic=True).startswith(
        "**run a\\|b**\n"
        "\n"
        "| topic | AP |\n"
        "| :--- | ---: |\n"
        "| `<b>` | - |\n"
        "| all | 0.2500 |\n"
        "| **all** | 0.2500 |\n"
    )
