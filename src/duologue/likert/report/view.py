"""What is drawn of ratings, the same on the page and in the figures: places on the scale, and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from duologue.reports import Curve, ExclusionStep, curve_over_time, flow_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duologue.likert import BotRating, PersonaDetection, QuestionResult, RatingPair, RatingSection
    from duologue.likert.analysis.results import TableRow
    from duologue.stats import Interval

SENTENCES_SHOWN = 20
"""A screenful of verdicts on a terminal; with more pairs than this, the surest of them are shown."""

PAIRS_SHOWN = 60
"""A table of more pairs is not read on a page; ``tables/pairs.csv`` has them all."""

MOST_TICKS = 11


@dataclass(frozen=True, slots=True)
class Bar:
    """A mean and its interval, as places on the scale from 0 to 100 (per cent of its length)."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class MeanRow:
    """One bot's mean, before and after calibration."""

    bot: str
    n: int
    before: Bar
    naive: Bar
    after: Bar | None
    before_numbers: str
    after_numbers: str
    shares: tuple[float, ...]
    """Per cent of the ratings that each point got, the lowest first."""
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A point of the scale: where it is, and its number."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class LeniencyDot:
    """One annotator's leniency, in per cent of the plot; the harshest is on the left."""

    x: float
    y: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class LeniencyFigure:
    """How far annotators rate above or below the average, and what stands at the ends of the plot."""

    dots: tuple[LeniencyDot, ...]
    reach: float
    """Points of the scale at the upper edge; the lower edge is as far below zero."""
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class PersonaRow:
    """How often one bot's persona was told from another, in per cent."""

    bot: str
    n: int
    rate: float
    low: float
    high: float
    clustered_low: float | None
    clustered_high: float | None
    numbers: str


def clustered_by(question: QuestionResult) -> str:
    """What the intervals of means are clustered by; empty where no mean has one."""
    bots = [bot for bot in question.bots if bot.interval is not None]
    if not bots:
        return ""
    if any(bot.interval is not None and "2-way" in bot.interval.method for bot in bots):
        return "annotator and dialogue"
    return "dialogue" if all(bot.annotators is None for bot in bots) else "annotator"


def mean_rows(question: QuestionResult) -> tuple[MeanRow, ...]:
    """Every bot of a question, best first."""
    return tuple(_mean_row(question, bot) for bot in question.bots)


def _mean_row(question: QuestionResult, bot: BotRating) -> MeanRow:
    total = max(1, sum(bot.counts))
    after = None
    if bot.calibrated is not None:
        after = _bar(question, bot.calibrated, bot.calibrated_interval)
    return MeanRow(
        bot=bot.bot,
        n=bot.n,
        before=_bar(question, bot.mean, bot.interval),
        naive=_bar(question, bot.mean, bot.naive_interval),
        after=after,
        before_numbers=numbers(bot.mean, bot.interval),
        after_numbers="" if bot.calibrated is None else numbers(bot.calibrated, bot.calibrated_interval),
        shares=tuple(100 * count / total for count in bot.counts),
        counts=bot.counts,
    )


def _bar(question: QuestionResult, mean: float, interval: Interval | None) -> Bar:
    if interval is None:
        return Bar(place(question, mean), None, None)
    return Bar(place(question, mean), place(question, interval.low), place(question, interval.high))


def place(question: QuestionResult, rating: float) -> float:
    """Where a rating lies on the scale, in per cent of its length; what is beyond lies at the end."""
    share = (rating - question.low) / (question.high - question.low)
    return 100 * min(1.0, max(0.0, share))


def numbers(mean: float, interval: Interval | None) -> str:
    """A mean with its interval.

    Example:
        >>> from duologue.stats import Interval
        >>> numbers(3.114, None), numbers(3.114, Interval(2.9, 3.301, 0.95, "t"))
        ('3.11', '3.11 [2.90, 3.30]')
    """
    span = f" [{interval.low:.2f}, {interval.high:.2f}]" if interval is not None else ""
    return f"{mean:.2f}{span}"


def unrated_bots(question: QuestionResult, section: RatingSection) -> tuple[TableRow, ...]:
    """The bots that failed in live chats and have no rating on this question that counts."""
    rated = {bot.bot for bot in question.bots}
    return tuple(row for row in section.table if row.failed and row.bot not in rated)


def ticks(question: QuestionResult) -> tuple[Tick, ...]:
    """The points of the scale, or some of them when there are many."""
    span = question.high - question.low
    step = 1 if span < MOST_TICKS else -(-span // 5)
    points = list(range(question.low, question.high, step))
    if span % step < step / 2 and span % step:
        points.pop()  # too close to the last
    return tuple(Tick(place(question, point), str(point)) for point in (*points, question.high))


def scale_in_words(question: QuestionResult) -> str:
    """The scale: its ends with their labels."""
    low, high = str(question.low), str(question.high)
    if question.labels:
        low = f"{low} ({question.labels[0]})" if question.labels[0] else low
        high = f"{high} ({question.labels[-1]})" if question.labels[-1] else high
    return f"{low} to {high}"


def leniency_figure(question: QuestionResult) -> LeniencyFigure | None:
    """The annotators' leniency from the harshest to the most lenient; None where there is none to show."""
    if question.calibration is None or len(question.calibration.leniency) < 2:
        return None
    found = question.calibration.leniency[::-1]
    reach = max(0.1, *(abs(one.bias) + one.deviation for one in found))
    if not any(one.bias for one in found):
        return None

    def height(points: float) -> float:
        return 50 - 50 * points / reach

    dots = tuple(
        LeniencyDot(
            x=100 * (number + 0.5) / len(found),
            y=height(one.bias),
            top=height(one.bias + one.deviation),
            bottom=height(one.bias - one.deviation),
        )
        for number, one in enumerate(found)
    )
    return LeniencyFigure(dots, reach, found[0].bias, found[-1].bias)


def persona_rows(personas: Sequence[PersonaDetection]) -> tuple[PersonaRow, ...]:
    """Persona detection of every bot, in the order given."""
    return tuple(
        PersonaRow(
            bot=one.bot,
            n=one.n,
            rate=100 * one.rate,
            low=100 * one.interval.low,
            high=100 * one.interval.high,
            clustered_low=100 * one.clustered_interval.low if one.clustered_interval else None,
            clustered_high=100 * one.clustered_interval.high if one.clustered_interval else None,
            numbers=(
                f"{100 * one.rate:.1f} % [{100 * one.interval.low:.1f}, {100 * one.interval.high:.1f}], "
                f"n = {one.n:,}"
            ),
        )
        for one in personas
    )


def surest_pairs(pairs: Sequence[RatingPair]) -> tuple[RatingPair, ...]:
    """Pairs in the order of their p-values, those without one last."""
    return tuple(sorted(pairs, key=lambda pair: (1.0 if pair.p_value is None else pair.p_value, pair.name)))


def exclusion_steps(section: RatingSection) -> tuple[ExclusionStep, ...]:
    """From all judgments collected, through each rule, to those that count."""
    found = section.exclusions
    rules = [(rule.rule, rule.judgments) for rule in found.rules]
    empty = found.collected - found.onboarding - sum(count for _, count in rules) - found.counted
    if empty > 0:
        rules.append(("unrated", empty))
    return flow_steps(
        collected=found.collected, onboarding=found.onboarding, rules=rules, counted=found.counted
    )


def progress_curve(section: RatingSection) -> Curve | None:
    """Judgments that count over time."""
    return curve_over_time([(moment.at, moment.judgments) for moment in section.progress])
