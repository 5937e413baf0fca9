"""What a reader must know before the numbers of comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from duologue.acute.analysis.checks.quality import say_unreliable
from duologue.acute.analysis.checks.same_bot import same_bot_warnings
from duologue.acute.analysis.matchups import Pair
from duologue.acute.analysis.parts import SequentialOptions, VotePart
from duologue.acute.analysis.results import DeclaredStopping, Section
from duologue.acute.analysis.sequential import has_known_order
from duologue.acute.analysis.verdicts import SectionEvidence
from duologue.judgments import Votes
from duologue.protocols import say_count, say_interim, say_list, say_percent, say_shared_interim

BUSY_SHARE = 0.05
"""One annotator should not make up more of the judgments than this, or than twice an equal share."""


def warnings_of(section: Section, votes: Votes, looking: SequentialOptions) -> Iterator[str]:
    """Those about one section: independence, order of arrival, looks, agreement, annotators, sides."""
    judged = [matchup for matchup in section.matchups if matchup.n]
    is_dialogue_known = (votes.winner_dialogue >= 0).any() or (votes.pairing >= 0).all()
    if judged and not votes.annotator.is_known and not is_dialogue_known:
        yield (
            "Independence could not be checked: neither annotators nor dialogues are known. The exact test "
            "assumes that all judgments are independent."
        )
    if looking.is_wanted and not has_known_order(votes):
        yield (
            "It is not known when each judgment was given: sequential decisions take them in the order of "
            "the rows, and are valid only if they came in that order."
        )
    if not looking.rules:
        yield from say_interim([(m.n + m.ties, m.planned) for m in section.matchups], "matchups")
    yield from same_bot_warnings(section.same_bot)
    if unreliable := say_unreliable(section.agreement):
        yield unreliable
    yield from _say_busy(section)
    if section.position is not None and section.position.p_value <= 0.05:
        yield f"{section.position.sentence} {section.sides}".rstrip()
    elif any(m.sides is not None and not m.sides.is_balanced for m in section.matchups):
        yield section.sides
    if any(effect.is_changed for effect in section.exclusions.effects):
        yield section.exclusions.sentence


def _say_busy(section: Section) -> Iterator[str]:
    if not section.annotator_count:
        return
    most = max(BUSY_SHARE, 2 / section.annotator_count)
    busy = [one for one in section.busiest if one.share > most]
    if not busy:
        return
    named = say_list(f"{one.annotator} ({say_percent(one.share)})" for one in busy[:3])
    more = f", and {say_count(len(busy) - 3, 'other')}" if len(busy) > 3 else ""
    yield (
        f"{len(busy)} of {say_count(section.annotator_count, 'annotator')} gave more than "
        f"{say_percent(most)} of the judgments{' each' if len(busy) > 1 else ''}: {named}{more}."
    )


def shared_interim(
    parts: Sequence[VotePart],
    judged: Sequence[SectionEvidence],
    planned: Mapping[Pair, int],
    looking: SequentialOptions,
) -> Iterator[str]:
    """That a plan that several sections share is not reached yet."""
    progress = [
        (part.arm, {one.tally.pair: len(one.tally.rows) + one.tally.ties for one in own.weighed})
        for part, own in zip(parts, judged, strict=True)
    ]
    wanted = {pair: count for pair, count in planned.items() if pair[0] != pair[1]}
    yield from () if looking.rules else say_shared_interim(progress, wanted, "matchups")


def overall_warnings(parts: tuple[VotePart, ...]) -> tuple[str, ...]:
    """Those about all sections together: what is not pooled, and whether anything counts."""
    found: list[str] = []
    if len({part.revision for part in parts}) > 1:
        found.append(
            "The study was changed after the first judgment: each revision is analysed by itself, and they "
            "are not pooled."
        )
    if any(part.annotators == "open-link" for part in parts):
        found.append(
            "Some annotators were recruited via an open link and are anonymous: they are reported separately."
        )
    if not parts or all(not part.votes.counts.any() for part in parts):
        found.append("No judgment counts: nothing can be said yet.")
    return tuple(found)


def stopping_warnings(stopping: DeclaredStopping, looking: SequentialOptions) -> Iterator[str]:
    """What sequential decisions are worth where they were not declared."""
    if not looking.is_wanted or looking.rules:
        return
    declared = "No stopping rule was declared with these judgments"
    if stopping == "fixed":
        declared = "The study declared a fixed number of judgments, and its verdicts rest on that"
    yield (
        f"{declared}: the verdicts are those of the test for a fixed number. The sequential decisions are "
        "shown beside them, and are valid only if they were followed from the first judgment on."
    )
