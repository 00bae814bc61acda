"""The options of commands that evaluate runs are keywords of `rankeval.evaluate`."""

from rankeval.cli.options.evaluating_options import EvaluatingOptions
from rankeval.cli.options.file_options import RunFile
from rankeval.options import RunNames, Settings


def test_options_are_the_keywords_of_evaluate():
    options = EvaluatingOptions(
        depth=5, topics="both", on_error="skip", run_names="stem", jobs=2, quiet=True
    )

    assert options.keywords([RunFile("a.run", "A"), RunFile("b.run")]) == {
        "settings": Settings(depth=5, topics="both", on_error="skip"),
        "run_names": RunNames("stem", ["A", None]),
        "jobs": 2,
    }
