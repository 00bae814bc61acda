"""Words of pytrec_eval, ir_measures, ranx, scikit-learn and pandas, and what they are called here.

The package has the names of `SAME`; errors for other words say what to write.
"""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: meant for meant, words in table.items() for word in words.split()}


SAME = _by_word(
    {
        "rankeval.compat:": "ir_measures pytrec_eval",
        "rankeval:Qrels": "load_qrels read_qrels read_trec_qrels",
        "rankeval:Run": "load_run read_run read_trec_run",
        "rankeval:load": "load_results read_results",
        "rankeval:parse_measure": "get_measure parse",
        "rankeval.compat.pytrec_eval:": (
            "RelevanceEvaluator compute_aggregated_measure parse_qrel parse_run supported_measures"
        ),
    }
)
"""Names of functions of other tools, and the module and the name of what does the same."""

ATTRIBUTES = _by_word(
    {
        "Qrels('irds:NAME')": "data datasets from_ir_datasets",
        "a cutoff in a measure, such as nDCG@10": (
            "cut map_at_k mrr_at_k ndcg_at_k precision_at_k recall_at_k top topk truncate"
        ),
        "interval": "ci conf_int confidence_interval",
        "list(...), the keys": "measures names qids queries query_ids topics",
        "means": "aggregate mean",
        "p": "p_value p_values pvalue",
        "pairs": "results",
        "parameters": "params",
        "per_topic": "per_query query_scores",
        "rankeval.Run(path) or rankeval.Qrels(path)": "read_csv",
        "rankeval.Run(run, name='NAME')": "rename set_name",
        "rankeval.compare(qrels, baseline, run, test=...)": (
            "bootstrap compare_runs significance t_test ttest ttest_rel wilcoxon"
        ),
        "rankeval.evaluate(qrels, rankeval.Run.from_topk(ids, scores), measure)": (
            "average_precision_score dcg_score f1_score ndcg_score roc_auc_score"
        ),
        "rankeval.evaluate(qrels, run), which scores topics without a run 0": "make_comparable",
        "rankeval.evaluate(qrels, run, min_grade=2)": "binarize set_relevance_level",
        "rankeval.evaluate(qrels, runs, measures), or Evaluator(qrels, measures).means(run)": (
            "Experiment calc calc_aggregate calculate eval evaluate evaluator predict score"
        ),
        "rankeval.evaluate(qrels, runs, measures).to_frame(per_topic=True)": "iter_calc",
        "rankeval.fuse(runs)": "combmnz combsum normalize reciprocal_rank_fusion rrf",
        "rankeval.judges(qrels, others)": "agreement cohen_kappa_score kappa",
        "rankeval.measures": "metrics",
        "rankeval.measures.Measure": "Measure Metric",
        "rankeval.measures.definitions()": "list_measures",
        "rankeval.plot(results)": "plot",
        "rankeval.systems(qrels, runs)": "kendall_tau kendalltau",
        "result['RUN', 'MEASURE'].p": "p",
        "results['RUN']['MEASURE'].mean, or .values of topics": "means std",
        "results.sorted('MEASURE')": "rank sort sort_values",
        "results.to_dict(), or results.to_dict(per_topic=True)": (
            "mean_scores per_topic scores to_dict values_of"
        ),
        "results.to_frame(), or results.to_frame(per_topic=True)": "to_frame",
        "run[TOPIC], which is {docno: score}": "doc_ids docnos docs",
        "save": "dump to_csv to_file to_json to_trec write",
        "save(path), in the format of its suffix": "to_html to_tsv",
        "str(...)": "display print show summary to_string",
        "the mapping itself, as in Run({**run, topic: {docno: score}})": (
            "add add_multi add_score combine filter merge qrels update"
        ),
        "to_frame": "to_dataframe to_df to_pandas",
        "to_frame(), which has the methods of pandas": (
            "T columns describe df groupby head iloc iterrows loc query round shape size tail "
            "to_excel to_numpy to_parquet to_pickle to_polars"
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
        "measures": "eval_metrics metric metrics",
        "min_grade": "rel relevance_level",
        "progress": "verbose",
        "qrels": "qrel y_true",
        "results have the values of topics: to_dict(per_topic=True)": (
            "per_query per_topic perquery return_mean"
        ),
        "results.compare('BASELINE') compares the runs of results": "baseline",
        "results.to_frame() is a frame": "as_df dataframe",
        "results.to_markdown(digits=3) has the decimals": "decimals digits round",
        "runs": "run y_score",
        "test": "stat_test",
        "topics='judged', the default, counts topics that a run lacks": "complete filter_by_qrels",
    }
)
"""Keywords of other tools, and the keyword here, or a sentence."""


def no_attribute(owner: str, name: str, of: object) -> AttributeError:
    """Return the error for a name that an object lacks; a word of other tools has its hint."""
    word = ATTRIBUTES.get(name, "")
    word = ATTRIBUTES.get(word, word)
    if isinstance(of, Mapping) and not name.startswith("_") and of.get(name) is not None:
        word = f"[{name!r}] instead of .{name}"
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
