import pytest

from duologue.dialogues import Turn, detect_format, read_dialogues
from duologue.errors import FormatError
from tests.dialogues.conftest import Written

FILE = (
    "text:your persona: i like tea.\\nyour persona: i am old.\\nhello !\tlabels:hi .\\nhow are you ?\n"
    "text:fine\tlabels:a __PIPE__ b\tmood:good\tepisode_done:True\n"
    "\n"
    "text:tea ?\tlabels:yes .\n"
    "text:milk ?\tlabels:no .\n"
    "\n"
    "text:bye\tlabels:bye .\tepisode_done:True\n"
)


def test_a_file_is_read_episode_by_episode(written: Written) -> None:
    first, second, third = read_dialogues(written(FILE, "x.txt"), bot="ada")
    assert first.context == ("your persona: i like tea.", "your persona: i am old.")
    assert first.turns == (
        Turn("partner", "hello !"),
        Turn("you", "hi .\nhow are you ?"),
        Turn("partner", "fine"),
        Turn("you", "a | b", extras={"mood": "good"}),
    )
    assert (first.kind, first.judged) == ("live-chat", "you")
    assert [turn.text for turn in second.turns] == ["tea ?", "yes .", "milk ?", "no ."]
    assert [turn.text for turn in third.turns] == ["bye", "bye ."]


def test_personas_alone_are_no_turn(written: Written) -> None:
    path = written("text:your persona: i like tea.\tlabels:hi .\tepisode_done:True\n")
    (chat,) = read_dialogues(path, bot="ada")
    assert chat.turns == (Turn("you", "hi ."),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("text:milk ?\tlabels:no .|yes .", "expected one reply and found 2"),
        ("labels:no .", "no such field"),
        ("text:\tlabels:no .", "an empty text"),
        ("text:milk ?\tlabels:", "an empty text"),
    ],
)
def test_one_bad_line_leaves_out_its_episode_only(written: Written, line: str, message: str) -> None:
    path = written(FILE.replace("text:milk ?\tlabels:no .", line))
    bad: list[FormatError] = []
    chats = list(read_dialogues(path, bot="ada", on_bad=bad.append))
    assert [chat.turns[0].text for chat in chats] == ["hello !", "bye"]
    assert len(bad) == 1
    assert message in str(bad[0])


def test_a_bad_last_line_ends_its_episode(written: Written) -> None:
    path = written("text:a\tlabels:b|c\tepisode_done:True\ntext:d\tlabels:e\tepisode_done:True\n")
    bad: list[FormatError] = []
    (chat,) = read_dialogues(path, bot="ada", on_bad=bad.append)
    assert chat.turns[0].text == "d"


def test_the_format_is_recognised(written: Written) -> None:
    assert detect_format(written(FILE)) == "parlai-text"


def test_a_file_may_end_in_the_middle_of_an_episode(written: Written) -> None:
    (chat,) = read_dialogues(written("text:tea ?\tlabels:yes .\ntext:bye\tepisode_done:False\n"), bot="ada")
    assert [turn.text for turn in chat.turns] == ["tea ?", "yes .", "bye"]


def test_broken_bytes_leave_out_their_episode(written: Written) -> None:
    bad: list[FormatError] = []
    path = written(b"text:a\tlabels:\xff\n\ntext:d\tlabels:e\n")
    (chat,) = read_dialogues(path, format="parlai-text", bot="ada", on_bad=bad.append)
    assert chat.turns[0].text == "d"
    assert [error.line for error in bad] == [1]
