"""Strengths pooled over all matchups, whose uncertainty allows for annotators and dialogues that repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_numbers
from duologue.stats.newton import maximise
from duologue.stats.rates.intervals import Interval, student_quantile
from duologue.stats.strengths.cluster_scores import DialogueClusters, Judgments, PooledModel, VoteResiduals
from duologue.stats.strengths.covariates import ControlVariate, Covariates, CovariateShift
from duologue.stats.strengths.lack_of_fit import LackOfFit, lack_of_fit_of
from duologue.stats.strengths.order_term import OrderShift, ShownOrder
from duologue.stats.strengths.ties import PairCounts, davidson_logs, davidson_slopes, spread
from duologue.stats.strengths.win_graph import groups_of, refuse_disconnected

RIDGE = 0.01
"""The penalty on squared strengths: it keeps them finite where a bot never won, and hardly matters else."""

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class PooledStrengths:
    """One strength for each bot (log-odds, mean zero), and the standard error of every difference.

    ``lead_errors[i, j]`` is that of strength i minus strength j: the largest of the variances by annotator,
    by dialogue, by both, and of the model with its dispersion. ``df`` are degrees of freedom of Student's t
    for each bot; a difference has the smaller of two. ``tie`` is Davidson's ν, None without ties.
    ``lack_of_fit`` is None where there is nothing to test: no more matchups than strengths.
    """

    names: tuple[str, ...]
    strengths: Vector
    errors: Vector
    lead_errors: Matrix
    df: Vector
    annotators: int
    dialogues: int
    dispersion: float
    tie: float | None
    lack_of_fit: LackOfFit | None
    is_separated: bool
    n: int
    model: PooledModel
    control: ControlVariate | None = None
    """What covariates explained and saved, where some were given."""

    def intervals(self, level: float) -> tuple[Interval, ...]:
        """An interval for each strength, against the average bot and each at ``level`` by itself."""
        return tuple(
            Interval(
                strength - student_quantile(level, df) * error,
                strength + student_quantile(level, df) * error,
                level,
                "pooled",
            )
            for strength, error, df in zip(
                self.strengths.tolist(), self.errors.tolist(), self.df.tolist(), strict=True
            )
        )


def pooled_strengths(
    first: ArrayLike,
    second: ArrayLike,
    preference: ArrayLike,
    names: Sequence[str],
    *,
    annotators: ArrayLike,
    dialogues: tuple[ArrayLike, ArrayLike] | None = None,
    screens: ArrayLike | None = None,
    order: ShownOrder | None = None,
    model: PooledModel = "bradley-terry",
    covariates: Covariates | None = None,
) -> PooledStrengths:
    """Fit Bradley–Terry strengths to single judgments, with errors that hold when judgments are correlated.

    Strengths maximise Σ [y log σ(d) + (1 − y) log σ(−d)] − .01 ‖θ‖², d the difference of the two strengths
    and y the preference: 1 or 0, or a graded answer as (1 + score)/2. With ``model="davidson"`` a preference
    of one half is a tie, which has a parameter of its own (Davidson 1970).

    The variance of a difference is the largest of these: the sandwich H⁻¹VH⁻¹ with V = A/(A − 1) Σ s sᵀ over
    the summed scores s of each annotator; the same over dialogues, where they repeat: a judgment belongs to
    both of its dialogues, and judgments of the same two are counted once; both together, less what they
    share; and φH⁻¹, φ the dispersion Σ(y − p)² / Σ p(1 − p). It is referred to Student's t on A − 1 degrees
    of freedom; on D − 1, where one of the two bots has only D dialogues that repeat. Where some bots never
    won or never lost, φ is at least 1.

    The lack of fit compares what each matchup shows with what strengths predict: the sum of squared residuals
    over its expectation when judgments are clustered, by a scaled F distribution (Rao and Scott 1984).

    Needs some 20 annotators, and more annotators than bots; look at ``lack_of_fit`` before you believe it.

    Args:
        first: The number of one bot of each judgment, in the order of the names.
        second: The number of the other.
        preference: How far the first was preferred, from 0 to 1.
        names: The bots.
        annotators: The integer code of the annotator of each judgment.
        dialogues: The integer codes of the dialogue of the first and of the second bot.
        screens: The integer code of what each judgment was given together with, by one annotator: the three
            pairs of a ranking have one. Each is a screen of its own where this is not given.
        order: How bots were shown and what that does, where some were shown first more often than others:
            strengths are freed of it, and their errors allow for its own.
        model: Whether preferences of one half are ties with a parameter of their own.
        covariates: Numbers known of all dialogues, judged or not: strengths are freed of what they explain
            within matchups by the judged ones not being average (`CovariateShift`), if that is enough.

    Raises:
        NotEnoughJudgments: There are fewer than two bots or annotators, or nothing but ties.
        Disconnected: Some bots were never compared with the others.
        BadNumber: The arrays do not fit each other or the names.

    Example:
        >>> rng = np.random.default_rng(7)
        >>> first, second = np.repeat([[0, 0, 1], [1, 2, 2]], 100, axis=1)
        >>> won = rng.random(300) < np.repeat([0.6, 0.7, 0.6], 100)
        >>> fit = pooled_strengths(first, second, won, "ABC", annotators=np.arange(300) % 60)
        >>> [round(float(s), 2) for s in fit.strengths], fit.df.tolist()
        ([0.43, -0.14, -0.29], [59.0, 59.0, 59.0])
    """
    judged = checked_judgments(first, second, preference, names, model)
    clusters = _Clusters.of(judged, annotators, dialogues, screens)
    del annotators, dialogues, screens  # of millions of judgments every array counts; codes take their place
    fitted = _FittedModel.of(judged)
    strengths, by_order, leads_by_order = fitted.strengths, np.zeros(1), np.zeros((1, 1))
    if order is not None:
        shift, scored = OrderShift.of(fitted.scored, fitted.inverse, order)
        fitted, strengths = replace(fitted, scored=scored), strengths - shift.moved
        by_order, leads_by_order = shift.variances, shift.lead_variances
    spreads, df = _spreads(fitted.scored, clusters)
    lack_of_fit = lack_of_fit_of(
        fitted.scored, fitted.inverse, clusters.people, clusters.annotators, clusters.dialogues
    )
    uncertain = _Uncertainty.of(fitted, spreads)
    control = None
    if covariates is not None:
        moved = CovariateShift.of(
            fitted.scored, fitted.inverse, clusters.people, covariates, is_separated=fitted.is_separated
        )
        control = moved.found
        if control.is_open:
            changed = replace(fitted, scored=moved.scored)
            left = _Uncertainty.of(changed, _spreads(moved.scored, clusters)[0]).with_pool(
                changed, moved.pool
            )
            control = control.with_saved(left.saved(uncertain))
        if control.is_open:
            fitted, uncertain, strengths = changed, left, strengths + moved.moved
            df = np.minimum(df, np.maximum(moved.sizes - 1.0, 1.0))
    return PooledStrengths(
        names=tuple(names),
        strengths=strengths,
        errors=np.sqrt(uncertain.own + by_order),
        lead_errors=np.sqrt(uncertain.leads + leads_by_order),
        df=df,
        annotators=clusters.annotators,
        dialogues=0 if clusters.dialogues is None else clusters.dialogues.size,
        dispersion=fitted.scored.dispersion,
        tie=fitted.tie,
        lack_of_fit=lack_of_fit,
        is_separated=fitted.is_separated,
        n=len(judged.preference),
        model=judged.model,
        control=control,
    )


@dataclass(frozen=True, slots=True)
class _Uncertainty:
    """Variances of the strengths, against the average bot, and of their differences."""

    own: Vector
    leads: Matrix

    @classmethod
    def of(cls, fitted: _FittedModel, spreads: Sequence[Matrix]) -> _Uncertainty:
        """The largest over all ways in which scores scatter."""
        covariances = fitted.covariances(spreads)
        return cls(_variances(covariances), np.maximum.reduce([_lead_variances(one) for one in covariances]))

    def with_pool(self, fitted: _FittedModel, pool: Matrix) -> _Uncertainty:
        """And what the dialogues being a sample adds."""
        bots = len(self.own)
        added = (fitted.inverse @ pool @ fitted.inverse)[:bots, :bots]
        return _Uncertainty(self.own + _variances([added]), self.leads + _lead_variances(added))

    def saved(self, before: _Uncertainty) -> float:
        """How much smaller the variance of a difference is than before, on average over all pairs."""
        pairs = np.triu_indices(len(self.own), 1)
        return 1 - float((self.leads[pairs] / before.leads[pairs]).mean())


@dataclass(frozen=True, slots=True)
class _Clusters:
    """What judgments have in common: annotators, dialogues, the screen on which they were given."""

    people: Codes
    annotators: int
    dialogues: DialogueClusters | None
    screens: tuple[Codes, int] | None

    @classmethod
    def of(
        cls,
        judged: Judgments,
        annotators: ArrayLike,
        dialogues: tuple[ArrayLike, ArrayLike] | None,
        screens: ArrayLike | None,
    ) -> _Clusters:
        n = len(judged.preference)
        people, size = check_codes("annotators", annotators, length=n)
        if size < 2:
            raise NotEnoughJudgments("A pooled comparison", needed=2, got=size, unit="annotators")
        together = None if screens is None else check_codes("screens", screens, length=n)
        both = (
            None if dialogues is None else DialogueClusters.of(judged, *dialogues, together and together[0])
        )
        return cls(people, size, both, together)


@dataclass(frozen=True, slots=True)
class _FittedModel:
    """The parameters at the top of the likelihood, and every judgment beside what they expect of it."""

    parameters: Vector
    scored: VoteResiduals
    inverse: Matrix
    """Of the information matrix."""

    @classmethod
    def of(cls, judged: Judgments) -> _FittedModel:
        parameters = fit_parameters(judged.counts, judged.model)
        inverse = inverse_information(judged.counts, parameters, judged.model)
        return cls(parameters, VoteResiduals.of(judged, parameters), inverse)

    @property
    def strengths(self) -> Vector:
        """Of the bots, with mean zero."""
        own = self.parameters[: self.scored.judged.bots]
        return np.asarray(own - own.mean())

    @property
    def tie(self) -> float | None:
        """Davidson's ν; None without ties."""
        return float(np.exp(self.parameters[-1])) if self.scored.judged.is_davidson else None

    @property
    def is_separated(self) -> bool:
        """Whether some bots never won or never lost against the others."""
        return len(groups_of(_wins(self.scored.judged.counts), connection="strong")) > 1

    def covariances(self, spreads: Sequence[Matrix]) -> list[Matrix]:
        """Those of the strengths: a sandwich for each way in which scores scatter, and the model's own."""
        bots, dispersion = self.scored.judged.bots, self.scored.dispersion
        own = (max(1.0, dispersion) if self.is_separated else dispersion) * self.inverse
        sandwiches = [self.inverse @ spread_of @ self.inverse for spread_of in spreads]
        return [covariance[:bots, :bots] for covariance in [*sandwiches, own]]


