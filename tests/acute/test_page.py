"""What annotators see is blind; what they submit is checked."""

import pytest

from duologue.acute import AcuteProtocol, AcuteSettings
from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.errors import AnswerError
from duologue.judgments import Judgment
from duologue.protocols import ONLY_ARM, Answer, AskedItem, FormValues, Item, StudyProtocol, protocol_named

ITEM = Item("i", "qqq__vs__zzz", ("qqq", "zzz"), ("d1", "d2"), ("qqq_1", "zzz_2"), role="onboarding", gold=1)
ASKED = AskedItem(ONLY_ARM, ITEM, (0, 1))


def dialogue(bot: str, judged: str) -> Dialogue:
    names = (f"{bot}_1", f"{bot}_2")
    turns = tuple(Turn(names[number % 2], f"turn {number}") for number in range(4))
    return Dialogue(f"d-{bot}", bot, "self-chat", judged, tuple(Speaker(name, bot) for name in names), turns)


DIALOGUES = (dialogue("qqq", "qqq_1"), dialogue("zzz", "zzz_2"))


def settings(**options: object) -> AcuteSettings:
    return AcuteSettings.model_validate(options)


def judgment(side: int | None, order: tuple[int, ...] = (1, 0)) -> Judgment:
    return Judgment(
        id="j", assignment="a", annotator="p", annotator_kind="lab", arm=ONLY_ARM, item="i",
        group=ITEM.group, answer={"side": side}, order=order, reason="", seconds=3.0, seconds_kind="wall",
        at="2026-01-01T00:00:00Z", revision=1, role="judged", is_correct=None,
    )  # fmt: skip


def test_acute_is_a_protocol() -> None:
    assert protocol_named("acute") is AcuteProtocol
    assert issubclass(AcuteProtocol, StudyProtocol)


def test_the_view_shows_the_dialogues_in_the_shown_order_without_names() -> None:
    view = AcuteProtocol(settings()).show(AskedItem(ONLY_ARM, ITEM, (1, 0), DIALOGUES)).values
    dialogues = view["dialogues"]
    assert isinstance(dialogues, tuple)
    first, second = dialogues
    assert [turn.is_judged for turn in first.turns] == [False, True, False, True]
    assert [turn.is_judged for turn in second.turns] == [True, False, True, False]
    assert "qqq" not in repr(view)
    assert "zzz" not in repr(view)
    assert "onboarding" not in repr(view)


def test_both_choices_and_the_question_are_shown() -> None:
    view = (
        AcuteProtocol(settings(question="humanness"))
        .show(AskedItem(ONLY_ARM, ITEM, (0, 1), DIALOGUES))
        .values
    )
    assert view["questions"][0].text == "Which speaker sounds more human?"  # type: ignore[index]
    choices = view["questions"][0].choices  # type: ignore[index]
    assert isinstance(choices, tuple)
    assert [choice.value for choice in choices] == ["1", "2"]


@pytest.mark.parametrize("choice", ["", "0", "3", "tie", "one", "1 "])
def test_an_answer_that_was_not_offered_is_refused(choice: str) -> None:
    with pytest.raises(AnswerError, match="choose one") as caught:
        AcuteProtocol(settings()).read(ASKED, FormValues({"choice": choice}))
    assert caught.value.field == "choice"


def test_a_tie_is_an_answer_where_the_study_allows_it() -> None:
    assert AcuteProtocol(settings(ties=True)).read(ASKED, FormValues({"choice": "tie"})) == Answer(
        {"side": None}, ""
    )


def test_a_required_reason_must_be_there() -> None:
    with pytest.raises(AnswerError, match="few words") as caught:
        AcuteProtocol(settings(reason="required")).read(ASKED, FormValues({"choice": "1", "reason": "  "}))
    assert caught.value.field == "reason"


def test_an_endless_reason_is_refused() -> None:
    with pytest.raises(AnswerError, match="10,000 characters"):
        AcuteProtocol(settings()).read(ASKED, FormValues({"choice": "1", "reason": "x" * 10_001}))


def test_no_reason_is_kept_when_the_study_asks_for_none() -> None:
    assert (
        AcuteProtocol(settings(reason="off")).read(ASKED, FormValues({"choice": "1", "reason": "so"})).reason
        == ""
    )


@pytest.mark.parametrize(
    ("question", "order", "side", "right"),
    [
        ("engagingness", (0, 1), 2, True),
        ("engagingness", (1, 0), 1, True),
        ("engagingness", (1, 0), 2, False),
        ("boring-to-talk-to", (0, 1), 1, True),
        ("boring-to-talk-to", (1, 0), 1, False),
    ],
)
def test_gold_is_met_by_the_credited_slot(
    question: str, order: tuple[int, int], side: int, right: bool
) -> None:
    answer = Answer({"side": side})
    assert (
        AcuteProtocol(settings(question=question)).is_correct(AskedItem(ONLY_ARM, ITEM, order), answer)
        is right
    )


def test_a_tie_does_not_pass_onboarding() -> None:
    assert (
        AcuteProtocol(settings(ties=True)).is_correct(
            AskedItem(ONLY_ARM, ITEM, (0, 1)), Answer({"side": None})
        )
        is False
    )


def test_a_normal_item_is_neither_right_nor_wrong() -> None:
    plain = Item("i", "g", ("a", "b"), ("x", "y"), ("a", "b"))
    assert (
        AcuteProtocol(settings()).is_correct(AskedItem(ONLY_ARM, plain, (0, 1)), Answer({"side": 1})) is None
    )


def test_a_row_names_winner_loser_and_the_side_of_the_winner() -> None:
    row = AcuteProtocol(settings()).as_row(ITEM, judgment(1))
    assert (row["winner"], row["loser"], row["winner_side"]) == ("zzz", "qqq", 1)
    assert (row["winner_dialogue"], row["loser_dialogue"]) == ("d2", "d1")
    boring = AcuteProtocol(settings(question="boring-to-talk-to")).as_row(ITEM, judgment(1))
    assert (boring["winner"], boring["winner_side"], boring["chosen_side"]) == ("qqq", 2, 1)


def test_a_tie_is_a_row_of_its_own_kind() -> None:
    row = AcuteProtocol(settings(ties=True)).as_row(ITEM, judgment(None))
    assert (row["outcome"], row["winner"], row["winner_side"]) == ("tie", "zzz", 1)


def test_arms_ask_their_own_questions() -> None:
    arms = settings(questions=[{"name": "e"}, {"name": "h", "question": "humanness"}])
    assert [arm.name for arm in AcuteProtocol(arms).arms()] == ["e", "h"]
    assert (
        AcuteProtocol(arms).show(AskedItem("h", ITEM, (0, 1), DIALOGUES)).values["questions"][0].text  # type: ignore[index]
        == "Which speaker sounds more human?"
    )


def test_a_study_without_arms_has_one() -> None:
    assert [arm.name for arm in AcuteProtocol(settings()).arms()] == [ONLY_ARM]


def test_the_items_file_and_the_number_of_annotations_come_from_the_settings() -> None:
    chosen = settings(annotations_per_pairing=3, pairings={"file": "p.jsonl"})
    assert (AcuteProtocol(chosen).items_file(), AcuteProtocol(chosen).annotations_per_item()) == (
        "p.jsonl",
        3,
    )


def test_the_side_as_shown_is_the_position_chosen_and_a_tie_has_none() -> None:
    protocol = AcuteProtocol(settings())
    assert [protocol.position_chosen(Answer({"side": side})) for side in (1, 2, None)] == [1, 2, None]
