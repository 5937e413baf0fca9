"""What annotators of a per-turn study are told: whether they chat or read, and how replies are chosen."""

from __future__ import annotations

from collections.abc import Mapping

from duologue.per_turn.rows import Setting
from duologue.per_turn.settings import PerTurnSettings
from duologue.protocols import NOTHING_WRITTEN, Counted, Fact, Heading

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
_OPEN = "Please say what you yourself think."


def facts_of(settings: PerTurnSettings) -> frozenset[Fact]:
    """What annotators do in a study with these settings."""
    is_live = settings.collect == "live"
    chosen = {arm.chosen for arm in settings.arms}
    is_open = not is_live or not chosen
    found: dict[Fact, bool] = {
        "chats": is_live,
        "reads": not is_live,
        "one at a time": True,
        "selects": True,
        "one best": not is_live or "soba" in chosen,
        "all that apply": is_open or bool(chosen & {"sata-random", "sata-user"}),
        "several replies": is_open or chosen != {None},
        "writes replies": is_live and any(arm.chosen == "sata-user" for arm in settings.arms),
        "rates": bool(settings.questions),
        "program": not is_live,
    }
    return frozenset(fact for fact, holds in found.items() if holds)


def numbers_of(settings: PerTurnSettings) -> Mapping[Counted, frozenset[int]]:
    """How many replies are seen together, where arms say it."""
    if settings.collect != "live" or not settings.arms:
        return {}
    return {"replies": frozenset(len(arm.bots) for arm in settings.arms)}


def wording_of(settings: PerTurnSettings) -> Mapping[str, str]:
    """Of ``[wording]``, what a study with these settings says in other words than where two are compared."""
    shared = {
        "keys": "Keys: the number of an answer to choose it, Enter to go on",
        "progress": "Conversation {number} of {total}",
    }
    if settings.dimensions:
        shared["cards_keys"] = "Keys: the number of a reply answers the question in bold, Enter goes on"
    after = " After a conversation we ask you about all of it." if settings.questions else ""
    if settings.collect != "live":
        read = (
            "You will read one or more conversations up to a reply, and see several replies that could come "
            "there: "
            if settings.collect == "written"
            else "You will read one or more conversations. At every turn you see one or more replies: "
        )
        instructions = f"{read}{_choose(settings, is_first=False)}.{after} {_OPEN}"
        return {**shared, "consent": NOTHING_WRITTEN, "instructions": instructions}
    if _counts(settings) == {1}:
        shared["stored_selections"] = "Whether you choose each reply, and how long you took."
    writes = "writes replies" in facts_of(settings)
    told = _told(settings, _counts(settings), writes=writes)
    return {
        **shared,
        "instructions": f"You will chat in writing. After each of your messages {told}{after} {_OPEN}",
        "chat_instructions": _chat_instructions(told),
        "go_on": _go_on(settings),
        "bot_failed": "A reply is missing. You can try again, or end here: your time counts either way.",
        "slow_partner": (
            "The reply takes long. You can go on waiting, or end here: your time counts either way."
        ),
    }


def arm_wording_of(settings: PerTurnSettings, bots: int, setting: Setting | None) -> Mapping[str, str]:
    """The same of the chats of one arm: how many bots it has, and how replies are selected there."""
    told = _told(settings, frozenset({min(bots, 2)}), writes=setting == "sata-user")
    return {"chat_instructions": _chat_instructions(told)}


def heading_of(settings: PerTurnSettings) -> Heading:
    """Title and description."""
    if settings.collect == "written":
        return {
            "title": "Read conversations and judge a reply",
            "description": "Read what was said, and tell us what you think of replies that could come next.",
            "keywords": _KEYWORDS,
        }
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


def _chat_instructions(told: str) -> str:
    return f"Write as you would to somebody you have just met. After each message {told}"


def _counts(settings: PerTurnSettings) -> frozenset[int]:
    """How many replies there are to choose from in the arms: 1, or 2 for several."""
    return frozenset(min(len(arm.bots), 2) for arm in settings.arms)


def _told(settings: PerTurnSettings, counts: frozenset[int], *, writes: bool) -> str:
    """What comes after each message, and how the chat goes on."""
    replies, goes_on = "one or more replies", "one of them"
    if counts == {1}:
        replies, goes_on = "a reply", "it"
    elif counts == {2}:
        replies = "some replies"
    own = " or with a reply that you write" if writes else ""
    return f"you see {replies}. {_choose(settings)}; the chat continues with {goes_on}{own}."


def _choose(settings: PerTurnSettings, *, is_first: bool = True) -> str:
    says = "the questions say" if settings.dimensions else "the question says"
    return f"{'Choose' if is_first else 'choose'} as {says}"


def _go_on(settings: PerTurnSettings) -> str:
    if not settings.questions:
        return "Go on"
    return "Go on to the question" if len(settings.questions) == 1 else "Go on to the questions"
