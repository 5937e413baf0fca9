"""Finished chats as others read them: agreement with those who had them, and written replies beside bots'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from duologue.errors import AnalysisError
from duologue.per_turn.analysis.cost import cost_of
from duologue.per_turn.analysis.independence import anchoring_of
from duologue.per_turn.analysis.results import (
    PerTurnResults,
    ScreenedRule,
    TurnScreening,
    TurnSection,
    WrittenReplies,
)
from duologue.per_turn.analysis.screened import TurnQuestion, set_aside_by
from duologue.per_turn.analysis.screening import Mask, screen_turns
from duologue.per_turn.analysis.tables import TurnTable, limits_of, named_annotators, tables_of
from duologue.per_turn.analysis.third_party import third_party_of
from duologue.per_turn.analysis.turns import ALL_EXCLUDED, selections_of_bots
from duologue.per_turn.analysis.whole import answers_of
from duologue.per_turn.rows import TurnRow
from duologue.per_turn.rules import ALL_OR_NONE, FIRST_TURN, FIXED_PATTERN, TOO_FAST_TURN
from duologue.protocols import HUMAN
from duologue.stats import wilson_interval

READ_RULES = (FIXED_PATTERN, ALL_OR_NONE, FIRST_TURN, TOO_FAST_TURN)
"""The rules that say something of somebody who only reads."""


def analyse_readers(rows: Sequence[TurnRow], asked: TurnQuestion) -> PerTurnResults:
    """What others selected who read chats, and how far they agree with those who had them.

    The bots are not compared: that is for the study in which the chats were had.

    Raises:
        AnalysisError: Nobody has read a chat.
    """
    tables = tables_of(rows, read=True)
    if not tables:
        raise AnalysisError("nobody who reads the chats has selected anything yet.")
    is_read = np.array([row.is_third_party for row in rows], dtype=np.bool_)
    given = np.array([bool(row.excluded) for row in rows], dtype=np.bool_)
    masks = _masks(rows, is_read, tables)
    excluded = np.zeros(len(rows), dtype=np.bool_)
    for rule in asked.rules:
        excluded |= masks.get(rule, excluded)
    level = 1 - asked.alpha
    kept = ~(given | excluded)
    sections = tuple(_section(rows, table.where(kept), table, kept, asked) for table in tables)
    return PerTurnResults(
        sections=sections,
        screening=_screening(rows, is_read, given, masks, asked),
        across=(),
        none_rates=(),
        alpha=asked.alpha,
        level=level,
        seed=asked.seed,
        warnings=(),
    )


def readers_set_aside(rows: Sequence[TurnRow], rules: Collection[str]) -> dict[str, str]:
    """Readers none of whose turns counts by these rules, with the rule that excludes most of them."""
    is_read = np.array([row.is_third_party for row in rows], dtype=np.bool_)
    return set_aside_by(_masks(rows, is_read, tables_of(rows, read=True)), rows, rules, read=True)


def _masks(rows: Sequence[TurnRow], is_read: Mask, tables: Sequence[TurnTable]) -> dict[str, Mask]:
    """What each rule excludes of what was read: every reading of a chat is screened by itself.

    First turns are greetings, and not asked about again; a written reply is one wherever it was written.
    """
    numbers = np.flatnonzero(is_read).tolist()
    alone = [
        rows[one].model_copy(
            update={"dialogue": f"{rows[one].dialogue}\0{rows[one].annotator}", "participant": None}
        )
        for one in numbers
    ]
    has_written = any(HUMAN in table.key.bots for table in tables)
    found = {}
    for rule, mask in screen_turns(alone).items():
        if rule in READ_RULES and not (has_written and rule == FIRST_TURN):
            found[rule] = np.zeros(len(rows), dtype=np.bool_)
            found[rule][numbers] = mask
    return found


def _section(
    rows: Sequence[TurnRow], table: TurnTable, whole: TurnTable, kept: Mask, asked: TurnQuestion
) -> TurnSection:
    key, level = table.key, 1 - asked.alpha
    own = [row for row, is_kept in zip(rows, kept.tolist(), strict=True) if is_kept]
    return TurnSection(
        arm=key.arm,
        mechanism=key.mechanism,
        setting=key.setting,
        revision=key.revision,
        question=key.question,
        dialogues=len(np.unique(table.dialogue)),
        turns=len(table),
        annotators=named_annotators(rows, table),
        incomplete=0,
        excluded=len(whole) - len(table),
        names=key.bots,
        bots=selections_of_bots(table, level) if len(table) else (),
        all_bots=None,
        pairs=(),
        against=(),
        cascading=(),
        anchoring=anchoring_of(table, level=level, is_randomised=asked.is_randomised),
        ties=None,
        none_rate=float((table.selected.sum(axis=1) == 0).mean()) if len(table) else None,
        written_rate=None,
        cost=cost_of(rows, key, counted=len(table), read=True),
        power=None,
        third_party=third_party_of(own, key, level=level),
        warnings=(ALL_EXCLUDED,) if len(whole) and not len(table) else (),
        is_read=True,
        written=written_replies(table, level=level),
        whole=answers_of(rows, table, asked),
    )


def written_replies(table: TurnTable, *, level: float) -> tuple[WrittenReplies, ...]:
    """How often written replies are better than those of the bots, and at least as good."""
    if HUMAN not in table.key.bots or not len(table):
        return ()
    human = table.key.bots.index(HUMAN)
    written = table.selected[:, human]
    bots = [place for place in range(len(table.key.bots)) if place != human]
    some: Mask = np.any(table.selected[:, bots], axis=1)
    rivals = [("", some)]
    rivals += [(table.key.bots[place], table.selected[:, place]) for place in bots]
    return tuple(_compared(table, bot, written, rival, level) for bot, rival in rivals)


def _compared(table: TurnTable, bot: str, written: Mask, rival: Mask, level: float) -> WrittenReplies:
    better, at_least = written & ~rival, written | ~rival
    replies = len({(one, two) for one, two in zip(table.dialogue.tolist(), table.turn.tolist(), strict=True)})
    return WrittenReplies(
        bot=bot,
        replies=replies,
        judgments=len(table),
        better=float(better.mean()),
        better_interval=limits_of(table.clustered_rate(better, level=level)),
        better_naive=wilson_interval(int(better.sum()), len(table), level=level),
        at_least=float(at_least.mean()),
        at_least_interval=limits_of(table.clustered_rate(at_least, level=level)),
        at_least_naive=wilson_interval(int(at_least.sum()), len(table), level=level),
    )


def _screening(
    rows: Sequence[TurnRow], is_read: Mask, given: Mask, masks: dict[str, Mask], asked: TurnQuestion
) -> TurnScreening:
    judged = is_read & ~given
    excluded = np.zeros(len(rows), dtype=np.bool_)
    rules = []
    for rule, mask in masks.items():
        hit = judged & mask
        dialogues = len({rows[one].dialogue for one in np.flatnonzero(hit).tolist()})
        rules.append(ScreenedRule(rule, rule in asked.rules, dialogues, int(hit.sum()), ()))
        if rule in asked.rules:
            excluded |= mask
    count = int((judged & excluded).sum())
    by_data = Counter(rows[one].excluded for one in np.flatnonzero(given & is_read).tolist())
    return TurnScreening(
        collected=int(is_read.sum()),
        incomplete=0,
        given=dict(by_data.most_common()),
        rules=tuple(rules),
        counted=int((judged & ~excluded).sum()),
        changes=(),
        sentence=f"Screening excluded {count:,} of {int(judged.sum()):,} turns that were read."
        if count
        else "No rule of screening excluded a turn.",
    )
