"""Names of bots in what is said: where a name occurs, and whether it is used as a name there.

Many bots have ordinary words for names. "Non-human creatures" tells nothing of a bot called ``human``, and a
placeholder there would point at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_JOINED = r"[-_\s\u2010-\u2013]?"
"""What may stand between two parts of a name: a hyphen of any kind, an underscore, a blank, or nothing."""
_NO_BLANKS = r"\u3040-\u30ff\u3400-\u9fff"
"""Chinese and Japanese, in which no blank stands around a name."""
_BORDER = re.compile(rf"{_JOINED[:-1]}+|(?<=[^\W\d_]{{2}})(?=\d)")
"""Where a name has parts. One letter before a number is no word: ``b2`` is not "b 2"."""
_LETTER = rf"[^\W{_NO_BLANKS}]"

_HYPHENS = "-\u2010-\u2013"
_JOINED_BEFORE = re.compile(rf"(\w+)[{_HYPHENS}]$")
_JOINED_AFTER = re.compile(rf"[{_HYPHENS}](\w+)")
_PREFIXES = "anti co ex half inter mid multi non post pre pro pseudo quasi self semi sub super"
_SUFFIXES = (
    "based being beings centred centric colored coloured flavored flavoured free friendly ish less like made "
    "only powered proof shaped sized style type wide"
)
_BEFORE_WORDS, _AFTER_WORDS = frozenset(_PREFIXES.split()), frozenset(_SUFFIXES.split())
"""What ordinary words are joined to by a hyphen ("non-human", "parrot-like"); "ada-2020" is an account."""
_LINE_BEGINS = re.compile(r"(?:^|\n)\s*$")
_LABEL_ENDS = re.compile(r"\s*:")
_CALLED = re.compile(
    r"\b(?:name\s?(?:is|['\u2019]?\s?s)|named|called|call me)\s+[\"'\u201c]?$", re.IGNORECASE
)
_ADDRESSED = re.compile(
    r"\b(?:i(?:\s?['\u2019]\s?|\s+a|a?)m|you(?:\s+a|\s?['\u2019]\s?)re|this is|hi|hello|hey|dear|thanks|"
    r"thank you),?\s+$",
    re.IGNORECASE,
)
_DETERMINED = re.compile(
    r"\b(?:an?|the|my|your|his|her|its|our|their|this|that|these|those|some|any|no|every|each|one|another|other)"
    r"\s+$",
    re.IGNORECASE,
)
_SPEAKER_WORDS = (
    "agent ai assistant baseline bot chatbot computer control human humans machine model partner people "
    "person program robot speaker system user worker"
)
_SPEAKERS = frozenset(_SPEAKER_WORDS.split())
"""Ordinary words for whoever speaks: they are names only where somebody is called so."""


@cache
def name_pattern(name: str) -> re.Pattern[str]:
    """Match a name as whole words, in any letter case, however its parts are joined.

    A hyphen, an underscore, a blank or nothing may stand between the parts of a name, and between a word of
    it and the number that follows: ``gpt-4`` is found in GPT4, and ``gpt4`` in GPT-4.

    Example:
        >>> bool(name_pattern("ada").search("I am Ada.")), bool(name_pattern("ada").search("Canada"))
        (True, False)
        >>> [bool(name_pattern("gpt-4").search(text)) for text in ("GPT4", "gpt 4", "gpt_4", "gpt-40")]
        [True, True, True, False]

    Where words have no blanks between them, a name is found inside of a sentence.

        >>> bool(name_pattern("ada").search("\u6211\u53ebAda\u3002"))
        True
    """
    parts = [part for part in _BORDER.split(name) if part] or [name]
    return re.compile(rf"(?<!{_LETTER}){_JOINED.join(map(re.escape, parts))}(?!{_LETTER})", re.IGNORECASE)


def uses_of_name(text: str, name: str) -> Iterator[re.Match[str]]:
    """Where a name is used as a name, and not as an ordinary word.

    Example:
        >>> [any(uses_of_name(text, "human")) for text in ("Human: hi", "non-human creatures", "I am human.")]
        [True, False, False]
        >>> [any(uses_of_name(text, "parrot")) for text in ("i'm parrot", "Ask Parrot.", "I had a parrot.")]
        [True, True, False]
    """
    return (found for found in name_pattern(name).finditer(text) if _is_name(text, found, name))


def _is_name(text: str, found: re.Match[str], name: str) -> bool:
    """Whether the words found name somebody; in doubt they do, because it breaks the blinding."""
    said, before, after = found[0], text[: found.start()], text[found.end() :]
    if said.lower() == said.upper() or any(character.isdigit() for character in name):
        return True
    if _is_part_of_word(before, after, name):
        return False
    if _CALLED.search(before) or (_LINE_BEGINS.search(before) and _LABEL_ENDS.match(after)):
        return True
    if name.casefold() in _SPEAKERS:
        return False
    is_in_capitals = text.isupper()
    if not said.islower() and not is_in_capitals:
        return True
    if _ADDRESSED.search(before):
        return True
    return (text.islower() or is_in_capitals) and not _DETERMINED.search(before)


def _is_part_of_word(before: str, after: str, name: str) -> bool:
    """Whether a hyphen makes the name a part of an ordinary word, and not of an account or another name."""
    left, right = _JOINED_BEFORE.search(before), _JOINED_AFTER.match(after)
    if name.casefold() in _SPEAKERS:
        return bool(left or right)
    return bool(
        (left and left[1].casefold() in _BEFORE_WORDS) or (right and right[1].casefold() in _AFTER_WORDS)
    )
