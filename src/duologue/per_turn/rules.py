"""Rules of screening of turns: the data cleaning of the per-turn paper, and others of our own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from duologue.errors import DesignError

FIXED_PATTERN = "fixed-pattern"
ALL_OR_NONE = "all-or-none"
FEW_TOKENS = "few-tokens"
FIRST_TURN = "first-turn"
TOO_FAST_TURN = "too-fast-turn"
"""Of one turn; the flag `too-fast` of any study is about a whole judgment, here a whole chat."""
COPIED = "copied"
DUPLICATE = "duplicate-dialogue"

RULES: Mapping[str, str] = {
    FIXED_PATTERN: "dialogues of 5 turns or more with the same positions selected on every turn (some of "
    "them, neither all nor none), where random positions bring that about in 2 % of dialogues or fewer",
    ALL_OR_NONE: "dialogues of 5 turns or more with all replies selected on every turn, or none on every "
    "turn",
    FEW_TOKENS: "dialogues whose annotator writes fewer than 2 words a message on average",
    FIRST_TURN: "the first turn of every dialogue",
    TOO_FAST_TURN: "turns selected faster than the replies can be read (15 words a second)",
    COPIED: "dialogues in which half of the messages, or more, are copies of what was said before",
    DUPLICATE: "dialogues whose messages are those of an earlier dialogue",
}
"""Every rule by its name in study files and results, and what it excludes."""

OF_SEVERAL = frozenset({FIXED_PATTERN, ALL_OR_NONE})
"""Rules about turns on which several bots answered: of a single bot there are no positions to choose from."""

PAPER_RULES = (FIXED_PATTERN, ALL_OR_NONE, FEW_TOKENS, FIRST_TURN)
"""Those of the per-turn paper ("Data Cleaning"), whose fixed pattern may be all or none."""

STUDY_RULES = (FIXED_PATTERN, FEW_TOKENS, FIRST_TURN, TOO_FAST_TURN, COPIED, DUPLICATE)
"""Those of a study that names no others."""

TABLE_RULES = tuple(rule for rule in STUDY_RULES if rule != FIRST_TURN)
"""Those of a table: that its first turns are to go, only its owner can say."""

SETS: Mapping[str, tuple[str, ...]] = {
    "study": STUDY_RULES,
    "paper": PAPER_RULES,
    "all": tuple(RULES),
    "none": (),
}
"""Several rules by one name."""


def rules_named(names: Iterable[str]) -> tuple[str, ...]:
    """The rules of these names, each a rule or a set of them, in the order of `RULES`.

    Raises:
        DesignError: There is no such rule.
    """
    found: set[str] = set()
    for name in names:
        if name not in RULES and name not in SETS:
            raise DesignError(
                f"{name!r} is no rule of screening; they are: {', '.join(RULES)}; or {', '.join(SETS)}."
            )
        found.update(SETS.get(name, (name,)))
    return tuple(rule for rule in RULES if rule in found)
