"""Doors of rooms, whose names are imported when they are first used, and registries of plugins.

The stub next to a room's `__init__.py` is the only list of its names, a line each: `from MODULE
import NAME as NAME`. Type checkers and editors read it at any time.

The last part has words of pytrec_eval, ir_measures, ranx, scikit-learn and pandas, and what they
are called here. The package has the names of `SAME`; errors for other words say what to write.
"""

import sys
from abc import ABCMeta
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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


@contextmanager
def restored_on_failure() -> Iterator[None]:
    """Restore the content of every registry if the block fails."""
    before = [dict(registry) for registry in _REGISTRIES]
    try:
        yield
    except BaseException:
        for registry in _REGISTRIES[len(before) :]:  # made by an import in the block
            registry.clear()
        for registry, items in zip(_REGISTRIES, before, strict=False):
            registry.clear()
            registry.update(items)
        raise


SAME: Mapping[str, tuple[str, str]] = {
    **{
        name: ("rankeval.compat.pytrec_eval", name)
        for name in (
            "RelevanceEvaluator",
            "compute_aggregated_measure",
            "parse_qrel",
            "parse_run",
            "supported_measures",
        )
    },
    **dict.fromkeys(("load_run", "read_run", "read_trec_run"), ("rankeval", "Run")),
    **dict.fromkeys(("load_qrels", "read_qrels", "read_trec_qrels"), ("rankeval", "Qrels")),
}
"""Names of functions of other tools, and the module and the name of what does the same."""

_EVALUATE = "rankeval.evaluate(qrels, runs, measures)"
_ARRAYS = "rankeval.evaluate(qrels, rankeval.Run.from_topk(ids, scores), '{}')"
_SCORE = "results['RUN']['MEASURE']"

OF_PACKAGE: Mapping[str, str] = {
    "Measure": "rankeval.measures.Measure",
    "Metric": "rankeval.measures.Measure",
    "average_precision_score": _ARRAYS.format("AP"),
    "bootstrap": "rankeval.compare(qrels, baseline, run, test='bootstrap')",
    "calc": _EVALUATE,
    "calc_aggregate": _EVALUATE,
    "dcg_score": _ARRAYS.format("DCG"),
    "eval": _EVALUATE,
    "evaluator": "rankeval.Evaluator(qrels, measures)",
    "f1_score": _ARRAYS.format("F1@10"),
    "ir_measures": "rankeval.compat.ir_measures",
    "iter_calc": f"{_EVALUATE}.to_frame(per_topic=True)",
    "list_measures": "rankeval.measures.definitions()",
    "metrics": "rankeval.measures",
    "ndcg_score": _ARRAYS.format("nDCG@10"),
    "pytrec_eval": "rankeval.compat.pytrec_eval",
    "read_csv": "rankeval.Run(path) or rankeval.Qrels(path)",
    "roc_auc_score": _ARRAYS.format("AUC"),
    "score": _EVALUATE,
    "significance": "rankeval.compare(qrels, baseline, run)",
    "t_test": "rankeval.compare(qrels, baseline, run)",
    "ttest": "rankeval.compare(qrels, baseline, run)",
}

OF_RESULTS: Mapping[str, str] = {
    **dict.fromkeys(("to_dataframe", "to_df", "to_pandas"), "to_frame"),
    **dict.fromkeys(("columns", "df", "head", "iloc", "loc", "tail"), "to_frame()"),
    **dict.fromkeys(("mean_scores", "scores", "values_of"), "to_dict()"),
    **dict.fromkeys(("per_query", "per_topic", "query_scores"), "to_dict(per_topic=True)"),
    "describe": "to_frame().describe()",
    "mean": f"{_SCORE}.mean",
    "p_value": "result['RUN', 'MEASURE'].p_value",
    "plot": "rankeval.plot(results)",
    "pvalue": "result['RUN', 'MEASURE'].p_value",
    "rank": "sorted('MEASURE')",
    "sort_values": "sorted('MEASURE')",
    "std": f"{_SCORE}.values.std(ddof=1)",
    "summary": "print(results)",
    "to_excel": "to_frame().to_excel(path)",
    "to_html": "save('results.html')",
    "to_parquet": "to_frame().to_parquet(path)",
    "to_polars_frame": "to_polars()",
    "to_string": "str(results)",
    "to_table": "to_markdown() or to_latex()",
    "to_tsv": "save('results.tsv')",
}

