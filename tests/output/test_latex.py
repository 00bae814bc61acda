"""Tables in LaTeX."""

from rankeval.choices import Format
from rankeval.evaluation.show import PRINTER
from rankeval.output.latex import latex
from rankeval.output.style import Style
from rankeval.output.tables import Column, Table, numbers
from tests.support.results import NAN, results, score, two_runs


def text(found, form, **style):
    return "".join(PRINTER.text(found, form, Style(**style)))


def test_latex_is_a_booktabs_table_with_the_best_in_bold():
    assert text(two_runs(), Format.LATEX) == (
        "% packages: booktabs\n"
        "% qrels: robust.qrels (2 topics, 1,234 judgments, digest 3f9a1c)\n"
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        "run & NumQ & AP & Unjudged@10 \\\\\n"
        "\\midrule\n"
        "bm25 & 2 & \\textbf{0.3750} & \\textbf{0.1000} \\\\\n"
        "dense & 2 & 0.3125 & 0.2000 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_topics_are_a_longtable_in_latex():
    found = results({"bm25_rm3": [score("AP", [-0.25, NAN], -0.25)]})

    assert text(found, Format.LATEX, per_topic=True, signature=True) == (
        "% packages: booktabs, longtable\n"
        "% qrels: robust.qrels (2 topics, 1,234 judgments, digest 3f9a1c)\n"
        "% signature: AP rankeval:0.1|AP|qrels:3f9a1c\n"
        "\\begin{longtable}{lr}\n"
        "\\caption{run bm25\\_rm3} \\\\\n"
        "\\toprule\n"
        "topic & AP \\\\\n"
        "\\midrule\n"
        "\\endhead\n"
        "301 & $-$0.2500 \\\\\n"
        "302 & -- \\\\\n"
        "\\midrule\n"
        "all & $-$0.2500 \\\\\n"
        "\\bottomrule\n"
        "\\end{longtable}\n"
    )


def test_signs_are_mathematical_in_numbers_and_intervals_of_every_table():
    table = Table("", [Column("run"), *numbers(["diff", "interval"])], [["a", "-", "[-0.1, +0.2]"]])

    assert "a & -- & [$-$0.1, $+$0.2] \\\\\n" in "".join(latex([table], Style()))


def test_a_title_is_the_caption_of_a_floating_table():
    table = Table("100 % of a_b", [Column("run")], [["a"]])

    assert "".join(latex([table], Style())) == (
        "% packages: booktabs\n"
        "\\begin{table}\n"
        "\\centering\n"
        "\\caption{100 \\% of a\\_b}\n"
        "\\begin{tabular}{l}\n"
        "\\toprule\n"
        "run \\\\\n"
        "\\midrule\n"
        "a \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\end{table}\n"
    )
