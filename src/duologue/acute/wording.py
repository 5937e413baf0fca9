"""What annotators who compare are told: it follows from what they compare and how they answer."""

from __future__ import annotations

from collections.abc import Mapping

from duologue.acute.settings import AcuteSettings
from duologue.protocols import NOTHING_WRITTEN, Counted, Fact, Heading

PARALLEL: Mapping[str, str] = {
    "chat_instructions": (
        "You are talking to two partners at once. Each message you write goes to both, and neither sees what "
        "the other replies. When you have said enough, go on to the question."
    ),
    "replies_typing": "Both are writing…",
    "bot_failed": (
        "One of the two could not answer. You can try again, or end here: your time counts either way."
    ),
    "slow_partner": (
        "It takes long to get both answers. You can go on waiting, or end here: your time counts either way."
    ),
    "end_chat": "End both conversations",
    "chat_over": "The conversations are over.",
    "go_on": "Go on to the question",
}
"""What is said in chats with two partners at once."""

FACT_SETTINGS: Mapping[Fact, str] = {
    "chats": "collect",
    "reads": "collect",
    "at once": "collect",
    "two": "answer",
    "ranks": "answer",
    "grades": "answer",
    "ties": "ties",
    "reasons": "reason",
    "reason needed": "reason",
}
"""Which setting decides it."""


def facts_of(settings: AcuteSettings) -> frozenset[Fact]:
    """What annotators do in a study with these settings."""
    pairings = settings.pairings
    found: dict[Fact, bool] = {
        "chats": settings.is_parallel,
        "at once": settings.is_parallel,
        "reads": not settings.is_parallel or pairings.onboarding is not None,
        "two": not settings.is_ranked or bool(pairings.pairs_per_matchup),
        "ranks": settings.is_ranked,
        "best first": settings.is_ranked and _credits(settings) == {"chosen"},
        "grades": settings.is_graded,
        "ties": settings.ties,
        "reasons": settings.reason != "off",
        "reason needed": settings.reason == "required",
        "program": True,
    }
    return frozenset(fact for fact, holds in found.items() if holds)


def _credits(settings: AcuteSettings) -> set[str]:
    """For which side a choice speaks, in all questions."""
    return {asked.resolved().credits for asked in settings.questions or (settings,)}


def numbers_of(settings: AcuteSettings) -> Mapping[Counted, frozenset[int]]:
    """How many answers a question has (none where three are put in order), and how many are asked."""
    questions: Mapping[Counted, frozenset[int]] = {}
    if settings.is_together:
        count = len(settings.questions)
        questions = {"questions": frozenset({count, count + (settings.reason != "off")})}
    if settings.is_ranked:
        answers = frozenset({2} if settings.pairings.pairs_per_matchup else ())
        return {**questions, "answers": answers}
    return {**questions, "answers": frozenset({(4 if settings.is_graded else 2) + settings.ties})}


def wording_of(settings: AcuteSettings) -> Mapping[str, str]:
    """Of ``[wording]``, what a study with these settings says in other words than a study in general."""
    together = _keys_of_several() if settings.is_together else {}
    if settings.is_parallel:
        go_on = {"go_on": "Go on to the questions"} if settings.is_together else {}
        return {**PARALLEL, **together, **go_on, "instructions": _parallel_instructions(settings)}
    words = {**together, "instructions": _instructions(settings)}
    if settings.reason == "off":
        words["consent"] = NOTHING_WRITTEN
    if settings.is_ranked:
        has_pairs = settings.pairings.pairs_per_matchup
        words["progress"] = "Question {number} of {total}" if has_pairs else "Ranking {number} of {total}"
    return words


def _keys_of_several() -> dict[str, str]:
    """What keys do where several questions are asked about the same conversations."""
    reason = "Shift+Enter for a new line, Escape to leave the text box"
    places = "Keys: numbers in order, first to third, and on to the next question; Backspace to begin again"
    return {
        "keys": "Keys: a number to choose and go on, Enter to submit after the last question",
        "keys_reason": (
            f"Keys: a number to choose; write why, then Enter to go on, and to submit at the end; {reason}"
        ),
        "ranking_keys": f"{places}, Enter to submit after the last question",
        "ranking_keys_reason": f"{places}; write why; Enter to go on, and to submit at the end; {reason}",
    }


def heading_of(settings: AcuteSettings) -> Heading:
    """Title and description, where they are not those of two finished conversations."""
    if settings.is_parallel:
        return {
            "title": "Chat with two partners and compare them",
            "description": "Chat with two partners at the same time, then tell us how they compare.",
        }
    if settings.is_ranked:
        return {
            "title": "Compare conversational partners",
            "description": "Compare conversations and say which speakers are better.",
        }
    return {}


def _instructions(settings: AcuteSettings) -> str:
    how_many = "three"
    answer = "putting the three speakers in order"
    if settings.is_ranked and settings.pairings.pairs_per_matchup:
        how_many = "two or three"
        answer = "choosing one of two speakers, or putting three in order"
    elif not settings.is_ranked:
        how_many = "two"
        clearly = ", clearly or only slightly" if settings.is_graded else ""
        answer = f"choosing one of the two speakers{clearly}{_or_a_tie(settings)}"
    return (
        f"You will read {how_many} conversations at a time. In each of them, look only at the highlighted "
        f"speaker and ignore the grey one. Then answer {_asked(settings)} by {answer}{_why(settings)}."
    )


def _parallel_instructions(settings: AcuteSettings) -> str:
    chat = "You will chat"
    if settings.pairings.onboarding:
        chat = "First you compare conversations that others had: there you only read. Then you chat"
    why = "" if settings.reason == "off" else " and to say in a few words why"
    if settings.is_together:
        why = f", by {len(settings.questions)} questions{why}"
    return (
        f"{chat} with two partners at the same time: each message you write goes to both, and neither sees "
        f"what the other replies. Afterwards we ask you to compare the two{why}."
    )


def _asked(settings: AcuteSettings) -> str:
    if not settings.is_together:
        return "a question about them"
    return f"{len(settings.questions)} questions about them, one after the other, each"


def _or_a_tie(settings: AcuteSettings) -> str:
    return ", or no difference" if settings.ties else ""


def _why(settings: AcuteSettings) -> str:
    return "" if settings.reason == "off" else ", and say in a few words why"
