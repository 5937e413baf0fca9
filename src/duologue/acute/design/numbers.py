"""How many pairings a study is planned with, and whether so many have the power that it states."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from duologue.acute.design.table import acute_settings
from duologue.acute.pairing import DialogueHead, Matchup, matchups_of
from duologue.acute.ranking.answers import SLOTS
from duologue.acute.ranking.triples import compared_in_threes
from duologue.acute.settings import PairingSettings
from duologue.protocols import say_power
from duologue.studies import Study, say_shared_alpha

if TYPE_CHECKING:
    from duologue.stats import Design

SEQUENTIAL_ROOM = 3
"""A study that may stop early has room for so many times the number of a fixed one (`plan_sequential`)."""


@dataclass(frozen=True, slots=True)
class MatchupMaterial:
    """What the judgments of one matchup are about."""

    first: int
    """Dialogues of the first bot."""
    second: int
    per_annotator: float = 1.0
    """Judgments that one annotator gives in the matchup."""

    def design_effect(self, judgments: int, icc: float) -> float:
        """By how much judgments that share a dialogue or an annotator are worth less than independent ones.

        As in the clustered test, the excess variances of annotators and of the dialogues of each bot add up.

        Example:
            >>> whole, half = MatchupMaterial(100, 100), MatchupMaterial(50, 100)
            >>> whole.design_effect(100, 0.1), half.design_effect(100, 0.1)
            (1.0, 1.1)
        """
        excess = self.per_annotator - 1 + _mates(judgments, self.first) + _mates(judgments, self.second)
        return 1 + icc * excess

    def clusters(self, judgments: int) -> float | None:
        """How many clusters the test has of the kind with the fewest; None where nothing repeats.

        Example:
            >>> MatchupMaterial(50, 100).clusters(200), MatchupMaterial(50, 60).clusters(50)
            (50.0, None)
        """
        shared = (
            self.per_annotator - 1,
            _mates(judgments, self.first),
            _mates(judgments, self.second),
        )
        return judgments / (1 + max(shared)) if max(shared) > 0 else None

    def power(self, design: Design, judgments: int, gap: float, icc: float) -> float:
        """Chance that so many judgments find ``gap``: by the published test and the clustered one.

        Args:
            design: What is judged, and the published test.
            judgments: How many.
            gap: The true gap.
            icc: How far judgments that share a dialogue or an annotator correlate.
        """
        from duologue.stats import PooledChoice, clustered_power

        worth = math.floor(judgments / self.design_effect(judgments, icc) + 1e-9)
        if not worth:
            return 0.0
        if isinstance(design, PooledChoice):
            return float(design.power_of([worth], gap, judgments=[judgments])[0])
        clusters = self.clusters(judgments)
        if clusters is None:
            return float(design.power([worth], gap)[0])
        return float(clustered_power(design, [worth], gap, clusters=[clusters])[0])


def _mates(judgments: int, dialogues: int) -> float:
    """How many other judgments of the matchup share a judgment's dialogue, when all are used evenly."""
    each, more = divmod(judgments, dialogues)
    if not judgments:
        return 0.0
    return ((dialogues - more) * each**2 + more * (each + 1) ** 2) / judgments - 1


def planned_pairings(study: Study, settings: PairingSettings, heads: Iterable[DialogueHead]) -> int:
    """The pairings of each matchup that find the study's gap with its power, by the planner.

    Holm's strictest step over all matchups (and arms, unless one is primary), the design effect of dialogues
    that come more than once, and the degrees of freedom of the test that is clustered by them count in it.
    Where there are too few dialogues for any number to have the power, it is the number for independent
    judgments, and `duologue study check` warns.

    Args:
        study: The study: its alpha, gap, power, ICC, arms and caps.
        settings: Which bots are compared.
        heads: Its dialogues.
    """
    from duologue.stats import ClusteredDesign, DesignEffect, PooledChoice, sample_size

    stopping, copies = study.file.stopping, study.caps.judgments_of_every_item
    dialogues: dict[str, int] = {}
    for head in heads:
        if settings.kind is None or head.kind in (settings.kind, "human-human"):
            dialogues[head.bot] = dialogues.get(head.bot, 0) + 1
    if acute_settings(study).is_ranked:
        compared_in_threes(dialogues, settings)
    matchups = [one for one in matchups_of(dialogues, settings) if not one.is_same_bot]
    design, each = _deciding(study, len(matchups), _bots_of_all_pairs(matchups))
    alone: Design = design
    if isinstance(design, PooledChoice):  # it counts annotators, who repeat with any dialogues
        alone = ClusteredDesign(design=design, effect=DesignEffect(icc=stopping.icc, cluster_size=each))
    independent = sample_size(alone, stopping.gap, power=stopping.power).judgments
    materials = {MatchupMaterial(dialogues[one.first], dialogues[one.second], each) for one in matchups}
    needed = max(
        (
            _enough(
                design,
                material,
                independent=independent,
                gap=stopping.gap,
                power=stopping.power,
                icc=stopping.icc,
            )
            for material in materials
        ),
        default=independent,
    )
    room = SEQUENTIAL_ROOM if stopping.rule == "sequential" else 1
    return math.ceil(needed * room / copies)


