"""Comparing systems: arrays of per-topic values in, result values out.

Nothing here knows a measure, a file or a terminal. Every function that draws random numbers takes a
`seed` and gives the same result for the same seed. docs/statistics.md says which test to choose.
"""

from rankeval.choices import Bound, Correction, GatePolicy, IntervalMethod, TestName
from rankeval.stats.agreement import (
    KappaWeights,
    Level,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from rankeval.stats.anova import Anova, two_way_anova
from rankeval.stats.bayes import Posterior, posterior_probabilities
from rankeval.stats.betting import log_capital
from rankeval.stats.bounds import excess_p_values
from rankeval.stats.choice import paired_test, paired_tests
from rankeval.stats.corrections import adjust_p_values
from rankeval.stats.detection import detectable_difference, simulated_power, topics_to_detect
from rankeval.stats.differences import (
    DifferenceSummary,
    paired_differences,
    summarize_differences,
)
from rankeval.stats.dunnett import dunnett
from rankeval.stats.effects import EffectSizes, effect_sizes
from rankeval.stats.equivalence import Equivalence, equivalence_test
from rankeval.stats.friedman import Friedman, Nemenyi, RankedPair, friedman, nemenyi
from rankeval.stats.gate import gate_verdict, gate_verdicts
from rankeval.stats.gate_equivalence import equivalence_verdict
from rankeval.stats.gate_policies import gate_exit_code, gate_passes
from rankeval.stats.hierarchical import (
    HierarchicalPosterior,
    Probabilities,
    hierarchical_posterior,
)
from rankeval.stats.hierarchical_bootstrap import MacroInterval, hierarchical_bootstrap
from rankeval.stats.intervals import Interval, confidence_interval, confidence_intervals
from rankeval.stats.macro_gate import macro_verdict
from rankeval.stats.mean_ranks import holm_rank_pairs
from rankeval.stats.overlap import Overlap, RankTies, rbo, rbo_base
from rankeval.stats.paired import Alternative, PairedTest
from rankeval.stats.planning_search import Planned
from rankeval.stats.power import power_of_t, smallest_difference, topics_needed
from rankeval.stats.rankings import (
    kendall_tau,
    kendall_tau_of_values,
    kendall_tau_union,
    tau_ap,
)
from rankeval.stats.replicability import Combination, Replicability, replicability
from rankeval.stats.reproducibility import (
    delta_relative_improvement,
    effect_ratio,
    nrmse,
    rmse,
)
from rankeval.stats.tukey import (
    PairwiseComparison,
    SystemPair,
    randomized_tukey_hsd,
    tukey_hsd,
)
from rankeval.stats.verdicts import GateVerdict, Verdict

__all__ = [
    "Alternative",
    "Anova",
    "Bound",
    "Combination",
    "Correction",
    "DifferenceSummary",
    "EffectSizes",
    "Equivalence",
    "Friedman",
    "GatePolicy",
    "GateVerdict",
    "HierarchicalPosterior",
    "Interval",
    "IntervalMethod",
    "KappaWeights",
    "Level",
    "MacroInterval",
    "Nemenyi",
    "Overlap",
    "PairedTest",
    "PairwiseComparison",
    "Planned",
    "Posterior",
    "Probabilities",
    "RankTies",
    "RankedPair",
    "Replicability",
    "SystemPair",
    "TestName",
    "Verdict",
    "adjust_p_values",
    "cohen_kappa",
    "confidence_interval",
    "confidence_intervals",
    "delta_relative_improvement",
    "detectable_difference",
    "dunnett",
    "effect_ratio",
    "effect_sizes",
    "equivalence_test",
    "equivalence_verdict",
    "excess_p_values",
    "fleiss_kappa",
    "friedman",
    "gate_exit_code",
    "gate_passes",
    "gate_verdict",
    "gate_verdicts",
    "hierarchical_bootstrap",
    "hierarchical_posterior",
    "holm_rank_pairs",
    "kendall_tau",
    "kendall_tau_of_values",
    "kendall_tau_union",
    "krippendorff_alpha",
    "log_capital",
    "macro_verdict",
    "nemenyi",
    "nrmse",
    "paired_differences",
    "paired_test",
    "paired_tests",
    "posterior_probabilities",
    "power_of_t",
    "randomized_tukey_hsd",
    "rbo",
    "rbo_base",
    "replicability",
    "rmse",
    "simulated_power",
    "smallest_difference",
    "summarize_differences",
    "tau_ap",
    "topics_needed",
    "topics_to_detect",
    "tukey_hsd",
    "two_way_anova",
]
