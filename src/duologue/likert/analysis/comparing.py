"""One question: the mean of each bot, and the annotators' leniency removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.judgments import NameColumn, Ratings
from duologue.likert.analysis.results import (
    BotRating,
    Calibration,
    Leniency,
)
from duologue.protocols import say_list, say_rating
from duologue.stats import (
    PUBLISHED_VARIANCES,
    CalibratedRatings,
    Interval,
    calibrate_ratings,
    clustered_mean,
)

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The ratings of one question: scores, and the codes of their bots, annotators and dialogues."""

    names: tuple[str, ...]
    """The bots that have one, by name."""
    bot: Codes
    score: Floats
    annotator: Codes | None
    """None when nobody is known; a rating that does not say whose it is has an annotator of its own."""
    dialogue: Codes | None
    """None unless one of them was rated several times."""
    unit: Codes | None
    """What several annotators rated alike: the item within a dialogue, or the dialogue; None without any."""
    annotators: tuple[str, ...]
    """Those who are known, by their codes."""
    low: int
    high: int

    def of(self, bot: int) -> NDArray[np.bool_]:
        """Which ratings are one bot's."""
        mine: NDArray[np.bool_] = self.bot == bot
        return mine

    @property
    def someone_rated_twice(self) -> bool:
        """Whether any annotator gave two ratings, so that leniency can be seen."""
        return self.annotator is not None and len(np.unique(self.annotator)) < len(self.annotator)

    def clusters(self, rows: NDArray[np.bool_]) -> list[Codes]:
        """What ratings may be correlated by: annotators, and dialogues rated several times."""
        return [codes[rows] for codes in (self.annotator, self.dialogue) if codes is not None]


def scores_of(ratings: Ratings, question: str, *, low: int, high: int) -> Scores:
    """The ratings of one question, those without one left out."""
    rows = ~np.isnan(ratings.points[question])
    chosen = ratings.select(rows)
    present = np.unique(chosen.bot.codes)
    names = tuple(sorted(chosen.bot.names[code] for code in present.tolist()))
    place = {name: number for number, name in enumerate(names)}
    bots = np.array([place.get(name, -1) for name in (*chosen.bot.names, "")], dtype=np.intp)
    dialogues = chosen.dialogue if chosen.dialogue.is_named else chosen.item
    return Scores(
        names=names,
        bot=bots[chosen.bot.codes],
        score=chosen.points[question],
        annotator=chosen.annotator.own_codes.astype(np.intp) if chosen.annotator.is_named else None,
        dialogue=_repeated(dialogues.own_codes),
        unit=_repeated(_units(dialogues, chosen.item)),
        annotators=chosen.annotator.names,
        low=low,
        high=high,
    )


def _units(dialogue: NameColumn, item: NameColumn) -> NDArray[np.integer]:
    """One code for each item within each dialogue."""
    both = np.stack([dialogue.own_codes, item.codes], axis=1)
    return np.unique(both, axis=0, return_inverse=True)[1].ravel()


def _repeated(codes: NDArray[np.integer]) -> Codes | None:
    """The codes, unless each occurs only once."""
    return codes.astype(np.intp) if len(np.unique(codes)) < len(codes) else None


def rate_bots(scores: Scores, calibrated: CalibratedRatings | None, *, level: float) -> tuple[BotRating, ...]:
    """The mean of each bot, the highest first (by the calibrated mean, where there is one).

    The model knows nothing of the ends of the scale: calibrated means and intervals are cut there, as no mean
    of a bot is beyond them. Bots that one annotator alone rated come last.
    """
    found = [_bot_rating(scores, bot, level=level) for bot in range(len(scores.names))]
    if calibrated is not None:
        spans = calibrated.intervals
        found = [
            replace(
                one,
                calibrated=_on_scale(float(calibrated.means[bot]), scores),
                calibrated_interval=replace(
                    spans[bot], low=_on_scale(spans[bot].low, scores), high=_on_scale(spans[bot].high, scores)
                ),
            )
            for bot, one in enumerate(found)
        ]
    return tuple(sorted(found, key=_best_first))


def _on_scale(point: float, scores: Scores) -> float:
    return min(max(point, float(scores.low)), float(scores.high))


def _best_first(rating: BotRating) -> tuple[bool, float, str]:
    return _in_order(rating, rating.mean if rating.calibrated is None else rating.calibrated)


def _in_order(rating: BotRating, mean: float) -> tuple[bool, float, str]:
    return rating.is_by_one_annotator, -round(mean, 9), rating.bot  # what differs by rounding only is a tie