OF_RUNS_AND_QRELS: Mapping[str, str] = {
    **dict.fromkeys(("to_dataframe", "to_df", "to_pandas"), "to_frame"),
    **dict.fromkeys(("dump", "to_csv", "to_file", "to_json", "to_parquet", "write"), "save"),
    "add": "the mapping itself, as in Run({**run, topic: {docno: score}})",
    "df": "to_frame()",
    "from_ir_datasets": "Qrels('irds:NAME')",
    "make_comparable": "rankeval.evaluate(qrels, run), which scores topics without a run 0",
    "qrels": "the mapping itself",
    "run": "the mapping itself",
    "set_relevance_level": "rankeval.evaluate(qrels, run, min_grade=2)",
}

CONSTRUCTORS = ("from_dataframe", "from_df", "from_dict", "from_file", "from_parquet", "load")
"""What the class does itself: it takes dictionaries, tables and files."""

OF_MEASURES: Mapping[str, str] = {
    **dict.fromkeys(("calc", "calc_aggregate", "calculate", "evaluate"), _EVALUATE),
    "iter_calc": f"{_EVALUATE}.to_frame(per_topic=True)",
    "params": "parameters",
}

OF_EVALUATORS: Mapping[str, str] = {
    **dict.fromkeys(("calc", "calc_aggregate", "score"), "means(run)"),
    "iter_calc": "evaluate(run).to_frame(per_topic=True)",
}

KEYWORDS: Mapping[str, str] = {
    "complete": "topics='judged' is the default, which counts topics that the run lacks as 0",
    "max_p": "alpha",
    "metric": "measures",
    "metrics": "measures",
    "n_jobs": "jobs",
    "names": "a dictionary, {name: run}, names runs",
    "num_workers": "jobs",
    "per_query": "results have the values of topics: to_dict(per_topic=True)",
    "per_topic": "results have the values of topics: to_dict(per_topic=True)",
    "kind": "format",
    "qrel": "qrels",
    **dict.fromkeys(
        ("doc_id_col", "q_id_col", "score_col"),
        "columns={'topic': ..., 'docno': ...} names the columns",
    ),
    "rel": "min_grade",
    "relevance_level": "min_grade",
    "return_mean": "results have the values of topics: to_dict(per_topic=True)",
    "run": "runs",
    "run_name": "a dictionary, {name: run}, names runs",
    "stat_test": "test",
    "threads": "jobs",
    "verbose": "progress",
    "y_score": "runs",
    "y_true": "qrels",
    **dict.fromkeys(
        ("catalog", "exclude_seen", "features", "item_features", "prev_interactions", "train"),
        "facts of items are one object: items=rankeval.options.Items(train=..., catalog=...)",
    ),
    **dict.fromkeys(
        ("at", "cutoff", "cutoffs", "k", "k_values", "ks"),
        "a cutoff is part of a measure, as in 'nDCG@10'",
    ),
}
"""Keywords of other tools, and the keyword here, or a sentence."""


def no_attribute(owner: str, name: str, words: Mapping[str, str], of: object) -> AttributeError:
    """Return the error for a name that an object lacks; a word of other tools has its hint."""
    hint = f"; write {words[name]}" if name in words else ""
    error = AttributeError(f"{owner} has no attribute {name!r}{hint}")
    if not hint:
        error.name, error.obj = name, of  # Python adds the most similar name
    return error


def otherwise(package: ModuleType, name: str, declared_in: str) -> object:
    """Return what a word of other tools means here, or a measure by another name.

    AttributeError for any other name of a package; `declared_in` is the module of its measures.
    """
    if declared_in and not name.startswith("_"):
        from importlib import import_module

        if name in SAME:
            module, own = SAME[name]
            return getattr(import_module(module), own)
        if name not in OF_PACKAGE and hasattr(measures := import_module(declared_in), name):
            return getattr(measures, name)
    owner = f"module '{package.__name__}'"
    raise no_attribute(owner, name, OF_PACKAGE, package)


class Hinting:
    """A value that has methods of `OTHER_WORDS` by other names, and explains what it lacks."""

    OTHER_WORDS: Mapping[str, str] = OF_RESULTS

    if not TYPE_CHECKING:  # to which a wrong name is an error

        def __getattr__(self, name: str) -> Any:
            word = self.OTHER_WORDS.get(name, "")
            if word.isidentifier() and hasattr(self, word):
                return getattr(self, word)
            owner = f"'{type(self).__name__}' object"
            raise no_attribute(owner, name, self.OTHER_WORDS, self)


class HintingClass(ABCMeta):
    """The type of a class that is its own constructor by other names, such as `Run.from_dict`."""

    OTHER_WORDS: Mapping[str, str]

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any:
            if name in CONSTRUCTORS:
                return cls
            owner = f"type object '{cls.__name__}'"
            raise no_attribute(owner, name, cls.OTHER_WORDS, cls)
