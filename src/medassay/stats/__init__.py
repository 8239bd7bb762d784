"""Statistics on plain arrays: what enters is numbers, what leaves is a result object.

Rank correlation with exact nulls and fast bootstraps, means and paired differences with clustered
intervals, ranks, adjusted p values, reliability; means from few judgements and many scores, and
upper bounds for rare harm. Knows nothing of health, cases or raters.
Randomness is always passed in as `rng`. What has no value says why in `undefined`.
"""

from medassay.stats.active import active_mean, judging_chances
from medassay.stats.adjusted_means import CaseAdjustment
from medassay.stats.ap_correlation import tau_ap_b
from medassay.stats.balanced_f1 import (
    BalancedF1,
    balanced_f1,
    balanced_f1_difference,
    mean_balanced_f1,
)
from medassay.stats.bounded_gate import bounded_gate, gate_bounded_below
from medassay.stats.bounded_scale import BoundedSpread, bounded_spread
from medassay.stats.clipped_means import ClippedMean, clipped_mean, worst_at_k
from medassay.stats.clustered_correlation import ClusteredCorrelation, clustered_correlations
from medassay.stats.clustered_share import clustered_share
from medassay.stats.clusters import cluster_index, group_labels, sums_by_cluster
from medassay.stats.combined import Combined, judged_mean
from medassay.stats.compare import PairedDifference, compare_all_pairs, compare_paired
from medassay.stats.components import Components, variance_components
from medassay.stats.detection import Areas, at_threshold, detection_areas
from medassay.stats.difference import difference_mean
from medassay.stats.evidence_confidence import (
    CONFIDENCE_LEVELS,
    ConfidenceLevels,
    attainable_mean,
    mean_min_max,
)
from medassay.stats.graphical import Graph, graph_levels, graphical
from medassay.stats.intervals import (
    Interval,
    basic_interval,
    bias_corrected_interval,
    percentile_interval,
)
from medassay.stats.judged_harm import judged_harm_bound
from medassay.stats.kendall import KendallResult, kendall, tau_b
from medassay.stats.kendall_many import TauReplicates, tau_replicates, tau_replicates_twice
from medassay.stats.kendall_null import PMethod, permutation_p, untied_tail
from medassay.stats.kendall_without_two import FEWEST_WITHOUT_TWO, tau_p_without_any_two
from medassay.stats.letters import compact_letters
from medassay.stats.line_over_systems import (
    SystemLine,
    p_without_any_two,
    system_line,
)
from medassay.stats.linear import pearson, spearman
from medassay.stats.max_t import max_t
from medassay.stats.mcnemar import McNemar, mcnemar_exact
from medassay.stats.means import Mean, means_over_cases
from medassay.stats.multiplicity import benjamini_hochberg, holm
from medassay.stats.noninferiority import (
    PairedGate,
    could_outweigh,
    paired_gate,
    paired_gates,
)
from medassay.stats.pair_icc import PairIcc, pair_icc, pair_icc_difference, pair_sums
from medassay.stats.prediction_powered import ppi_mean
from medassay.stats.proportions import clopper_pearson, wilson
from medassay.stats.ranks import rank_ranges, ranks
from medassay.stats.rare_harm import HarmBound, harm_bound, safety_bound, weighted_harm_bound
from medassay.stats.ratio_difference import RatioMean, ratio_difference, ratio_mean
from medassay.stats.reliability import Reliability, reliability_of_means
from medassay.stats.resample import bootstrap_counts
from medassay.stats.rogan_gladen import rogan_gladen
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.sign_count import counted_sign_p
from medassay.stats.sign_flip import draws_for, sign_flip_p
from medassay.stats.simultaneous import best_shares, simultaneous_level
from medassay.stats.soft_pairwise import pairwise_accuracy, soft_pairwise_accuracy, superiority_p
from medassay.stats.standard_error import Moments, moments, t_intervals
from medassay.stats.stratified import stratified_mean
from medassay.stats.swap_test import SwapTest, perm_both
from medassay.stats.tie_calibration import TieCalibration, calibrate_ties
from medassay.stats.ties import TIE_TOLERANCE, dense_ranks, pair_index
from medassay.stats.true_tau import (
    StandardDraws,
    noise_of_means,
    standard_draws,
    true_taus,
    true_taus_given,
)
from medassay.stats.within import tau_within
from medassay.stats.within_slopes import WithinSlope, within_slopes

__all__ = [
    "CONFIDENCE_LEVELS",
    "FEWEST_WITHOUT_TWO",
    "TIE_TOLERANCE",
    "Areas",
    "BalancedF1",
    "BoundedSpread",
    "CaseAdjustment",
    "ClippedMean",
    "ClusteredCorrelation",
    "Combined",
    "Components",
    "ConfidenceLevels",
    "Graph",
    "HarmBound",
    "Interval",
    "KendallResult",
    "McNemar",
    "Mean",
    "Moments",
    "PMethod",
    "PairIcc",
    "PairedDifference",
    "PairedGate",
    "RatioMean",
    "Reliability",
    "Rng",
    "StandardDraws",
    "SwapTest",
    "SystemLine",
    "TauReplicates",
    "TieCalibration",
    "WithinSlope",
    "active_mean",
    "as_generator",
    "at_threshold",
    "attainable_mean",
    "balanced_f1",
    "balanced_f1_difference",
    "basic_interval",
    "benjamini_hochberg",
    "best_shares",
    "bias_corrected_interval",
    "bootstrap_counts",
    "bounded_gate",
    "bounded_spread",
    "calibrate_ties",
    "clipped_mean",
    "clopper_pearson",
    "cluster_index",
    "clustered_correlations",
    "clustered_share",
    "compact_letters",
    "compare_all_pairs",
    "compare_paired",
    "could_outweigh",
    "counted_sign_p",
    "dense_ranks",
    "detection_areas",
    "difference_mean",
    "draws_for",
    "gate_bounded_below",
    "graph_levels",
    "graphical",
    "group_labels",
    "harm_bound",
    "holm",
    "judged_harm_bound",
    "judged_mean",
    "judging_chances",
    "kendall",
    "max_t",
    "mcnemar_exact",
    "mean_balanced_f1",
    "mean_min_max",
    "means_over_cases",
    "moments",
    "noise_of_means",
    "p_without_any_two",
    "pair_icc",
    "pair_icc_difference",
    "pair_index",
    "pair_sums",
    "paired_gate",
    "paired_gates",
    "pairwise_accuracy",
    "pearson",
    "percentile_interval",
    "perm_both",
    "permutation_p",
    "ppi_mean",
    "rank_ranges",
    "ranks",
    "ratio_difference",
    "ratio_mean",
    "reliability_of_means",
    "rogan_gladen",
    "safety_bound",
    "sign_flip_p",
    "simultaneous_level",
    "soft_pairwise_accuracy",
    "spearman",
    "standard_draws",
    "stratified_mean",
    "sums_by_cluster",
    "superiority_p",
    "system_line",
    "t_intervals",
    "tau_ap_b",
    "tau_b",
    "tau_p_without_any_two",
    "tau_replicates",
    "tau_replicates_twice",
    "tau_within",
    "true_taus",
    "true_taus_given",
    "untied_tail",
    "variance_components",
    "weighted_harm_bound",
    "wilson",
    "within_slopes",
    "worst_at_k",
]
