"""Every judgment of a matchup that counts, for drawing them again."""

from __future__ import annotations

import numpy as np

from duologue.acute.analysis.parts import parts_of
from duologue.acute.analysis.results import AcuteResults, Section
from duologue.judgments import UNKNOWN, Votes
from duologue.protocols import PairAnswers


def part_name(section: Section) -> str:
    """What a section is called beside others: its arm and question."""
    return ", ".join(filter(None, (section.title, section.question)))


def matchup_answers(
    results: AcuteResults, votes: Votes, first: str, second: str, *, part: str
) -> PairAnswers | None:
    """The judgments of a matchup, ties left out; None where the section or the matchup is not there."""
    for section, own in zip(results.sections, parts_of(votes), strict=True):
        if part_name(section) == part and {first, second} <= set(votes.bots):
            return _answers(section, own.counted, first, second)
    return None


def _answers(section: Section, votes: Votes, first: str, second: str) -> PairAnswers | None:
    one, other = votes.bots.index(first), votes.bots.index(second)
    is_win = (votes.winner == one) & (votes.loser == other)
    chosen = ~votes.is_tie & (is_win | ((votes.winner == other) & (votes.loser == one)))
    if not chosen.any():
        return None
    own = votes.select(chosen)
    sign = np.where(own.winner == one, 1.0, -1.0)
    read = np.concatenate([own.winner_dialogue, own.loser_dialogue])
    more = [
        matchup.verdict.more_for_gap
        for matchup in section.matchups
        if {matchup.first, matchup.second} == {first, second}
    ]
    return PairAnswers(
        values=(1 + sign * own.lead) / 2,
        about_first=None,
        annotators=own.annotator.own_codes.astype(np.intp),
        seconds=own.seconds,
        dialogues=len(np.unique(read[read != UNKNOWN])),
        more_for_gap=more[0] if more else None,
    )
