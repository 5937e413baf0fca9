from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from duologue.bots import (
    AnsweringSettings,
    Briefing,
    BuiltinBot,
    CollectedBot,
    CommandBot,
    Message,
    PythonBot,
    Reply,
    SelfChats,
    builtin_bot,
    collect_self_chats,
    openers,
    self_chat,
    self_chats,
)
from duologue.bots.journal import open_journal
from duologue.dialogues import Dialogue, import_dialogues, is_cut, study_dialogues, write_dialogues
from duologue.engine import Engine, open_executor
from duologue.errors import BotError, DesignError, ExportError
from duologue.metrics import degeneration
from duologue.studies import new_study
from tests.engine.test_executor import ENGINES_HERE

PARROT, COMPANION = BuiltinBot(name="parrot"), BuiltinBot(name="companion")
COUNTING = """
from pathlib import Path
HERE = Path(__file__).parent

def answer(messages, seed):
    with (HERE / "asked").open("a") as file:
        file.write("x")
    failing = HERE / "failing"
    if failing.exists() and seed % 12 == int(failing.read_text()):
        raise RuntimeError("out of order")
    told = [m["content"] for m in messages if m["role"] == "system"]
    return f"{told} turn {len(messages)} of {seed}"
"""
MINE = PythonBot(name="mine", call="mine:answer")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_study(tmp_path / "s", seed=1)
    (tmp_path / "s" / "mine.py").write_text(COUNTING, encoding="utf-8")
    return tmp_path / "s"


def wanted(n: int = 6, **more: object) -> SelfChats:
    return SelfChats(**{"n": n, "exchanges": 3, "seed": 5, **more})  # type: ignore[arg-type]


def collect(folder: Path, *bots: AnsweringSettings, **more: object) -> CollectedBot:
    """What came of the first bot's self-chats."""
    return collect_self_chats(folder, bots or (MINE,), wanted(**more))[0]  # type: ignore[arg-type]


def dialogues(folder: Path, bot: str = "mine") -> list[Dialogue]:
    return [dialogue for dialogue in study_dialogues(folder) if dialogue.bot == bot]


def texts(found: Sequence[Dialogue]) -> list[list[str]]:
    return [[turn.text for turn in dialogue.turns] for dialogue in found]


def asked(folder: Path) -> int:
    path = folder / "asked"
    return len(path.read_text()) if path.exists() else 0


def test_self_chats_join_the_dialogues_of_the_study_in_order(folder: Path) -> None:
    first, second = collect_self_chats(folder, [PARROT, COMPANION], wanted(8))
    assert (first.made, first.kept, first.is_complete, second.made) == (8, 0, True, 8)
    for bot in ("parrot", "companion"):
        plain = asyncio.run(self_chats([builtin_bot(bot)], 8, exchanges=3, openers=openers(), seed=5))
        assert texts(dialogues(folder, bot)) == texts(plain)
    assert sorted(path.name for path in (folder / "self-chats").iterdir()) == []


def test_n_exchanges_are_n_turns_of_each_speaker(folder: Path) -> None:
    collect(folder, exchanges=5, n=1)
    (dialogue,) = dialogues(folder)
    assert [turn.speaker for turn in dialogue.turns] == ["mine_1", "mine_2"] * 5


def test_what_is_there_is_not_held_again(folder: Path) -> None:
    collect(folder)
    before = (folder / "dialogues" / "mine.jsonl").read_bytes()
    calls = asked(folder)
    again = collect(folder)
    assert (again.made, again.kept) == (0, 6)
    assert asked(folder) == calls
    assert (folder / "dialogues" / "mine.jsonl").read_bytes() == before


def test_more_self_chats_are_added_to_those_there_are(folder: Path, tmp_path: Path) -> None:
    collect(folder, n=4)
    assert (collect(folder, n=6).made) == 2
    new_study(tmp_path / "at-once", seed=1)
    (tmp_path / "at-once" / "mine.py").write_text(COUNTING, encoding="utf-8")
    collect(tmp_path / "at-once", n=6)
    at_once = (tmp_path / "at-once" / "dialogues" / "mine.jsonl").read_bytes()
    assert (folder / "dialogues" / "mine.jsonl").read_bytes() == at_once


