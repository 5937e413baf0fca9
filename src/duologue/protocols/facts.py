"""What annotators do and meet in a study, as facts that texts must agree with."""

from __future__ import annotations

from typing import Literal

Fact = Literal[
    "chats",
    "reads",
    "two",
    "at once",
    "ranks",
    "grades",
    "ties",
    "reasons",
    "reason needed",
    "selects",
    "one best",
    "all that apply",
    "several replies",
    "writes replies",
    "rates",
    "persona",
    "person",
    "program",
    "forms",
    "skips",
]
"""``chats``: annotators have live chats. ``reads``: they read what others said. ``two``: two speakers are
compared. ``at once``: they chat with two partners at the same time. ``ranks``: three speakers are put in
order. ``grades``: an answer says clearly or slightly. ``ties``: an answer may be that there is no difference.
``reasons``: they are asked why. ``reason needed``: they cannot go on without saying why. ``selects``: they
choose between replies. ``one best``: they select the best one. ``all that apply``: they select as many as
they like. ``several replies``: they see more than one reply. ``writes replies``: they write one where none
fits. ``rates``: they answer on a scale. ``persona``: a character is given to them, or told from another one.
``person``: a partner may be a person. ``program``: a partner, or who wrote what they read, may be a computer
program. ``forms``: they answer questions about themselves. ``skips``: they may skip an item."""
