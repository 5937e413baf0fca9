"""Strengths freed of what covariates explain: a naive twin, what must not move them, the gate, errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from duologue.errors import BadNumber
from duologue.stats import ControlVariate, Covariates, PooledStrengths, compare_strengths, pooled_strengths
from duologue.stats.strengths.cluster_scores import VoteResiduals
from duologue.stats.strengths.covariates import FEWEST_FOR_COVARIATES, FOLDS, GATE, CovariateShift
from duologue.stats.strengths.pooled import checked_judgments, fit_parameters, inverse_information
from tests.error_rates import STUDIES, why_refused

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """A simulated study: judgments, and what is known of all dialogues."""

    first: Ints
    second: Ints
    won: Floats
    annotators: Ints
    bots: int
    covariates: Covariates

    def fit(self, *, with_covariates: bool = True) -> PooledStrengths:
        shown = np.asarray(self.covariates.of_first), np.asarray(self.covariates.of_second)
        return pooled_strengths(
            self.first,
            self.second,
            self.won,
            "ABCDEFGH"[: self.bots],
            annotators=self.annotators,
            dialogues=shown,
            model="davidson" if (self.won == 0.5).any() else "bradley-terry",
            covariates=self.covariates if with_covariates else None,
        )

    def controlled(self) -> tuple[PooledStrengths, ControlVariate]:
        fit = self.fit()
        assert fit.control is not None
        return fit, fit.control

    def of(self, values: Floats) -> Judged:
        return replace(self, covariates=replace(self.covariates, values=values))


def simulated(
    rng: np.random.Generator,
    *,
    bots: int = 6,
    annotators: int = 60,
    each: int = 10,
    dialogues: int = 1_000,
    shown: int = 0,
    slope: float = 0.6,
    useless: int = 0,
    informative: bool = True,
    own: float = 0.3,
    taste: float = 0.4,
    lift: Sequence[float] = (),
    strengths: Sequence[float] = (),
    ties: float = 0.0,
    much: float | None = None,
) -> Judged:
    """A study with ``dialogues`` of each bot, of which ``shown`` (all: 0) may be judged, used evenly.

    The log-odds of a judgment are the difference of the two bots' strengths, of ``slope`` times the covariate
    of either dialogue, of something else about them (``own``), and of the annotator's taste.
    """
    i, j = np.triu_indices(bots, 1)
    n, used = annotators * each, shown or dialogues
    known = rng.normal(0, 1, (bots, dialogues)) + (np.array(lift)[:, None] if len(lift) else 0.0)
    quality = slope * known + rng.normal(0, own, (bots, dialogues))
    quality += np.array(strengths)[:, None] if len(strengths) else 0.0
    matchup = rng.permutation(np.arange(n) % len(i))
    first, second = i[matchup], j[matchup]
    place = np.zeros((2, n), dtype=np.int64)
    for bot in range(bots):
        where = np.flatnonzero(np.concatenate([first == bot, second == bot]))
        decks = [rng.permutation(used) for _ in range(len(where) // used + 1)]
        place.ravel()[where] = np.concatenate(decks)[: len(where)]
    people = np.arange(n) // each
    tastes = rng.normal(0, taste, (annotators, bots))
    lead = (
        quality[first, place[0]] - quality[second, place[1]] + tastes[people, first] - tastes[people, second]
    )
    felt = lead + rng.logistic(0, 1, n)
    won = (felt > 0).astype(np.float64)
    if much is not None:
        won = np.where(np.abs(felt) > much, won, 0.25 + won / 2)
    won[rng.random(n) < ties] = 0.5
    columns = [known.reshape(-1, 1)] if informative else []
    columns += [rng.normal(0, 1, (bots * dialogues, useless))] if useless else []
    covariates = Covariates(
        np.hstack(columns),
        np.repeat(np.arange(bots), dialogues),
        first * dialogues + place[0],
        second * dialogues + place[1],
    )
    return Judged(first, second, won, people, bots, covariates)


@pytest.fixture(scope="module")
def judged() -> Judged:
    """Three bots, one covariate that explains a good deal and one that explains nothing."""
    return simulated(
        np.random.default_rng(5), bots=3, annotators=40, each=10, dialogues=1_000, slope=1.5, useless=1
    )


@dataclass(frozen=True)
class Naive:
    """What a shift comes to by plain loops."""

    explained: float
    low: float
    weight: float
    moved: Floats
    lead: Floats
    pool: Floats


def naive(judged: Judged, residual: Floats, curve: Floats, inverse: Floats) -> Naive:
    """The same as `CovariateShift.of`, of judgments with these residuals and variances."""
    values, owner = np.asarray(judged.covariates.values), np.asarray(judged.covariates.owner)
    one, other = np.asarray(judged.covariates.of_first), np.asarray(judged.covariates.of_second)
    n, bots = len(judged.won), judged.bots

    def within(x: Floats) -> Floats:
        x = x.copy()
        for a in range(bots):
            for b in range(a + 1, bots):
                own = ((judged.first == a) & (judged.second == b)) | (
                    (judged.first == b) & (judged.second == a)
                )
                x[own] -= x[own].mean(axis=0)
        return x

    turn = np.where(judged.first < judged.second, 1.0, -1.0)
    apart = values[one] - values[other]
    fold = judged.annotators % FOLDS
    y, x = within(residual * turn), within(apart * turn[:, None])
    slopes = [np.linalg.lstsq(x[fold != k], y[fold != k], rcond=None)[0] for k in range(FOLDS)]
    said = within(np.array([x[k] @ slopes[fold[k]] for k in range(n)]))
    correlation = float(np.corrcoef(y, said)[0, 1])
    scaled, answered = said / said.std(), y / y.std()
    influence = scaled * answered - correlation * (scaled**2 + answered**2) / 2
    sums = [
        sum(float(influence[kind == code].sum()) ** 2 for code in np.unique(kind))
        for kind in (judged.annotators, one, other)
    ]
    low = max(0.0, correlation - 1.6448536 * max(sums) ** 0.5 / n)
    weight = min(1.0, max(0.0, float(y @ said / (said @ said))))
    means = np.array([values[owner == bot].mean(axis=0) for bot in range(bots)])
    beyond, push = np.zeros(n), np.zeros(bots)
    for k, (a, b) in enumerate(zip(judged.first, judged.second, strict=True)):
        beyond[k] = weight * (values[one[k]] - means[a] - values[other[k]] + means[b]) @ slopes[fold[k]]
        push[a] += beyond[k]
        push[b] -= beyond[k]
    moved = -inverse[:bots, :bots] @ push
    lead = residual - beyond - curve * (moved[judged.first] - moved[judged.second])
    own = np.zeros((len(values), bots))
    for k, (a, b) in enumerate(zip(judged.first, judged.second, strict=True)):
        for row in (one[k], other[k]):
            own[row, a] += lead[k]
            own[row, b] -= lead[k]
    pool = np.zeros((bots, bots))
    for row, bot in enumerate(owner):
        added = np.zeros(bots)
        for k, (a, b) in enumerate(zip(judged.first, judged.second, strict=True)):
            if bot in (a, b):
                step = (
                    weight * float((values[row] - means[bot]) @ slopes[fold[k]]) / int((owner == bot).sum())
                )
                added[bot] += step
                added[b if bot == a else a] -= step
        pool += np.outer(own[row] + added, own[row] + added) - np.outer(own[row], own[row])
    return Naive(correlation**2, low**2, weight, moved, lead, pool)


def test_a_shift_is_that_of_the_naive_twin() -> None:
    """Covariances by hand too: the largest of annotators, dialogues, both and the model's, with the pool."""
    rng = np.random.default_rng(15)
    study = simulated(
        rng,
        bots=3,
        annotators=34,
        each=6,
        dialogues=60,
        shown=30,
        slope=1.5,
        useless=1,
        strengths=(0.5, 0, 0),
    )
    names = tuple("ABC")
    fitted = checked_judgments(study.first, study.second, study.won, names, "bradley-terry")
    parameters = fit_parameters(fitted.counts, "bradley-terry")
    inverse = inverse_information(fitted.counts, parameters, "bradley-terry")
    scored = VoteResiduals.of(fitted, parameters)
    chance = 1 / (1 + np.exp(parameters[study.second] - parameters[study.first]))
    assert scored.curve_of_each == pytest.approx(chance * (1 - chance))
    expected = naive(study, study.won - chance, chance * (1 - chance), inverse)
    people = study.annotators.astype(np.intp)
    shift = CovariateShift.of(scored, inverse, people, study.covariates, is_separated=False)
    assert shift.found.is_open
    assert shift.found.explained == pytest.approx(expected.explained)
    assert shift.found.low == pytest.approx(expected.low)
    assert shift.found.weight == pytest.approx(expected.weight)
    assert shift.moved == pytest.approx(expected.moved)
    assert shift.scored.lead == pytest.approx(expected.lead)
    assert shift.pool == pytest.approx(expected.pool)
    assert shift.sizes.tolist() == [60, 60, 60]

    fit, plain = study.fit(), study.fit(with_covariates=False)
    assert fit.control is not None
    assert fit.strengths == pytest.approx(plain.strengths + expected.moved)
    added = inverse @ expected.pool @ inverse
    centre = np.eye(3) - 1 / 3
    for a, b in ((0, 1), (0, 2), (1, 2)):
        turn = np.eye(3)[a] - np.eye(3)[b]
        without = fit.lead_errors[a, b] ** 2 - max(0.0, float(turn @ added @ turn))
        model = shift.scored.dispersion * float(turn @ inverse @ turn)
        assert model <= without + 1e-9
        by_person = shift.scored.scatter([people], 34) * 34 / 33
        assert float(turn @ inverse @ by_person @ inverse @ turn) <= without + 1e-9
    alone = np.maximum(np.diag(centre @ added @ centre), 0)
    assert (fit.errors**2 - alone > np.diag(centre @ inverse @ centre) * shift.scored.dispersion - 1e-9).all()
    saved = [
        1 - fit.lead_errors[a, b] ** 2 / plain.lead_errors[a, b] ** 2 for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    assert fit.control.saved == pytest.approx(np.mean(saved))


def test_degrees_of_freedom_are_those_of_the_dialogues_where_these_are_few() -> None:
    rng = np.random.default_rng(21)
    study = simulated(rng, bots=3, annotators=60, each=6, dialogues=30, shown=15, slope=2.0)
    fit, control = study.controlled()
    assert control.is_open
    assert (study.fit(with_covariates=False).df == 14).all()  # dialogues that repeat
    assert (fit.df == 14).all()
    once = simulated(rng, bots=3, annotators=134, each=3, dialogues=400, slope=2.0)
    assert once.controlled()[1].is_open
    assert (once.fit().df <= 133).all()
    alone = simulated(rng, bots=3, annotators=300, each=1, dialogues=210, slope=2.0)
    assert alone.controlled()[1].is_open
    assert (alone.fit(with_covariates=False).df == 299).all()
    assert (alone.fit().df == 209).all()  # no dialogue repeats, but there are 210 of each bot


def test_what_is_known_of_the_dialogues_is_counted(judged: Judged) -> None:
    _, control = judged.controlled()
    shown = {*np.asarray(judged.covariates.of_first), *np.asarray(judged.covariates.of_second)}
    assert (control.n, control.shown, control.dialogues) == (400, len(shown), 3_000)
    assert GATE <= control.low < control.explained < 0.5
    assert control.saved > 0


def test_that_one_bot_writes_longer_replies_is_not_adjusted_away(judged: Judged) -> None:
    """Adding anything to all dialogues of a bot changes nothing: only what is beyond its average counts."""
    longer = (
        np.asarray(judged.covariates.values)
        + np.array([5.0, 0.0, -3.0])[np.asarray(judged.covariates.owner), None]
    )
    ours, theirs = judged.fit(), judged.of(longer).fit()
    assert theirs.strengths == pytest.approx(ours.strengths, abs=1e-9)
    assert theirs.lead_errors == pytest.approx(ours.lead_errors, abs=1e-9)


def test_units_of_a_covariate_change_nothing(judged: Judged) -> None:
    ours = judged.fit()
    theirs = judged.of(np.asarray(judged.covariates.values) * np.array([-1e6, 1e-15])).fit()
    assert theirs.strengths == pytest.approx(ours.strengths, abs=1e-7)
    assert theirs.lead_errors == pytest.approx(ours.lead_errors, abs=1e-7)


def test_which_bot_of_a_judgment_is_first_changes_nothing(judged: Judged) -> None:
    turn = np.random.default_rng(3).random(len(judged.won)) < 0.5
    first, second = np.where(turn, judged.second, judged.first), np.where(turn, judged.first, judged.second)
    one, other = np.asarray(judged.covariates.of_first), np.asarray(judged.covariates.of_second)
    covariates = replace(
        judged.covariates, of_first=np.where(turn, other, one), of_second=np.where(turn, one, other)
    )
    turned = replace(
        judged,
        first=first,
        second=second,
        won=np.where(turn, 1 - judged.won, judged.won),
        covariates=covariates,
    )
    assert turned.fit().strengths == pytest.approx(judged.fit().strengths, abs=1e-9)
    assert turned.fit().lead_errors == pytest.approx(judged.fit().lead_errors, abs=1e-9)


def test_the_same_covariate_twice_is_that_covariate_once(judged: Judged) -> None:
    values = np.asarray(judged.covariates.values)
    twice = judged.of(np.hstack([values, values[:, :1]])).fit()
    assert twice.strengths == pytest.approx(judged.fit().strengths, abs=1e-9)


def test_a_covariate_that_is_the_same_everywhere_changes_nothing(judged: Judged) -> None:
    values = np.asarray(judged.covariates.values)
    more = judged.of(np.hstack([values, np.ones((len(values), 1))])).fit()
    assert more.strengths == pytest.approx(judged.fit().strengths, abs=1e-9)
    control = judged.of(np.ones((len(values), 1))).controlled()[1]
    assert (control.why_shut, control.explained, control.low) == ("weak", 0, 0)


def test_little_is_saved_where_all_dialogues_were_judged_alike() -> None:
    """Each of 20 dialogues of each of 6 bots is judged ten times."""
    rng = np.random.default_rng(8)
    found = [simulated(rng, dialogues=20, slope=1.2) for _ in range(30)]
    controls = [one.controlled()[1] for one in found]
    assert all(one.shown == one.dialogues == 120 for one in controls)
    assert {one.why_shut for one in controls} == {"", "idle"}
    assert all(one.is_open == (one.saved > 0) == (one.weight > 0) for one in controls)
    assert np.mean([one.explained for one in controls]) > 0.2
    assert np.mean([one.saved for one in controls]) < 0.08
    idle = next(one for one in found if one.controlled()[1].why_shut == "idle")
    plain, fit = idle.fit(with_covariates=False), idle.fit()
    assert (fit.strengths == plain.strengths).all()
    assert (fit.lead_errors == plain.lead_errors).all()


def test_dialogues_that_are_like_the_average_change_no_strength(judged: Judged) -> None:
    values = np.vstack([np.asarray(judged.covariates.values), np.full((50, 2), 9.0)])
    owner = np.concatenate([np.asarray(judged.covariates.owner), np.full(50, 2)])
    values[-50:] = values[:3_000][owner[:3_000] == 2].mean(axis=0)
    more = replace(judged, covariates=replace(judged.covariates, values=values, owner=owner))
    assert more.controlled()[1].dialogues == 3_050
    assert more.fit().strengths == pytest.approx(judged.fit().strengths, abs=1e-9)


def test_useless_covariates_are_left_out() -> None:
    found = simulated(np.random.default_rng(9), informative=False, useless=3)
    plain, (fit, control) = found.fit(with_covariates=False), found.controlled()
    assert control.why_shut == "weak"
    assert control.low < GATE
    assert (control.weight, control.saved) == (0, 0)
    assert (fit.strengths == plain.strengths).all()
    assert (fit.lead_errors == plain.lead_errors).all()


def test_two_hundred_judgments_are_needed() -> None:
    few = simulated(np.random.default_rng(1), bots=3, annotators=33, each=6, slope=3.0)
    assert len(few.won) == FEWEST_FOR_COVARIATES - 2
    control = few.controlled()[1]
    assert control.why_shut == "few"
    assert (control.explained, control.low, control.weight, control.saved) == (0, 0, 0, 0)
    enough = simulated(np.random.default_rng(1), bots=3, annotators=34, each=6, slope=3.0)
    assert enough.controlled()[1].is_open


def test_twenty_judged_dialogues_are_needed_for_each_covariate() -> None:
    rng = np.random.default_rng(2)
    found = simulated(rng, bots=3, annotators=40, dialogues=30, shown=13, slope=3.0, useless=1)
    assert found.controlled()[1].shown == 39
    assert found.controlled()[1].why_shut == "few"
    forty = simulated(rng, bots=4, annotators=40, dialogues=30, shown=10, slope=3.0, useless=1)
    assert forty.controlled()[1].shown == 40
    assert forty.controlled()[1].why_shut != "few"
    assert found.of(np.asarray(found.covariates.values)[:, :1]).controlled()[1].is_open


def test_a_bot_that_never_won_keeps_the_gate_shut() -> None:
    found = simulated(np.random.default_rng(4), bots=3, annotators=40, slope=1.5)
    beaten = np.where(found.first == 2, 0.0, np.where(found.second == 2, 1.0, found.won))
    assert replace(found, won=beaten).controlled()[1].why_shut == "separated"


def test_judgments_of_unknown_dialogues_are_not_corrected(judged: Judged) -> None:
    one = np.asarray(judged.covariates.of_first).copy()
    one[:150] = -1
    fewer = replace(judged, covariates=replace(judged.covariates, of_first=one))
    fit = pooled_strengths(
        judged.first,
        judged.second,
        judged.won,
        "ABC",
        annotators=judged.annotators,
        covariates=fewer.covariates,
    )
    assert fit.control is not None
    assert fit.control.n == 250


def test_ties_keep_their_own_parameter() -> None:
    found = simulated(np.random.default_rng(12), slope=1.2, ties=0.2)
    fit, control = found.controlled()
    assert control.is_open
    assert fit.tie == found.fit(with_covariates=False).tie
    assert control.saved > 0.02


def test_arrays_that_do_not_fit_are_refused(judged: Judged) -> None:
    one = np.asarray(judged.covariates.of_first)
    for wrong in (
        replace(judged.covariates, of_first=one[1:]),
        replace(judged.covariates, of_first=one + 3_000),
        replace(judged.covariates, of_first=np.asarray(judged.covariates.of_second)),
        replace(judged.covariates, values=np.full((3_000, 1), np.nan)),
        replace(judged.covariates, values=np.zeros((2_999, 1))),
        replace(judged.covariates, values=np.zeros((3_000, 0))),
    ):
        with pytest.raises(BadNumber, match="covariates"):
            pooled_strengths(
                judged.first, judged.second, judged.won, "ABC", annotators=judged.annotators, covariates=wrong
            )


NULLS = {
    "informative": {},
    "each dialogue judged once": {"dialogues": 200, "slope": 1.0},
    "each dialogue judged ten times": {"dialogues": 20, "slope": 1.0},
    "few dialogues judged often": {"dialogues": 400, "shown": 40, "slope": 1.0, "own": 0.8},
    "useless": {"informative": False, "useless": 1},
    "many useless": {"informative": False, "useless": 20},
    "one of twenty": {"useless": 19},
    "many useless, few dialogues": {"useless": 5, "dialogues": 60, "shown": 24, "own": 1.0, "slope": 0.8},
    "strong tastes": {"taste": 1.0, "slope": 1.2, "annotators": 40, "each": 15},
    "few annotators": {"annotators": 20, "each": 20, "slope": 1.0},
    "bots as good, one longer": {"lift": (1, 0, 0, 0, 0, 0), "strengths": (-0.6, 0, 0, 0, 0, 0)},
    "four points": {"much": 1.0, "slope": 1.0},
    "ties": {"ties": 0.2, "slope": 1.0},
    "eight bots": {"bots": 8, "annotators": 56, "each": 7, "slope": 1.0},
}


@pytest.mark.slow
@pytest.mark.parametrize("null", NULLS)
def test_equal_bots_are_rarely_told_apart(null: str) -> None:
    rng = np.random.default_rng([2_026, list(NULLS).index(null)])
    wrong, is_open, saved = 0, 0, 0.0
    for _ in range(STUDIES):
        fit, control = simulated(rng, **NULLS[null]).controlled()  # type: ignore[arg-type]
        wrong += any(one.is_different for one in compare_strengths(fit).pairs)
        is_open += control.is_open
        saved += control.saved
    print(f"{null}: {wrong / STUDIES:.4f}, open {is_open / STUDIES:.3f}, saved {saved / STUDIES:.3f}")
    assert why_refused(wrong) == ""
    if null.endswith("useless"):
        assert is_open / STUDIES < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(("dialogues", "shown"), [(4_000, 0), (400, 0), (400, 100), (20, 0)])
def test_what_is_said_to_be_saved_is_saved(dialogues: int, shown: int) -> None:
    """Without tastes the variance falls by the share explained, where hardly any dialogue was judged."""
    rng = np.random.default_rng(77)
    leads, controls = [], []
    for _ in range(1_500):
        study = simulated(rng, dialogues=dialogues, shown=shown, slope=0.8, own=0.0, taste=0.0)
        plain, (fit, control) = study.fit(with_covariates=False), study.controlled()
        leads.append([one.strengths[:-1] - one.strengths[1:] for one in (plain, fit)])
        controls.append((control.explained, control.saved, control.shown / control.dialogues))
    before, after = np.var(np.array(leads), axis=0).mean(axis=1)
    explained, saved, judged = np.mean(controls, axis=0)
    print(f"{dialogues}, {shown}: {1 - after / before:.3f}, saved {saved:.3f}, explained {explained:.3f}")
    assert -0.03 < 1 - after / before - saved < 0.06, "rather less is said than was saved"
    if judged < 0.1:
        assert saved == pytest.approx(explained, abs=0.03)
