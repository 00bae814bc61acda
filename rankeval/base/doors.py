"""Doors of rooms, whose names are imported when they are first used, and registries of plugins.

The stub next to a room's `__init__.py` is the only list of its names, a line each: `from MODULE
import NAME as NAME`. Type checkers and editors read it at any time.

The last part has words of pytrec_eval, ir_measures, ranx, scikit-learn and pandas, and what they
are called here. The package has the names of `SAME`; errors for other words say what to write.
"""

import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar


@cache
def door(
    room: str, folder: str, rooms: tuple[str, ...] = (), declared_in: str = ""
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a room, whose `folder` has the stub.

    `__getattr__` imports a name from its module and keeps it, lists all names as `__all__`, and
    imports the `rooms` within this one that are public. `declared_in` is the module of the names
    that the stub declares without an import, which also knows their other spellings.
    """
    package = sys.modules[room]

    @cache
    def modules() -> dict[str, str]:
        return modules_by_name(folder, declared_in)

    def get(name: str) -> object:
        if name == "__all__":
            return sorted(modules())
        if name not in rooms and name not in modules():
            return otherwise(package, name, declared_in)
        from importlib import import_module

        if name in rooms:
            return import_module(f"{room}.{name}")
        value: object = getattr(import_module(modules()[name]), name)
        setattr(package, name, value)
        return value

    return get, lambda: sorted({*vars(package), *rooms, *modules()})


def modules_by_name(folder: str, declared_in: str = "") -> dict[str, str]:
    """Return the public names of a room and their modules, as the stub in its folder lists them.

    Lines are `from MODULE import NAME as NAME`, or `NAME: Measure` for one of `declared_in`.
    """
    with open(f"{folder}/__init__.pyi", encoding="utf-8") as stub:  # noqa: PTH123  as pathlib is slow
        lines = [line.split() for line in stub]
    imported = {words[3]: words[1] for words in lines if words[:1] == ["from"] and words[1] != "."}
    declared = [words[0][:-1] for words in lines if words[1:] == ["Measure"]]
    return imported | dict.fromkeys(declared, declared_in)


Item = TypeVar("Item")

_REGISTRIES: list[dict[str, object]] = []


class Registry(dict[str, Item]):
    """A mapping of names to the items that plugins have added."""

    def __init__(self) -> None:
        super().__init__()
        _REGISTRIES.append(self)  # type: ignore[arg-type]  # is only restored, item by item


def registered() -> dict[str, object]:
    """Return all that is registered; a name in two registries is there once."""
    return {name: item for registry in _REGISTRIES for name, item in registry.items()}


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: meant for meant, words in table.items() for word in words.split()}


SAME = _by_word(
    {
        "rankeval.compat:": "ir_measures pytrec_eval",
        "rankeval:Qrels": "load_qrels read_qrels read_trec_qrels",
        "rankeval:Run": "load_run read_run read_trec_run",
        "rankeval.compat.pytrec_eval:": (
            "RelevanceEvaluator compute_aggregated_measure parse_qrel parse_run supported_measures"
        ),
    }
)
"""Names of functions of other tools, and the module and the name of what does the same."""

ATTRIBUTES = _by_word(
    {
        "Qrels('irds:NAME')": "from_ir_datasets",
        "parameters": "params",
        "rankeval.Run(path) or rankeval.Qrels(path)": "read_csv",
        "rankeval.compare(qrels, baseline, run, test=...)": "bootstrap significance t_test ttest",
        "rankeval.evaluate(qrels, rankeval.Run.from_topk(ids, scores), measure)": (
            "average_precision_score dcg_score f1_score ndcg_score roc_auc_score"
        ),
        "rankeval.evaluate(qrels, run), which scores topics without a run 0": "make_comparable",
        "rankeval.evaluate(qrels, run, min_grade=2)": "set_relevance_level",
        "rankeval.evaluate(qrels, runs, measures), or Evaluator(qrels, measures).means(run)": (
            "calc calc_aggregate calculate eval evaluate evaluator score"
        ),
        "rankeval.evaluate(qrels, runs, measures).to_frame(per_topic=True)": "iter_calc",
        "rankeval.measures": "metrics",
        "rankeval.measures.Measure": "Measure Metric",
        "rankeval.measures.definitions()": "list_measures",
        "rankeval.plot(results)": "plot",
        "result['RUN', 'MEASURE'].p_value": "p_value pvalue",
        "results['RUN']['MEASURE'].mean, or .values of topics": "mean std",
        "save": "dump to_csv to_file to_json write",
        "save(path), in the format of its suffix": "to_html to_tsv",
        "sorted('MEASURE')": "rank sort_values",
        "str(results)": "summary to_string",
        "the mapping itself, as in Run({**run, topic: {docno: score}})": "add qrels",
        "to_dict(), or to_dict(per_topic=True) for topics": (
            "mean_scores per_query per_topic query_scores scores values_of"
        ),
        "to_frame": "to_dataframe to_df to_pandas",
        "to_frame(), which has the methods of pandas": (
            "columns describe df head iloc loc tail to_excel to_parquet to_polars"
        ),
        "to_markdown() or to_latex()": "to_table",
    }
)
"""Names of attributes in other tools, and what to write: another name, or an expression."""

KEYWORDS = _by_word(
    {
        "a cutoff is part of a measure, as in 'nDCG@10'": "at cutoff cutoffs k k_values ks",
        "a dictionary, {name: run}, names runs": "names run_name",
        "alpha": "max_p",
        "columns={'topic': ..., 'docno': ...} names the columns": "doc_id_col q_id_col score_col",
        "facts of items are one object: items=rankeval.options.Items(train=..., catalog=...)": (
            "catalog exclude_seen features item_features prev_interactions train"
        ),
        "format": "kind",
        "jobs": "n_jobs num_workers threads",
        "measures": "metric metrics",
        "min_grade": "rel relevance_level",
        "progress": "verbose",
        "qrels": "qrel y_true",
        "results have the values of topics: to_dict(per_topic=True)": (
            "per_query per_topic return_mean"
        ),
        "runs": "run y_score",
        "test": "stat_test",
        "topics='judged' is the default, which counts topics that the run lacks as 0": "complete",
    }
)
"""Keywords of other tools, and the keyword here, or a sentence."""


def no_attribute(owner: str, name: str, of: object) -> AttributeError:
    """Return the error for a name that an object lacks; a word of other tools has its hint."""
    word = ATTRIBUTES.get(name, "")
    if word and not word.isidentifier():
        return AttributeError(f"{owner} has no attribute {name!r}; write {word}")
    error = AttributeError(f"{owner} has no attribute {name!r}")
    error.name, error.obj = name, of  # Python adds the most similar name
    return error


def otherwise(package: ModuleType, name: str, declared_in: str) -> object:
    """Return what a word of other tools means here, or a measure by another name.

    AttributeError for any other name of a package; `declared_in` is the module of its measures.
    """
    if declared_in and not name.startswith("_"):
        from importlib import import_module

        if name in SAME:
            module, own = SAME[name].split(":")
            return getattr(import_module(module), own or name)
        if name not in ATTRIBUTES and hasattr(measures := import_module(declared_in), name):
            return getattr(measures, name)
    raise no_attribute(f"module '{package.__name__}'", name, package)


class Hinting:
    """A value that has attributes by other names, too, and explains what it lacks."""

    if not TYPE_CHECKING:  # to which a wrong name is an error

        def __getattr__(self, name: str) -> Any:
            word = ATTRIBUTES.get(name, "")
            if word.isidentifier() and hasattr(self, word):
                return getattr(self, word)
            raise no_attribute(f"'{type(self).__name__}' object", name, self)
