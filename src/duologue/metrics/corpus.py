"""Reading dialogues as mere text, whoever holds them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from duologue.dialogues import Dialogue, detect_format, read_dialogues


def corpus_dialogues(path: Path | str) -> Iterator[Dialogue]:
    """The dialogues of a file in any known format, in a stream.

    Whose dialogues they are does not matter here, but most formats leave it open: it is made up.

    Raises:
        InputError: The file cannot be used.
    """
    format = detect_format(Path(path))
    is_ours = format == "duologue"
    bot, index = (None, None) if is_ours else ("training", 0)
    return read_dialogues(path, format=format, bot=bot, speaker_index=index, max_turn_chars=2**63)
