"""Making utterances anonymous, and leaving out dialogues with words that nobody should be shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from duologue.dialogues import Dialogue, Source
from duologue.errors import FormatError

MENTION = "@user"
"""In the place of words that begin with @, as in the paper's Twitter corpus (section 4.2)."""
LINK = "[link]"
ADDRESS = "[e-mail]"
NAME = "[name]"

_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_MENTION = re.compile(r"(?<!\w)@\w+")
_LINK = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]]", re.IGNORECASE)
_ROLE = re.compile(
    r"(?:agent|assistant|bot|customer|human|model|operator|participant|partner|person|speaker|system|user|"
    r"wizard|worker|you|me|.{1,2})[ _-]?\w?",
    re.IGNORECASE,
)
"""Names of speakers that are roles and no names of people."""


@dataclass(frozen=True, slots=True)
class Cleaning:
    """What is done with the text of a corpus before items are made of it."""

    mentions: bool = True
    """Words that begin with @ become ``@user``; hashtags stay, tweets cannot be read without them."""
    links: bool = True
    """Addresses of pages and of e-mail become ``[link]`` and ``[e-mail]``."""
    names: bool = True
    """Names of speakers, unless they are roles such as "user", become ``[name]`` wherever they are said."""
    known_names: frozenset[str] = frozenset()
    """More names to hide."""
    offensive: frozenset[str] = frozenset()
    """Dialogues in which one of these words or phrases is said are left out."""

    def anonymous(self, dialogue: Dialogue) -> Anonymiser:
        """What hides names and addresses in the texts of a dialogue."""
        speakers = {speaker.name for speaker in dialogue.speakers} if self.names else set()
        said = {name.casefold() for name in speakers if not _ROLE.fullmatch(name)}
        return Anonymiser(self, _phrases(said | self.known_names))

    def offends(self, texts: Iterable[str]) -> bool:
        """Whether one of the offensive words or phrases is in a text, as a whole word in any letter case."""
        pattern = _phrases(self.offensive)
        return pattern is not None and any(pattern.search(text) for text in texts)


@dataclass(frozen=True, slots=True)
class Anonymiser:
    """Hides what identifies people."""

    cleaning: Cleaning
    names: re.Pattern[str] | None

    def clean(self, text: str) -> str:
        """The text with placeholders.

        Example:
            >>> Anonymiser(Cleaning(), None).clean("@ada see https://example.org/a, or ask bob@example.org")
            '@user see [link], or ask [e-mail]'
        """
        if self.cleaning.links:
            text = _LINK.sub(LINK, text)
            if "@" in text:
                text = _ADDRESS.sub(ADDRESS, text)
        if self.cleaning.mentions and "@" in text:
            text = _MENTION.sub(MENTION, text)
        return text if self.names is None else self.names.sub(NAME, text)


_PATTERNS: dict[frozenset[str], re.Pattern[str] | None] = {}


def _phrases(phrases: Iterable[str]) -> re.Pattern[str] | None:
    """Any of some phrases as whole words; the last ones are kept, most dialogues have the same."""
    key = frozenset(phrases)
    if key not in _PATTERNS:
        if len(_PATTERNS) > 1_000:
            _PATTERNS.clear()
        longest_first = sorted(map(re.escape, key), key=lambda phrase: (-len(phrase), phrase))
        found = rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)" if key else None
        _PATTERNS[key] = re.compile(found, re.IGNORECASE) if found else None
    return _PATTERNS[key]


def read_phrases(path: Path) -> frozenset[str]:
    """Words or phrases from a file, one a line; lines that begin with # say something about them.

    Raises:
        FormatError: There are none, or a line is no text.
        UnreadableFile: The file cannot be opened.
    """
    found = set()
    for _, text in Source(path).lines():
        if isinstance(text, FormatError):
            raise text
        if (phrase := " ".join(text.split())) and not phrase.startswith("#"):
            found.add(phrase.casefold())
    if not found:
        raise FormatError(path, expected="words or phrases, one a line", got="none")
    return frozenset(found)
