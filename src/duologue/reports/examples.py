"""Example judgments for the report: what was read, who won, and why. The study is over, so bots are named."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from duologue.dialogues import Dialogue
from duologue.judgments import Row
from duologue.reports.study import judgment_rows
from duologue.store import Store
from duologue.studies import Study

PER_MATCHUP = 1
AT_MOST = 8
TURNS_SHOWN = 14


@dataclass(frozen=True, slots=True)
class ExampleTurn:
    """A turn as shown: its text, and whether the judged speaker said it."""

    text: str
    is_judged: bool


@dataclass(frozen=True, slots=True)
class ExampleDialogue:
    """One of the two dialogues, the bot it belongs to, and how many of its turns are not shown."""

    bot: str
    turns: tuple[ExampleTurn, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Example:
    """A judgment with both dialogues and the reason given for it."""

    winner: ExampleDialogue
    loser: ExampleDialogue
    reason: str
    question: str


def choose_examples(study: Study, store: Store) -> tuple[Example, ...]:
    """Some judgments that count and have a reason: one a matchup, chosen by the study's seed."""
    chosen = _chosen(study, store)
    keys = {str(row[side]) for row in chosen for side in ("winner_dialogue", "loser_dialogue")}
    dialogues = dict(zip(sorted(keys), store.dialogues(sorted(keys)), strict=True))
    return tuple(
        Example(
            winner=_shown(dialogues[str(row["winner_dialogue"])]),
            loser=_shown(dialogues[str(row["loser_dialogue"])]),
            reason=str(row["reason"]),
            question=str(row["question"]),
        )
        for row in chosen
    )


def _chosen(study: Study, store: Store) -> list[Row]:
    groups: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in judgment_rows(study, store):
        counts = not (row["excluded"] or row["is_onboarding"] or row["outcome"] == "tie")
        if counts and str(row["reason"]).strip():
            groups[str(row["arm"]), str(row["matchup"])].append(row)
    rng = np.random.default_rng(np.random.SeedSequence(study.seed, spawn_key=(1,)))
    found: list[Row] = []
    for key in sorted(groups):
        rows = groups[key]
        picks = rng.choice(len(rows), size=min(PER_MATCHUP, len(rows)), replace=False)
        found += [rows[int(pick)] for pick in picks]
    return found[:AT_MOST]


def _shown(dialogue: Dialogue) -> ExampleDialogue:
    turns = tuple(ExampleTurn(turn.text, turn.speaker == dialogue.judged) for turn in dialogue.turns)
    return ExampleDialogue(dialogue.bot, turns[:TURNS_SHOWN], max(0, len(turns) - TURNS_SHOWN))
