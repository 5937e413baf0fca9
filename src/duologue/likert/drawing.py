"""The items of a study of ratings, drawn by its seed: live chats to hold, or finished dialogues to read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from duologue.bots import Briefing
from duologue.dialogues import Json
from duologue.errors import DesignError
from duologue.expected import did_you_mean
from duologue.likert.persona_detection import (
    DETECTION,
    OTHER_PERSONA,
    Detection,
    Lines,
    briefing_of,
    lines_of,
)
from duologue.likert.settings import LikertSettings
from duologue.protocols import CHAT, HUMAN, ChatPlan, Item, Material, say_list
from duologue.seeds import seed_sequence


def draw_chats(settings: LikertSettings, material: Material) -> Iterator[Item]:
    """The live chats of a study: as many with each bot, the k-th of every bot with the same briefing.

    Raises:
        DesignError: Nobody can be talked to, or persona detection lacks personas.
    """
    if not material.bots:
        raise DesignError(
            "there is nobody to chat with: give a [[bots]] table a kind that answers (docs/bots.md), "
            "or set human_partner = true in [chat]."
        )
    personas = _different(briefing.persona for briefing in material.briefings)
    if settings.persona_detection:
        _check_personas(material, personas)
    known = _different(one for told in material.briefings for one in (told.persona, told.partner_persona))
    briefings = material.shuffled_briefings() or (Briefing(),)
    for bot in material.bots:
        for number in range(material.chat.chats_per_bot):
            key = f"chat-{bot}-{number + 1}"
            briefing = briefings[number % len(briefings)]
            other = _another(personas, briefing.persona, material.seed, key)
            extras: dict[str, Json] = {CHAT: _plan(number, briefing, other, material).record()}
            if settings.persona_detection:
                side = _true_side(material.seed, key)
                spare = _spare(known, (briefing.persona, other), material.seed, key) if bot == HUMAN else ()
                extras[DETECTION] = Detection(briefing.persona, other, side, spare).record()
            yield Item(key, bot, (bot,), (), (), extras=extras)


def _check_personas(material: Material, personas: Sequence[Lines]) -> None:
    if len(personas) < 2:
        raise DesignError(
            "persona_detection needs at least two different personas of bots: name a file of them as "
            'personas in [chat], with a "persona" in each line.'
        )
    without = sum(not briefing.persona for briefing in material.briefings)
    if without:
        raise DesignError(
            f'persona_detection needs a "persona" in every line of {material.chat.personas}, and '
            f"{without} of {len(material.briefings)} have none."
        )


def _plan(number: int, briefing: Briefing, other: Lines, material: Material) -> ChatPlan:
    first = material.chat.first_in(number)
    return ChatPlan(
        first=first,
        persona=briefing.persona,
        annotator_persona=briefing.partner_persona,
        topic=briefing.topic,
        opener=briefing.opener if first == "partner" else "",
        extras={OTHER_PERSONA: list(other)} if other else {},
    )


@dataclass(frozen=True, slots=True)
class _RatedDialogue:
    """What drawing needs to know of a finished dialogue."""

    id: str
    bot: str
    judged: str
    persona: Lines


def draw_ratings(settings: LikertSettings, material: Material) -> Iterator[Item]:
    """The finished dialogues that are rated, in an order of the seed for each bot.

    Raises:
        DesignError: There is no such dialogue, none of a bot to be left out, or persona detection lacks
            personas.
    """
    found: defaultdict[str, list[_RatedDialogue]] = defaultdict(list)
    bots = set()
    for dialogue in material.dialogues():
        bots.add(dialogue.bot)
        if dialogue.bot not in settings.leave_out and settings.dialogue_kind in (None, dialogue.kind):
            found[dialogue.bot].append(
                _RatedDialogue(
                    dialogue.id, dialogue.bot, dialogue.judged, lines_of(briefing_of(dialogue), "persona")
                )
            )
    if bots and (unknown := [bot for bot in settings.leave_out if bot not in bots]):
        raise DesignError(
            f"[likert] leave_out: there are no dialogues of {unknown[0]!r}; there are some of "
            f"{say_list(sorted(bots))}.{did_you_mean(unknown[0], bots)}"
        )
    if not found:
        kind = f" of the kind {settings.dialogue_kind}" if settings.dialogue_kind else ""
        raise DesignError(
            f"there are no dialogues{kind} to rate: bring some in with `duologue dialogues import`, "
            'or set source = "live" in [likert] to let annotators chat.'
        )
    personas = _different(rated.persona for some in found.values() for rated in some)
    for bot in sorted(found):
        # By a number of its own each, so that dialogues that come later do not shuffle the others.
        some = sorted(
            found[bot], key=lambda rated: (_number(2**62, material.seed, "ratings", rated.id), rated.id)
        )
        for rated in some[: settings.per_bot]:
            yield _rating(rated, settings, personas, material.seed)


def _rating(rated: _RatedDialogue, settings: LikertSettings, personas: Sequence[Lines], seed: int) -> Item:
    key = f"rate-{rated.id}"
    extras: dict[str, Json] = {}
    if settings.persona_detection:
        other = _another(personas, rated.persona, seed, key)
        if not rated.persona or not other:
            raise DesignError(
                f"persona_detection needs the persona of every dialogue and a different one, and dialogue "
                f"{rated.id!r} {'has nothing to compare it with' if rated.persona else 'has none'}. "
                "Set persona_detection = false in [likert], or leave its bot out (leave_out)."
            )
        extras[DETECTION] = Detection(rated.persona, other, _true_side(seed, key)).record()
    return Item(key, rated.bot, (rated.bot,), (rated.id,), (rated.judged,), extras=extras)


def _different(personas: Iterator[Lines]) -> tuple[Lines, ...]:
    return tuple(sorted({persona for persona in personas if persona}))


def _another(personas: Sequence[Lines], own: Lines, seed: int, key: str) -> Lines:
    """A persona that is not this one; none when there is no other, or nothing to tell it from."""
    others = [persona for persona in personas if persona != own] if own else []
    return others[_number(len(others), seed, "other persona", key)] if others else ()


def _spare(known: Sequence[Lines], two: tuple[Lines, Lines], seed: int, key: str) -> Lines:
    """A persona that is neither of two; none when there is no third."""
    third = [persona for persona in known if persona not in two]
    return third[_number(len(third), seed, "spare persona", key)] if third else ()


def _true_side(seed: int, key: str) -> int:
    return 1 + _number(2, seed, "persona side", key)


def _number(below: int, seed: int, *names: str) -> int:
    import numpy as np  # a tenth of a second that showing pages need not wait for

    return int(np.random.default_rng(seed_sequence(seed, *names)).integers(below))