def test_a_failure_is_recorded_with_its_cause_and_tried_again(folder: Path, tmp_path: Path) -> None:
    (folder / "failing").write_text("0")
    found = collect(folder, n=9)
    assert 0 < len(found.failed) < 9
    assert found.made == 9 - len(found.failed)
    assert not found.is_complete
    assert dialogues(folder) == []
    lines = (folder / "self-chats" / "failures.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["number"] for record in records] == [failed.number for failed in found.failed]
    assert {record["why"] for record in records} == {"it raised RuntimeError: out of order."}
    assert all(record["turns"] and all(record["turns"]) for record in records)
    (folder / "failing").unlink()
    again = collect(folder, n=9)
    assert (again.made, again.kept) == (len(found.failed), found.made)
    new_study(tmp_path / "other", seed=1)
    (tmp_path / "other" / "mine.py").write_text(COUNTING, encoding="utf-8")
    collect(tmp_path / "other", n=9)
    unharmed = (tmp_path / "other" / "dialogues" / "mine.jsonl").read_bytes()
    assert (folder / "dialogues" / "mine.jsonl").read_bytes() == unharmed
    assert not (folder / "self-chats" / "failures.jsonl").exists()


def test_a_bot_that_only_fails_is_left_alone(folder: Path) -> None:
    broken = PythonBot(name="broken", call="json:loads", max_concurrent=1)
    found = collect(folder, broken, n=50)
    assert (len(found.failed), found.left, found.made) == (5, 45, 0)


def test_partial_results_are_added_when_they_are_welcome(folder: Path) -> None:
    (folder / "failing").write_text("0")
    (found,) = collect_self_chats(folder, [MINE], wanted(9), is_partial_welcome=True)
    assert len(dialogues(folder)) == found.made < 9
    (folder / "failing").unlink()
    assert collect(folder, n=9).made == len(found.failed)
    assert len(dialogues(folder)) == 9


def test_a_line_cut_short_by_a_crash_is_held_again(folder: Path) -> None:
    (folder / "failing").write_text("0")
    collect(folder, n=9)
    (journal,) = [path for path in (folder / "self-chats").glob("*.jsonl") if path.stem != "failures"]
    kept = journal.read_bytes()
    journal.write_bytes(kept[:-40])
    (folder / "failing").unlink()
    found = collect(folder, n=9)
    assert found.kept == kept.count(b"\n") - 1
    assert found.made + found.kept == 9
    assert len(dialogues(folder)) == 9


def test_fewer_may_be_wanted_after_all_and_the_others_later(folder: Path, tmp_path: Path) -> None:
    (folder / "failing").write_text("2")
    failed = collect(folder, n=9).failed
    enough = failed[0].number
    assert 0 < enough < 9
    assert collect(folder, n=enough).is_complete
    assert len(dialogues(folder)) == enough
    (folder / "failing").unlink()
    assert collect(folder, n=9).made == len(failed)
    new_study(tmp_path / "at-once", seed=1)
    (tmp_path / "at-once" / "mine.py").write_text(COUNTING, encoding="utf-8")
    collect(tmp_path / "at-once", n=9)
    at_once = (tmp_path / "at-once" / "dialogues" / "mine.jsonl").read_bytes()
    assert (folder / "dialogues" / "mine.jsonl").read_bytes() == at_once


def test_a_folder_that_cannot_be_used_is_named(folder: Path) -> None:
    (folder / "self-chats").write_text("in the way")
    with pytest.raises(ExportError, match="self-chats"):
        collect(folder)


def test_two_programs_do_not_hold_the_same_self_chats(folder: Path) -> None:
    (folder / "failing").write_text("0")
    collect(folder, n=9)
    (journal,) = [path for path in (folder / "self-chats").glob("*.jsonl") if path.stem != "failures"]
    with open_journal(folder, journal.stem), pytest.raises(DesignError, match="another program"):
        collect(folder, n=9)


def test_openers_and_personas_are_matched_across_bots(folder: Path) -> None:
    briefings = tuple(
        Briefing((f"i am {n}.",), (f"you are {n}.",), f"topic {n}", f"Hi {n}!") for n in range(4)
    )
    collect_self_chats(folder, [MINE, PARROT], wanted(10, briefings=briefings))
    mine, parrots = dialogues(folder), dialogues(folder, "parrot")
    assert [one.turns[0].text for one in mine] == [one.turns[0].text for one in parrots]
    assert [one.extras["briefing"] for one in mine] == [one.extras["briefing"] for one in parrots]
    number = mine[0].turns[0].text[3]
    assert (
        mine[0].turns[1].text.startswith(f"['your persona: i am {number}.\\ntopic: topic {number}'] turn 2")
    )
    assert (
        mine[0]
        .turns[2]
        .text.startswith(f"['your persona: you are {number}.\\ntopic: topic {number}'] turn 3")
    )


def test_without_an_opener_the_first_speaker_begins_by_itself(folder: Path) -> None:
    collect(folder, n=1, briefings=(Briefing(topic="rain"),))
    (dialogue,) = dialogues(folder)
    assert dialogue.turns[0].text.startswith("['topic: rain'] turn 1")
    assert len(dialogue.turns) == 6


def test_the_judged_speaker_can_begin_always_or_every_second_time(folder: Path) -> None:
    collect(folder, n=4, first="balanced")
    assert [one.judged for one in dialogues(folder)] == ["mine_2", "mine_1", "mine_2", "mine_1"]
    collect(folder, PARROT, n=2, first="judged")
    assert [one.judged for one in dialogues(folder, "parrot")] == ["parrot_1", "parrot_1"]


def test_a_partner_keeps_its_own_name(folder: Path) -> None:
    collect(folder, n=2, partner=PARROT, first="balanced")
    one, other = dialogues(folder)
    assert [(speaker.name, speaker.bot) for speaker in one.speakers] == [
        ("parrot", "parrot"),
        ("mine", "mine"),
    ]
    assert (one.judged, one.bot, one.turns[0].speaker) == ("mine", "mine", "parrot")
    assert (other.judged, other.turns[0].speaker) == ("mine", "mine")


def test_self_chats_made_with_other_settings_are_counted_and_stay(folder: Path) -> None:
    collect(folder)
    again = collect(folder, exchanges=2)
    assert (again.made, again.kept, again.other) == (6, 0, 6)
    assert len(dialogues(folder)) == 12


def test_imported_dialogues_of_the_bot_stay(folder: Path, tmp_path: Path) -> None:
    collect(folder, n=1)
    chat = dialogues(folder)[0]
    imported = Dialogue("other", "mine", "self-chat", chat.judged, chat.speakers, chat.turns)
    write_dialogues([imported], tmp_path / "logs.jsonl")
    import_dialogues([tmp_path / "logs.jsonl"], folder)
    assert collect(folder, n=3).other == 1
    assert len(dialogues(folder)) == 4


@pytest.mark.parametrize("more", [{"n": 0}, {"exchanges": 0}])
def test_nothing_wanted_is_refused(folder: Path, more: dict[str, int]) -> None:
    with pytest.raises(DesignError):
        collect(folder, **more)


def test_a_bot_named_twice_is_refused(folder: Path) -> None:
    with pytest.raises(DesignError, match="named once"):
        collect(folder, MINE, MINE)


def test_a_bot_that_cannot_be_opened_is_said_before_anything_is_held(folder: Path) -> None:
    with pytest.raises(BotError, match="cannot be loaded"):
        collect(folder, PythonBot(name="gone", call="nowhere_at_all:f"))


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_other_processes_and_machines_give_the_same_files(
    folder: Path, tmp_path: Path, engine: Engine
) -> None:
    new_study(tmp_path / "other", seed=1)
    (tmp_path / "other" / "mine.py").write_text(COUNTING, encoding="utf-8")
    collect_self_chats(folder, [MINE, PARROT], wanted(12))
    executor = open_executor(engine, workers=2)
    collect_self_chats(tmp_path / "other", [MINE, PARROT], wanted(12), executor=executor)
    for bot in ("mine", "parrot"):
        here = (folder / "dialogues" / f"{bot}.jsonl").read_bytes()
        assert (tmp_path / "other" / "dialogues" / f"{bot}.jsonl").read_bytes() == here


def test_a_bot_that_cannot_be_opened_elsewhere_is_a_recorded_failure(folder: Path) -> None:
    gone = PythonBot(name="gone", call="nowhere_at_all:f")
    (found,) = collect_self_chats(folder, [gone], wanted(2), executor=open_executor("processes", workers=1))
    assert len(found.failed) == 2
    assert "cannot be loaded" in found.failed[0].why


def test_progress_counts_what_is_finished_and_what_failed(folder: Path) -> None:
    (folder / "failing").write_text("0")
    told: list[tuple[int, int, int]] = []
    (found,) = collect_self_chats(folder, [MINE], wanted(9), on_progress=lambda *now: told.append(now))
    assert told[0] == (0, 0, 9)
    assert told[-1] == (found.made, len(found.failed), 9)
    assert len(told) == 10


def test_a_reply_longer_than_the_study_allows_is_a_failure_with_its_cause(folder: Path) -> None:
    path = folder / "study.toml"
    path.write_text(path.read_text().replace("[study]", "[study]\nmax_turn_chars = 9"))
    came = collect(folder, MINE.model_copy(update={"retries": 0}), n=1)
    (failed,) = came.failed
    assert re.fullmatch(
        r"its reply has \d\d characters; at most 9 are shown to anybody \(max_turn_chars in \[study\]\)\.",
        failed.why,
    )
    assert list(study_dialogues(folder)) == []


ELIZA = """
import random

LINES = [f"Line {n}." for n in range(50)]

def answer(messages, seed):
    random.seed(seed)
    return random.choice(LINES)
"""


def test_a_bot_that_seeds_its_choices_does_not_repeat_itself(folder: Path) -> None:
    (folder / "eliza.py").write_text(ELIZA, encoding="utf-8")
    collect(folder, PythonBot(name="eliza", call="eliza:answer"), n=20, exchanges=6)
    found = degeneration(dialogues(folder, "eliza"))["eliza"]
    assert found.repeated < 0.2 * found.turns
    assert found.looping == 0


class Breathless:
    """Is stopped at its limit of tokens at every second turn."""

    name = "mine"

    async def reply(self, messages: Sequence[Message], *, seed: int) -> Reply:
        finish = "length" if len(messages) % 2 else "stop"
        return Reply(f"And then {seed}", 0.1, 3, {"finish": finish})


def test_a_turn_that_was_cut_is_marked() -> None:
    dialogue = asyncio.run(self_chat(Breathless(), exchanges=3, opener="Hi.", seed=1))
    assert [is_cut(turn) for turn in dialogue.turns] == [False, True, False, True, False, True]


def test_replies_that_were_cut_are_counted(folder: Path) -> None:
    process = [sys.executable, "-c", CUTTING]
    settings = CommandBot(name="cutting", command=tuple(process))
    found = collect(folder, settings, n=2)
    assert (found.replies, found.cut) == (10, 6)
    again = collect(folder, settings, n=3)
    assert (again.kept, again.replies, again.cut) == (2, 15, 9)


CUTTING = """
import json, sys
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    finish = "length" if len(asked["messages"]) % 2 else "stop"
    print(json.dumps({"text": f"And then {number}", "finish": finish}), flush=True)
"""
