"""Live chats as items: a plan goes into an item and comes back, and settings must let a chat end."""

import pytest
from pydantic import ValidationError

from duologue.protocols import CHAT, HUMAN, ChatPlan, ChatSettings, Item, chat_plan, chat_problem


def test_a_chat_that_could_not_end_is_refused() -> None:
    with pytest.raises(ValidationError, match="8 is more than max_exchanges"):
        ChatSettings(min_exchanges=8)


def test_a_plan_comes_back_from_its_item() -> None:
    plan = ChatPlan(
        "partner", ("a.",), ("b.",), "rain", "Hi!", "any", "annotator", "shared", "go-on", 20, {"mood": 0}
    )
    assert chat_plan(Item("i", "g", ("g",), (), (), extras={CHAT: plan.record()})) == plan


def test_what_a_protocol_keeps_with_a_chat_is_handed_on_as_it_stands() -> None:
    stored = {"first": "annotator", "persona": ["i like tea."], "other_persona": ["i like rain."]}
    plan = chat_plan(Item("i", "g", ("g",), (), (), extras={CHAT: stored}))
    assert plan is not None
    assert plan.extras == {"other_persona": ["i like rain."]}
    assert plan.record() == stored


def test_a_finished_dialogue_has_no_plan() -> None:
    assert chat_plan(Item("i", "g", ("g",), ("d",), ("g",))) is None


def test_a_persona_that_is_no_list_is_none() -> None:
    found = chat_plan(Item("i", "g", ("g",), (), (), extras={CHAT: {"persona": "text"}}))
    assert found == ChatPlan()


def test_a_plan_with_nothing_to_choose_says_nothing_about_it() -> None:
    assert ChatPlan().record() == {"first": "annotator"}


@pytest.mark.parametrize(
    ("plan", "bots", "problem"),
    [
        (ChatPlan(), ["ada"], ""),
        (ChatPlan(), [HUMAN], ""),
        (ChatPlan(choose="one"), ["ada", "bea"], ""),
        (ChatPlan(choose="any"), ["ada"], ""),
        (ChatPlan(histories="own"), ["ada", "bea"], ""),
        (ChatPlan(), ["ada", "bea"], "nothing says how to choose"),
        (ChatPlan(choose="one", histories="own"), ["ada", "bea"], "no reply in common"),
        (ChatPlan(choose="one"), ["ada", HUMAN], "a human partner is alone"),
        (ChatPlan(choose="any"), [HUMAN], "a human partner is alone"),
        (ChatPlan(choose="one"), list("abcdefghij"), "at most 9 can be shown"),
    ],
)
def test_a_plan_that_cannot_be_held_says_why(plan: ChatPlan, bots: list[str], problem: str) -> None:
    found = chat_problem(Item("i", "g", tuple(bots), (), (), extras={CHAT: plan.record()}))
    assert problem in found
    assert bool(problem) == bool(found)


def test_words_that_no_plan_knows_are_named() -> None:
    item = Item("i", "g", ("ada",), (), (), extras={CHAT: {"goes_on": "somehow"}})
    assert "goes_on is 'somehow'" in chat_problem(item)
    assert chat_problem(Item("i", "g", ("ada",), ("d",), ("ada",))) == ""
