"""Parallel chats: drawn for every pair of bots, checked, described, planned, shown and told."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from duologue.acute import (
    AcutePlanOptions,
    AcuteResults,
    AcuteSettings,
    change_pairing,
    export_pairings,
    make_pairings,
)
from duologue.acute.design.numbers import planned_chats
from duologue.acute.parallel import parallel_matchups
from duologue.acute.protocol import AcuteProtocol
from duologue.acute.rehearsal import AcuteRehearsal
from duologue.acute.report.methods import methods_paragraph
from duologue.acute.settings import PairingSettings
from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.errors import DesignError, ProtocolError, StudyFileError
from duologue.protocols import AskedItem, ChatPlan, ChatSettings, Item, chat_plan, read_items
from duologue.reports import analyse_file
from duologue.studies import (
    PlanRequest,
    Study,
    check_study,
    compare_plans,
    describe_study,
    make_plan,
    new_study,
    next_steps,
    request_from_study,
)
from tests.studies.conftest import edit, write_dialogues


@pytest.fixture
def parallel(tmp_path: Path) -> Study:
    return new_study(tmp_path / "chats", collect="parallel", seed=7)


def edited(study: Study, *changes: tuple[str, str]) -> Study:
    """The study with other words in its file."""
    for old, new in changes:
        study = edit(study, old, new)
    return study


def test_a_new_study_of_parallel_chats_works_as_it_is(parallel: Study) -> None:
    assert [step.split()[1] for step in next_steps(parallel)] == ["pairings", "rehearse", "serve"]
    (problem,) = check_study(parallel.folder).problems
    assert "no pairings yet" in problem
    assert make_pairings(parallel).matchups == {"companion__vs__parrot": 210}
    items = list(read_items(parallel.items_path))
    assert len({item.id for item in items}) == 210
    assert {(item.bots, item.dialogues) for item in items} == {(("companion", "parrot"), ())}
    assert {chat_plan(item) for item in items} == {ChatPlan(histories="own")}
    assert check_study(parallel.folder).warnings == check_study(parallel.folder).problems == ()
    assert "two partners" in parallel.file.wording.instructions
    assert parallel.caps.max_per_group == 1


def test_there_is_one_other_way_to_collect(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="takes: parallel"):
        new_study(tmp_path / "s", collect="serial")
    with pytest.raises(ProtocolError, match="none but the usual one"):
        new_study(tmp_path / "s", protocol="likert", collect="parallel")


def test_chats_take_personas_topics_and_first_turns_one_after_the_other(parallel: Study) -> None:
    lines = [{"topic": f"topic {number}", "opener": f"Opener {number}"} for number in range(3)]
    (parallel.folder / "personas.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    study = edited(
        parallel,
        ('# personas = "personas.jsonl" #', 'personas = "personas.jsonl" #'),
        ('first = "annotator"', 'first = "balanced"'),
        ('after_failure = "retry"', 'after_failure = "end"'),
        ('per_matchup = "plan"', "per_matchup = 4"),
    )
    make_pairings(study)
    plans = [plan for item in read_items(study.items_path) if (plan := chat_plan(item))]
    assert [plan.first for plan in plans] == ["annotator", "partner"] * 2
    assert plans[0].topic == plans[3].topic != plans[1].topic
    assert [bool(plan.opener) for plan in plans] == [False, True] * 2
    assert {plan.after_failure for plan in plans} == {"end"}
    described = describe_study(study)
    assert "the annotator begins half of the chats; personas from personas.jsonl" in described
    assert "the chat ends with credit" in described


def test_a_new_bot_leaves_the_chats_of_the_others(parallel: Study) -> None:
    make_pairings(parallel, settings=change_pairing(parallel, {"per_matchup": 3}))
    before = list(read_items(parallel.items_path))
    study = edit(parallel, "[chat]\n", '[[bots]]\nname = "small-talk"\nkind = "builtin"\n\n[chat]\n')
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 3}))
    after = list(read_items(study.items_path))
    assert after[:3] == before
    assert len(after) == 9


def test_the_same_bot_can_be_on_both_sides(parallel: Study) -> None:
    settings = change_pairing(
        parallel, {"per_matchup": 2, "same_bot": ["parrot"], "leave_out": ["companion"]}
    )
    assert dict(make_pairings(parallel, settings=settings).matchups) == {"parrot__vs__parrot": 2}


@pytest.mark.parametrize(
    ("bots", "settings", "problem"),
    [
        (("ann",), {}, "need two bots that answer"),
        (("ann", "human"), {}, "human_partner = false"),
        (("ann", "bob"), {"matchups": [("ann", "cyd")]}, "'cyd' cannot be chatted with"),
        (("ann", "bob"), {"against": ["cyd"]}, "'cyd' cannot be chatted with"),
    ],
)
def test_there_must_be_two_bots_that_answer(
    bots: tuple[str, ...], settings: dict[str, object], problem: str
) -> None:
    with pytest.raises(DesignError, match=problem):
        parallel_matchups(bots, PairingSettings.model_validate(settings))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ([("ties = false", "annotations_per_pairing = 2")], "judged by the annotator who had it"),
        (
            [('after_failure = "retry"', 'after_failure = "end"'), ('collect = "parallel"', "")],
            'belongs to collect = "parallel"',
        ),
        ([('collect = "parallel"', 'collect = "serial"')], "collect"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    parallel: Study, changes: list[tuple[str, str]], problem: str
) -> None:
    with pytest.raises(StudyFileError, match=problem):
        edited(parallel, *changes)


def test_onboarding_is_made_of_finished_dialogues(parallel: Study) -> None:
    for bot in ("good", "weak"):
        write_dialogues(parallel.folder, bot, 3)
    study = edited(
        parallel,
        ('# onboarding = ["human", "weak-bot"]', 'onboarding = ["good", "weak"]'),
        ("enabled = false", "enabled = true"),
        ('per_matchup = "plan"', "per_matchup = 210"),
    )
    made = make_pairings(study)
    assert (made.onboarding, dict(made.matchups)) == (3, {"companion__vs__parrot": 210})
    assert check_study(study.folder).problems == ()
    assert "there you only read" in study.file.wording.instructions
    assert "only read" not in parallel.file.wording.instructions
    asked = [chat_plan(item) is None for item in read_items(study.items_path)]
    assert asked == [True] * 3 + [False] * 210


def test_items_of_the_other_way_of_collecting_are_found(parallel: Study) -> None:
    make_pairings(parallel, settings=change_pairing(parallel, {"per_matchup": 250}))
    with pytest.raises(DesignError, match="no dialogues yet"):
        export_pairings(parallel, parallel.folder / "out.jsonl")
    edited(
        parallel,
        ('collect = "parallel"', 'collect = "dialogues"'),
        ("enabled = false", "enabled = true"),
    )
    (problem,) = check_study(parallel.folder).problems
    assert "asks for pairings of finished dialogues" in problem
    assert "250 of its items are parallel chats" in problem


def test_finished_dialogues_are_no_parallel_chats(parallel: Study) -> None:
    for bot in ("companion", "parrot"):
        write_dialogues(parallel.folder, bot, 3)
    finished = edit(parallel, 'collect = "parallel"', 'collect = "dialogues"')
    make_pairings(finished, settings=change_pairing(finished, {"per_matchup": 3}))
    edit(finished, 'collect = "dialogues"', 'collect = "parallel"')
    (problem,) = check_study(parallel.folder).problems
    assert "asks for parallel chats" in problem
    assert "3 of its items are pairings of finished dialogues" in problem


def test_what_is_odd_about_parallel_chats_is_said(parallel: Study) -> None:
    study = edit(parallel, "lease_minutes = 30", "lease_minutes = 30\nrepeat = 0.1")
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 50}))
    repeats, weak = check_study(study.folder).warnings
    assert "cannot be held twice" in repeats
    assert "50 judgments of companion against parrot find a gap of 0.2 with a power of 0.2" in weak


def test_a_study_in_plain_words(parallel: Study) -> None:
    study = edit(parallel, "max_exchanges = 6", "max_exchanges = 4")
    assert "Pairings: none yet." in describe_study(study)
    make_pairings(study)
    described = describe_study(study)
    assert "chat with two bots at once (parrot, companion)" in described
    assert "A chat: 4 exchanges; every message goes to both" in described
    assert "companion against parrot: 210 parallel chats" in described
    assert "at least 210 annotators" in described


def test_annotators_who_chat_twice_in_a_matchup_are_planned_for(parallel: Study) -> None:
    study = edited(
        parallel,
        ("chats_per_annotator = 1", "chats_per_annotator = 2"),
        ("# max_judgments = 3 ", "max_judgments = 5 "),
        ("alpha = 0.05", "alpha = 0.05\nicc = 0.1"),
    )
    matchups = parallel_matchups(("companion", "parrot"), PairingSettings())
    assert planned_chats(study, matchups) == 231  # 210 times 1 + 0.1, for two of one annotator
    sequential = edit(study, 'rule = "fixed"', 'rule = "sequential"')
    assert planned_chats(sequential, matchups) == 693


def test_a_plan_counts_chats_and_stands_beside_the_per_turn_designs(parallel: Study) -> None:
    make_pairings(parallel)
    request = request_from_study(parallel)
    plan = make_plan(request)
    assert (plan.title, plan.judgments) == ("ACUTE-EVAL, two parallel live chats", 210)
    assert (plan.work.dialogues, plan.work.hours) == (210, 24.5)  # 300 s a chat, and 120 s a person
    compared = compare_plans(request)
    assert [one.judgments for one in compared] == [399, 323, 210]  # turns of one chat correlate by .1
    assert compared[-1].title == plan.title
    assert compared[-1].work.hours == pytest.approx(24.5)
    alone = compare_plans(PlanRequest(bots=4, pay=2.0, options=AcutePlanOptions(collect="parallel")))
    assert [one.title.rpartition("(")[2] for one in alone[:4]] == [
        "PM-SOBA)",
        "PM-SATA)",
        "MM-SOBA)",
        "MM-SATA)",
    ]
    assert alone[-1].work.cost == pytest.approx(2 * alone[-1].work.judgments)
    pooled = make_plan(PlanRequest(bots=3, options=AcutePlanOptions(collect="parallel", verdicts="pooled")))
    assert "parallel live chats, pooled verdicts" in pooled.title
    with pytest.raises(DesignError, match="one design only"):
        compare_plans(PlanRequest(options=AcutePlanOptions(collect="phrasings")))


def test_the_planner_knows_the_matchups_before_there_are_chats(parallel: Study) -> None:
    assert request_from_study(parallel).matchups == 1


def held(bot: str) -> Dialogue:
    turns = (Turn("human", "Hello!"), Turn(bot, f"I am {bot}."))
    return Dialogue(f"chat-{bot}", bot, "live-chat", bot, (Speaker("human"), Speaker(bot, bot)), turns)


def test_the_held_chats_are_shown_as_dialogues_are() -> None:
    protocol = AcuteProtocol(AcuteSettings(collect="parallel"))
    item = Item("i", "ann__vs__bob", ("ann", "bob"), (), (), extras={"chat": {"histories": "own"}})
    view = protocol.show(AskedItem("main", item, (1, 0), (held("ann"), held("bob"))))
    shown = view.values["dialogues"]
    assert isinstance(shown, tuple)
    assert [[turn.text for turn in one.turns if turn.is_judged] for one in shown] == [
        ["I am bob."],
        ["I am ann."],
    ]
    assert AcuteProtocol(AcuteSettings()).max_per_group(ChatSettings()) is None
    assert "two conversations at a time" in AcuteProtocol(AcuteSettings()).study_wording()["instructions"]


@pytest.mark.parametrize("is_short", [True, False])
def test_the_methods_tell_of_parallel_chats(parallel: Study, tmp_path: Path, is_short: bool) -> None:
    study = parallel
    if not is_short:
        study = edited(
            parallel,
            ('first = "annotator"', 'first = "partner"'),
            ("max_exchanges = 6", "max_exchanges = 4"),
            ('after_failure = "retry"', 'after_failure = "end"'),
        )
    table = tmp_path / "votes.csv"
    table.write_text("winner,loser\nann,bob\nann,bob\nbob,ann\n", encoding="utf-8")
    results = analyse_file(table).results
    assert isinstance(results, AcuteResults)
    said = methods_paragraph(results, study)
    assert "parallel live chats, compared as in the ACUTE-EVAL protocol" in said
    assert "the two replies to a message were shown at the same moment" in said
    if is_short:
        assert (
            "A chat had 4 to 6 exchanges; the annotator began. When a bot gave no reply, annotators" in said
        )
    else:
        assert "A chat had 4 exchanges; the bots began. When a bot gave no reply, the chat ended" in said


def test_a_rehearsal_calls_them_what_they_are() -> None:
    item = Item("i", "g", ("a", "b"), (), (), extras={"chat": {"histories": "own"}})
    assert AcuteRehearsal().noun([item]) == "parallel chat"
    assert AcuteRehearsal().noun([replace(item, extras={})]) == "pairing"
    truth = AcuteRehearsal().truth([item], {"prefer": ["a:b=0.9"]}, rng=np.random.default_rng(1))
    assert truth.rate("a", "b") == 0.9
