"""Text reduced to what makes two utterances the same to a reader, and whose turns a bot's turns are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duologue.dialogues import Dialogue

_NOT_WORDS = re.compile(r"[\W_]+")


def plain_words(text: str) -> str:
    """The words of a text in lower case with single spaces between them; signs alone are kept as they are.

    Example:
        >>> plain_words("I'm   doing WELL .  How are you?"), plain_words(" :-) ")
        ('i m doing well how are you', ':-)')
    """
    return _NOT_WORDS.sub(" ", text.casefold()).strip() or text.strip()


def bot_turns(dialogue: Dialogue) -> Iterator[tuple[int, str]]:
    """The numbers of the bot's own turns, and who speaks: both sides of a self-chat, else the judged one."""
    own = {speaker.name for speaker in dialogue.speakers if speaker.bot == dialogue.bot} | {dialogue.judged}
    return ((number, turn.speaker) for number, turn in enumerate(dialogue.turns) if turn.speaker in own)
