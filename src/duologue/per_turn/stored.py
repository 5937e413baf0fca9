"""The turns of a study's chats as records of ``duologue.turns/1``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from duologue.dialogues import Json
from duologue.judgments import ChosenTurn, Judgment, OfferedReply
from duologue.per_turn.finished.chat import FinishedChat, FinishedTurn, finished_chat
from duologue.per_turn.rows import FORMAT, Setting
from duologue.per_turn.settings import mechanism_of
from duologue.protocols import Item


def turn_records(
    item: Item, judgment: Judgment, *, setting: Setting | None, whole: Mapping[str, Json]
) -> Iterator[dict[str, Json]]:
    """One record a turn, with every candidate, the selection and the continuation."""
    chat = finished_chat(item)
    if chat is not None:
        yield from _read_records(item, judgment, chat, setting, whole)
        return
    for number, turn in enumerate(judgment.turns, 1):
        yield {
            "format": FORMAT,
            "dialogue": judgment.dialogue or judgment.assignment,
            "turn": number,
            "annotator": judgment.annotator,
            "arm": item.group,
            "mechanism": mechanism_of(item.bots),
            "setting": setting,
            "message": turn.message,
            "candidates": [_candidate(item, turn, slot) for slot in range(len(item.bots))],
            "continuation": _continuation(item, turn),
            "seconds": turn.seconds,
            "at": turn.at,
            "revision": judgment.revision,
            "whole": dict(whole),
        }


def _read_records(
    item: Item,
    judgment: Judgment,
    chat: FinishedChat,
    setting: Setting | None,
    whole: Mapping[str, Json],
) -> Iterator[dict[str, Json]]:
    """The turns of a finished chat as somebody selected who read it."""
    asked = {turn.turn: turn for turn in chat.asked}
    for turn in judgment.turns:
        finished = asked[turn.place]
        replies = tuple(OfferedReply(text, None) for text in finished.texts)
        full = replace(turn, replies=replies)
        yield {
            **_finished_record(item, chat, finished, setting),
            "annotator": judgment.annotator,
            "participant": chat.participant,
            "candidates": [_candidate(item, full, slot) for slot in range(len(item.bots))],
            "seconds": turn.seconds,
            "at": turn.at,
            "revision": judgment.revision,
            "whole": dict(whole),
        }


def participant_records(
    item: Item, judgment: Judgment, chat: FinishedChat, setting: Setting | None
) -> Iterator[dict[str, Json]]:
    """The turns of a finished chat as its participant selected, where they had the same replies before them.

    Positions are not known any more: they are those of the item.
    """
    for turn in chat.asked:
        if turn.selected:
            cards = list(dict.fromkeys(text.strip() for text in turn.texts))
            yield {
                **_finished_record(item, chat, turn, setting),
                "annotator": chat.participant,
                "revision": judgment.revision,
                "candidates": [
                    {"bot": bot, "text": text, "position": cards.index(text.strip()) + 1, "selected": chosen}
                    for bot, text, chosen in zip(item.bots, turn.texts, turn.selected, strict=True)
                ],
            }


def _finished_record(
    item: Item, chat: FinishedChat, turn: FinishedTurn, setting: Setting | None
) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "dialogue": chat.dialogue,
        "turn": turn.turn,
        "arm": item.group,
        "mechanism": mechanism_of(item.bots),
        "setting": setting,
        "message": turn.message,
    }


def _candidate(item: Item, turn: ChosenTurn, slot: int) -> dict[str, Json]:
    reply = turn.replies[slot]
    card = next((place for place, behind in enumerate(turn.shown, 1) if slot in behind), None)
    record: dict[str, Json] = {
        "bot": item.bots[slot],
        "text": reply.text if card is not None else "",
        "position": card,
        "selected": card in turn.chosen,
        "seconds": reply.seconds,
        "failed": card is None,
    }
    if turn.answer:
        record["dimensions"] = {name: _is_among(card, cards) for name, cards in turn.answer.items()}
    return record


def _is_among(card: int | None, cards: Json) -> bool:
    return isinstance(cards, list) and card in cards


def _continuation(item: Item, turn: ChosenTurn) -> Mapping[str, Json]:
    if turn.continuation is None:
        return {"text": turn.written, "by": "annotator", "bot": None}
    return {
        "text": turn.replies[turn.continuation].text,
        "by": "selected" if len(turn.chosen) == 1 else "random",
        "bot": item.bots[turn.continuation],
    }
