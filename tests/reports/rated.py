"""Ratings as a study exports them, made up by a rule so that every test sees the same."""

from __future__ import annotations

from duologue.judgments import Row

BOTS = {"mint": 3, "sage <b>": 2, "dill_1": 1}


def rated_rows(*, annotators: int = 12, wild: int = 0) -> list[Row]:
    """Everybody rates every bot on two questions; the last annotators are volunteers."""
    rows: list[Row] = []
    for person in range(annotators):
        for place, (bot, true) in enumerate(BOTS.items()):
            number = person * len(BOTS) + place
            failed = number == 4
            point = max(1, min(4, true + (person % 3 - 1) + (number % 5 == 0)))
            rows.append(
                {
                    "bot": bot,
                    "rating_enjoyment": None if failed else point,
                    "rating_fluency": None if failed else max(1, min(4, true + number % 2)),
                    "persona_right": None if failed else number % 4 != 0,
                    "annotator": f"a{person}",
                    "annotator_kind": "open" if person >= annotators - wild else "lab",
                    "dialogue": f"d{number}",
                    "item": f"i{number}",
                    "arm": "main",
                    "source": "live",
                    "reason": "<script>fun</script>" if person % 2 else "",
                    "seconds": 60 + number,
                    "at": f"2026-05-{1 + person:02}T12:00:00+00:00",
                    "revision": 1,
                    "is_onboarding": False,
                    "excluded": "bot-failed" if failed else "chat:few-words" if number == 7 else "",
                    "flags": "few-words;all-caps" if number in (7, 10) else "",
                }
            )
    return rows
