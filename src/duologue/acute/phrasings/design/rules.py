"""By which rules a study of phrasings is decided, and what brings it to its annotators."""

from __future__ import annotations

from duologue.protocols import VerdictRules

PHRASING_RULES = VerdictRules(
    test=(
        "exact two-sided binomial test of the most chosen answer against an even split (over several pairs, "
        "of the sum of their folded counts); phrasings are ranked by the lower end of the Wilson interval of "
        "their agreement, and the first is compared with the second of its axis by the two-proportion "
        "z-test, clustered by annotator where annotators judge several pairs"
    ),
    family="Holm over all phrasings; of first against second, Holm over the axes",
    asks_for_reasons=True,
)

PHRASING_STEPS = (
    "duologue dialogues import {study} LOGS.jsonl --bot NAME",
    "duologue phrasings pair {study} DIALOGUE DIALOGUE",
    "duologue rehearse {study}",
    "duologue serve {study}",
)
"""What brings a study of phrasings to its annotators."""
