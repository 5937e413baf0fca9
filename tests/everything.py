"""A study of the protocol in ``tests/best_worst`` that has everything at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.about_annotators import BY_ANSWER, forms_and_cohorts
from tests.own_protocol import make_threes

MORE = """
[chat]
min_exchanges = 2
max_exchanges = 2
chats_per_bot = 8
chats_per_annotator = 2

[attention]
per_sitting = 1
on_fail = "exclude"
min_checks = 1
"""


def make_everything(
    folder: Path,
    variables: Mapping[str, str],
    *,
    database: str = "",
    changes: Mapping[str, str] | None = None,
) -> Path:
    """Make the study ``all`` in a folder where the protocol is installed; its study file.

    Args:
        folder: Where.
        variables: Of a process that finds the protocol.
        database: Where it is kept; a file of its own when empty.
        changes: What else is replaced in the study file.
    """
    file = make_threes(folder, variables, "all", dialogues=6)
    about = forms_and_cohorts(
        expert="items = 4\n" + BY_ANSWER["expert"],
        novice="annotations_per_item = 1\n" + BY_ANSWER["novice"],
    )
    text = file.read_text(encoding="utf-8") + MORE + about
    replaced = {
        "check = true": 'source = "live"\nattention = 4\ncheck = true',
        "max_judgments = 2": "max_judgments = 2\nsitting_minutes = 30\nitem_seconds = 900\n"
        'cohort_from = "you.work"',
        **({"[study]": f'[study]\ndatabase = "{database}"'} if database else {}),
        **(changes or {}),
    }
    for old, new in replaced.items():
        assert old in text, old
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
    return file
