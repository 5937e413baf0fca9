"""Statistics: counts and arrays in, results out; no files, no database, no clock, no global randomness."""

from __future__ import annotations

from duologue.stats.agreement import Agreement, agreement_rate, fleiss_kappa, krippendorff_alpha
from duologue.stats.binomial import SignTest, sign_test
from duologue.stats.clusters import (
    ClusteredDifference,
    ClusteredRate,
    clustered_difference,
    clustered_mean,
    clustered_rate,
    intraclass_correlation,
)
from duologue.stats.cochran import CochranQ, SelectedPair, cochran_q, compare_selected
from duologue.stats.equivalence import Equivalence, equivalent_estimate, equivalent_rate
from duologue.stats.goodness_of_fit import GoodnessOfFit, goodness_of_fit_test, share_intervals
from duologue.stats.intervals import Interval, clopper_pearson_interval, normal_interval, wilson_interval
from duologue.stats.kappa import CohenKappa, ModalAgreement, cohen_kappa, modal_agreement
from duologue.stats.mcnemar import McNemar, PairedDifference, mcnemar_test, paired_difference
from duologue.stats.means import MeanDifference, paired_test, welch_test
from duologue.stats.multiplicity import benjamini_hochberg, holm
from duologue.stats.power import exact_binomial_power
from duologue.stats.sample_size import DetectableGap, SampleSize, detectable_gap, judgments_for_forced_choice
from duologue.stats.sign_flip import SignFlipTest, sign_flip_test
from duologue.stats.strengths import BradleyTerry, LackOfFit, bradley_terry
from duologue.stats.transitivity import (
    MajorityOrder,
    StochasticTransitivity,
    majority_order,
    stochastic_transitivity,
)
from duologue.stats.two_rates import RateDifference, cohen_h, rate_difference

__all__ = [
    "Agreement",
    "BradleyTerry",
    "ClusteredDifference",
    "ClusteredRate",
    "CochranQ",
    "CohenKappa",
    "DetectableGap",
    "Equivalence",
    "GoodnessOfFit",
    "Interval",
    "LackOfFit",
    "MajorityOrder",
    "McNemar",
    "MeanDifference",
    "ModalAgreement",
    "PairedDifference",
    "RateDifference",
    "SampleSize",
    "SelectedPair",
    "SignFlipTest",
    "SignTest",
    "StochasticTransitivity",
    "agreement_rate",
    "benjamini_hochberg",
    "bradley_terry",
    "clopper_pearson_interval",
    "clustered_difference",
    "clustered_mean",
    "clustered_rate",
    "cochran_q",
    "cohen_h",
    "cohen_kappa",
    "compare_selected",
    "detectable_gap",
    "equivalent_estimate",
    "equivalent_rate",
    "exact_binomial_power",
    "fleiss_kappa",
    "goodness_of_fit_test",
    "holm",
    "intraclass_correlation",
    "judgments_for_forced_choice",
    "krippendorff_alpha",
    "majority_order",
    "mcnemar_test",
    "modal_agreement",
    "normal_interval",
    "paired_difference",
    "paired_test",
    "rate_difference",
    "share_intervals",
    "sign_flip_test",
    "sign_test",
    "stochastic_transitivity",
    "welch_test",
    "wilson_interval",
]
