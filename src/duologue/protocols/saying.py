"""Numbers in words, the same in every sentence of every protocol."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from duologue.protocols.records import ONLY_ARM

if TYPE_CHECKING:
    from duologue.stats import AnswerCorrelation, Correlation

TOPPING_UP = "testing again after adding judgments would be a new test"
"""Said wherever a number of missing judgments is."""


def say_p(p_value: float) -> str:
    """A p-value in words.

    Example:
        >>> say_p(0.0312), say_p(0.00002), say_p(1.0)
        ('p = 0.031', 'p < 0.001', 'p = 1.000')
    """
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def say_correlation(found: Correlation, *, form: str = ".2f") -> str:
    """A correlation with its interval, or the exact p-value of few pairs; alone where it has neither.

    Example:
        >>> from duologue.stats import Correlation
        >>> say_correlation(Correlation(0.9, None, 0.083)), say_correlation(Correlation(0.9, None))
        ('0.90 (p = 0.083)', '0.90')
    """
    value = format(found.value, form)
    if found.interval is not None:
        return f"{value} [{found.interval.low:{form}}, {found.interval.high:{form}}]"
    return value if found.p_value is None else f"{value} ({say_p(found.p_value)})"


def say_claim(
    better: str | None, *, has_verdict: bool = True, is_open: bool = False, word: str = "better"
) -> str:
    """What a verdict comes to, in a few words.

    Args:
        better: The better bot, where there is one.
        has_verdict: Whether anything can be said about the bots.
        is_open: Whether a sequential test decides: without a verdict it says nothing, now or at its end.
        word: What the better bot is.

    Example:
        >>> say_claim("ann"), say_claim(None)
        ('ann better', 'no difference detected')
        >>> say_claim(None, has_verdict=False), say_claim(None, is_open=True)
        ('no verdict', 'not decided')
    """
    if better:
        return f"{better} {word}"
    if not has_verdict:
        return "no verdict"
    return "not decided" if is_open else "no difference detected"


def say_percent(share: float, digits: int = 1) -> str:
    """A share as a percentage.

    Example:
        >>> say_percent(0.6173), say_percent(0.8, 0)
        ('61.7 %', '80 %')
    """
    return f"{100 * share:.{digits}f} %"


def say_power(power: float, digits: int = 2) -> str:
    """The power of a test, which is never said to be 0 or 1.

    Example:
        >>> say_power(0.8049), say_power(0.0012), say_power(0.9991), say_power(0.9991, digits=3)
        ('0.80', 'under 0.01', 'over 0.99', '0.999')
    """
    return _say_chance(power, digits, certain=1)


def say_power_percent(power: float) -> str:
    """The power of a test in per cent, which is never said to be 0 or 100.

    Example:
        >>> say_power_percent(0.8049), say_power_percent(0.0001), say_power_percent(0.99997)
        ('80.5 %', 'under 0.1 %', 'over 99.9 %')
    """
    return f"{_say_chance(100 * power, 1, certain=100)} %"


def _say_chance(chance: float, digits: int, *, certain: int) -> str:
    said, step = round(chance, digits), 10.0**-digits
    if said <= 0:
        return f"under {step:.{digits}f}"
    return f"over {certain - step:.{digits}f}" if said >= certain else f"{chance:.{digits}f}"


def say_span(low: float, high: float) -> str:
    """An interval of shares in per cent.

    Example:
        >>> say_span(0.5073, 0.6871)
        '[50.7, 68.7]'
    """
    return f"[{100 * low:.1f}, {100 * high:.1f}]"


def say_level(level: float) -> str:
    """A level of confidence.

    Example:
        >>> say_level(0.95), say_level(1 - 0.05 / 3)
        ('95 %', '98.33 %')
    """
    return f"{100 * level:.4g} %" if level < 0.9999 else f"{100 * level:.6g} %"


def say_rating(mean: float) -> str:
    """A mean of ratings, or a difference of two, in points of the scale.

    Example:
        >>> say_rating(3.1149), say_rating(-0.004)
        ('3.11', '0.00')
    """
    return f"{round(mean, 2) + 0.0:.2f}"


def say_rating_span(low: float, high: float) -> str:
    """An interval of ratings, or of differences of ratings.

    Example:
        >>> say_rating_span(-0.204, 0.6671)
        '[-0.20, 0.67]'
    """
    return f"[{say_rating(low)}, {say_rating(high)}]"


def say_seconds(seconds: float) -> str:
    """Seconds without their unit, also where there is less than one.

    Example:
        >>> say_seconds(34.6), say_seconds(0.321)
        ('35', '0.32')
    """
    return f"{seconds:.0f}" if seconds >= 1 else f"{seconds:.2g}"


def say_work(hours: float) -> str:
    """Time that people spent: hours, or minutes where the hours would be none.

    Example:
        >>> say_work(2.25), say_work(0.04), say_work(0.0003)
        ('2.2 person-hours', '2.4 person-minutes', 'under 0.1 person-minutes')
    """
    if hours >= 0.1:
        return f"{hours:.1f} person-hours"
    minutes = 60 * hours
    return f"{minutes:.1f} person-minutes" if minutes >= 0.05 else "under 0.1 person-minutes"


def say_count(count: int, noun: str) -> str:
    """So many of something, in the plural where they are several.

    Example:
        >>> say_count(1, "judgment"), say_count(12_000, "judgment"), say_count(0, "judgment")
        ('1 judgment', '12,000 judgments', '0 judgments')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def say_why(what: str, why: str) -> str:
    """What there is not, and why: a reason that is a sentence of its own begins one.

    Example:
        >>> say_why("No strengths", "sides are not balanced.")
        'No strengths: sides are not balanced.'
        >>> say_why("No strengths", "A comparison needs two annotators.")
        'No strengths. A comparison needs two annotators.'
    """
    return f"{what}{'.' if why[:1].isupper() else ':'} {why.rstrip('.')}."


def say_arm(arm: str) -> str:
    """An arm beside others; nothing where a study has only one, or a table none.

    Example:
        >>> say_arm("fun"), say_arm("main"), say_arm("")
        ('arm fun', '', '')
    """
    return "" if arm in ("", ONLY_ARM) else f"arm {arm}"


def say_list(names: Iterable[str]) -> str:
    """Names with commas and an "and".

    Example:
        >>> say_list(["A", "B", "C"])
        'A, B and C'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def say_answer_correlations(found: Iterable[AnswerCorrelation], *, within: str) -> str:
    """How far answers to each two questions correlate, in a sentence; empty where nothing is known.

    Args:
        found: The correlations.
        within: Of what the means were taken off: ``matchup``, ``bot``.
    """
    known = [one for one in found if one.correlation is not None]
    if not known:
        return ""
    each = say_list(
        f"{one.first} and {one.second} {say_correlation(one.correlation)} (n = {one.n:,})"
        for one in known
        if one.correlation is not None
    )
    return (
        f"Answers about the same item, within a {within}, correlate: {each}. Questions that measure "
        "different things can correlate: this alone is no sign that one answer coloured another."
    )
