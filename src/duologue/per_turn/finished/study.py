"""A new study from collected ones: others read the chats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from duologue.dialogues import Source
from duologue.errors import DesignError
from duologue.per_turn.finished.drawing import SampledChats, draw_finished
from duologue.per_turn.rows import TurnRow, read_turns, turn_of
from duologue.per_turn.settings import PerTurnSettings
from duologue.per_turn.template import READING_TEMPLATE
from duologue.protocols import write_items
from duologue.store import judgment_rows, open_store
from duologue.studies import load_study, new_study


def reread_study(
    folder: Path,
    source: Path,
    *,
    chats: int | None = None,
    readers: int = 1,
    is_written: bool = False,
    seed: int | None = None,
) -> Mapping[str, int]:
    """Make a study in which others read chats; how many of each arm there are.

    Args:
        folder: Of the new study.
        source: A file of turns, or the folder of a per-turn study.
        chats: Of each arm; all where None.
        readers: How many annotators read each.
        is_written: Whether replies that were written are compared with those of bots.
        seed: Of the new study; drawn when not given.

    Raises:
        DesignError: There is nothing to read, or the source is a study of another protocol.
        FormatError: The file is not one of turns.
        StudyExists: There is a study in the folder already.
    """
    rows, ask = _collected(source)
    draw_finished(rows, SampledChats(0, chats, is_written))  # before a folder is made
    words = {
        "what": "and judge replies that were written" if is_written else "and select at every turn",
        "collect": "written" if is_written else "finished",
        "readers": readers,
        "ask": ask,
    }
    study = new_study(folder, protocol="per-turn", seed=seed, template=READING_TEMPLATE.format(**words))
    items = draw_finished(rows, SampledChats(study.seed, chats, is_written))
    write_items(items, study.items_path)
    return Counter(item.group for item in items)


def _collected(source: Path) -> tuple[tuple[TurnRow, ...], str]:
    """The turns of a file or study, and what was asked about replies there."""
    if not source.is_dir():
        return read_turns(source), PerTurnSettings().ask
    study = load_study(source)
    if not isinstance(study.settings, PerTurnSettings):
        raise DesignError(f"{source}: this is a study of the protocol {study.protocol.name}, not of turns.")
    rows = []
    with open_store(study.database) as store:
        for row in judgment_rows(study, store):
            records = row.get("turns")
            rows += [
                turn_of({**record, "excluded": row.get("excluded") or ""}, Source(source))
                for record in (records if isinstance(records, list) else ())
                if not row.get("is_onboarding")
            ]
    return tuple(rows), study.settings.ask
