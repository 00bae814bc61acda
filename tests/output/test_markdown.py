"""Tables in Markdown."""

from rankeval.evaluation.show import PRINTER
from rankeval.output.style import Style
from tests.support.results import NAN, results, score


def text(found, form, **style):
    return "".join(PRINTER.text(found, form, Style(**style)))


def test_markdown_tells_all_topics_from_a_topic_called_all():
    found = results({"a|b": [score("AP", [0.25, NAN], 0.25)]}, ["all", "<b>"])

    assert text(found, "markdown", per_topic=True).startswith(
        "**run a\\|b**\n"
        "\n"
        "| topic | AP |\n"
        "| :--- | ---: |\n"
        "| `<b>` | - |\n"
        "| all | 0.2500 |\n"
        "| **all** | 0.2500 |\n"
    )
