"""Statistics: counts and arrays in, results out; no files, no database, no clock, no global randomness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.stats.agreement.annotators import (
        AnnotatorAgreement,
        agree_with_nobody,
        agreement_with_others,
    )
    from duologue.stats.agreement.judged_twice import (
        JudgeCeiling,
        PairAgreement,
        ceiling_of,
        judge_ceiling,
        pair_agreement,
    )
    from duologue.stats.agreement.kappa import CohenKappa, cohen_kappa
    from duologue.stats.agreement.krippendorff import Agreement, agreement_rate, krippendorff_alpha
    from duologue.stats.agreement.modal_agreement import (
        ModalAgreement,
        modal_agreement_on_items,
    )
    from duologue.stats.agreement.separation import RelativeCost, Separation, relative_cost, separation
    from duologue.stats.clusters.adjusted import (
        AdjustedDifference,
        AdjustedRates,
        adjusted_rates,
        are_positions_unbalanced,
    )
    from duologue.stats.clusters.between_questions import AnswerCorrelation, correlate_answers
    from duologue.stats.clusters.clustered import (
        ClusteredDifference,
        ClusteredRate,
        clustered_difference,
        clustered_mean,
        clustered_rate,
        intraclass_correlation,
    )
    from duologue.stats.clusters.correlation import Correlation, Correlations, correlations
    from duologue.stats.clusters.design_effect import DesignEffect
    from duologue.stats.clusters.equality import MOST_PERMUTED, ClusteredEquality, clustered_equality
    from duologue.stats.clusters.jackknife import jackknife_interval
    from duologue.stats.clusters.log_odds import ClusteredLogOdds, clustered_log_odds
    from duologue.stats.clusters.ratios import RatioSums, ratio_interval
    from duologue.stats.clusters.resampling import (
        FEW_CLUSTERS,
        cluster_totals,
        percentile_interval,
        resampled_totals,
    )
    from duologue.stats.clusters.sequences import (
        ClusterCorrelation,
        Reselection,
        gathering_test,
        reselection_tests,
    )
    from duologue.stats.clusters.sign_flip import FlippedScores, SignFlipTest, flip_scores, sign_flip_test
    from duologue.stats.multiplicity import HolmSteps, holm, holm_steps
    from duologue.stats.paired.cochran import CochranQ, cochran_q
    from duologue.stats.paired.mcnemar import McNemar, PairedDifference, mcnemar_test, paired_difference
    from duologue.stats.paired.selections import PairedSelections
    from duologue.stats.planning.agreement_design import ModalDifference
    from duologue.stats.planning.binomial_power import binomial_power_curve
    from duologue.stats.planning.clustered_design import ClusteredDesign, clustered_power
    from duologue.stats.planning.crossed_design import CrossedAnswers
    from duologue.stats.planning.designs import (
        OBSERVED_DISCORDANCE,
        AllThatApply,
        AllThatApplyOfMany,
        BestOfMany,
        Design,
        ForcedChoice,
        RateAgainstStandard,
        RatingDifference,
        TwoGroups,
    )
    from duologue.stats.planning.difference_power import detectable_change
    from duologue.stats.planning.graded_design import GradedChoice
    from duologue.stats.planning.paired_power import mcnemar_power
    from duologue.stats.planning.paper import (
        paper_against_standard,
        paper_all_that_apply,
        paper_all_that_apply_of_many,
        paper_best_of_many,
        paper_forced_choice,
    )
    from duologue.stats.planning.pilot import (
        PilotDiscordance,
        PilotEffect,
        pilot_discordance,
        pilot_effect,
        turns_for_effect,
    )
    from duologue.stats.planning.pooled_design import (
        AnswerKind,
        PooledChoice,
        pooled_cluster_size,
        times_as_many_judgments,
    )
    from duologue.stats.planning.redrawn import RedrawnPower, redrawn_power
    from duologue.stats.planning.sample_size import (
        MOST_JUDGMENTS,
        DetectableGap,
        SampleSize,
        chance_of_all,
        detectable_gap,
        judgments_for_forced_choice,
        ratings_for_difference,
        sample_size,
    )
    from duologue.stats.planning.simulate import SimulatedPower, simulate_power
    from duologue.stats.rates.binomial import SignTest, sign_test
    from duologue.stats.rates.deciding import (
        Decision,
        Evidence,
        ExactDifference,
        ExactRate,
        OpposedTests,
        OrderAdjustedTest,
        decide_together,
    )
    from duologue.stats.rates.equivalence import Equivalence, equivalent_estimate, equivalent_rate
    from duologue.stats.rates.fisher import fisher_p_values
    from duologue.stats.rates.goodness_of_fit import GoodnessOfFit, goodness_of_fit_test
    from duologue.stats.rates.intervals import (
        Interval,
        clopper_pearson_interval,
        normal_interval,
        wilson_interval,
    )
    from duologue.stats.rates.position import OrderEffect, order_effect
    from duologue.stats.rates.two_rates import RateDifference, cohen_h, rate_difference
    from duologue.stats.ratings.calibration import (
        PUBLISHED_VARIANCES,
        CalibratedContrast,
        CalibratedRatings,
        RatingVariances,
        calibrate_ratings,
    )
    from duologue.stats.ratings.means import MeanDifference, paired_test, welch_test
    from duologue.stats.ratings.ordinal import OrdinalRatings, ordinal_difference_p, ordinal_ratings
    from duologue.stats.stopping.peeking import Peeking, peeking
    from duologue.stats.stopping.rules import (
        OperatingCharacteristics,
        StoppingRule,
        operating_characteristics,
    )
    from duologue.stats.stopping.sequential import (
        FUTILITY,
        SequentialPlan,
        SequentialVerdict,
        cluster_bet,
        confidence_sequence,
        e_value,
        graded_bet,
        plan_sequential,
        sequential_power,
        sequential_test,
        stopping_rule,
    )
    from duologue.stats.strengths.closed import MOST_BY_GROUPS, MOST_BY_PARTITIONS, closed_p_values
    from duologue.stats.strengths.contrasts import Contrast, Contrasts, RankSet, compare_strengths
    from duologue.stats.strengths.covariates import (
        DIALOGUES_FOR_COVARIATE,
        FEWEST_FOR_COVARIATES,
        GATE,
        GATE_LEVEL,
        ControlVariate,
        Covariates,
    )
    from duologue.stats.strengths.flipping import FlippedTop, votes_to_flip_top
    from duologue.stats.strengths.lack_of_fit import LackOfFit
    from duologue.stats.strengths.order_term import ShownOrder
    from duologue.stats.strengths.pooled import PooledStrengths, pooled_strengths
    from duologue.stats.strengths.transitivity import (
        MajorityOrder,
        majority_order,
    )
    from duologue.stats.strengths.tukey_range import range_tail, range_threshold
    from duologue.stats.strengths.two_ways import AgreeingStrengths, agreeing_strengths

__all__ = [
    "DIALOGUES_FOR_COVARIATE",
    "FEWEST_FOR_COVARIATES",
    "FEW_CLUSTERS",
    "FUTILITY",
    "GATE",
    "GATE_LEVEL",
    "MOST_BY_GROUPS",
    "MOST_BY_PARTITIONS",
    "MOST_JUDGMENTS",
    "MOST_PERMUTED",
    "OBSERVED_DISCORDANCE",
    "PUBLISHED_VARIANCES",
    "AdjustedDifference",
    "AdjustedRates",
    "AgreeingStrengths",
    "Agreement",
    "AllThatApply",
    "AllThatApplyOfMany",
    "AnnotatorAgreement",
    "AnswerCorrelation",
    "AnswerKind",
    "BestOfMany",
    "CalibratedContrast",
    "CalibratedRatings",
    "ClusterCorrelation",
    "ClusteredDesign",
    "ClusteredDifference",
    "ClusteredEquality",
    "ClusteredLogOdds",
    "ClusteredRate",
    "CochranQ",
    "CohenKappa",
    "Contrast",
    "Contrasts",
    "ControlVariate",
    "Correlation",
    "Correlations",
    "Covariates",
    "CrossedAnswers",
    "Decision",
    "Design",
    "DesignEffect",
    "DetectableGap",
    "Equivalence",
    "Evidence",
    "ExactDifference",
    "ExactRate",
    "FlippedScores",
    "FlippedTop",
    "ForcedChoice",
    "GoodnessOfFit",
    "GradedChoice",
    "HolmSteps",
    "Interval",
    "JudgeCeiling",
    "LackOfFit",
    "MajorityOrder",
    "McNemar",
    "MeanDifference",
    "ModalAgreement",
    "ModalDifference",
    "OperatingCharacteristics",
    "OpposedTests",
    "OrderAdjustedTest",
    "OrderEffect",
    "OrdinalRatings",
    "PairAgreement",
    "PairedDifference",
    "PairedSelections",
    "Peeking",
    "PilotDiscordance",
    "PilotEffect",
    "PooledChoice",
    "PooledStrengths",
    "RankSet",
    "RateAgainstStandard",
    "RateDifference",
    "RatingDifference",
    "RatingVariances",
    "RatioSums",
    "RedrawnPower",
    "RelativeCost",
    "Reselection",
    "SampleSize",
    "Separation",
    "SequentialPlan",
    "SequentialVerdict",
    "ShownOrder",
    "SignFlipTest",
    "SignTest",
    "SimulatedPower",
    "StoppingRule",
    "TwoGroups",
    "adjusted_rates",
    "agree_with_nobody",
    "agreeing_strengths",
    "agreement_rate",
    "agreement_with_others",
    "are_positions_unbalanced",
    "binomial_power_curve",
    "calibrate_ratings",
    "ceiling_of",
    "chance_of_all",
    "clopper_pearson_interval",
    "closed_p_values",
    "cluster_bet",
    "cluster_totals",
    "clustered_difference",
    "clustered_equality",
    "clustered_log_odds",
    "clustered_mean",
    "clustered_power",
    "clustered_rate",
    "cochran_q",
    "cohen_h",
    "cohen_kappa",
    "compare_strengths",
    "confidence_sequence",
    "correlate_answers",
    "correlations",
    "decide_together",
    "detectable_change",
    "detectable_gap",
    "e_value",
    "equivalent_estimate",
    "equivalent_rate",
    "fisher_p_values",
    "flip_scores",
    "gathering_test",
    "goodness_of_fit_test",
    "graded_bet",
    "holm",
    "holm_steps",
    "intraclass_correlation",
    "jackknife_interval",
    "judge_ceiling",
    "judgments_for_forced_choice",
    "krippendorff_alpha",
    "majority_order",
    "mcnemar_power",
    "mcnemar_test",
    "modal_agreement_on_items",
    "normal_interval",
    "operating_characteristics",
    "order_effect",
    "ordinal_difference_p",
    "ordinal_ratings",
    "pair_agreement",
    "paired_difference",
    "paired_test",
    "paper_against_standard",
    "paper_all_that_apply",
    "paper_all_that_apply_of_many",
    "paper_best_of_many",
    "paper_forced_choice",
    "peeking",
    "percentile_interval",
    "pilot_discordance",
    "pilot_effect",
    "plan_sequential",
    "pooled_cluster_size",
    "pooled_strengths",
    "range_tail",
    "range_threshold",
    "rate_difference",
    "ratings_for_difference",
    "ratio_interval",
    "redrawn_power",
    "relative_cost",
    "resampled_totals",
    "reselection_tests",
    "sample_size",
    "separation",
    "sequential_power",
    "sequential_test",
    "sign_flip_test",
    "sign_test",
    "simulate_power",
    "stopping_rule",
    "times_as_many_judgments",
    "turns_for_effect",
    "votes_to_flip_top",
    "welch_test",
    "wilson_interval",
]

__getattr__ = lazy_front(__name__)
