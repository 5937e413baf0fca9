"""Whether as many ratings as a study plans have the power that it states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from duologue.likert.settings import LikertSettings
from duologue.protocols import say_power
from duologue.studies import Study, say_shared_alpha

if TYPE_CHECKING:
    from duologue.stats import ClusteredDesign


def weak_ratings(study: Study, settings: LikertSettings, ratings: Mapping[str, int]) -> Iterator[str]:
    """A warning where the ratings planned of each bot have less power than the study states.

    By the test of the analysis: bots are compared within annotators, whose leniency is removed.

    Args:
        study: The study.
        settings: Of its protocol.
        ratings: Planned of each bot.
    """
    from duologue.stats import sample_size

    if len(ratings) < 2:
        return
    stopping = study.file.stopping
    tests = tests_sharing_alpha(settings, len(ratings))
    each = ratings_of_one_annotator(study, len(ratings))
    deciding = _deciding(study, settings, len(ratings))
    fewest = min(ratings.values())
    power = power_of_ratings(study, settings, ratings)
    if power >= stopping.power:
        return
    enough = sample_size(deciding, settings.gap, power=stopping.power).judgments
    where = "chats_per_bot in [chat]"
    if settings.source != "live":
        where = "the dialogues of each bot" if settings.per_bot is None else "per_bot in [likert]"
    yield (
        f"{_ratings(fewest)} a difference of {settings.gap:g} points with a power of "
        f"{say_power(power)}, and [stopping] states {stopping.power:g}{say_shared_alpha(tests)}; ratings are "
        f"assumed to have a standard deviation of {RATING_SD:g}, and to correlate by {stopping.icc:g} where "
        f"they are by one annotator, who gives {each:,}. {enough:,} would have it: raise {where}, or state "
        "another gap or power."
    )


def power_of_ratings(study: Study, settings: LikertSettings, ratings: Mapping[str, int]) -> float:
    """The power that so many ratings of each of several bots have for the planned difference.

    By the test of the analysis, with the assumptions of `study check`.
    """
    deciding = _deciding(study, settings, len(ratings))
    return float(deciding.power([min(ratings.values())], settings.gap)[0])


def _deciding(study: Study, settings: LikertSettings, bots: int) -> ClusteredDesign:
    from duologue.stats import ClusteredDesign, DesignEffect, RatingDifference

    stopping = study.file.stopping
    design = RatingDifference(
        sd=RATING_SD,
        alpha=stopping.alpha / tests_sharing_alpha(settings, bots),
        icc=stopping.icc,
        bots=bots,
        per_annotator=ratings_of_one_annotator(study, bots),
    )
    effect = DesignEffect(icc=stopping.icc, cluster_size=study.caps.judgments_per_item)
    return ClusteredDesign(design=design, effect=effect)


def _ratings(count: int) -> str:
    return "1 rating of a bot finds" if count == 1 else f"{count:,} ratings of a bot find"


def ratings_of_one_annotator(study: Study, bots: int) -> int:
    """How many ratings one annotator gives: what is set, or one round of all bots (or several, if set).

    Where chats with the same bot are limited, they are never more than that allows.
    """
    caps = study.caps
    most = bots * (caps.max_per_group or 1)
    return min(caps.max_judgments or most, most) if caps.max_per_group else caps.max_judgments or most


RATING_SD = 1.0
"""Of one rating, in points: what `duologue study plan` takes as well unless it is told."""


def tests_sharing_alpha(settings: LikertSettings, bots: int) -> int:
    """How many tests share the error rate: the pairs of bots of every question, unless one is primary."""
    pairs = bots * (bots - 1) // 2
    return pairs if settings.primary is not None else pairs * len(settings.questions)
