"""What the cards of a turn send is a selection, or is refused with the field that is wrong."""

import pytest

from duologue.errors import AnswerError
from duologue.protocols import (
    CHAT,
    ONLY_ARM,
    AskedItem,
    AtTurn,
    ChatPlan,
    FormValues,
    Item,
    Selection,
    read_selection,
)
from duologue.protocols.pages.forms import FieldValue

ONE, ANY = ChatPlan(choose="one"), ChatPlan(choose="any", goes_on="annotator")


def read(plan: ChatPlan, **fields: FieldValue) -> Selection:
    item = Item("i", "g", ("ada", "bea", "cyd"), (), (), extras={CHAT: plan.record()})
    moment = AtTurn(3, ("A", "B", "C"), ((1,), (0,), (2,)))
    return read_selection(AskedItem(ONLY_ARM, item, moment=moment), FormValues(fields))


def test_what_is_ticked_is_chosen() -> None:
    assert read(ONE, chosen="2") == Selection(3, (2,))
    assert read(ANY, chosen=["3", "1"]) == Selection(3, (1, 3))


def test_none_must_be_said_and_a_reply_may_be_written() -> None:
    assert read(ANY, none="1", written="I see.") == Selection(3, (), "I see.")
    assert read(ANY, none="1") == Selection(3, ())
    with pytest.raises(AnswerError, match="or say that none does"):
        read(ANY, written="I see.")


def test_a_reply_that_is_written_beside_one_that_is_chosen_is_never_dropped() -> None:
    with pytest.raises(AnswerError, match="chosen a reply and written one") as refused:
        read(ANY, chosen="1", written="I see.")
    assert refused.value.field == "written"
    assert read(ANY, chosen="1", written=" ").chosen == (1,)


def test_two_replies_that_are_written_are_refused() -> None:
    with pytest.raises(AnswerError, match="one answer to each question"):
        read(ANY, none="1", written=["I see.", "I do not."])


@pytest.mark.parametrize("fields", [{"chosen": ["1", "2"]}, {}, {"none": "1"}])
def test_one_is_one(fields: dict[str, FieldValue]) -> None:
    with pytest.raises(AnswerError, match="one of the replies") as refused:
        read(ONE, **fields)
    assert refused.value.field == "chosen"


@pytest.mark.parametrize("value", ["0", "4", "x", ""])
def test_only_cards_that_are_shown_can_be_chosen(value: str) -> None:
    with pytest.raises(AnswerError, match="that are shown"):
        read(ANY, chosen=value)


def test_none_and_one_exclude_each_other() -> None:
    with pytest.raises(AnswerError):
        read(ANY, chosen="1", none="1")


def test_at_the_end_there_is_nothing_to_choose() -> None:
    item = Item("i", "g", ("ada",), (), ())
    with pytest.raises(AnswerError, match="nothing to choose"):
        read_selection(AskedItem(ONLY_ARM, item), FormValues({"chosen": "1"}))
