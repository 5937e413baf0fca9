"""The items of a study that are drawn by its seed, written to a file when what they depend on has changed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from duologue.bots import Briefing, answering_bots, read_briefings
from duologue.dialogues import study_dialogues
from duologue.errors import DesignError, FormatError
from duologue.protocols import HUMAN, Item, Material, items_drawn_from, read_items, write_items
from duologue.studies.model import Study


@dataclass(frozen=True, slots=True)
class DrawnItems:
    """What was drawn; nothing for a protocol whose items are made by a command of their own."""

    path: Path
    groups: Mapping[str, int]
    """How many items of each group there are now; empty when nothing had to be drawn."""
    was_drawn: bool
    """Whether the file was written now."""


def draw_items(study: Study, *, redraw: bool = False) -> DrawnItems:
    """Draw the items of a study and write its file, unless it is there and still fits.

    The same study gives the same items every time. A file that was made another way is left alone.

    Args:
        study: The study.
        redraw: Draw even though a file is there.

    Raises:
        DesignError: There is nobody to chat with, or nothing to rate.
        BotError: ``[chat] bots`` names a bot that does not answer.
        FormatError: The file of personas, dialogues or items is not what it should be.
        ExportError: The file cannot be written.
    """
    path = study.items_path
    items = study.protocol.draw(material_of(study))
    if items is None:
        return DrawnItems(path, {}, was_drawn=False)
    if path.exists() and not redraw and _is_kept(path, study):
        return DrawnItems(path, {}, was_drawn=False)
    counting: Counter[str] = Counter()
    write_items(_counted(iter(items), counting), path, drawn_from=_origin(study))
    return DrawnItems(path, dict(counting), was_drawn=True)


def require_items(study: Study) -> None:
    """Refuse a study that has nothing to judge yet.

    Raises:
        FormatError: Its file of items is not there; says how it comes to be.
    """
    if not study.items_path.is_file():
        steps = "; ".join(step.format(study=study.folder) for step in study.protocol.study_steps())
        raise FormatError(
            study.items_path,
            expected="the items to judge",
            got="nothing",
            hint=f"The steps of a study are: {steps}.",
        )


def planned_items(study: Study) -> tuple[Item, ...]:
    """The items that annotators will be handed: those of the file as it is, or else as they will be drawn.

    Nothing is written.

    Raises:
        DuologueError: As `draw_items`.
    """
    path = study.items_path
    if path.exists() and _is_kept(path, study):
        return tuple(read_items(path))
    return tuple(study.protocol.draw(material_of(study)) or ())


def _is_kept(path: Path, study: Study) -> bool:
    """Whether a file of items is left alone: one made by hand, or drawn from what the study still is."""
    origin = items_drawn_from(path)
    return not origin or origin == _origin(study)


def material_of(study: Study) -> Material:
    """What the items of a study are drawn from.

    Raises:
        BotError: ``[chat] bots`` names a bot that does not answer.
        FormatError: The file of personas is not one.
        DesignError: A bot has the name that people have.
    """
    return Material(
        bots=_partners(study),
        dialogues=lambda: study_dialogues(study.folder),
        briefings=_briefings(study),
        chat=study.file.chat,
        seed=study.seed,
        folder=study.folder,
        cohorts=tuple(study.caps.copies_wanted),
    )


def _partners(study: Study) -> tuple[str, ...]:
    chat = study.file.chat
    bots = tuple(bot.name for bot in answering_bots(study.file.bots, chat.bots))
    if not chat.human_partner:
        return bots
    if HUMAN in bots:
        raise DesignError(
            f"a bot is called {HUMAN!r}, as annotators are who chat with each other (human_partner = true "
            "in [chat]); give the bot another name."
        )
    return (*bots, HUMAN)


def _briefings(study: Study) -> tuple[Briefing, ...]:
    personas, limit = study.file.chat.personas, study.file.study.max_turn_chars
    return read_briefings(study.folder / personas, max_turn_chars=limit) if personas else ()


def _counted(items: Iterator[Item], counting: Counter[str]) -> Iterator[Item]:
    for item in items:
        counting[item.group] += 1
        yield item


def _origin(study: Study) -> str:
    """A name for all that the items depend on: the design, the dialogues and other files as they are."""
    personas = study.file.chat.personas
    files = [study.folder / personas] if personas else []
    files += sorted((study.folder / "dialogues").glob("*.jsonl"))
    files += [path for name in study.protocol.drawn_files() if (path := study.folder / name).is_file()]
    facts = [study.design_hash, *((file.name, _digest(file)) for file in files)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
