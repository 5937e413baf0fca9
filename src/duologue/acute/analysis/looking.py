"""The sequential test looked at while judgments come in: from counts of judgments that are alike.

The overview of a running study must be fast whatever the number of judgments, so it has counts and no single
judgments. Where they are enough, the interval comes from the functions that the analysis uses, on the same
judgments less who gave them and about which dialogues. Where the analysis needs to know these, nothing is
shown but why: a researcher who stops by one interval must not find another in the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.families import added_matchups, matchups_sharing
from duologue.acute.analysis.matchups import Pair, tally_matchups
from duologue.acute.analysis.parts import OPEN_LINK, is_named, parts_of
from duologue.acute.analysis.sequential import interval_of_counts
from duologue.acute.analysis.sides import always_on_one_side
from duologue.acute.analysis.verdicts import Rule
from duologue.acute.settings import AcuteSettings
from duologue.judgments import Votes, votes_from_rows
from duologue.protocols import AnytimeInterval, KeptCounts, addendum_asking, families_of

Group = tuple[str, str]
"""An arm and the name of a group in it."""

DECIDES_OUTCOMES = ("winner", "loser", "outcome", "winner_side", "lead", "arm", "question", "revision")
"""What is the same in all judgments that are counted together."""

_ANALYSE = "`duologue analyse` gives the interval"

SAME_BOT = "A bot is compared with itself: there is no verdict, and no interval."
COUNTS_NOWHERE = "These judgments are asked again and count in no verdict: there is no interval."
SEVERAL_EACH = (
    f"Annotators judge a matchup several times, and the test takes each of them as one: {_ANALYSE}."
)
BY_HAND = (
    "Judgments count here that were excluded by hand for a reason that the plan does not declare: "
    f"{_ANALYSE}, or says why there is none."
)
UNSETTLED = f"Some judgments are still to be excluded, because their annotators gave no reason: {_ANALYSE}."
APART = (
    f"Annotators who were recruited via the open link are analysed apart from the others: {_ANALYSE} of each."
)
REVISED = (
    f"The study was changed after its first judgment, and revisions are analysed apart: {_ANALYSE} of each."
)
ONE_SIDE = "A bot was always on the same side so far: bot and side cannot be separated yet."


def anytime_of_groups(
    settings: AcuteSettings, kept: KeptCounts, *, rivals: Callable[[str], Pair | None]
) -> dict[Group, AnytimeInterval]:
    """The interval that the analysis gives to each group in each arm, or why there is none here.

    Args:
        settings: Of the study.
        kept: What is known of its judgments.
        rivals: The two bots of a group, by its name.
    """
    pairs = {name: pair for name in {name for _, name in kept.groups} if (pair := rivals(name))}
    refused = {
        (arm, name): why
        for arm, name in kept.groups
        if (why := _why_none((arm, name), kept, pairs.get(name))) is not None
    }
    of = "mean preference" if settings.is_graded else "win rate"
    found = {group: AnytimeInterval(None, of, why) for group, why in refused.items()}
    if len(refused) < len(kept.groups):
        by_pair = dict(_intervals(settings, kept, pairs))
        for arm, name in kept.groups:
            if (arm, name) not in refused:
                nothing = AnytimeInterval(None)
                found[arm, name] = replace(by_pair.get((arm, _sorted(pairs[name])), nothing), of=of)
    return found


def _sorted(pair: Pair) -> Pair:
    first, second = sorted(pair)
    return first, second


def _why_none(group: Group, kept: KeptCounts, pair: Pair | None) -> str | None:
    """Why counts are not enough for a group; None where they are."""
    if pair is None:
        return ""
    if pair[0] == pair[1]:
        return SAME_BOT
    if addendum_asking(group[1]):
        return COUNTS_NOWHERE
    if kept.revisions > 1:
        return REVISED
    if OPEN_LINK in kept.annotator_kinds and len(kept.annotator_kinds) > 1:
        return APART
    if kept.per_annotator > 1 or group in kept.judged_again:
        return SEVERAL_EACH
    if group in kept.by_hand:
        return BY_HAND
    return UNSETTLED if group in kept.unsettled else None


def _intervals(
    settings: AcuteSettings, kept: KeptCounts, pairs: Mapping[str, Pair]
) -> Iterator[tuple[tuple[str, Pair], AnytimeInterval]]:
    """By arm and two bots, what the sequential test says of all judgments that count."""
    planned = {_sorted(pairs[name]): wanted for name, wanted in kept.planned.items() if name in pairs}
    matchups = sum(1 for first, second in planned if first != second)
    # Power says how many judgments are missing, which nobody asks here.
    rule = Rule(alpha=kept.alpha, gap=kept.gap, power=0.0, added=added_matchups(kept.addenda))
    votes, counts = _examples(settings, kept)
    parts = tuple(parts_of(votes))
    families = families_of(
        [part.arm for part in parts],
        planned_arms=[arm.name for arm in settings.questions],
        matchups=matchups,
        primary=settings.primary,
    )
    tallies = [tally_matchups(part.counted, planned) for part in parts]
    shared = matchups_sharing(
        [[tally.pair for tally in own] for own in tallies], families, rule, planned=matchups
    )
    for part, own, family in zip(parts, tallies, shared, strict=True):
        here = counts[is_named(votes.arm, part.arm)]
        for tally in own:
            judgments = int(here[tally.rows].sum())
            if always_on_one_side(part.counted, tally, judgments=judgments):
                yield (part.arm, tally.pair), AnytimeInterval(None, why_none=ONE_SIDE)
            elif judgments:
                limits = interval_of_counts(part.counted, tally, here, rule=rule, family=family)
                yield (part.arm, tally.pair), AnytimeInterval(limits)


def _examples(settings: AcuteSettings, kept: KeptCounts) -> tuple[Votes, NDArray[np.int64]]:
    """One row for all judgments that are alike, by nobody and about nothing, and how many each stands for."""
    rows = [(row, count) for row, count in kept.rows if not addendum_asking(str(row["matchup"]))]
    votes = votes_from_rows({name: row[name] for name in DECIDES_OUTCOMES if name in row} for row, _ in rows)
    counts = np.array([count for _, count in rows], dtype=np.int64)
    return replace(votes, on_a_scale=settings.is_graded), counts