def planned_chats(study: Study, matchups: Sequence[Matchup]) -> int:
    """The parallel chats of each matchup that find the study's gap with its power, by the planner.

    As `planned_pairings`, but every chat makes two dialogues of its own: only annotators repeat.
    """
    from duologue.stats import ClusteredDesign, DesignEffect, sample_size

    stopping = study.file.stopping
    different = [one for one in matchups if not one.is_same_bot]
    design, each = _deciding(study, len(different), _bots_of_all_pairs(different))
    deciding = ClusteredDesign(design=design, effect=DesignEffect(icc=stopping.icc, cluster_size=each))
    room = SEQUENTIAL_ROOM if stopping.rule == "sequential" else 1
    return room * sample_size(deciding, stopping.gap, power=stopping.power).judgments


def _bots_of_all_pairs(matchups: Sequence[Matchup]) -> int | None:
    bots = len({bot for one in matchups for bot in (one.first, one.second)})
    return bots if is_planned_pooled(bots, len(matchups)) else None


def is_planned_pooled(bots: int, matchups: int) -> bool:
    """Whether pooled verdicts can be planned: for three bots or more of which each meets every other.

    Example:
        >>> is_planned_pooled(3, 3), is_planned_pooled(4, 3), is_planned_pooled(2, 1)
        (True, False, False)
    """
    return bots > 2 and matchups == bots * (bots - 1) // 2


def _deciding(study: Study, matchups: int, bots: int | None) -> tuple[Design, float]:
    """The test that decides, and how many correlated judgments one annotator gives in it.

    Args:
        study: The study.
        matchups: How many share alpha, in each arm.
        bots: How many there are, where each meets every other and pooled verdicts can be planned.
    """
    from duologue.stats import ForcedChoice, PooledChoice, pooled_cluster_size

    count = max(1, matchups)
    alpha, tests = study.file.stopping.alpha, tests_sharing_alpha(study, count)
    is_pooled = acute_settings(study).verdicts == "pooled"
    if is_pooled and study.file.stopping.rule == "fixed" and bots is not None:
        is_ranked = acute_settings(study).is_ranked
        most = comparisons_of_one_annotator(study, count)
        design = PooledChoice(
            bots=bots,
            per_annotator=most,
            alpha=alpha * count / tests,
            answer="ranking" if is_ranked else "choice",
            sections=tests // count,
        )
        return design, pooled_cluster_size(bots, most)
    return ForcedChoice(alpha=alpha / tests), judgments_of_one_annotator(study, matchups)


def _enough(
    design: Design, material: MatchupMaterial, *, independent: int, gap: float, power: float, icc: float
) -> int:
    """The smallest number that has the power in spite of what repeats; the independent one where none has.

    The worth of judgments and the number of clusters grow with their number, so that a bisection finds it.
    """

    from duologue.stats import PooledChoice

    least = 0 if isinstance(design, PooledChoice) else independent

    def is_enough(judgments: int) -> bool:
        worth = judgments / material.design_effect(judgments, icc)
        return worth >= least - 1e-9 and material.power(design, judgments, gap, icc) >= power

    few, enough = independent, material.first * material.second
    if enough < few or not is_enough(enough):
        return independent
    while few < enough:
        middle = (few + enough) // 2
        few, enough = (few, middle) if is_enough(middle) else (middle + 1, enough)
    return enough


def tests_sharing_alpha(study: Study, matchups: int) -> int:
    """How many tests share the error rate: the matchups by every question, unless one is primary."""
    settings = acute_settings(study)
    return matchups if settings.primary is not None else matchups * max(1, len(settings.questions))


