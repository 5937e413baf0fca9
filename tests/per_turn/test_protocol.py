"""The protocol: settings, chats that are drawn, cards, selections, and rows of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from duologue.bots import Briefing
from duologue.dialogues import Dialogue, Source, Speaker, Turn
from duologue.errors import AnswerError, DesignError
from duologue.judgments import ChosenTurn, Judgment, OfferedReply
from duologue.per_turn import PerTurnProtocol, PerTurnSettings, turn_of
from duologue.protocols import (
    CHAT,
    Answer,
    AskedItem,
    AtTurn,
    ChatPlan,
    ChatSettings,
    FormValues,
    Item,
    Material,
    Selection,
    chat_plan,
    protocol_named,
)

BOTS = ("companion", "parrot", "small-talk")
ARMS: list[dict[str, Any]] = [
    {"name": "one", "bots": ["parrot"]},
    {"name": "best", "bots": ["companion", "parrot"], "setting": "soba", "chats": 2},
    {"name": "random", "bots": list(BOTS)},
    {"name": "user", "bots": list(BOTS), "setting": "sata-user"},
]


def protocol(**settings: Any) -> PerTurnProtocol:
    return PerTurnProtocol(PerTurnSettings.model_validate({"arms": ARMS, **settings}))


def material(bots: tuple[str, ...] = BOTS, **chat: Any) -> Material:
    settings = ChatSettings(**{"chats_per_bot": 3, **chat})
    return Material(bots, lambda: (), (Briefing(topic="tea"), Briefing(topic="sea")), settings, 7)


def items(**settings: Any) -> dict[str, Item]:
    return {item.group: item for item in drawn(protocol(**settings), material())}


def drawn(study: PerTurnProtocol, of: Material) -> list[Item]:
    items = study.draw(of)
    assert items is not None
    return list(items)


def asked(group: str, cards: int = 2, **settings: Any) -> AskedItem:
    moment = AtTurn(
        1, tuple(f"reply {card}" for card in range(cards)), tuple((card,) for card in range(cards))
    )
    return AskedItem("main", items(**settings)[group], moment=moment)


def test_it_is_found_by_its_name() -> None:
    assert protocol_named("per-turn") is PerTurnProtocol


def test_every_arm_has_its_chats_and_its_way_to_go_on() -> None:
    chats = drawn(protocol(after_failure="go-on"), material())
    assert [item.group for item in chats] == ["one"] * 3 + ["best"] * 2 + ["random"] * 3 + ["user"] * 3
    plans = {item.group: chat_plan(item) for item in chats}
    ways = {name: (plan.choose, plan.goes_on, plan.min_written) for name, plan in plans.items() if plan}
    assert ways == {
        "one": ("any", "random", 1),
        "best": ("one", "chosen", 1),
        "random": ("any", "random", 1),
        "user": ("any", "annotator", 10),
    }
    assert all(plan is not None and plan.after_failure == "go-on" for plan in plans.values())
    assert {plan.topic for item in chats if (plan := chat_plan(item))} == {"tea", "sea"}
    assert all(not plan.problem(item.bots) for item in chats if (plan := chat_plan(item)))


def test_without_arms_all_bots_answer_at_once() -> None:
    (item, *_) = drawn(PerTurnProtocol(PerTurnSettings()), material(first="balanced"))
    assert (item.group, item.bots, item.extras["setting"]) == ("main", BOTS, "sata-random")


def test_one_more_bot_changes_earlier_chats_only_where_all_bots_answer_at_once() -> None:
    assert protocol().adding_a_bot_leaves_items()
    assert not PerTurnProtocol(PerTurnSettings()).adding_a_bot_leaves_items()


@pytest.mark.parametrize(
    ("bots", "settings", "message"),
    [
        ((), {}, "there is nobody to chat with"),
        (("parrot",), {}, "arm best: there is no bot 'companion' that answers"),
        (tuple(f"b{n}" for n in range(10)), {"arms": []}, "10 bots cannot answer at once"),
    ],
)
def test_what_cannot_be_drawn_is_said(bots: tuple[str, ...], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        drawn(protocol(**settings), material(bots))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"arms": [{"name": "x", "bots": ["a"], "setting": "soba"}]}, "a single bot is selected or not"),
        ({"arms": [{"name": "x", "bots": ["a", "a"]}]}, "'a' is there twice"),
        ({"arms": [{"name": "x", "bots": ["a"]}] * 2}, "'x' is the name of two"),
        ({"primary": "z"}, "'z' is not the name of an arm"),
        ({"rules": ["typos"]}, "'typos' is no rule of screening; they are: fixed-pattern"),
        ({"dimensions": ["appropriate"]}, "not what is asked anyway"),
        ({"dimensions": ["human", "human"]}, "each is asked once"),
    ],
)
def test_settings_that_contradict_themselves_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        PerTurnSettings.model_validate({"arms": ARMS, **settings})


def test_the_question_over_the_cards_is_the_studys() -> None:
    for group, words in (
        ("one", "Is this reply appropriate?"),
        ("best", "fits"),
        ("random", "Select all that apply"),
    ):
        cards = protocol().show(asked(group)).cards
        assert cards is not None
        assert words in cards.text
    cards = protocol(question="Gut?").show(asked("best")).cards
    assert cards is not None
    assert (cards.text, cards.label, cards.further) == ("Gut?", "", ())
    assert "human" in str(protocol(ask="human").show(asked("random")).cards)


ONE_BOT = {"name": "one", "bots": ["ada"]}
TWO_BOTS = {"name": "two", "bots": ["ada", "bea"]}


@pytest.mark.parametrize(
    ("settings", "key", "said"),
    [
        ({}, "instructions", "Choose as the question says;"),
        ({"dimensions": ["human"]}, "instructions", "Choose as the questions say;"),
        ({"dimensions": ["human"]}, "cards_keys", "answers the question in bold"),
        ({"arms": [ONE_BOT]}, "instructions", "you see a reply. Choose as the question says; the chat"),
        ({"arms": [ONE_BOT]}, "stored_selections", "Whether you choose each reply"),
        (
            {"arms": [TWO_BOTS]},
            "instructions",
            "You will chat in writing. After each of your messages you see",
        ),
        ({"collect": "written"}, "instructions", "several replies that could come there: choose"),
    ],
)
def test_what_annotators_are_told_follows_the_settings(settings: dict[str, Any], key: str, said: str) -> None:
    assert said in PerTurnProtocol(PerTurnSettings.model_validate(settings)).study_wording()[key]


def test_an_order_of_replies_is_stored_where_there_are_several() -> None:
    settings = PerTurnSettings.model_validate({"arms": [ONE_BOT, TWO_BOTS]})
    assert "stored_selections" not in PerTurnProtocol(settings).study_wording()


def test_a_selection_is_read_with_its_dimensions() -> None:
    study = protocol(dimensions=["engaging"])
    shown = study.show(asked("random", 3))
    assert shown.cards is not None
    assert [(one.field, one.label) for one in shown.cards.further] == [("also_engaging", "Would like")]
    assert shown.cards.label == "Appropriate"
    best = study.show(asked("best")).cards
    assert best is not None
    assert [one.label for one in (best, *best.further)] == ["Fits best", "Preferred"]
    alone = study.show(asked("one", 1)).cards
    assert alone is not None
    (further,) = alone.further
    assert further.text.startswith("Would you like this reply in a long conversation? Select it")
    form = FormValues({"chosen": ["1", "3"], "also_engaging": ["2"]})
    found = study.read(asked("random", 3), form)
    assert isinstance(found, Selection)
    assert (found.turn, found.chosen, found.values) == (1, (1, 3), {"engaging": [2]})
    none = study.read(asked("random", 3), FormValues({"chosen": ["1"], "also_engaging": ["none"]}))
    assert isinstance(none, Selection)
    assert none.values == {"engaging": []}


@pytest.mark.parametrize(
    ("arm", "engaging", "message"),
    [
        ("random", [], "answer the question"),
        ("random", ["9"], "that are shown"),
        ("random", ["1", "none"], "that are shown"),
        ("best", [], "answer the question"),
        ("best", ["none"], "that are shown"),
        ("best", ["1", "2"], "that are shown"),
    ],
)
def test_a_further_question_is_answered_or_refused(arm: str, engaging: list[str], message: str) -> None:
    study = protocol(dimensions=["engaging"])
    form = FormValues({"chosen": ["1"], "also_engaging": engaging})
    with pytest.raises(AnswerError, match=message):
        study.read(asked(arm), form)


def test_after_the_chat_the_whole_conversation_may_be_asked_about() -> None:
    question = {"name": "fun", "text": "Fun?", "labels": ["No", "Yes"]}
    study = protocol(questions=[question])
    dialogue = Dialogue(
        "d", "a+b", "live-chat", "bot", (Speaker("bot", "a"), Speaker("annotator")), (Turn("bot", "Hi"),)
    )
    ended = AskedItem("main", items()["best"], dialogues=(dialogue,))
    view = study.show(ended)
    assert view.template == "whole.html"
    assert view.values["questions"] == [("whole_fun", "Fun?", (("1", "No"), ("2", "Yes")), None)]
    assert study.read(ended, FormValues({"whole_fun": "2"})) == Answer({"whole": {"fun": 2}})
    with pytest.raises(AnswerError, match="one answer to each question"):
        study.read(ended, FormValues({"whole_fun": ["1", "2"]}))
    with pytest.raises(AnswerError):
        study.read(ended, FormValues({"whole_fun": "3"}))
    assert protocol().read(AskedItem("main", items()["best"]), FormValues()) == Answer({"whole": {}})
    assert protocol().show(AskedItem("main", items()["best"])).values["dialogue"] is None


def judged(item: Item, *turns: ChosenTurn) -> Judgment:
    return Judgment(
        id="j",
        assignment="a",
        annotator="ann",
        annotator_kind="lab",
        arm="main",
        item=item.id,
        group=item.group,
        answer={"whole": {"fun": 2}},
        order=(0, 1, 2),
        reason="",
        seconds=60.0,
        seconds_kind="visible",
        at="2026-01-01T00:00:00+00:00",
        revision=1,
        role="judged",
        is_correct=None,
        dialogue="chat-1",
        turns=turns,
    )


def turn(**fields: Any) -> ChosenTurn:
    made = {
        "place": 1,
        "message": "Tea?",
        "replies": (OfferedReply("Yes.", 0.5), OfferedReply("No.", 1.5), OfferedReply("Yes. ", 0.1)),
        "shown": ((1,), (0, 2)),
        "chosen": (2,),
        "written": "",
        "continuation": 0,
        "answer": {},
        "seconds": 4.0,
        "at": "2026-01-01T00:00:00+00:00",
    }
    return ChosenTurn(**{**made, **fields})


def rows_of(group: str, *turns: ChosenTurn, **settings: Any) -> list[Any]:
    item = items(**settings)[group]
    row = protocol(**settings).as_row(item, judged(item, *turns))
    assert row["arm"] == group
    records = row["turns"]
    assert isinstance(records, list)
    return [turn_of(record, Source(Path("study"))) for record in records]


def test_a_turn_becomes_a_row_with_every_candidate_and_shared_cards() -> None:
    (found,) = rows_of("user", turn())
    assert found.selected() == {"companion": True, "parrot": False, "small-talk": True}
    assert [one.position for one in found.candidates] == [2, 1, 2]
    assert [one.seconds for one in found.candidates] == [0.5, 1.5, 0.1]
    assert found.continuation.model_dump() == {"text": "Yes.", "by": "selected", "bot": "companion"}
    assert (found.turn, found.dialogue, found.annotator, found.seconds) == (1, "chat-1", "ann", 4.0)


def test_written_random_and_incomplete_turns_become_rows() -> None:
    written = turn(chosen=(), written="Green tea.", continuation=None)
    random = turn(place=3, chosen=(1, 2), continuation=1)
    failed = turn(
        place=5,
        replies=(
            OfferedReply("Yes.", 0.5),
            OfferedReply("", None, has_failed=True),
            OfferedReply("Hm.", 0.1),
        ),
        shown=((0,), (2,)),
        chosen=(1,),
    )
    first, second, third = rows_of("user", written, random, failed)
    assert first.continuation.by == "annotator"
    assert second.continuation.by == "random"
    assert not third.is_complete
    assert [one.failed for one in third.candidates] == [False, True, False]
    assert [one.turn for one in (first, second, third)] == [1, 2, 3]


def test_dimensions_and_a_single_bot_become_rows() -> None:
    (found,) = rows_of("random", turn(answer={"human": [1]}))
    assert found.selected("human") == {"companion": False, "parrot": True, "small-talk": False}
    for chosen, by in (((1,), "selected"), ((), "random")):
        one = turn(replies=(OfferedReply("Hi.", 0.1),), shown=((0,),), chosen=chosen, continuation=0)
        (single,) = rows_of("one", one)
        assert (single.mechanism, single.setting, single.continuation.by) == ("single", None, by)


def test_the_row_of_a_chat_says_what_was_asked_after_it() -> None:
    question = {"name": "fun", "text": "Fun?", "labels": ["No", "Yes"]}
    item = items()["best"]
    row = protocol(questions=[question]).as_row(item, judged(item))
    assert (row["whole_fun"], row["mechanism"], row["setting"], row["turns"]) == (2, "pairwise", "soba", [])


def test_the_plan_says_the_rule_and_the_family() -> None:
    assert "clustered by dialogue" in protocol().rules(stopping="fixed").test
    assert (
        protocol(primary="best")
        .rules(stopping="fixed")
        .family.startswith("Holm over the comparisons of the arm best")
    )
    own = "each question of dimensions is a family of its own"
    assert protocol(dimensions=["engaging"]).rules(stopping="fixed").family.endswith(own)
    assert own not in protocol().rules(stopping="fixed").family
    study = protocol()
    assert study.max_per_group(ChatSettings(chats_per_annotator=2)) == 2
    assert (study.items_file(), study.annotations_per_item(), len(study.arms())) == ("turns.jsonl", 1, 1)
    assert CHAT in items()["one"].extras
    assert ChatPlan().choose == ""
