"""What annotators do and meet in a study, as facts that texts must agree with."""

from __future__ import annotations

from typing import Literal

Fact = Literal[
    "chats",
    "reads",
    "one at a time",
    "two",
    "at once",
    "ranks",
    "best first",
    "grades",
    "ties",
    "reasons",
    "reason needed",
    "selects",
    "one best",
    "second best",
    "all that apply",
    "several replies",
    "writes replies",
    "rates",
    "persona",
    "person",
    "program",
    "forms",
    "asks who",
    "skips",
    "time limit",
    "stops",
]
"""``chats``: annotators have live chats. ``reads``: they read what others said. ``one at a time``: an item
is one conversation. ``two``: two speakers are compared. ``at once``: they chat with two partners at the
same time. ``ranks``: three speakers are put in order. ``best first``: so that the first place is the best.
``grades``: an answer says clearly or slightly. ``ties``: an answer may be that there is no difference.
``reasons``: they are asked why. ``reason needed``: they cannot go on without saying why. ``selects``: they
choose between replies. ``one best``: they select the best one. ``second best``: they select the second-best
one too. ``all that apply``: they select as many as they like. ``several replies``: they see more than one
reply. ``writes replies``: they write one where none fits. ``rates``: they answer on a scale. ``persona``: a
character is given to them, or told from another one. ``person``: a partner may be a person. ``program``: a
partner, or who wrote what they read, may be a computer program. ``forms``: they answer questions about
themselves. ``asks who``: about their age and the like. ``skips``: they may skip an item. ``time limit``: a
sitting or an item ends after some time. ``stops``: a sitting ends after some wrong answers to items with a
known one."""

Counted = Literal["answers", "points", "questions", "replies", "skips"]
"""``answers``: to one question. ``points``: the last one of a scale. ``questions``: about a conversation.
``replies``: that are seen together. ``skips``: items that an annotator may skip."""