def comparisons_of_one_annotator(study: Study, matchups: int) -> int:
    """How many judgments of two one annotator gives at most: three in a ranking.

    Where no number is set they are as many as there are matchups, or rankings of every three bots.
    """
    most = study.caps.max_judgments
    if not acute_settings(study).is_ranked:
        return most or matchups
    bots = round((1 + math.sqrt(1 + 8 * matchups)) / 2)
    return SLOTS * (most or math.comb(bots, SLOTS))


def judgments_of_one_annotator(study: Study, matchups: int) -> float:
    """How many judgments one annotator gives in a matchup at most, spread evenly."""
    most, in_one = study.caps.max_judgments, study.caps.max_per_group
    if acute_settings(study).is_ranked and matchups:
        most = comparisons_of_one_annotator(study, matchups)
    each = 1.0 if most is None else max(1.0, most / max(1, matchups))
    return each if in_one is None else min(each, in_one)


def weak_matchups(
    study: Study, pairings: Mapping[str, int], dialogues: Mapping[str, MatchupMaterial], *, bots: int
) -> Iterator[str]:
    """A warning where planned matchups have less power than the study states; none where they have it.

    Args:
        study: The study.
        pairings: How many there are of each matchup of two bots.
        dialogues: What they are about, by matchup; how much one annotator gives is taken from the study.
        bots: How many bots they compare.
    """
    from duologue.stats import ForcedChoice, sample_size

    if not pairings:
        return
    stopping, planned = study.file.stopping, study.caps.judgments_of(pairings)
    complete = bots if is_planned_pooled(bots, len(pairings)) else None
    design, each = _deciding(study, len(pairings), complete)
    is_sequential = stopping.rule == "sequential"
    tests = tests_sharing_alpha(study, len(pairings)) if isinstance(design, ForcedChoice) else 1
    found = []
    for group, judgments in planned.items():
        material = replace(dialogues[group], per_annotator=each)
        effect = material.design_effect(judgments, stopping.icc)
        if is_sequential:
            power = _sequential_power(design, math.floor(judgments / effect + 1e-9), stopping.gap)
        else:
            power = material.power(design, judgments, stopping.gap, stopping.icc)
        found.append((power, group, judgments, effect))
    weak = [one for one in found if one[0] < stopping.power]
    if not weak:
        return
    power, group, judgments, effect = min(weak)
    enough = sample_size(design, stopping.gap, power=stopping.power).judgments
    by_test, reached = "", stopping.power
    if is_sequential:
        enough, by_test = SEQUENTIAL_ROOM * enough, " by the sequential test"
        reached = _sequential_power(design, enough, stopping.gap)
    independent = "less than one" if judgments < effect else f"{judgments / effect:.0f} independent ones"
    alike = f", worth {independent} at an ICC of {stopping.icc:g},"
    yield (
        f"{len(weak):,} of {len(pairings):,} matchups have less power than stated: {judgments:,} judgments "
        f"of {study.protocol.say_group(group)}{alike if effect > 1 else ''} find a gap of "
        f"{stopping.gap:g} with a power of {say_power(power)}{by_test}, and [stopping] states "
        f"{stopping.power:g}{say_shared_alpha(tests, is_sequential=is_sequential)}. "
        f"{_remedy(enough, reached, stopping.power)}"
    )


def _remedy(enough: int, reached: float, power: float) -> str:
    if reached < power:  # stopping for futility ends one study in five that would find the gap
        return (
            f"Not even {enough:,} independent judgments would have it, as studies also stop for futility: "
            'state a power of 0.8, another gap, or rule = "fixed".'
        )
    return (
        f'{enough:,} independent judgments would have it: set per_matchup = "plan" in [acute.pairings], '
        "bring in more dialogues, or state another gap or power."
    )


_FINEST_SEQUENTIAL_GAP = 0.05
"""Below it the exact computation takes long; numbers grow with 1/gap² to within a few per cent."""


def _sequential_power(design: Design, judgments: int, gap: float) -> float:
    """Of the sequential test, with so many independent judgments."""
    from duologue.stats import sequential_power

    if not judgments:
        return 0.0
    near = max(gap, _FINEST_SEQUENTIAL_GAP)
    return sequential_power(math.floor(judgments * (gap / near) ** 2), near, alpha=design.alpha)


def is_planned(settings: PairingSettings) -> bool:
    """Whether the planner chooses how many pairings a matchup has."""
    return settings.per_matchup == "plan"
