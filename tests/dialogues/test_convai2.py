import pytest

from duologue.dialogues import Speaker, Turn, read_dialogues
from duologue.errors import FormatError
from tests.dialogues.conftest import Written

FILE = (
    "1 your persona: i like tea.\n"
    "2 partner's persona: i like milk.\n"
    "3 hello !\thi .\t\tno .|hi .\n"
    "4 tea ?\tyes .\t1\n"
    "1 your persona: i am brief.\n"
    "2 __SILENCE__\thi .\n"
)


def test_a_file_is_read_dialogue_by_dialogue(written: Written) -> None:
    first, second = read_dialogues(written(FILE, "valid.txt"), bot="human")
    assert first.context == ("your persona: i like tea.", "partner's persona: i like milk.")
    assert first.turns == (
        Turn("partner", "hello !"),
        Turn("you", "hi .", extras={"candidates": ["no .", "hi ."]}),
        Turn("partner", "tea ?"),
        Turn("you", "yes .", extras={"reward": "1"}),
    )
    assert (first.kind, first.judged) == ("human-human", "you")
    assert first.speakers == (Speaker("partner"), Speaker("you", "human"))
    assert second.turns == (Turn("you", "hi ."),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("5 tea ?\tyes .", "line number 4 of a dialogue, or 1 and found number 5"),
        ("tea ?\tyes .", "found no number"),
        ("4 tea ?", "two utterances with a tab between them"),
        ("4 tea ?\t", "turn of 'you' on line 4: expected what was said and found an empty text"),
        ("4 tea ?\tye\0s", "a NUL byte"),
    ],
)
def test_one_bad_line_leaves_out_its_dialogue_only(written: Written, line: str, message: str) -> None:
    path = written(FILE.replace("4 tea ?\tyes .\t1", line))
    bad: list[FormatError] = []
    (rest,) = read_dialogues(path, bot="human", format="convai2", on_bad=bad.append)
    assert rest.context == ("your persona: i am brief.",)
    assert len(bad) == 1
    assert message in str(bad[0])


def test_two_bad_lines_of_one_dialogue_are_told_once(written: Written) -> None:
    path = written("1 hello !\thi .\n7 tea ?\tyes .\n9 milk ?\tno .\n1 hello !\thi .\n")
    bad: list[FormatError] = []
    assert len(list(read_dialogues(path, bot="human", on_bad=bad.append))) == 1
    assert [error.line for error in bad] == [2]
    assert "begins on line 1" in str(bad[0])


def test_windows_line_ends_and_blank_lines_do_not_matter(written: Written) -> None:
    plain = list(read_dialogues(written(FILE), bot="human"))
    assert list(read_dialogues(written("\ufeff" + FILE.replace("\n", "\r\n\r\n")), bot="human")) == plain
