"""Define the conventions of other tools, chosen by name: `--like gdeval`."""

from collections.abc import Mapping
from dataclasses import field

from rankeval.base.frozen import frozen
from rankeval.measures.declare.measure_parameters import ParameterValue


@frozen
class ToolConventions:
    """Conventions in which a tool differs from rankeval's defaults.

    ======== ===============================================================================
    settings fields of Settings that differ from their defaults
    measures measures when none is named; "" for rankeval's own default
    defaults values of measures' parameters, as (measure, parameter, value)
    names    names that mean a different measure in this tool
    ======== ===============================================================================
    """

    settings: Mapping[str, object] = field(default_factory=dict)
    measures: str = ""
    defaults: tuple[tuple[str, str, ParameterValue], ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)


_TREC_EVAL = (
    "NumQ NumRet NumRel NumRelRet AP GMAP Rprec Bpref RR "
    "IPrec@0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1 P@5,10,15,20,30,100,200,500,1000"
)
_BEIR_CUTOFFS = "1,3,5,10,100,1000"

TOOLS: Mapping[str, ToolConventions] = {
    # As `trec_eval -c`: without -c, version 10 refuses a run that lacks a topic.
    "trec_eval": ToolConventions(
        measures=_TREC_EVAL,
        defaults=(
            ("IPrec", "count", "nearest"),
            ("IAP", "count", "nearest"),
            ("RBP", "p", 0.9),
            ("RBP", "max_rel", "topic"),
            ("RBPres", "p", 0.9),
            ("RBPres", "rest", "unjudged"),
        ),
    ),
    "trec_eval9": ToolConventions(
        settings={"topics": "both", "single_precision": True},
        measures=_TREC_EVAL,
        defaults=(("IPrec", "count", "add 0.9"), ("IAP", "count", "add 0.9")),
    ),
    "gdeval": ToolConventions(
        settings={"topics": "both", "skip_no_relevant": True},
        measures="nDCG@20 ERR@20",
        defaults=(
            ("nDCG", "dcg", "exp-log2"),
            ("nDCG", "cutoff", 20),
            ("DCG", "dcg", "exp-log2"),
            ("DCG", "cutoff", 20),
            ("ERR", "max_rel", 4),
            ("ERR", "cutoff", 20),
        ),
    ),
    "msmarco": ToolConventions(
        settings={"order": "rank"}, measures="RR@10", defaults=(("RR", "cutoff", 10),)
    ),
    "beir": ToolConventions(
        settings={"topics": "both", "single_precision": True, "drop_self": True},
        measures=" ".join(f"{name}@{_BEIR_CUTOFFS}" for name in ("nDCG", "AP", "R", "P")),
    ),
    "ranx": ToolConventions(
        settings={"ties": "input", "aggregate": "mean"},
        names={"recall": "SetR"},
    ),
}
