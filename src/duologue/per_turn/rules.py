"""The rules of screening by name: the data cleaning of the per-turn paper, and rules of our own."""

from __future__ import annotations

from collections.abc import Mapping

FIXED_PATTERN = "fixed-pattern"
FEW_TOKENS = "few-tokens"
FIRST_TURN = "first-turn"
TOO_FAST_TURN = "too-fast-turn"
"""Of one turn; the flag `too-fast` of any study is about a whole judgment, here a whole chat."""
COPIED = "copied"
DUPLICATE = "duplicate-dialogue"

RULES: Mapping[str, str] = {
    FIXED_PATTERN: "dialogues with the same positions selected on all turns (not of a single bot)",
    FEW_TOKENS: "dialogues whose annotator writes fewer than 2 words a message on average",
    FIRST_TURN: "the first turn of every dialogue",
    TOO_FAST_TURN: "turns selected faster than the replies can be read (15 words a second)",
    COPIED: "dialogues in which half of the messages, or more, are copies of what was said before",
    DUPLICATE: "dialogues whose messages are those of an earlier dialogue",
}
"""Every rule by its name in study files and results, and what it excludes."""

PAPER_RULES = (FIXED_PATTERN, FEW_TOKENS, FIRST_TURN)
"""Those of the per-turn paper ("Data Cleaning")."""
