"""What annotators of a study of ratings are told: whether they chat or read, and how much is asked."""

from __future__ import annotations

from collections.abc import Mapping

from duologue.likert.settings import LikertSettings
from duologue.protocols import NOTHING_WRITTEN, Counted, Fact, Heading

FACT_SETTINGS: Mapping[Fact, str] = {
    "chats": "source",
    "reads": "source",
    "reasons": "reason",
    "reason needed": "reason",
    "persona": "persona_detection",
}
"""Which setting decides it."""

_KEYWORDS = ("chat", "evaluation", "conversation")


def facts_of(settings: LikertSettings) -> frozenset[Fact]:
    """What annotators do in a study with these settings."""
    found: dict[Fact, bool] = {
        "chats": settings.source == "live",
        "reads": settings.source == "dialogues",
        "one at a time": True,
        "rates": True,
        "reasons": settings.reason != "off",
        "reason needed": settings.reason == "required",
        "persona": settings.persona_detection,
        "program": settings.source == "dialogues" and settings.dialogue_kind != "human-human",
    }
    return frozenset(fact for fact, holds in found.items() if holds)


def numbers_of(settings: LikertSettings) -> Mapping[Counted, frozenset[int]]:
    """How many questions are asked, with how many answers, and where their scales end."""
    asked = settings.questions
    how_many = len(asked) + settings.persona_detection
    sizes = {len(question.labels) for question in asked} | ({2} if settings.persona_detection else set())
    return {
        "answers": frozenset(sizes),
        "points": frozenset(question.high for question in asked),
        "questions": frozenset({how_many, how_many + (settings.reason != "off")}),
    }


def wording_of(settings: LikertSettings) -> Mapping[str, str]:
    """Of ``[wording]``, what a study with these settings says in other words than where two are compared."""
    shared = {
        **_keys(settings),
        "progress": "Conversation {number} of {total}",
        "not_scrolled": (
            "There is more to read: please scroll to the end of the conversation. To answer anyway, press "
            "the button again."
        ),
        **_reason_labels(settings),
    }
    open_minded = "" if settings.persona_detection else " Please say what you yourself think."
    if settings.source == "dialogues":
        one = f"Read each of them and answer our {_questions(settings)} about it."
        if settings.reason == "off":
            shared["consent"] = NOTHING_WRITTEN
        return {**shared, "instructions": f"You will read one or more conversations. {one}{open_minded}"}
    go_on = f"Go on to the {_questions(settings)}"
    return {
        **shared,
        "instructions": (
            "You will have one or more short conversations in writing. After each of them we ask you how it "
            f"was.{open_minded}"
        ),
        "chat_instructions": (
            "Chat with your partner as if you had just met. When you have said enough, "
            f"{go_on[0].lower()}{go_on[1:]}."
        ),
        "go_on": go_on,
    }


def _keys(settings: LikertSettings) -> Mapping[str, str]:
    """What the keys do: numbers below 0 are typed with their sign."""
    if all(question.low >= 0 for question in settings.questions):
        return {"keys": "Keys: the number of an answer to choose it, Enter to go on"}
    number = "the number of an answer to choose it (one below 0 begins with -)"
    return {
        "keys": f"Keys: {number}, Enter to go on",
        "keys_reason": (
            f"Keys: {number}, then write why; Enter to submit, Shift+Enter for a new line, Escape to leave "
            "the text box"
        ),
    }


def _reason_labels(settings: LikertSettings) -> Mapping[str, str]:
    """How the reason is asked for: "why" alone would be about the last of several questions."""
    if _questions(settings) == "question":
        return {"reason_label": "Would you like to say why? (optional)"}
    why = "Why did you rate the conversation as you did?"
    return {"reason_label": f"{why} (optional)", "reason_required_label": f"{why} (required)"}


def heading_of(settings: LikertSettings) -> Heading:
    """Title and description."""
    some = "a question" if _questions(settings) == "question" else "some questions"
    if settings.source == "dialogues":
        return {
            "title": "Read conversations and tell us how they were",
            "description": f"Read what was said, then answer {some} about it.",
            "keywords": _KEYWORDS,
        }
    return {
        "title": "Have a conversation and tell us how it was",
        "description": f"Chat with a partner, then answer {some} about the conversation.",
        "keywords": _KEYWORDS,
    }


def _questions(settings: LikertSettings) -> str:
    asked = len(settings.questions) + settings.persona_detection
    return "question" if asked == 1 else "questions"
