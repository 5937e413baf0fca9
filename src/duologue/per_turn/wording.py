"""What annotators of a per-turn study are told: whether they chat or read, and how replies are chosen."""

from __future__ import annotations

from collections.abc import Mapping

from duologue.per_turn.settings import PerTurnSettings
from duologue.protocols import Fact, Heading

FACT_SETTINGS: Mapping[Fact, str] = {
    "chats": "collect",
    "reads": "collect",
    "one best": "arms",
    "all that apply": "arms",
    "several replies": "arms",
    "writes replies": "arms",
    "rates": "questions",
}
"""Which setting decides it."""

_KEYWORDS = ("chat", "evaluation", "conversation")
_OPEN = "There are no right or wrong answers."


def facts_of(settings: PerTurnSettings) -> frozenset[Fact]:
    """What annotators do in a study with these settings."""
    is_live = settings.collect == "live"
    chosen = {arm.chosen for arm in settings.arms}
    is_open = not is_live or not chosen
    found: dict[Fact, bool] = {
        "chats": is_live,
        "reads": not is_live,
        "selects": True,
        "one best": not is_live or "soba" in chosen,
        "all that apply": is_open or bool(chosen & {"sata-random", "sata-user"}),
        "several replies": is_open or chosen != {None},
        "writes replies": is_live and any(arm.chosen == "sata-user" for arm in settings.arms),
        "rates": bool(settings.questions),
    }
    return frozenset(fact for fact, holds in found.items() if holds)


def wording_of(settings: PerTurnSettings) -> Mapping[str, str]:
    """Of ``[wording]``, what a study with these settings says in other words than where two are compared."""
    shared = {
        "keys": "Keys: the number of an answer to choose it, Enter to go on",
        "progress": "Conversation {number} of {total}",
    }
    after = " After each conversation we ask you about all of it." if settings.questions else ""
    if settings.collect != "live":
        return {
            **shared,
            "instructions": (
                "You will read conversations. At every turn you see one or more replies: choose as the "
                f"question says.{after} {_OPEN}"
            ),
        }
    replies, goes_on = _replies(settings)
    own = " or with a reply that you write" if "writes replies" in facts_of(settings) else ""
    return {
        **shared,
        "instructions": (
            f"You will have one or more conversations in writing. After each of your messages you see "
            f"{replies}. Choose as the question says; the conversation continues with {goes_on}{own}.{after} "
            f"{_OPEN}"
        ),
        "chat_instructions": (
            f"Write as you would to somebody you have just met. After each message you see {replies}. Choose "
            f"as the question says; the chat continues with {goes_on}{own}."
        ),
        "go_on": _go_on(settings),
        "bot_failed": "A reply is missing. You can try again, or end here: what you have done counts.",
        "slow_partner": (
            "The reply takes long. You can go on waiting, or end here: what you have done counts."
        ),
    }


def heading_of(settings: PerTurnSettings) -> Heading:
    """Title and description."""
    if settings.collect != "live":
        return {
            "title": "Read conversations and judge the replies",
            "description": "Read what was said, and tell us at every turn what you think of the replies.",
            "keywords": _KEYWORDS,
        }
    return {
        "title": "Have a conversation and judge the replies",
        "description": "Chat, and tell us at every turn what you think of the replies.",
        "keywords": _KEYWORDS,
    }


def _replies(settings: PerTurnSettings) -> tuple[str, str]:
    """How many replies there are to choose from, and which one the chat goes on with."""
    counts = {min(len(arm.bots), 2) for arm in settings.arms}
    if counts == {1}:
        return "a reply", "it"
    return ("some replies" if counts == {2} else "one or more replies"), "one of them"


def _go_on(settings: PerTurnSettings) -> str:
    if not settings.questions:
        return "Go on"
    return "Go on to the question" if len(settings.questions) == 1 else "Go on to the questions"
