"""Ratings are asked for screen by screen, blind, and only what was offered is taken."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from duologue.dialogues import Dialogue, Json, Speaker, Turn
from duologue.errors import AnswerError
from duologue.judgments import Judgment
from duologue.likert import DETECTION, Detection, LikertProtocol, LikertSettings
from duologue.protocols import (
    CHAT,
    ONLY_ARM,
    Answer,
    AskedItem,
    ChatPlan,
    ChatSettings,
    Draft,
    FormValues,
    Item,
    StudyProtocol,
    protocol_named,
)

PLAN = ChatPlan(persona=("i like tea.",), annotator_persona=("i ski.",))
CHOICE = Detection(PLAN.persona, ("i like rain.",), 2)
LIVE = Item("chat-zzz-1", "zzz", ("zzz",), (), (), extras={CHAT: PLAN.record()})
DETECTING = Item(
    "chat-zzz-1", "zzz", ("zzz",), (), (), extras={CHAT: PLAN.record(), DETECTION: CHOICE.record()}
)
FINISHED = Item("rate-d", "zzz", ("zzz",), ("d",), ("zzz",))
TWO = [
    {"name": "enjoyment", "text": "Fun?", "labels": ["No", "So so", "Yes"]},
    {"name": "sense", "text": "Sense?", "labels": ["None", ""], "low": 0},
]


def settings(**options: object) -> LikertSettings:
    return LikertSettings.model_validate(options)


def held(**extras: Json) -> Dialogue:
    turns = (Turn("human", "Hi"), Turn("zzz", "Hello"))
    return Dialogue(
        "d", "zzz", "live-chat", "zzz", (Speaker("human"), Speaker("zzz", "zzz")), turns, (), extras
    )


def view(
    chosen: LikertSettings, item: Item, draft: Mapping[str, str] | None = None, *dialogues: Dialogue
) -> Mapping[str, object]:
    return LikertProtocol(chosen).show(AskedItem(ONLY_ARM, item, (0,), dialogues, FormValues(draft))).values


def parse(chosen: LikertSettings, item: Item, **form: str) -> Answer | Draft:
    return LikertProtocol(chosen).read(AskedItem(ONLY_ARM, item, (0,)), form)


def judgment(answer: Mapping[str, object], *, reason: str = "", excluded: str = "") -> Judgment:
    return Judgment(
        id="j", assignment="a", annotator="p", annotator_kind="lab", arm=ONLY_ARM, item="i", group="zzz",
        answer=answer, order=(0,), reason=reason, seconds=3.0, seconds_kind="wall",
        at="2026-01-01T00:00:00Z", revision=1, role="judged", is_correct=None, excluded=excluded,
    )  # fmt: skip


def test_likert_is_a_protocol() -> None:
    assert protocol_named("likert") is LikertProtocol
    assert issubclass(LikertProtocol, StudyProtocol)


def test_the_default_question_is_that_of_convai2() -> None:
    shown = view(settings(), LIVE, None, held())
    assert shown["question"] == "How much did you enjoy talking to this user?"
    assert shown["points"] == (("1", "Not at all"), ("2", "A little"), ("3", "Somewhat"), ("4", "A lot"))
    assert (shown["number"], shown["screens"], shown["can_go_back"]) == (1, 1, False)
    assert (shown["kind"], shown["name"], shown["reason"]) == ("rating", "rating_enjoyment", "optional")
    assert LikertProtocol(settings()).arms() == LikertProtocol(settings(reason="off")).arms()


def test_one_question_is_shown_at_a_time_and_the_reason_on_the_last_screen() -> None:
    chosen = settings(questions=TWO, persona_detection=True)
    seen = [
        view(chosen, DETECTING, draft, held())
        for draft in (
            {},
            {"rating_enjoyment": "1"},
            {"rating_enjoyment": "1", "rating_sense": "0"},
            {"rating_enjoyment": "1", "rating_sense": "0", "persona": "1"},
        )
    ]
    assert [one["name"] for one in seen] == ["rating_enjoyment", "rating_sense", "persona", "persona"]
    assert [one["number"] for one in seen] == [1, 2, 3, 3]
    assert [one["reason"] for one in seen] == ["off", "off", "optional", "optional"]
    assert [one["can_go_back"] for one in seen] == [False, True, True, True]
    assert seen[1]["points"] == (("0", "None"), ("1", ""))
    assert seen[0]["personas"] == ()


def test_nothing_names_the_bot_or_tells_which_persona_is_true() -> None:
    chosen = settings(persona_detection=True)
    shown = view(chosen, DETECTING, {"rating_enjoyment": "2"}, held())
    assert "zzz" not in repr(shown)
    assert "true" not in repr(shown).replace("True", "")
    assert shown["personas"] == (("1", ("i like rain.",)), ("2", ("i like tea.",)))
    other_way = Item("c", "z", ("z",), (), (), extras={DETECTION: {**CHOICE.record(), "true_side": 1}})
    assert view(chosen, other_way, {"rating_enjoyment": "2"})["personas"] == (
        ("1", ("i like tea.",)),
        ("2", ("i like rain.",)),
    )


def test_a_dialogue_and_a_chat_one_had_are_there_to_read() -> None:
    assert "Hello" in repr(view(settings(), LIVE, None, held())["dialogue"])
    assert "Hello" in repr(view(settings(source="dialogues"), FINISHED, None, held())["dialogue"])
    assert view(settings(), LIVE)["dialogue"] is None


def test_a_human_partner_has_the_persona_they_really_had() -> None:
    chosen, draft = settings(persona_detection=True), {"rating_enjoyment": "2"}
    theirs = held(briefing={"persona": ["i swim."], "other_persona": ["i nap."]})
    assert view(chosen, DETECTING, draft, theirs)["personas"] == (("1", ("i nap.",)), ("2", ("i swim.",)))
    same = held(briefing={"persona": ["i like rain."]})
    assert view(chosen, DETECTING, draft, same)["personas"] == (
        ("1", ("i like tea.",)),
        ("2", ("i like rain.",)),
    )
    as_planned = held(briefing={"persona": ["i like tea."]})
    assert view(chosen, DETECTING, draft, as_planned) == view(chosen, DETECTING, draft, held())


@pytest.mark.parametrize(
    ("persona", "given", "other"),
    [
        ("i swim.", "i ski.", "i like rain."),
        ("i swim.", "i like rain.", "i like tea."),
        ("i like rain.", "i like tea.", "i nap."),
    ],
)
def test_the_persona_beside_that_of_a_human_partner_is_not_the_annotators_own(
    persona: str, given: str, other: str
) -> None:
    choice = replace(CHOICE, spare_persona=("i nap.",))
    told: Json = {"persona": [persona], "annotator_persona": [given], "other_persona": ["i like rain."]}
    shown = choice.as_held(held(briefing=told))
    assert (shown.persona, shown.other_persona, shown.true_side) == ((persona,), (other,), 2)


def test_where_no_third_persona_is_known_the_other_one_is_at_least_not_the_true_one() -> None:
    told: Json = {"persona": ["i like rain."], "annotator_persona": ["i like tea."]}
    assert CHOICE.as_held(held(briefing=told)).other_persona == ("i like tea.",)


def test_every_screen_but_the_last_gives_a_draft() -> None:
    chosen = settings(questions=TWO, persona_detection=True)
    first = parse(chosen, DETECTING, rating_enjoyment="3", screen="1", key="k")
    assert first == Draft({"rating_enjoyment": "3"})
    second = parse(chosen, DETECTING, rating_enjoyment="3", rating_sense="1", screen="2")
    assert second == Draft({"rating_enjoyment": "3", "rating_sense": "1"})
    last = parse(
        chosen, DETECTING, rating_enjoyment="3", rating_sense="1", persona="2", screen="3", reason=" so "
    )
    assert last == Answer({"ratings": {"enjoyment": 3, "sense": 1}, "persona": "true"}, "so")


def test_the_other_persona_is_an_answer_too() -> None:
    chosen = settings(persona_detection=True)
    answer = parse(chosen, DETECTING, rating_enjoyment="3", persona="1")
    assert answer == Answer({"ratings": {"enjoyment": 3}, "persona": "other"}, "")
    assert parse(settings(), DETECTING, rating_enjoyment="3", persona="1") == Answer(
        {"ratings": {"enjoyment": 3}, "persona": None}, ""
    )


@pytest.mark.parametrize(
    ("form", "kept", "asked"),
    [
        ({"rating_enjoyment": "1", "screen": "2"}, ("1", "", ""), 1),
        ({"rating_enjoyment": "1", "rating_sense": "0", "screen": "2"}, ("1", "0", ""), 1),
        ({"rating_enjoyment": "1", "rating_sense": "0", "screen": "3"}, ("1", "0", ""), 2),
        ({"rating_enjoyment": "1", "rating_sense": "0", "persona": "2", "screen": "3"}, ("1", "0", "2"), 2),
        ({"rating_enjoyment": "1", "rating_sense": "0", "persona": "9", "screen": "3"}, ("1", "0", ""), 2),
        ({"rating_enjoyment": "1", "rating_sense": "0"}, ("1", "0", ""), 2),
        ({"rating_enjoyment": "1", "rating_sense": "0", "persona": "2"}, ("1", "0", "2"), 2),
        ({"screen": "1"}, ("", "", ""), 1),
        ({}, ("", "", ""), 1),
        ({"rating_sense": "1", "screen": "3"}, ("", "1", ""), 2),
    ],
)
def test_going_back_shows_the_screen_before_with_what_was_chosen_there(
    form: dict[str, str], kept: tuple[str, str, str], asked: int
) -> None:
    chosen = settings(questions=TWO, persona_detection=True)
    draft = parse(chosen, DETECTING, **form, reason="half", back="")
    assert isinstance(draft, Draft)
    fields = ("rating_enjoyment", "rating_sense", "persona")
    assert tuple(draft.fields.get(field, "") for field in fields) == kept
    fields_kept = {name: str(value) for name, value in draft.fields.items()}
    shown = view(chosen, DETECTING, fields_kept, held())
    assert (shown["number"], shown["chosen"], shown["written"]) == (asked, kept[asked - 1], "")


def test_whoever_goes_back_and_forward_again_finds_every_choice_and_the_reason() -> None:
    chosen, shown = settings(questions=TWO), []
    forms: list[dict[str, str]] = [
        {"screen": "1", "rating_enjoyment": "3"},
        {"screen": "2", "rating_sense": "1", "reason": "half", "back": "1"},
        {"screen": "1", "rating_enjoyment": "2"},
    ]
    draft = FormValues()
    for form in forms:
        answer = parse(chosen, LIVE, **FormValues(form).over(draft))
        assert isinstance(answer, Draft)
        draft = FormValues(answer.fields)
        seen = view(chosen, LIVE, dict(draft), held())
        shown.append((seen["number"], seen["chosen"], seen["written"]))
    assert shown == [(2, "", ""), (1, "3", ""), (2, "1", "half")]
    last = {"screen": "2", "rating_sense": "0", "reason": ""}
    assert parse(chosen, LIVE, **FormValues(last).over(draft)) == Answer(
        {"ratings": {"enjoyment": 2, "sense": 0}, "persona": None}, ""
    )


def test_a_study_without_reasons_keeps_none_that_is_sent() -> None:
    chosen = settings(questions=TWO, reason="off")
    assert parse(chosen, LIVE, rating_enjoyment="3", screen="2", reason="so", back="") == Draft(
        {"rating_enjoyment": "3", "at": "1"}
    )


@pytest.mark.parametrize("value", ["", "0", "5", "1 ", "one", "3.0"])
def test_a_point_that_was_not_offered_is_refused(value: str) -> None:
    with pytest.raises(AnswerError, match="choose one") as caught:
        parse(settings(), LIVE, rating_enjoyment=value, screen="1")
    assert caught.value.field == "choice"


def test_a_screen_without_a_choice_is_asked_again() -> None:
    with pytest.raises(AnswerError, match="choose one"):
        parse(settings(), LIVE, screen="1")
    with pytest.raises(AnswerError, match="choose one"):
        parse(settings(questions=TWO), LIVE, rating_enjoyment="2", screen="2")


@pytest.mark.parametrize("screen", ["0", "9", "x", "²", "-1", ""])
def test_a_number_of_a_screen_that_is_none_says_nothing(screen: str) -> None:
    assert parse(settings(questions=TWO), LIVE, rating_enjoyment="2", screen=screen) == Draft(
        {"rating_enjoyment": "2"}
    )


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "Would you like to say why? (optional)"),
        ({"questions": TWO}, "Why did you rate the conversation as you did? (optional)"),
        ({"persona_detection": True}, "Why did you rate the conversation as you did? (optional)"),
    ],
)
def test_after_several_questions_the_reason_is_asked_for_the_ratings(
    options: dict[str, object], why: str
) -> None:
    words = LikertProtocol(settings(**options)).study_wording()
    assert words["reason_label"] == why
    assert words.get("reason_required_label", "").partition(" (")[0] in ("", why.partition(" (")[0])


def test_reasons_are_asked_for_as_the_study_says() -> None:
    with pytest.raises(AnswerError, match="few words") as caught:
        parse(settings(reason="required"), LIVE, rating_enjoyment="2", reason=" ")
    assert caught.value.field == "reason"
    with pytest.raises(AnswerError, match="10,000"):
        parse(settings(), LIVE, rating_enjoyment="2", reason="x" * 10_001)
    kept = parse(settings(reason="off"), LIVE, rating_enjoyment="2", reason="so")
    assert isinstance(kept, Answer)
    assert kept.reason == ""


def test_no_rating_of_a_judged_item_is_right_or_wrong() -> None:
    assert LikertProtocol(settings()).is_correct(AskedItem(ONLY_ARM, LIVE), Answer({})) is None


@pytest.mark.parametrize(
    ("gold", "enjoyment", "is_right"),
    [({"enjoyment": 1}, 1, True), ({"enjoyment": 1}, 2, False), ({"enjoyment": "2 to 3"}, 3, True),
     ({"enjoyment": "2 to 3"}, 1, False), ({"enjoyment": 3, "sense": 1}, 3, False)],
)  # fmt: skip
def test_a_check_is_right_where_every_question_of_it_is_rated_as_known(
    gold: Json, enjoyment: int, is_right: bool
) -> None:
    asked = AskedItem(ONLY_ARM, replace(FINISHED, role="attention", gold=gold), (0,))
    answer = Answer({"ratings": {"enjoyment": enjoyment, "sense": 0}})
    assert LikertProtocol(settings(questions=TWO)).is_correct(asked, answer) is is_right


def test_a_row_is_flat_and_names_the_bot() -> None:
    chosen = settings(questions=TWO, persona_detection=True)
    answer = {"ratings": {"enjoyment": 3, "sense": 0}, "persona": "true"}
    row = LikertProtocol(chosen).as_row(DETECTING, judgment(answer, reason="so"))
    assert (row["bot"], row["rating_enjoyment"], row["rating_sense"]) == ("zzz", 3, 0)
    assert (row["scale_sense"], row["question_sense"]) == ("0 to 1", "Sense?")
    assert (row["persona_right"], row["reason"], row["source"]) == (True, "so", "live")
    wrong = LikertProtocol(chosen).as_row(DETECTING, judgment({**answer, "persona": "other"}))
    assert wrong["persona_right"] is False
    finished = LikertProtocol(settings(source="dialogues")).as_row(FINISHED, judgment(answer))
    assert (finished["dialogue"], finished["source"]) == ("d", "dialogues")


def test_a_chat_that_could_not_go_on_is_a_row_without_ratings() -> None:
    row = LikertProtocol(settings()).as_row(LIVE, judgment({"ended": "bot-failed"}, excluded="bot-failed"))
    assert (row["rating_enjoyment"], row["persona_right"], row["excluded"]) == (None, None, "bot-failed")


def test_live_chats_and_finished_dialogues_have_files_and_caps_of_their_own() -> None:
    live, finished = (
        settings(annotations_per_dialogue=3),
        settings(source="dialogues", annotations_per_dialogue=3),
    )
    chat = ChatSettings(chats_per_annotator=2)
    assert (LikertProtocol(live).items_file(), LikertProtocol(finished).items_file()) == (
        "chats.jsonl",
        "ratings.jsonl",
    )
    assert LikertProtocol(settings(file="mine.jsonl")).items_file() == "mine.jsonl"
    assert (LikertProtocol(live).annotations_per_item(), LikertProtocol(finished).annotations_per_item()) == (
        1,
        3,
    )
    assert (LikertProtocol(live).max_per_group(chat), LikertProtocol(finished).max_per_group(chat)) == (
        2,
        None,
    )


def test_every_screen_can_be_asked_in_a_message() -> None:
    chosen = settings(questions=TWO, persona_detection=True)
    asked = AskedItem(ONLY_ARM, DETECTING, (0,), (held(),))
    first = LikertProtocol(chosen).show(asked).screen
    assert first is not None
    assert (first.number, first.field, first.text, first.can_go_back) == (
        1,
        "rating_enjoyment",
        "Fun?",
        False,
    )
    assert [option.label for option in first.options] == ["1 · No", "2 · So so", "3 · Yes"]
    draft = {"rating_enjoyment": "1", "rating_sense": "0"}
    last = LikertProtocol(chosen).show(replace(asked, draft=FormValues(draft))).screen
    assert last is not None
    assert (last.field, last.reason, last.can_go_back) == ("persona", "optional", True)
    assert [option.value for option in last.options] == ["1", "2"]
    assert "• i like tea." in last.text


def test_the_points_given_are_the_ratings() -> None:
    answer = parse(settings(), LIVE, rating_enjoyment="3")
    assert isinstance(answer, Answer)
    assert LikertProtocol(settings()).points_given(answer) == {"enjoyment": 3}


def test_the_same_answer_has_the_same_point_for_every_question() -> None:
    protocol = LikertProtocol(settings())
    first, same, other = (
        judgment({"ratings": {"enjoyment": point}, "persona": persona})
        for point, persona in ((3, "true"), (3, "other"), (2, "true"))
    )
    assert protocol.same_answer(LIVE, first, same)
    assert not protocol.same_answer(LIVE, first, other)
