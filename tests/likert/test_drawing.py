"""Items of ratings come from the seed alone, the same number and the same briefings for every bot."""

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.bots import Briefing
from duologue.dialogues import Dialogue, DialogueKind, Json, Speaker, Turn
from duologue.errors import DesignError
from duologue.likert import Detection, LikertSettings, detection_of, draw_chats, draw_ratings
from duologue.protocols import HUMAN, ChatSettings, Item, Material, chat_plan

PERSONAS = tuple(
    Briefing(
        persona=(f"i am number {n}.",), partner_persona=(f"i like {n}.",), topic=f"t{n}", opener=f"Hi {n}!"
    )
    for n in range(5)
)


def material(
    *bots: str,
    dialogues: Iterable[Dialogue] = (),
    briefings: Sequence[Briefing] = (),
    seed: int = 7,
    **chat: object,
) -> Material:
    kept = tuple(dialogues)
    return Material(bots, lambda: kept, tuple(briefings), ChatSettings.model_validate(chat), seed)


def settings(**options: object) -> LikertSettings:
    return LikertSettings.model_validate(options)


def dialogue(bot: str, number: int, *, kind: DialogueKind = "live-chat", persona: str = "") -> Dialogue:
    extras: dict[str, Json] = {"briefing": {"persona": [persona]}} if persona else {}
    turns = (Turn("human", "Hi"), Turn(bot, "Hello"))
    return Dialogue(
        f"{bot}-{number}", bot, kind, bot, (Speaker("human"), Speaker(bot, bot)), turns, (), extras
    )


def chats(chosen: LikertSettings, given: Material) -> list[Item]:
    return list(draw_chats(chosen, given))


def choice_of(item: Item) -> Detection:
    choice = detection_of(item)
    assert choice is not None
    return choice


@given(st.integers(1, 12), st.integers(0, 2**32), st.sampled_from([(), PERSONAS]))
def test_every_bot_has_its_chats_and_the_same_briefings(
    count: int, seed: int, briefings: tuple[Briefing, ...]
) -> None:
    given_ = material("ada", "bea", chats_per_bot=count, seed=seed, briefings=briefings)
    items = chats(settings(), given_)
    assert Counter(item.group for item in items) == {"ada": count, "bea": count}
    assert len({item.id for item in items}) == 2 * count
    plans = {bot: [chat_plan(item) for item in items if item.group == bot] for bot in ("ada", "bea")}
    assert [plan and plan.persona for plan in plans["ada"]] == [
        plan and plan.persona for plan in plans["bea"]
    ]
    assert items == chats(settings(), given_)


@given(st.integers(0, 2**32))
def test_what_a_bot_gets_does_not_depend_on_the_other_bots(seed: int) -> None:
    alone = chats(settings(), material("bea", seed=seed, briefings=PERSONAS, chats_per_bot=6))
    among = chats(settings(), material("ada", "bea", seed=seed, briefings=PERSONAS, chats_per_bot=6))
    assert [item for item in among if item.group == "bea"] == alone


def test_another_seed_deals_the_personas_otherwise() -> None:
    dealt = {
        tuple(plan.persona for item in chats(settings(), material("ada", seed=seed, briefings=PERSONAS))
              if (plan := chat_plan(item)))
        for seed in range(4)
    }  # fmt: skip
    assert len(dealt) > 1


def test_a_persona_comes_to_both_sides_and_the_opener_only_to_who_begins() -> None:
    first = chat_plan(chats(settings(), material("ada", briefings=PERSONAS[:1], first="partner"))[0])
    assert first is not None
    assert (first.persona, first.annotator_persona) == (("i am number 0.",), ("i like 0.",))
    assert (first.first, first.opener, first.topic) == ("partner", "Hi 0!", "t0")
    second = chat_plan(chats(settings(), material("ada", briefings=PERSONAS[:1]))[0])
    assert second is not None
    assert (second.first, second.opener) == ("annotator", "")


def test_who_begins_can_be_balanced() -> None:
    items = chats(settings(), material("ada", chats_per_bot=6, first="balanced"))
    plans = [chat_plan(item) for item in items]
    assert [plan and plan.first for plan in plans] == ["annotator", "partner"] * 3


def test_the_other_persona_is_another_one_on_a_side_of_chance() -> None:
    items = chats(settings(persona_detection=True), material("ada", briefings=PERSONAS, chats_per_bot=200))
    choices = [detection_of(item) for item in items]
    assert all(choice and choice.persona != choice.other_persona for choice in choices)
    assert len({choice.other_persona for choice in choices if choice}) == 5
    on_first = sum(choice.true_side == 1 for choice in choices if choice)
    assert 70 <= on_first <= 130
    assert detection_of(chats(settings(), material("ada"))[0]) is None


