"""From all turns to those that count: what each rule excludes, and whether it changes a verdict."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from duologue.errors import DesignError
from duologue.per_turn.analysis.deciding import DecidedComparison, TurnRule, decide_turns
from duologue.per_turn.analysis.results import ScreenedRule, TurnScreening
from duologue.per_turn.analysis.screening import Mask, screen_turns
from duologue.per_turn.analysis.tables import SectionKey, TurnTable
from duologue.per_turn.rows import TurnRow
from duologue.per_turn.rules import RULES, TABLE_RULES
from duologue.protocols import Family, say_arm

NULL = 0.8
"""The standard of a single bot unless another one is stated, as in the paper."""
INCOMPLETE = "turns on which a bot failed"


@dataclass(frozen=True, slots=True)
class TurnQuestion:
    """What an analysis of turns is asked for."""

    alpha: float = 0.05
    seed: int = 0
    rules: Collection[str] = TABLE_RULES
    """The rules of screening that are applied."""
    is_randomised: bool = False
    """Whether a study of ours drew the positions at random; what others say of theirs is looked at."""
    null: float = NULL
    gap: float | None = None
    """The planned gap; what the planner takes where it is None."""
    power: float = 0.8
    planned: Mapping[str, int] = field(default_factory=dict)
    """Turns planned, by arm."""
    primary: str | None = None
    """The arm whose verdicts the study rests on."""
    whole: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """Questions about whole conversations: the words and the labels of each, where they are known."""
    draws: int = 999
    """Shuffles of each permutation test."""

    def __post_init__(self) -> None:
        for rule in self.rules:
            if rule not in RULES:
                raise DesignError(f"{rule!r} is no rule of screening; they are: {', '.join(RULES)}.")


@dataclass(frozen=True, slots=True)
class AnalysedTurns:
    """Rows as tables, and how they are decided."""

    rows: Sequence[TurnRow]
    asked: TurnQuestion
    tables: tuple[TurnTable, ...]
    families: tuple[Family, ...]
    given: Mask
    """Rows that the data themselves exclude."""

    def kept(self, masks: Mapping[str, Mask], rules: Collection[str]) -> tuple[TurnTable, ...]:
        """The tables without what these rules exclude."""
        left = ~self.given
        for rule in rules:
            left = left & ~masks[rule]
        return tuple(table.where(left) for table in self.tables)

    def decided(self, tables: Sequence[TurnTable]) -> tuple[tuple[DecidedComparison, ...], ...]:
        """Their verdicts."""
        asked = self.asked
        rule = TurnRule(asked.alpha, asked.null, asked.seed, asked.is_randomised)
        return decide_turns(tables, self.families, rule)


def screening_of(
    analysis: AnalysedTurns, masks: Mapping[str, Mask], decided: Sequence[Sequence[DecidedComparison]]
) -> TurnScreening:
    """What every rule excludes, and each verdict with and without it."""
    rows, asked = analysis.rows, analysis.asked
    usable = np.array([row.is_complete and not row.is_third_party for row in rows], dtype=np.bool_)
    judged = usable & ~analysis.given
    applied = [rule for rule in RULES if rule in asked.rules]
    excluded = np.zeros(len(rows), dtype=np.bool_)
    for rule in applied:
        excluded |= masks[rule]
    rules = []
    for rule in RULES:
        hit = judged & masks[rule]
        others = [one for one in applied if one != rule] + ([] if rule in applied else [rule])
        changes = _changes(analysis, decided, analysis.kept(masks, others)) if hit.any() else ()
        dialogues = len({rows[one].dialogue for one in np.flatnonzero(hit).tolist()})
        rules.append(ScreenedRule(rule, rule in applied, dialogues, int(hit.sum()), changes))
    count = int((judged & excluded).sum())
    changes = _changes(analysis, decided, analysis.kept(masks, ())) if count else ()
    given = Counter(rows[one].excluded for one in np.flatnonzero(analysis.given & usable).tolist())
    return TurnScreening(
        collected=sum(not row.is_third_party for row in rows),
        incomplete=sum(not row.is_complete and not row.is_third_party for row in rows),
        given=dict(given.most_common()),
        rules=tuple(rules),
        counted=int((judged & ~excluded).sum()),
        changes=changes,
        sentence=_say_screening(
            count, int(judged.sum()), changes, has_verdict=any(one.decision for own in decided for one in own)
        ),
    )


def annotators_set_aside(rows: Sequence[TurnRow], rules: Collection[str]) -> dict[str, str]:
    """Annotators none of whose turns counts by these rules, with the rule that excludes most of them."""
    return set_aside_by(screen_turns(rows), rows, rules)


def set_aside_by(
    masks: Mapping[str, Mask], rows: Sequence[TurnRow], rules: Collection[str], *, read: bool = False
) -> dict[str, str]:
    """The same by what rules exclude: of those who had the chats, or of those who read them."""
    counts: set[str] = set()
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for number, row in enumerate(rows):
        if row.is_third_party != read or row.excluded:
            continue
        why = [rule for rule in masks if rule in rules and masks[rule][number]]
        found[row.annotator].update(why if row.is_complete else [INCOMPLETE])
        if row.is_complete and not why:
            counts.add(row.annotator)
    return {who: why.most_common(1)[0][0] for who, why in found.items() if who not in counts}


def _changes(
    analysis: AnalysedTurns, decided: Sequence[Sequence[DecidedComparison]], other: Sequence[TurnTable]
) -> tuple[str, ...]:
    """The comparisons that come to another verdict on other turns."""
    found = []
    for table, ours, theirs in zip(other, decided, analysis.decided(other), strict=True):
        before = {(one.weighed.kind, one.weighed.bots): one.says for one in ours}
        after = {(one.weighed.kind, one.weighed.bots): one.says for one in theirs}
        for which in dict.fromkeys([*before, *after]):
            said, then = before.get(which, "no verdict"), after.get(which, "no verdict")
            if said != then:
                found.append(f"{_name(table.key, which[1])}: {then} instead of {said}")
    return tuple(found)


def _name(key: SectionKey, bots: Sequence[str]) -> str:
    parts = (say_arm(key.arm), f"question {key.question}" if key.question else "")
    return ", ".join([*filter(None, parts), " and ".join(bots) if len(bots) < 3 else "all bots"])


def _say_screening(excluded: int, judged: int, changes: Sequence[str], *, has_verdict: bool) -> str:
    if not excluded:
        return "No rule of screening excluded a turn."
    share = f"Screening excluded {excluded:,} of {judged:,} complete turns"
    if not changes and not has_verdict:
        return f"{share}; there is no verdict without it either."
    if not changes:
        return f"{share}; every verdict is the same without it."
    changed = "1 comparison comes" if len(changes) == 1 else f"{len(changes):,} comparisons come"
    return f"{share}; without it {changed} to another verdict: {'; '.join(changes)}."
