"""Three dialogues are shown blind, put in order, checked, and written as their three pairs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import ValidationError

from duologue.acute import AcuteProtocol, AcuteSettings
from duologue.acute.ranking.answers import gold_place, is_ranking
from duologue.dialogues import Json
from duologue.errors import AnswerError
from duologue.judgments import Judgment
from duologue.protocols import ONLY_ARM, Answer, AskedItem, FormValues, Item, JudgedBatch
from tests.acute.test_page import dialogue, settings
from tests.acute.test_page import judgment as chosen

BOTS = ("qqq", "xxx", "zzz")
GROUP = "__vs__".join(BOTS)
THREE = Item("i", GROUP, BOTS, ("d1", "d2", "d3"), tuple(f"{bot}_1" for bot in BOTS))
DIALOGUES = tuple(dialogue(bot, f"{bot}_1") for bot in BOTS)
RANKING = AcuteProtocol(settings(answer="ranking"))
BORING = AcuteProtocol(settings(answer="ranking", question="boring-to-talk-to"))
TWO = Item("p", "qqq__vs__zzz", ("qqq", "zzz"), ("d1", "d3"), ("qqq_1", "zzz_1"))


def asked(order: tuple[int, ...] = (2, 0, 1), gold: Json = None) -> AskedItem:
    return AskedItem(ONLY_ARM, replace(THREE, gold=gold), order, DIALOGUES)


def form(first: int, second: int, third: int) -> dict[str, str]:
    """Which of the three that are shown gets each place."""
    return {"rank-1": str(first), "rank-2": str(second), "rank-3": str(third)}


def ranking(ranks: list[Json], order: tuple[int, ...] = (2, 0, 1)) -> Judgment:
    return replace(chosen(None, order), answer={"ranks": ranks}, group=GROUP)


def test_three_dialogues_are_shown_in_their_order_without_names() -> None:
    view = RANKING.show(asked())
    assert view.template == "ranking.html"
    shown = view.values["dialogues"]
    assert isinstance(shown, tuple)
    assert [one.side for one in shown] == [1, 2, 3]
    assert not [bot for bot in BOTS if bot in repr(view.values)]


def test_two_dialogues_in_the_same_study_are_a_comparison() -> None:
    two = AskedItem(ONLY_ARM, TWO, (1, 0), (DIALOGUES[0], DIALOGUES[2]))
    assert RANKING.show(two).template == "comparison.html"
    assert RANKING.read(two, FormValues({"choice": "2"})) == Answer({"side": 2}, "")


def test_places_are_kept_by_shown_position() -> None:
    assert RANKING.read(asked(), FormValues({**form(2, 1, 3), "reason": " so "})) == Answer(
        {"ranks": [2, 1, 3]}, "so"
    )
    assert RANKING.read(asked(), FormValues(form(3, 1, 2))).values == {"ranks": [2, 3, 1]}


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "rank-1"),
        ({"rank-1": "1", "rank-2": "2"}, "rank-3"),
        (form(1, 1, 2), "rank-3"),
        (form(1, 2, 4), "rank-3"),
        ({**form(1, 2, 3), "rank-2": "x"}, "rank-2"),
    ],
)
def test_places_that_are_no_ranking_are_refused(sent: dict[str, str], field: str) -> None:
    with pytest.raises(AnswerError, match="a place of its own") as caught:
        RANKING.read(asked(), FormValues(sent))
    assert caught.value.field == field


def test_a_required_reason_must_be_there() -> None:
    with pytest.raises(AnswerError, match="few words"):
        AcuteProtocol(settings(answer="ranking", reason="required")).read(asked(), FormValues(form(1, 2, 3)))


@pytest.mark.parametrize(
    ("protocol", "gold", "is_right"),
    [
        (RANKING, {"first": 0}, True),
        (RANKING, {"last": 1}, True),
        (RANKING, {"last": 0}, False),
        (RANKING, None, None),
        (RANKING, {"middle": 1}, None),
        (BORING, {"last": 0}, True),
        (BORING, {"first": 0}, False),
    ],
)
def test_an_answer_is_right_where_the_known_one_has_its_place(
    protocol: AcuteProtocol, gold: Json, is_right: bool | None
) -> None:
    # Shown: slots 2, 0, 1. First the second one shown (slot 0), last the third one (slot 1).
    answer = Answer({"ranks": [2, 1, 3]})
    assert protocol.is_correct(asked(gold=gold), answer) is is_right


@pytest.mark.parametrize("gold", [1, {"last": 3}, {"last": True}, {"last": "2"}, {"first": 0, "last": 1}, []])
def test_what_is_no_known_place_says_nothing(gold: Json) -> None:
    assert gold_place(replace(THREE, gold=gold)) is None


def test_only_three_dialogues_are_a_ranking() -> None:
    assert is_ranking(THREE)
    assert not is_ranking(TWO)


def test_the_position_chosen_is_that_of_the_first_place() -> None:
    assert RANKING.position_chosen(Answer({"ranks": [2, 3, 1]})) == 3


def test_two_rankings_are_the_same_when_their_order_of_dialogues_is() -> None:
    first = ranking([1, 2, 3], order=(0, 1, 2))
    assert RANKING.same_answer(THREE, first, ranking([2, 1, 3], order=(1, 0, 2)))
    assert not RANKING.same_answer(THREE, first, ranking([1, 3, 2], order=(0, 1, 2)))


def test_three_have_six_orders_unless_some_are_compared_by_two() -> None:
    assert RANKING.different_answers() == 6
    assert AcuteProtocol(AcuteSettings()).different_answers() == 2
    assert AcuteProtocol(AcuteSettings(ties=True)).different_answers() == 3
    beside = settings(answer="ranking", pairings={"pairs_per_matchup": 2})
    assert AcuteProtocol(beside).different_answers() is None


def test_a_ranking_is_three_rows_a_pair_each() -> None:
    rows = RANKING.as_rows(THREE, ranking([2, 1, 3]))
    assert [(row["winner"], row["loser"], row["winner_side"]) for row in rows] == [
        ("qqq", "zzz", 2),
        ("qqq", "xxx", 1),
        ("zzz", "xxx", 1),
    ]
    assert [(row["winner_dialogue"], row["loser_dialogue"]) for row in rows] == [
        ("d1", "d3"),
        ("d1", "d2"),
        ("d3", "d2"),
    ]
    assert [(row["winner_rank"], row["loser_rank"]) for row in rows] == [(1, 2), (1, 3), (2, 3)]
    assert [(row["winner_position"], row["loser_position"]) for row in rows] == [(2, 1), (2, 3), (1, 3)]
    assert {(row["judgment"], row["ranking"], row["pairing"]) for row in rows} == {("j", "j", "i")}
    assert [row["matchup"] for row in rows] == ["qqq__vs__zzz", "qqq__vs__xxx", "xxx__vs__zzz"]


def test_a_question_that_credits_the_others_turns_the_ranking_round() -> None:
    (first, _, _) = BORING.as_rows(THREE, ranking([2, 1, 3]))
    assert (first["winner"], first["loser"]) == ("xxx", "zzz")


def test_a_comparison_beside_rankings_has_the_same_columns() -> None:
    (pair,) = RANKING.as_rows(TWO, chosen(1))
    (three, *_) = RANKING.as_rows(THREE, ranking([1, 2, 3]))
    assert list(pair) == list(three)
    assert pair["ranking"] is None
    (plain,) = AcuteProtocol(settings()).as_rows(TWO, chosen(1))
    assert "ranking" not in plain


def test_one_row_of_a_ranking_has_a_bot_in_the_middle_and_wins_nothing() -> None:
    row = RANKING.as_row(THREE, ranking([2, 1, 3]))
    assert (row["winner"], row["middle"], row["loser"], row["positions"]) == ("qqq", "zzz", "xxx", "213")
    assert RANKING.win(row) is None


def test_three_bots_are_no_matchup_and_are_named_together() -> None:
    assert RANKING.rivals(GROUP) is None
    assert RANKING.rivals("qqq__vs__zzz") == ("qqq", "zzz")
    assert RANKING.say_group(GROUP) == "qqq, xxx and zzz"


def test_columns_say_what_the_rows_say() -> None:
    judged = [(THREE, ranking([2, 1, 3])), (TWO, chosen(1)), (THREE, ranking([3, 1, 2], order=(0, 1, 2)))]
    n = len(judged)
    texts, numbers, no = [""] * n, [0] * n, [False] * n

    def columns(judged: list[tuple[Item, Judgment]]) -> dict[str, list[object]]:
        n = len(judged)
        batch = JudgedBatch(
            ids=texts[:n], annotators=texts[:n], annotator_kinds=texts[:n], items=texts[:n],
            groups=texts[:n], excluded=texts[:n], item_numbers=numbers[:n], seconds=numbers[:n],
            revisions=numbers[:n], has_reason=no[:n], is_onboarding=no[:n], arms=[ONLY_ARM] * n,
            bots=[item.bots for item, _ in judged], dialogues=[item.dialogues for item, _ in judged],
            answers=[one.answer for _, one in judged], orders=[one.order for _, one in judged],
            at=["2026-01-01T00:00:00"] * n, flags=[()] * n,
        )  # fmt: skip
        return {name: list(column) for name, column in RANKING.columns(batch).items()}

    found = columns(judged)
    for name in ("winner", "loser", "winner_dialogue", "loser_dialogue"):
        assert found[name] == [RANKING.as_row(item, one)[name] for item, one in judged]
    for name in ("middle", "middle_dialogue", "positions"):
        assert found[name] == [RANKING.as_row(item, one).get(name, "") for item, one in judged]
    assert found["winner_side"] == [0, 1, 0]
    assert "middle" not in columns([(TWO, chosen(1))])


def test_annotators_are_told_to_put_three_in_order_and_the_plan_names_the_pairs() -> None:
    assert "three conversations" in RANKING.study_wording()["instructions"]
    assert RANKING.rules(stopping="fixed").test.startswith("each ranking of three as its three pairs")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"collect": "parallel"}, "three live chats at once cannot be ranked"),
        ({"ties": True}, "a ranking of three is strict"),
        ({"pairings": {"matchups": [["a", "b"]]}}, "pairings.matchups: where three are ranked"),
        ({"pairings": {"against": ["a"]}}, "pairings.against"),
        ({"pairings": {"same_bot": ["a"]}}, "pairings.same_bot"),
        ({"pairings": {"same_bot_share": 0.1}}, "pairings.same_bot_share"),
        ({"pairings": {"pairs_per_matchup": 5, "dialogue_once": "study"}}, "share dialogues"),
        ({"answer": "choice", "pairings": {"pairs_per_matchup": 5}}, 'belongs to answer = "ranking"'),
    ],
)
def test_what_does_not_go_with_rankings_is_refused(more: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        settings(**{"answer": "ranking", **more})


def test_the_description_is_true_of_speakers_in_threes_and_in_pairs() -> None:
    assert RANKING.study_heading()["description"] == (
        "Compare conversations and say which speakers are better."
    )