def test_the_dialogue_of_a_chat_will_say_which_persona_was_the_other() -> None:
    items = chats(settings(persona_detection=True), material("ada", briefings=PERSONAS, chats_per_bot=5))
    for item in items:
        plan = chat_plan(item)
        assert plan is not None
        assert plan.record()["other_persona"] == list(choice_of(item).other_persona)
    without = chat_plan(chats(settings(), material("ada"))[0])
    assert without is not None
    assert "other_persona" not in without.record()


def test_people_who_chat_have_a_third_persona_in_reserve() -> None:
    chosen = settings(persona_detection=True)
    people, bots = (
        [choice_of(item) for item in chats(chosen, material(bot, briefings=PERSONAS, chats_per_bot=40))]
        for bot in (HUMAN, "ada")
    )
    assert all(len({one.persona, one.other_persona, one.spare_persona}) == 3 for one in people)
    assert len({one.spare_persona for one in people}) > 5  # of either speaker
    assert {one.spare_persona for one in bots} == {()}
    two = (Briefing(persona=("i swim.",)), Briefing(persona=("i ski.",)))
    assert not choice_of(chats(chosen, material(HUMAN, briefings=two))[0]).spare_persona


def test_nobody_to_talk_to_is_said() -> None:
    with pytest.raises(DesignError, match="nobody to chat with"):
        chats(settings(), material())


@pytest.mark.parametrize(
    ("briefings", "message"),
    [
        ((), "at least two different personas"),
        (PERSONAS[:1], "at least two different personas"),
        ((*PERSONAS[:2], Briefing(topic="rain")), "1 of 3 have none"),
    ],
)
def test_detection_without_personas_is_refused(briefings: tuple[Briefing, ...], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        chats(settings(persona_detection=True), material("ada", briefings=briefings, personas="p.jsonl"))


def test_finished_dialogues_are_rated_each_once() -> None:
    logs = [dialogue(bot, n) for bot in ("ada", "bea") for n in range(3)]
    items = list(draw_ratings(settings(source="dialogues"), material(dialogues=logs)))
    assert {item.dialogues for item in items} == {(log.id,) for log in logs}
    assert all(item.judged == item.bots == (item.group,) for item in items)
    assert items == list(draw_ratings(settings(source="dialogues"), material(dialogues=reversed(logs))))


def test_some_dialogues_are_left_out_as_asked() -> None:
    logs = [dialogue(bot, n) for bot in ("ada", "bea", "cy") for n in range(3)]
    logs.append(dialogue("ada", 9, kind="self-chat"))
    chosen = settings(source="dialogues", per_bot=2, leave_out=["cy"], dialogue_kind="live-chat")
    items = list(draw_ratings(chosen, material(dialogues=logs)))
    assert Counter(item.group for item in items) == {"ada": 2, "bea": 2}
    assert not any("ada-9" in item.dialogues for item in items)
    more = list(draw_ratings(chosen, material(dialogues=[*logs, dialogue("ada", 3)])))
    assert sum(item in more for item in items) >= 3  # a new one takes the place of one at most


def test_a_bot_that_is_left_out_has_dialogues() -> None:
    logs = [dialogue("ada", 1), dialogue("beatrice", 1)]
    with pytest.raises(DesignError, match=r"no dialogues of 'beatrix'; .* Did you mean \"beatrice\"\?"):
        list(draw_ratings(settings(source="dialogues", leave_out=["beatrix"]), material(dialogues=logs)))


def test_nothing_to_rate_is_said() -> None:
    with pytest.raises(DesignError, match="no dialogues to rate"):
        list(draw_ratings(settings(source="dialogues"), material()))
    chosen = settings(source="dialogues", dialogue_kind="live-chat")
    with pytest.raises(DesignError, match="no dialogues of the kind live-chat"):
        list(draw_ratings(chosen, material(dialogues=[dialogue("ada", 0, kind="self-chat")])))


def test_personas_of_finished_dialogues_are_told_apart() -> None:
    logs = [dialogue("ada", n, persona=f"i am {n}.") for n in range(3)]
    chosen = settings(source="dialogues", persona_detection=True)
    choices = [detection_of(item) for item in draw_ratings(chosen, material(dialogues=logs))]
    assert all(choice and choice.persona != choice.other_persona for choice in choices)
    with pytest.raises(DesignError, match="'bea-0' has none"):
        list(draw_ratings(chosen, material(dialogues=[*logs, dialogue("bea", 0)])))
    with pytest.raises(DesignError, match="has nothing to compare it with"):
        list(draw_ratings(chosen, material(dialogues=logs[:1])))


def test_a_persona_that_is_no_list_is_none() -> None:
    odd = Item("i", "g", ("g",), (), (), extras={"detection": {"persona": "text", "true_side": "2"}})
    choice = detection_of(odd)
    assert choice is not None
    assert (choice.persona, choice.true_side) == ((), 1)