def _spreads(scored: VoteResiduals, clusters: _Clusters) -> tuple[list[Matrix], Vector]:
    """How far scores scatter: by annotators, by dialogues, by both; and the degrees of freedom.

    What annotators and dialogues share are judgments of one screen: single ones, or those of a ranking.
    """
    size, dialogues = clusters.annotators, clusters.dialogues
    by_annotator = scored.scatter([clusters.people], size) * size / (size - 1)
    df = np.full(scored.judged.bots, size - 1.0)
    if dialogues is None or not dialogues.repeats.any():
        return [by_annotator], df
    once = dialogues.of_pairings(scored)
    by_dialogue = dialogues.scatter(scored) - once
    fewer = np.minimum(df, np.maximum(dialogues.each - 1.0, 1.0))
    shared = once if clusters.screens is None else scored.scatter([clusters.screens[0]], clusters.screens[1])
    return (
        [by_annotator, by_dialogue, by_dialogue + by_annotator - shared],
        np.where(dialogues.repeats, fewer, df),
    )


def _variances(covariances: Sequence[Matrix]) -> Vector:
    """The largest variance of each strength, against the average bot."""
    centring = np.eye(len(covariances[0])) - 1 / len(covariances[0])
    variances = np.maximum.reduce([np.diagonal(centring @ one @ centring) for one in covariances])
    return np.asarray(np.maximum(variances, 0.0))


