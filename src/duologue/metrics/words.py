"""The words of a text, what makes two utterances the same to a reader, and whose turns a bot's turns are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duologue.dialogues import Dialogue

# Han, kana, Thai, Lao, Tibetan, Myanmar, Khmer: written without blanks. Each letter counts as a word, with
# the marks above and below it.
_NO_BLANKS = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf\u0f40-\u0f6c"
    "\u1000-\u102a\u103f\u1780-\u17b3\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
# Marks that belong to the letter before them and are no letters to a regular expression.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57"
    "\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d81-\u0d83"
    "\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84\u0f90-\u0fbc"
    "\u102b-\u103e\u17b4-\u17d3\u200c\u200d"
)
_WORD = re.compile(
    rf"[{_NO_BLANKS}][{_MARKS}]*"
    rf"|(?:[^\W_{_NO_BLANKS}]|[{_MARKS}])+(?:['’](?:[^\W_{_NO_BLANKS}]|[{_MARKS}])+)*"
)
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")

_NOT_WORDS = re.compile(r"[\W_]+")


def plain_words(text: str) -> str:
    """The words of a text in lower case with single spaces between them; signs alone are kept as they are.

    Example:
        >>> plain_words("I'm   doing WELL .  How are you?"), plain_words(" :-) ")
        ('i m doing well how are you', ':-)')
    """
    return _NOT_WORDS.sub(" ", text.casefold()).strip() or text.strip()


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation; "don't" is one word.

    Where a script has no blanks between words each of its letters counts as a word: lengths and repeats of
    such texts compare with one another, not with those of English.

    Example:
        >>> words_of("I don't, you DO :-)"), words_of("我喜欢tea。")
        (['i', "don't", 'you', 'do'], ['我', '喜', '欢', 'tea'])
    """
    lowered = text.lower()
    return (_ASCII_WORD if lowered.isascii() else _WORD).findall(lowered)


def bot_turns(dialogue: Dialogue) -> Iterator[tuple[int, str]]:
    """The numbers of the bot's own turns, and who speaks: both sides of a self-chat, else the judged one."""
    own = {speaker.name for speaker in dialogue.speakers if speaker.bot == dialogue.bot} | {dialogue.judged}
    return ((number, turn.speaker) for number, turn in enumerate(dialogue.turns) if turn.speaker in own)
