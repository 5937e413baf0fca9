"""Simulated annotators of per-turn chats, and a whole study rehearsed over its pages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import DesignError
from duologue.per_turn import (
    PerTurnAnalysisOptions,
    PerTurnProtocol,
    PerTurnResults,
    PerTurnSettings,
    read_turns,
)
from duologue.per_turn.rehearsal import PerTurnRehearsal
from duologue.protocols import CHAT, AskedItem, AtTurn, ChatPlan, Item
from duologue.rehearsal import SimulatedAnnotator, describe_rehearsal, rehearse
from duologue.reports import analyse_file, analyse_study, check_file, file_rows, write_results
from duologue.store import judgment_rows, open_store
from duologue.studies import load_study
from tests.per_turn.test_design import study

pytestmark = pytest.mark.usefixtures("forked_servers")

PART = PerTurnRehearsal()
PROTOCOL = PerTurnProtocol(PerTurnSettings())
ITEMS = [Item("x-1", "x", ("ada", "bea"), (), (), extras={"setting": "sata-random"})]


def asked(setting: str = "sata-random") -> AskedItem:
    item = Item("x-1", "x", ("ada", "bea"), (), (), extras={"setting": setting})
    return AskedItem("main", item, moment=AtTurn(1, ("Hi", "Ho"), ((1,), (0,))))


def share(kind: str, setting: str = "sata-random") -> tuple[float, float]:
    """How often the first and the second card are selected by many annotators of a kind.

    Careful ones answer the further question as often, and on its own; the others as the main one.
    """
    truth = PART.truth(
        ITEMS, {"appropriate": ["ada=0.9", "bea=0.2"], "anchoring": ["0.05"]}, rng=np.random.default_rng(1)
    )
    counts, further, same = np.zeros(2), np.zeros(2), 0
    for number in range(300):
        annotator = SimulatedAnnotator(number, kind, True, 7)
        given = PART.simulate(
            annotator, asked(setting), {"also_human": ("1", "2")}, protocol=PROTOCOL, truth=truth
        )
        for card in given.get("chosen", ()):
            counts[int(card) - 1] += 1
        assert ("none" in given) != ("chosen" in given)
        for card in given["also_human"]:
            if card != "none":
                further[int(card) - 1] += 1
        same += given["also_human"] == given.get("chosen", ("none",))
    assert further / 300 == pytest.approx(counts / 300, abs=0.12)
    assert (same == 300) == (kind in ("always-first", "spammer"))
    return float(counts[0] / 300), float(counts[1] / 300)


def test_careful_annotators_select_as_often_as_replies_are_appropriate() -> None:
    first, second = share("careful")
    assert first == pytest.approx(0.25, abs=0.08)
    assert second == pytest.approx(0.9, abs=0.06)
    assert sum(share("careful", "soba")) == pytest.approx(1.0)


def test_only_where_replies_are_written_does_the_summary_say_so() -> None:
    random, user = (
        Item("x-1", "x", ("ada", "bea"), (), (), extras={CHAT: ChatPlan(choose="any", goes_on=way).record()})
        for way in ("random", "annotator")
    )
    assert "write" not in PART.summaries_of([random])["careful"]
    assert "write one where they must" in PART.summaries_of([random, user])["careful"]


def test_the_others_select_by_habit() -> None:
    assert share("always-first") == (1.0, 0.0)
    assert share("spammer") == (1.0, 1.0)
    assert share("spammer", "soba") == (1.0, 0.0)
    assert share("careless")[1] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ({"appropriate": ["eve=0.5"]}, "the bots of this study are ada, bea"),
        ({"appropriate": ["ada=2"]}, "expected a share from 0 to 1"),
        ({"anchoring": ["much"]}, "expected a share from 0 to 1"),
    ],
)
def test_what_cannot_be_true_is_refused(stated: dict[str, list[str]], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        PART.truth(ITEMS, stated, rng=np.random.default_rng(1))


ARMS = (
    '[[per-turn.arms]]\nname = "all"\nbots = ["companion", "parrot", "small-talk"]\nchats = 4\n',
    '[[per-turn.arms]]\nname = "best"\nbots = ["companion", "small-talk"]\nsetting = "soba"\nchats = 4\n',
    '[[per-turn.arms]]\nname = "one"\nbots = ["companion"]\nchats = 3\n',
)
STATED = {"appropriate": ["companion=0.6", "small-talk=0.05"]}
QUESTION = '[[per-turn.questions]]\nname = "fun"\ntext = "Fun?"\nlabels = ["No", "A bit", "Yes"]\n'


def test_a_study_of_every_setting_is_rehearsed_to_its_report(tmp_path: Path) -> None:
    planned = study(
        tmp_path / "s",
        *ARMS,
        QUESTION,
        chats_per_bot="5",
        min_exchanges="3",
        max_exchanges="3",
        dimensions='["human"]',
        per_judgment="1.5",
    )
    found = rehearse(planned.folder, annotators=8, seed=5, stated=STATED, with_report=False)
    assert [check.rule for check in found.rules if not check.has_held] == []
    assert {recovery.finding for recovery in found.recoveries} <= {"recovered", "undecided"}
    copy = load_study(found.folder)
    with open_store(copy.database) as store:
        analysed = analyse_study(copy, store)
        written = write_results(analysed, judgment_rows(copy, store), tmp_path / "out")
    results = analysed.results
    assert isinstance(results, PerTurnResults)
    designs = {section.arm: section.design for section in results.sections if not section.question}
    assert designs == {"all": "MM-SATA-Random", "best": "PM-SOBA", "one": "SM", "pairs": "PM-SATA-User"}
    assert {section.question for section in results.sections} == {"", "human"}
    planned_turns = {one.arm: one.power.planned_turns for one in results.sections if one.power is not None}
    # Two of three turns of a chat. Who comes first has which chat: an arm may be left with too few.
    assert planned_turns.items() <= {"all": 8, "best": 8, "one": 6, "pairs": 10}.items()
    assert "pairs" in planned_turns
    assert results.conduct is not None
    material = {one.bot: one.dialogues for one in results.conduct.material}
    assert material == {"companion": 3, "companion+parrot+small-talk": 4, "companion+small-talk": 9}
    assert "first-turn: 16 turns of 16 dialogues" in found.set_aside
    assert "  first-turn: 16 turns of 16 dialogues" in describe_rehearsal(found)
    assert found.used in describe_rehearsal(found)
    main = [section for section in results.sections if not section.question]
    used = sum(one.dialogues for one in main), results.screening.counted
    assert found.used == f"Of these the analysis uses {used[0]} of 16 dialogues, {used[1]} of 48 turns."
    assert {fun.text for one in main for fun in one.whole} == {"Fun?"}
    assert all(fun.dialogues == one.dialogues for one in main for fun in one.whole)
    costs = [section.cost for section in main]
    assert max(one.seconds_per_turn or 0 for one in costs) > 2  # nobody waited so long
    assert all((one.seconds_per_dialogue or 9) > (one.seconds_per_turn or 0) for one in costs)
    assert {one.pay_per_dialogue for one in costs} == {1.5}
    exported = tmp_path / "export.jsonl"
    with open_store(copy.database) as store:
        exported.write_text(
            "".join(json.dumps(row) + "\n" for row in judgment_rows(copy, store)), encoding="utf-8"
        )
    assert check_file(exported).startswith("48 turns of 16 dialogues with companion, parrot, small-talk.")
    again = analyse_file(exported, options=PerTurnAnalysisOptions(rules=("study",))).results
    assert isinstance(again, PerTurnResults)
    assert again.screening.rules == results.screening.rules
    assert [one.bots for one in again.sections] == [one.bots for one in results.sections]
    paid = [section.cost.pay_per_dialogue for section in again.sections if not section.question]
    assert paid == [1.5] * len(main)
    turns = list(file_rows(exported))
    assert len(turns) == 48
    assert {(turn["pay"], turn["dialogue_seconds"] is None) for turn in turns} == {(1.5, False)}
    rows = read_turns(next(path for path in written if path.name == "turns.jsonl"))
    assert len(rows) == 3 * (5 + 4 + 4 + 3)
    assert {row.turn for row in rows} == {1, 2, 3}
    assert all(row.message and row.continuation is not None for row in rows)
    assert any(row.continuation is not None and row.continuation.by == "annotator" for row in rows)
    assert (
        json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))["protocol"] == "per-turn"
    )
