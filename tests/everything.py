"""A study of the protocol in ``tests/best_worst`` that has everything at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.processes import DUOLOGUE, finished

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

[[forms]]
name = "you"
when = "before"
title = "About you"

[[forms.questions]]
name = "work"
kind = "one"
label = "Have you worked with dialogue systems?"
choices = ["Never", "For years"]
required = true

[[forms.questions]]
name = "langs"
kind = "several"
label = "Languages"
choices = ["en", "de", "fa"]

[[forms]]
name = "end"
when = "after"
title = "Afterwards"

[[forms.questions]]
name = "notes"
kind = "text"
label = "Notes"

[[cohorts]]
name = "expert"
items = 4
answers = ["For years"]

[[cohorts]]
name = "novice"
annotations_per_item = 1
answers = ["Never"]
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
    for command in (
        "study new all --protocol best-worst --seed 5",
        "dialogues self-chat all -n 6 --exchanges 2",
    ):
        done = finished([*DUOLOGUE, *command.split()], folder=folder, variables=variables)
        assert done.returncode == 0, done.stderr
    file = folder / "all" / "study.toml"
    text = file.read_text(encoding="utf-8") + MORE
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