def _bot_rating(scores: Scores, bot: int, *, level: float) -> BotRating:
    rows = scores.of(bot)
    mine = scores.score[rows]
    mean, sd = float(mine.mean()), float(mine.std(ddof=1)) if len(mine) > 1 else None
    clustered = None
    clusters = scores.clusters(rows)
    if clusters:
        middle = (scores.low + scores.high) / 2
        try:
            clustered = clustered_mean(
                mine, clusters, bounds=(scores.low, scores.high), level=level, null=middle
            )
        except NotEnoughJudgments:
            clustered = None
    return BotRating(
        bot=scores.names[bot],
        n=len(mine),
        annotators=None if scores.annotator is None else len(np.unique(scores.annotator[rows])),
        mean=mean,
        sd=sd,
        interval=clustered.interval if clustered else None,
        naive_interval=_naive(mine, scores, level=level),
        icc=clustered.icc if clustered else None,
        counts=_counts(mine, scores),
        calibrated=None,
        calibrated_interval=None,
    )


def _naive(mine: Floats, scores: Scores, *, level: float) -> Interval | None:
    """Every rating as its own cluster is Student's t."""
    if len(mine) < 2:
        return None
    bounds, middle = (scores.low, scores.high), (scores.low + scores.high) / 2
    alone = clustered_mean(mine, [np.arange(len(mine))], bounds=bounds, level=level, null=middle)
    return replace(alone.interval, method="t") if alone.standard_error else alone.interval


def _counts(mine: Floats, scores: Scores) -> tuple[int, ...]:
    if (mine != mine.round()).any():
        return ()
    counts = np.bincount((mine - scores.low).astype(np.intp), minlength=scores.high - scores.low + 1)
    return tuple(counts.tolist())


def calibrate(scores: Scores, *, level: float) -> tuple[CalibratedRatings | None, str]:
    """The Gaussian model with annotators' leniency, or why there is none."""
    if scores.annotator is None:
        return None, "It is not known who gave the ratings."
    try:
        return calibrate_ratings(scores.bot, scores.annotator, scores.score, scores.names, level=level), ""
    except NotEnoughJudgments as error:
        return None, str(error)


def say_calibration(scores: Scores, found: CalibratedRatings, bots: Sequence[BotRating]) -> Calibration:
    """The model behind the calibrated means, each annotator's leniency, and whether the order changed."""
    assert scores.annotator is not None  # noqa: S101  `calibrate` saw to it
    who, count = np.unique(scores.annotator, return_counts=True)
    leniency = [
        Leniency(scores.annotators[code], int(n), float(bias), float(deviation))
        for code, n, bias, deviation in zip(who, count, found.biases, found.bias_deviations, strict=True)
        if code < len(scores.annotators)
    ]
    before = tuple(one.bot for one in sorted(bots, key=lambda one: _in_order(one, one.mean)))
    after = tuple(one.bot for one in bots)
    spread = float(np.sqrt(found.variances.annotators))
    return Calibration(
        annotator_sd=spread,
        rating_sd=float(np.sqrt(found.variances.ratings)),
        leniency=tuple(sorted(leniency, key=lambda one: (-one.bias, one.annotator))),
        published_means=_published(scores, bots),
        order_before=before,
        order_after=after,
        method="Gaussian model with annotator effects, variances by REML",
        sentence=_say_calibrated(spread, int(count.max()), before, after),
    )


def _published(scores: Scores, bots: Sequence[BotRating]) -> tuple[float, ...]:
    if (scores.low, scores.high) != (1, 4) or scores.annotator is None:
        return ()
    found = calibrate_ratings(
        scores.bot, scores.annotator, scores.score, scores.names, variances=PUBLISHED_VARIANCES
    )
    means = dict(zip(scores.names, found.means.tolist(), strict=True))
    return tuple(means[one.bot] for one in bots)


def _say_calibrated(spread: float, most: int, before: Sequence[str], after: Sequence[str]) -> str:
    if most < 2:
        return "Nobody rated twice, so leniency cannot be estimated: calibrated means are the plain ones."
    if spread == 0:
        return "No difference in leniency between annotators was found: calibrated means are the plain ones."
    moved = [bot for bot, other in zip(after, before, strict=True) if bot != other]
    order = (
        "does not change the order of the bots" if not moved else f"changes the order of {say_list(moved)}"
    )
    return (
        f"Annotators differ in leniency by {say_rating(spread)} points (standard deviation); "
        f"adjusting for it {order}."
    )
