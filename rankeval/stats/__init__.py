"""Comparing systems: arrays of per-topic values in, result values out.

Nothing here knows a measure, a file or a terminal. Every function that draws random numbers takes a
`seed` and gives the same result for the same seed. docs/statistics.md says which test to choose.
"""

from rankeval.choices import Bound, Correction, GatePolicy, IntervalMethod, TestName
from rankeval.stats.anova import Anova, two_way_anova
from rankeval.stats.bets import log_capital
from rankeval.stats.choice import paired_test, paired_tests
from rankeval.stats.closeness import delta_relative_improvement, effect_ratio, nrmse, rmse
from rankeval.stats.confidence_bounds import excess_p_values
from rankeval.stats.corrections import adjust_p_values
from rankeval.stats.detection import detectable_difference, simulated_power, topics_to_detect
from rankeval.stats.differences import (
    DifferenceSummary,
    EffectSizes,
    effect_sizes,
    paired_differences,
    summarize_differences,
)
from rankeval.stats.dunnett_test import dunnett
from rankeval.stats.friedman_nemenyi import (
    Friedman,
    Nemenyi,
    RankedPair,
    friedman,
    holm_rank_pairs,
    nemenyi,
)
from rankeval.stats.gate_verdicts import equivalence_verdict, gate_verdict, gate_verdicts
from rankeval.stats.hierarchical_model import (
    HierarchicalPosterior,
    Probabilities,
    hierarchical_posterior,
)
from rankeval.stats.intervals import Interval, confidence_interval, confidence_intervals
from rankeval.stats.kappa_alpha import (
    KappaWeights,
    Level,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from rankeval.stats.macro_gate import macro_verdict
from rankeval.stats.paired import Alternative, PairedTest
from rankeval.stats.partial_conjunction import Combination, Replicability, replicability
from rankeval.stats.planning_search import Planned
from rankeval.stats.posterior import Posterior, posterior_probabilities
from rankeval.stats.power_of_tests import power_of_t, smallest_difference, topics_needed
from rankeval.stats.rank_correlation import (
    kendall_tau,
    kendall_tau_of_values,
    kendall_tau_union,
    tau_ap,
)
from rankeval.stats.rank_overlap import Overlap, RankTies, rbo, rbo_base
from rankeval.stats.resampling import MacroInterval, hierarchical_bootstrap
from rankeval.stats.tukey_tests import (
    PairwiseComparison,
    SystemPair,
    randomized_tukey_hsd,
    tukey_hsd,
)
from rankeval.stats.two_one_sided import Equivalence, equivalence_test
from rankeval.stats.verdicts import GateVerdict, Verdict, gate_exit_code, gate_passes

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
