"""Live chats that somebody should look at: flags raised by what the annotator wrote.

A flag is a reason to look, not a verdict: a rating is excluded only where the study says so. The paper that
this protocol comes from discarded a whole evaluation for want of such a check (Dinan et al. 2019, section
3.2.1 and Table 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from duologue.errors import FormatError, UnreadableFile
from duologue.screening.words import words_said

FEW_WORDS = "few-words"
ALL_CAPS = "all-caps"
REPEATED = "repeated-messages"
COPIED_PERSONA = "copied-persona"
GREETING_ONLY = "greeting-only"
OFFENSIVE = "offensive"

CHAT_FLAGS: Mapping[str, str] = {
    FEW_WORDS: "fewer words in the whole chat than min_words",
    ALL_CAPS: "nearly all in capitals",
    REPEATED: "the same message three times, or no more than half of the messages new",
    COPIED_PERSONA: "a line of the annotator's own persona, word for word",
    GREETING_ONLY: "nothing but greetings, farewells and single words like OK (in English)",
    OFFENSIVE: "a word of the study's list",
}
"""Every flag of a live chat by its name in study files, and when it is raised."""

LEAST_CAPITALS = 10
"""Fewer letters say nothing about a habit: OK, LOL."""

MOST_CAPITALS = 0.8
"""From this share of the letters on a chat is in capitals."""

LEAST_COPIED_WORDS = 4
"""A shorter line may be said by chance."""

# fmt: off
GREETINGS = frozenset(
    {
        "hi", "hii", "hello", "hey", "heya", "hiya", "yo", "sup", "greetings", "good", "morning",
        "afternoon", "evening", "day", "night", "how", "are", "you", "doing", "whats", "what", "s", "up",
        "bye", "byebye", "goodbye", "cya", "see", "ya", "later", "ciao", "cheers", "ok", "okay", "k",
        "thanks", "thank", "thx", "yes", "no", "yeah", "yep", "nope", "lol", "there", "again", "and",
        "everyone",
    }
)
# fmt: on
"""A message of these words alone is a greeting, a farewell, or next to nothing."""


@dataclass(frozen=True, slots=True)
class ScreenFlag:
    """A rule that a chat was caught by, and what was found."""

    rule: str
    detail: str


def flag_chat(
    annotator_turns: Sequence[str],
    *,
    persona: Sequence[str] = (),
    min_words: int = 0,
    offensive_words: Collection[str] = (),
    points: Mapping[str, int] | None = None,
) -> tuple[ScreenFlag, ...]:
    """The flags of one live chat, in the order of `CHAT_FLAGS`.

    Args:
        annotator_turns: What the annotator wrote, message by message.
        persona: The lines of the annotator's own persona.
        min_words: Fewer words than these in the whole chat are flagged.
        offensive_words: Words (or groups of words) that are flagged wherever they stand.
        points: What the annotator then gave, by question, told with what was found.

    Example:
        >>> [flag.rule for flag in flag_chat(["Ciao", "Ciao", "Hey", "Ciao"], min_words=10)]
        ['few-words', 'repeated-messages', 'greeting-only']
    """
    messages = [words_said(turn) for turn in annotator_turns]
    found = {
        FEW_WORDS: _few_words(messages, min_words),
        ALL_CAPS: _all_caps(annotator_turns),
        REPEATED: _repeated(messages, annotator_turns),
        COPIED_PERSONA: _copied_persona(messages, persona),
        GREETING_ONLY: _greeting_only(messages),
        OFFENSIVE: _offensive(messages, offensive_words),
    }
    rated = ", ".join(f"{name} {point}" for name, point in (points or {}).items())
    after = f" (rated {rated})" if rated else ""
    return tuple(ScreenFlag(rule, detail + after) for rule, detail in found.items() if detail)


def read_words(path: Path | str) -> frozenset[str]:
    """Read a list of words, or of groups of words, one a line.

    Raises:
        UnreadableFile: The file cannot be opened.
        FormatError: It is not text, or holds no word.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FormatError(path, expected="text in UTF-8", hint="Save the file as UTF-8.") from error
    except OSError as error:
        raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
    words = frozenset(line.strip() for line in lines if words_said(line))
    if not words:
        raise FormatError(path, expected="a word in each line", got="no words")
    return words


def _few_words(messages: Sequence[tuple[str, ...]], min_words: int) -> str:
    count = sum(map(len, messages))
    return f"{count} words, fewer than {min_words}" if count < min_words else ""


def _all_caps(turns: Sequence[str]) -> str:
    cased = [letter for turn in turns for letter in turn if letter.isupper() or letter.islower()]
    capitals = sum(letter.isupper() for letter in cased)
    if len(cased) < LEAST_CAPITALS or capitals < MOST_CAPITALS * len(cased):
        return ""
    return f"{capitals} of {len(cased)} letters are capitals"


def _repeated(messages: Sequence[tuple[str, ...]], turns: Sequence[str]) -> str:
    if len(messages) < 3:
        return ""
    counts = Counter(words or (turn.strip(),) for words, turn in zip(messages, turns, strict=True))
    said, times = counts.most_common(1)[0]
    if times >= 3 or 2 * len(counts) <= len(messages):
        return f"{' '.join(said)!r} {times} times in {len(messages)} messages"
    return ""


def _copied_persona(messages: Sequence[tuple[str, ...]], persona: Sequence[str]) -> str:
    lines = {words: line for line in persona if len(words := words_said(line)) >= LEAST_COPIED_WORDS}
    copied = [line for words, line in lines.items() if any(_holds(message, words) for message in messages)]
    return f"copied: {'; '.join(copied)}" if copied else ""


def _greeting_only(messages: Sequence[tuple[str, ...]]) -> str:
    words = {word for message in messages for word in message}
    return f"only {', '.join(sorted(words))}" if words and words <= GREETINGS else ""


def _offensive(messages: Sequence[tuple[str, ...]], offensive_words: Collection[str]) -> str:
    wanted = {words: text for text in offensive_words if (words := words_said(text))}
    found = sorted(
        text for words, text in wanted.items() if any(_holds(message, words) for message in messages)
    )
    return f"wrote {', '.join(found)}" if found else ""


def _holds(message: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words stand in the message, one after the other."""
    return any(message[at : at + len(words)] == words for at in range(len(message) - len(words) + 1))
