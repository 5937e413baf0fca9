import pytest

from duologue.dialogues import Json
from duologue.errors import TelegramError
from duologue.telegram.updates import (
    AccountBlocked,
    ButtonPress,
    IgnoredUpdate,
    MessageEdit,
    NoText,
    Sender,
    TextMessage,
    read_update,
)

ADA = Sender(user=5, chat=5)
FROM: dict[str, Json] = {"id": 5, "is_bot": False, "first_name": "Ada"}


def message(**changed: Json) -> dict[str, Json]:
    return {
        "message_id": 3,
        "date": 0,
        "from": FROM,
        "chat": {"id": 5, "type": "private"},
        "text": "hello",
        **changed,
    }


def test_text_a_button_an_edit_a_sticker_and_a_block_are_told_apart() -> None:
    assert read_update({"update_id": 1, "message": message()}) == TextMessage(1, ADA, "hello")
    assert read_update({"update_id": 2, "edited_message": message()}) == MessageEdit(2, ADA)
    assert read_update({"update_id": 3, "message": message(text=None)}) == NoText(3, ADA)
    query: dict[str, Json] = {
        "id": "q",
        "from": FROM,
        "chat_instance": "1",
        "data": "x",
        "message": message(),
    }
    assert read_update({"update_id": 4, "callback_query": query}) == ButtonPress(4, ADA, "q", "x", 3)
    change: dict[str, Json] = {
        "chat": {"id": 5, "type": "private"},
        "from": FROM,
        "date": 0,
        "new_chat_member": {"status": "kicked", "user": {}},
    }
    assert read_update({"update_id": 5, "my_chat_member": change}) == AccountBlocked(5, ADA)


@pytest.mark.parametrize(
    "update",
    [
        {"message": message(chat={"id": -9, "type": "group"})},
        {"message": message(chat={"id": -9, "type": "channel"})},
        {"message": message(**{"from": {"id": 9, "is_bot": True, "first_name": "Bot"}})},
        {"message": "nonsense"},
        {"callback_query": {"id": "q", "from": FROM, "chat_instance": "1"}},
        {"my_chat_member": {"chat": {"id": 5, "type": "private"}, "from": FROM, "new_chat_member": {}}},
        {"poll": {}},
        {},
    ],
    ids=["group", "channel", "bot", "nonsense", "no data", "unblocked", "other kind", "nothing"],
)
def test_what_does_not_concern_a_study_is_ignored_but_acknowledged(update: dict[str, Json]) -> None:
    assert read_update({"update_id": 7, **update}) == IgnoredUpdate(7)


def test_an_update_without_a_number_is_refused() -> None:
    with pytest.raises(TelegramError, match="update_id"):
        read_update({"message": message()})
