"""Live chats become files of dialogues: masks stay, and what is gone from a study is gone from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.dialogues import Dialogue, mask_dialogues, study_dialogues, unmasked
from duologue.reports import collect_chats
from duologue.store import (
    Store,
    fetch_chats,
    load_items,
    open_store,
    withdraw_annotator,
)
from duologue.studies import new_study
from tests.store.small_chats import CHAT_CAPS, chat_items, chat_through, come_to_chat, rate, reply, say
from tests.store.small_study import summary_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'held.db'}") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_study(tmp_path / "study", protocol="likert", seed=1)
    return tmp_path / "study"


def held(store: Store, *bots: str, said: str = "I am Ada, of course.") -> list[str]:
    """One judged chat with each bot, in which the bot says something; the annotators' tokens."""
    store.run(load_items(chat_items(bots, each=1), CHAT_CAPS))
    people = [come_to_chat(store) for _ in bots]
    for token, assignment in people:
        say(store, token, assignment)
        reply(store, said)
        chat_through(store, token, assignment)
        rate(store, token, assignment)
    return [token for token, _ in people]


def dialogues(folder: Path) -> dict[str, Dialogue]:
    return {dialogue.bot: dialogue for dialogue in study_dialogues(folder)}


def test_what_was_masked_stays_masked_when_chats_are_collected_again(store: Store, folder: Path) -> None:
    held(store, "ada", "bea")
    collect_chats(store, folder)
    as_said = dialogues(folder)
    assert mask_dialogues(folder, bots=["ada"]).turns == 1
    assert mask_dialogues(folder, bots=["ada"], names=["course"], placeholder="[x]").turns == 1
    masked = dialogues(folder)
    assert masked["ada"].turns[1].text == "I am [name hidden], of [x]."
    collect_chats(store, folder)
    assert dialogues(folder) == masked
    assert unmasked(dialogues(folder)["ada"]) == as_said["ada"]
    assert dialogues(folder)["bea"].turns[1].text == "I am Ada, of course."


def test_what_an_annotator_who_withdrew_said_is_in_no_file(store: Store, folder: Path) -> None:
    (token, _) = held(store, "ada", "bea")
    collect_chats(store, folder)
    assert dialogues(folder).keys() == {"ada", "bea"}
    gone = next(bot for bot, one in dialogues(folder).items() if _is_of(store, token, one))
    store.run(withdraw_annotator(summary_of(store, token).id, reason="a test"))
    assert collect_chats(store, folder).by_bot.keys() == {"ada", "bea"} - {gone}
    assert dialogues(folder).keys() == {"ada", "bea"} - {gone}
    assert not (folder / "dialogues" / f"{gone}.live.jsonl").exists()


def _is_of(store: Store, token: str, dialogue: Dialogue) -> bool:
    annotator = summary_of(store, token).id
    return any(chat.id == dialogue.id and chat.annotator == annotator for chat in store.run(fetch_chats()))


def test_chats_of_two_studies_stand_side_by_side(store: Store, folder: Path, tmp_path: Path) -> None:
    held(store, "ada")
    collect_chats(store, folder)
    with open_store(f"sqlite:///{tmp_path / 'other.db'}") as other:
        held(other, "ada", said="Another study.")
        for _ in range(2):
            assert collect_chats(other, folder).by_bot == {"ada": 1}
    said = [dialogue.turns[1].text for dialogue in study_dialogues(folder)]
    assert said == ["I am Ada, of course.", "Another study."]