def checked_judgments(
    first: ArrayLike, second: ArrayLike, preference: ArrayLike, names: Sequence[str], model: PooledModel
) -> Judgments:
    """Judgments whose numbers fit each other, counted by matchup.

    Raises:
        NotEnoughJudgments: There are fewer than two bots, no judgments, or nothing but ties.
        Disconnected: Some bots were never compared with the others.
        BadNumber: The arrays do not fit each other or the names.
    """
    bots = len(names)
    if bots < 2:
        raise NotEnoughJudgments("A pooled comparison", needed=2, got=bots, unit="bots")
    y = check_numbers("preference", preference, low=0.0, high=1.0)
    if len(y) == 0:
        raise NotEnoughJudgments("A pooled comparison", needed=1, got=0)
    ends = []
    for name, values in (("first", first), ("second", second)):
        codes = np.asarray(values)
        if codes.shape != y.shape or not np.issubdtype(codes.dtype, np.integer):
            got = f"an array of {codes.dtype} of shape {codes.shape}"
            raise BadNumber(name, expected=f"{len(y)} bot numbers, one for each judgment", got=got)
        if not 0 <= int(codes.min()) <= int(codes.max()) < bots:
            raise BadNumber(
                name, expected=f"numbers from 0 to {bots - 1}", got=f"{codes.min()}, {codes.max()}"
            )
        ends.append(codes.astype(np.intp, copy=False))
    one, other = ends
    if (one == other).any():
        raise BadNumber("second", expected="another bot than the first", got="a bot against itself")
    counts = count_preferences(one, other, y, bots=bots, model=model)
    refuse_disconnected(_wins(counts) + _matrix(counts, counts.tied), names)
    if not (counts.won + counts.lost).any():
        raise NotEnoughJudgments("A pooled comparison", needed=1, got=0, unit="judgments that are not ties")
    is_davidson = model == "davidson" and bool(counts.tied.any())
    return Judgments(bots, one, other, y, counts, "davidson" if is_davidson else "bradley-terry")


