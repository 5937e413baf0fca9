"""Live chats as items: a plan goes into an item and comes back, and settings must let a chat end."""

import pytest
from pydantic import ValidationError

from duologue.protocols import CHAT, ChatPlan, ChatSettings, Item, chat_plan


def test_a_chat_that_could_not_end_is_refused() -> None:
    with pytest.raises(ValidationError, match="8 is more than max_exchanges"):
        ChatSettings(min_exchanges=8)


def test_a_plan_comes_back_from_its_item() -> None:
    plan = ChatPlan("partner", ("a.",), ("b.",), ("c.",), "rain", "Hi!")
    assert chat_plan(Item("i", "g", ("g",), (), (), extras={CHAT: plan.record()})) == plan


def test_a_finished_dialogue_has_no_plan() -> None:
    assert chat_plan(Item("i", "g", ("g",), ("d",), ("g",))) is None


def test_a_persona_that_is_no_list_is_none() -> None:
    found = chat_plan(Item("i", "g", ("g",), (), (), extras={CHAT: {"persona": "text"}}))
    assert found == ChatPlan()