def count_preferences(
    first: Codes, second: Codes, preference: Vector, *, bots: int, model: PooledModel
) -> PairCounts:
    """Preferences added up by matchup: for the first bot, for the second, and ties where they are apart."""
    cell, size = first * bots + second, bots * bots
    if model == "davidson":
        is_tie = preference == 0.5
        tied = np.bincount(cell[is_tie], minlength=size).astype(np.float64)
        cell, preference = cell[~is_tie], preference[~is_tie]
    else:
        tied = np.zeros(size)
    all_of = np.bincount(cell, minlength=size).astype(np.float64)
    won = np.bincount(cell, weights=preference, minlength=size)
    matrix, against = won.reshape(bots, bots), (all_of - won).reshape(bots, bots)
    ties = tied.reshape(bots, bots)
    return PairCounts.of(matrix + against.T, ties + ties.T)


def _matrix(counts: PairCounts, values: Vector) -> Matrix:
    found = np.zeros((counts.bots, counts.bots))
    found[counts.first, counts.second] = found[counts.second, counts.first] = values
    return found


def _wins(counts: PairCounts) -> Matrix:
    found = np.zeros((counts.bots, counts.bots))
    found[counts.first, counts.second] = counts.won
    found[counts.second, counts.first] = counts.lost
    return found


def fit_parameters(counts: PairCounts, model: PooledModel, start: Vector | None = None) -> Vector:
    """The strengths at the top of the penalised likelihood; the logarithm of ν comes last, where ties count.

    Raises:
        NotConverged: The top was not reached.
    """
    if start is None:
        start = np.zeros(counts.bots)
        if model == "davidson":
            share = counts.tie_share
            start = np.append(start, np.log(2 * share / (1 - share)))
    return maximise(
        lambda parameters: _value(counts, parameters, model),
        lambda parameters: _derivatives(counts, parameters, model),
        start,
        method="The pooled fit",
    )


def inverse_information(counts: PairCounts, parameters: Vector, model: PooledModel) -> Matrix:
    """The inverse of the information matrix at these parameters."""
    information = _derivatives(counts, parameters, model)[1]
    return np.asarray(scipy.linalg.cho_solve(scipy.linalg.cho_factor(information), np.eye(len(parameters))))


def _value(counts: PairCounts, parameters: Vector, model: PooledModel) -> float:
    strengths = parameters[: counts.bots]
    lead = strengths[counts.first] - strengths[counts.second]
    penalty = RIDGE * float(strengths @ strengths)
    if model == "davidson":
        won, lost, tied = davidson_logs(lead, float(parameters[-1]))
        return float((counts.won * won + counts.lost * lost + counts.tied * tied).sum()) - penalty
    logs = counts.won * special.log_expit(lead) + counts.lost * special.log_expit(-lead)
    return float(logs.sum()) - penalty


def _derivatives(counts: PairCounts, parameters: Vector, model: PooledModel) -> tuple[Vector, Matrix]:
    strengths, bots = parameters[: counts.bots], counts.bots
    lead = strengths[counts.first] - strengths[counts.second]
    if model == "davidson":
        by_lead, by_tie, curve, lead_tie, tie_tie = davidson_slopes(counts, lead, float(parameters[-1]))
    else:
        chance, other = special.expit(lead), special.expit(-lead)
        by_lead = counts.won * other - counts.lost * chance
        curve = (counts.won + counts.lost) * chance * other
    gradient = spread(counts, by_lead) - 2 * RIDGE * strengths
    information = -_matrix(counts, curve)
    information[np.arange(bots), np.arange(bots)] = (
        counts.per_first(curve) + counts.per_second(curve) + 2 * RIDGE
    )
    if model == "bradley-terry":
        return gradient, information
    whole = np.zeros((bots + 1, bots + 1))
    whole[:bots, :bots] = information
    whole[-1, :bots] = whole[:bots, -1] = spread(counts, lead_tie)
    whole[-1, -1] = tie_tie
    return np.append(gradient, by_tie), whole


def _lead_variances(covariance: Matrix) -> Matrix:
    own = np.diagonal(covariance)
    found = own[:, None] + own[None, :] - 2 * covariance
    return np.where(np.eye(len(covariance)) > 0, 1.0, np.maximum(found, 1e-300))
