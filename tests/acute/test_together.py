"""Several questions about the same dialogues: asked, read, kept, told apart, planned, and halo measured."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm
from scipy.stats import t as student

from duologue.acute import AcuteProtocol, AcuteResults, AcuteSettings, analyse_votes
from duologue.acute.analysis.asked_together import questions_together
from duologue.acute.analysis.parts import parts_of
from duologue.acute.together import asked_order
from duologue.demo import make_demo
from duologue.errors import AnswerError, DesignError
from duologue.judgments import Row, votes_from_rows
from duologue.protocols import ONLY_ARM, Addendum, Answer, AskedItem, FormValues, say_answer_correlations
from duologue.rehearsal import rehearse
from duologue.reports import analyse_file, analyse_study
from duologue.stats import PooledChoice, chance_of_all, correlate_answers
from duologue.store import judgment_rows, open_store
from duologue.store.database.encoding import json_text
from duologue.store.researcher.tallies import kind_of
from duologue.studies import PlanRequest, describe_study, load_study, make_plan, read_plan_options
from tests.acute.test_page import DIALOGUES, ITEM, judgment
from tests.error_rates import STUDIES, why_refused

QUESTIONS = [
    {"name": "engaging"},
    {"name": "human", "question": "humanness"},
    {"name": "dull", "question": "boring-to-talk-to"},
]


def settings(**options: object) -> AcuteSettings:
    return AcuteSettings.model_validate({"ask": "together", "questions": QUESTIONS, **options})


def asked(annotator: int = 1, **changes: Any) -> AskedItem:
    return AskedItem(ONLY_ARM, ITEM, (1, 0), DIALOGUES, annotator=annotator, **changes)


def form(**fields: str) -> FormValues:
    return FormValues({name.replace("_", "-"): value for name, value in fields.items()})


@given(st.integers(2, 8), st.integers(0, 300))
def test_each_comes_first_and_every_two_both_ways_equally_often(count: int, block: int) -> None:
    orders = [asked_order(count, 2 * count * block + place) for place in range(1, 2 * count + 1)]
    assert all(sorted(order) == list(range(count)) for order in orders)
    assert set(Counter(order[0] for order in orders).values()) == {2}
    before = Counter(pair for order in orders for pair in itertools.combinations(order, 2))
    assert set(before.values()) == {count}


def test_orders_of_one_block_are_not_those_of_the_next() -> None:
    blocks = [tuple(asked_order(3, 6 * block + place) for place in range(1, 7)) for block in range(20)]
    assert len(set(blocks)) > 15


def test_one_arm_has_all_questions_and_a_page_has_them_in_the_annotators_order() -> None:
    protocol = AcuteProtocol(settings(primary="human"))
    (arm,) = protocol.arms()
    assert (arm.name, arm.summary.count(" / ")) == (ONLY_ARM, 2)
    shown = {number: protocol.show(asked(number)).values["questions"] for number in range(1, 7)}
    orders = {number: [one.ending for one in questions] for number, questions in shown.items()}  # type: ignore[attr-defined]
    assert len({tuple(order) for order in orders.values()}) == 6
    for questions in shown.values():
        assert [one.text for one in questions if one.has_reason] == ["Which speaker sounds more human?"]  # type: ignore[attr-defined]
    written = AcuteProtocol(settings(question_order="as-written"))
    assert {
        tuple(one.ending for one in written.show(asked(number)).values["questions"])  # type: ignore[attr-defined]
        for number in range(1, 7)
    } == {("-1", "-2", "-3")}


def test_the_leading_answer_stands_as_if_alone_with_the_others_beside_it() -> None:
    protocol = AcuteProtocol(settings(primary="human", question_order="as-written"))
    given = form(
        choice_1="1", choice_2="2", choice_3="1", reason=" so ", took_1="30.04", took_2="x", took_3="4"
    )
    answer = protocol.read(asked(), given)
    assert isinstance(answer, Answer)
    assert answer.reason == "so"
    assert answer.values == {
        "side": 2,
        "also": {"engaging": {"side": 1}, "dull": {"side": 1}},
        "asked": ["engaging", "human", "dull"],
        "took": {"engaging": 30.0, "dull": 4.0},
    }
    assert protocol.position_chosen(answer) == 2
    assert protocol.is_correct(asked(), answer) is False  # side 2 is slot 0, and slot 1 is the better one


def test_judgments_are_alike_whatever_stands_beside_the_leading_answer() -> None:
    one = {
        "side": 2,
        "also": {"engaging": {"side": 1}},
        "asked": ["human", "engaging"],
        "took": {"human": 3.5},
    }
    other = {"side": 2, "also": {"engaging": {"side": 2}}, "asked": ["engaging", "human"]}
    kinds = {
        kind_of(revision=1, bots=("a", "b"), shown="0,1", answer=json_text(answer))
        for answer in (one, other, {"side": 2}, {"side": 1})
    }
    assert len(kinds) == 2  # by the side alone


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_every_question_needs_an_answer_and_the_message_names_its_field(missing: int) -> None:
    fields = {f"choice-{number}": "1" for number in (1, 2, 3) if number != missing}
    with pytest.raises(AnswerError) as caught:
        AcuteProtocol(settings()).read(asked(), FormValues(fields))
    assert caught.value.field == f"choice-{missing}"


def test_rankings_of_several_questions_have_fields_of_their_own() -> None:
    protocol = AcuteProtocol(settings(answer="ranking", question_order="as-written"))
    three = replace(
        ITEM, bots=("a", "b", "c"), dialogues=("d1", "d2", "d3"), judged=("x", "y", "z"), gold=None
    )
    item = replace(asked(), item=three, order=(0, 1, 2), dialogues=(*DIALOGUES, DIALOGUES[0]))
    fields = {f"rank-{place}-{question}": str(place) for place in (1, 2, 3) for question in (1, 2)}
    fields |= {"rank-1-3": "3", "rank-2-3": "1", "rank-3-3": "2"}
    answer = protocol.read(item, FormValues(fields))
    assert isinstance(answer, Answer)
    assert answer.values["ranks"] == [1, 2, 3]
    given = replace(judgment(None), answer=answer.values, order=(0, 1, 2))
    rows = protocol.as_rows(three, given)
    assert len(rows) == 9
    assert len({row["ranking"] for row in rows}) == 3
    votes = votes_from_rows([{**row, "role": "judged"} for row in rows])
    assert votes.ranked is not None
    dull = [(row["winner"], row["loser"]) for row in rows if row["arm"] == "dull"]
    assert dull == [("b", "a"), ("b", "c"), ("a", "c")]  # the last place is the best one
    with pytest.raises(AnswerError) as caught:
        protocol.read(item, FormValues({**fields, "rank-2-2": "1"}))
    assert caught.value.field.endswith("-2")


def test_a_judgment_is_a_row_for_each_question() -> None:
    protocol = AcuteProtocol(settings(primary="human", question_order="as-written"))
    answer = protocol.read(asked(), form(choice_1="1", choice_2="2", choice_3="1", reason="r", took_2="3"))
    assert isinstance(answer, Answer)
    given = replace(judgment(None), answer=answer.values, reason=answer.reason)
    rows = protocol.as_rows(ITEM, given)
    kept = ("arm", "winner", "chosen_side", "asked", "asked_seconds", "reason")
    assert [tuple(row[name] for name in kept) for row in rows] == [
        ("engaging", "zzz", 1, 1, None, ""),
        ("human", "qqq", 2, 2, 3.0, "r"),
        ("dull", "qqq", 1, 3, None, ""),  # the choice speaks for the other speaker
    ]
    alone = protocol.as_row(ITEM, given)
    assert (alone["arm"], alone["question"], alone["winner"]) == (ONLY_ARM, rows[1]["question"], "qqq")
    assert protocol.columns(None) == {}  # type: ignore[arg-type]


def test_seconds_of_questions_that_add_up_to_more_than_the_judgment_took_are_not_believed() -> None:
    protocol = AcuteProtocol(settings(question_order="as-written"))
    choices = {"choice_1": "1", "choice_2": "2", "choice_3": "1"}

    def said(seconds: float, **took: str) -> list[object]:
        answer = protocol.read(asked(), form(**choices, **took))
        assert isinstance(answer, Answer)
        given = replace(judgment(None), answer=answer.values, seconds=seconds)
        return [row["asked_seconds"] for row in protocol.as_rows(ITEM, given)]

    assert said(60.0, took_1="50", took_2="6", took_3="4.3") == [50.0, 6.0, 4.3]  # rounded three times
    assert said(60.0, took_1="50", took_2="6", took_3="4.5") == [None, None, None]
    assert said(60.0, took_2="61") == [None, None, None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"questions": QUESTIONS[:1]}, "needs two"),
        ({"questions": []}, "needs two"),
        ({"compare": "phrasings", "pairings": {"per_matchup": 1}}, "one phrasing"),
        ({"ask": "apart", "question_order": "as-written"}, "belongs to ask"),
        ({"primary": "wit"}, "not the name of a question"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: Mapping[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        settings(**options)


def test_two_questions_are_enough() -> None:
    two = settings(questions=QUESTIONS[:2])
    assert (two.question_names, two.lead) == (("engaging", "human"), "engaging")
    assert AcuteProtocol(two).questions_asked() == 2
    assert AcuteProtocol(settings(ask="apart")).questions_asked() == 1


def test_instructions_say_how_many_questions_and_keys_that_they_go_on() -> None:
    words = AcuteProtocol(settings()).study_wording()
    assert "answer 3 questions about them, one after the other" in words["instructions"]
    assert "go on" in words["keys"]
    assert "go on" in words["keys_reason"]
    assert "a question about them" in AcuteProtocol(AcuteSettings()).study_wording()["instructions"]


ARMS = ("engaging", "human", "wise")


def made(
    rng: np.random.Generator, *, people: int = 60, each: int = 8, halo: float = 0.0, same: float = 0.4
) -> list[Row]:
    """Judgments of three bots by three questions: by the first the bots differ, by the others hardly."""
    strengths = {"engaging": {"a": 1.2, "b": 0.0, "c": -1.2}, "human": {"a": -0.3, "b": 0.0, "c": 0.3}}
    pairs = list(itertools.combinations("abc", 2))
    rows: list[Row] = []
    for person in range(people):
        order = [ARMS[place] for place in asked_order(3, person + 1)]
        taste = rng.normal(0, 0.4)
        for number in range(each):
            first, second = pairs[int(rng.integers(3))]
            shared, before = rng.random(), None
            for place, name in enumerate(order, 1):
                lead = strengths.get(name, {}).get(first, 0.0) - strengths.get(name, {}).get(second, 0.0)
                drawn = shared if rng.random() < same else rng.random()
                wins = drawn < 1 / (1 + math.exp(-lead - taste))
                if before is not None and rng.random() < halo:
                    wins = before
                before = wins
                winner, loser = (first, second) if wins else (second, first)
                rows.append(
                    {
                        "winner": winner, "loser": loser, "arm": name, "question": f"{name}?",
                        "annotator": f"p{person}", "pairing": f"{person}-{number}", "asked": place,
                        "asked_seconds": 60.0 if place == 1 else 6.0, "at": "2026-01-01T00:00:00Z",
                    }
                )  # fmt: skip
    return rows


def analysed(rows: Sequence[Row], **options: Any) -> AcuteResults:
    return analyse_votes(votes_from_rows(rows), **options)


def test_each_question_has_verdicts_of_its_own_and_what_they_share_is_said() -> None:
    results = analysed(made(np.random.default_rng(1)), primary="human", arms=ARMS)
    titles = {section.title: section for section in results.sections}
    assert titles.keys() == {f"question {name}" for name in ARMS}
    assert "The primary question is human" in results.family
    assert "Question engaging is secondary" in " ".join(titles["question engaging"].warnings)
    (found,) = results.together
    assert sorted(found.questions) == sorted(ARMS)
    assert found.time is not None
    assert (found.time.first, found.time.later, found.time.share) == (60.0, 6.0, 0.1)
    assert found.sentences[-1] == (
        "The first question took 60 s with reading, and each later one 6 s, 10 % of it (medians)."
    )
    for one in found.correlations:
        assert one.correlation is not None
        assert 0.05 < one.correlation.value < 0.5
        assert one.n == 480
    assert analysed(made(np.random.default_rng(1)), arms=ARMS).family.startswith(
        "All 9 matchups of 3 questions"
    )


def test_questions_of_arms_are_not_taken_for_questions_asked_together() -> None:
    rows = [{**row, "asked": ""} for row in made(np.random.default_rng(1), people=20)]
    results = analysed(rows)
    assert results.together == ()
    assert {section.title for section in results.sections} == {f"arm {name}" for name in ARMS}


def test_halo_is_found_where_it_is_and_says_what_to_trust() -> None:
    rows = made(np.random.default_rng(2), people=240, halo=0.5)
    (found,) = analysed(rows).together
    human = next(one for one in found.halo if one.question == "human")
    assert human.p_adjusted < 0.05
    assert human.later_rate > human.first_rate
    assert any("(halo)" in sentence for sentence in found.sentences)
    assert human.annotators == 240
    assert human.first_n + human.later_n <= 240 * 8


def test_a_question_that_too_few_were_asked_first_is_named_as_not_tested() -> None:
    rows = made(np.random.default_rng(1), people=18)
    wise = next(row["annotator"] for row in rows if row["arm"] == "wise" and row["asked"] == 1)
    (found,) = analysed([row for row in rows if row["annotator"] != wise]).together
    assert {one.question for one in found.halo} == {"engaging", "human"}
    assert "Not tested: wise (fewer than 6 annotators were asked first, or later)." in found.sentences


@pytest.mark.parametrize(("primary", "count"), [(None, 6), ("human", 2)])
def test_an_addendum_adds_its_matchups_once_for_each_question_that_shares_alpha(
    primary: str | None, count: int
) -> None:
    added = Addendum(1, "2026-01-02T00:00:00Z", "f" * 64, ("c",), (("a", "c"), ("b", "c")), 10, 0, ())
    rows = made(np.random.default_rng(1), people=20)
    planned = {("a", "b"): 50, ("a", "c"): 50, ("b", "c"): 50}
    results = analysed(rows, primary=primary, arms=ARMS, planned=planned, addenda=(added,))
    assert f"The {count} matchups added with c on 2026-01-02" in results.family


def test_the_same_order_for_everybody_tests_no_halo_and_says_so() -> None:
    rows = [{**row, "asked": ARMS.index(str(row["arm"])) + 1} for row in made(np.random.default_rng(3))]
    (found,) = analysed(rows).together
    assert found.halo == ()
    assert "the same order of everybody" in found.why_no_halo
    assert (
        "fewer than 6 annotators"
        in analysed(made(np.random.default_rng(3), people=9)).together[0].why_no_halo
    )
    nobody = [{**row, "annotator": ""} for row in made(np.random.default_rng(3), people=12)]
    assert all("not known who" in one.why_no_halo for one in analysed(nobody).together)


def test_an_order_that_changes_from_item_to_item_is_dealt_by_item() -> None:
    rng, rows = np.random.default_rng(4), made(np.random.default_rng(4), people=20)
    items: dict[object, list[Row]] = {}
    for row in rows:
        items.setdefault(row["pairing"], []).append(row)
    mixed: list[Row] = []
    for own in items.values():
        for row, place in zip(own, rng.permutation(3), strict=True):
            mixed.append({**row, "asked": int(place) + 1})
    (found,) = analysed(mixed).together
    assert found.halo
    assert all(one.annotators is None for one in found.halo)


def naive_halo(rows: list[Row], question: str) -> tuple[float, float]:
    """The two rates, one row after the other."""
    lean: Counter[tuple[str, str]] = Counter()
    own_lean: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        if row["arm"] != question:
            first, second = sorted((str(row["winner"]), str(row["loser"])))
            sign = 1 if row["winner"] == first else -1
            lean[first, second] += sign
            own_lean[str(row["annotator"]), first, second] += sign
    agrees: dict[bool, list[float]] = {True: [], False: []}
    for row in rows:
        if row["arm"] == question:
            first, second = sorted((str(row["winner"]), str(row["loser"])))
            others = lean[first, second] - own_lean[str(row["annotator"]), first, second]
            favoured = first if others > 0 else second
            if others:
                agrees[row["asked"] == 1].append(float(row["winner"] == favoured))
    return float(np.mean(agrees[True])), float(np.mean(agrees[False]))


@pytest.mark.parametrize("seed", [5, 6])
def test_halo_is_what_counting_row_by_row_gives(seed: int) -> None:
    rows = made(np.random.default_rng(seed), people=30, halo=0.2)
    (found,) = analysed(rows).together
    for one in found.halo:
        assert (one.first_rate, one.later_rate) == pytest.approx(naive_halo(rows, one.question))


@pytest.mark.slow
@pytest.mark.parametrize(("same", "people"), [(0.0, 24), (0.4, 24), (0.9, 24), (0.4, 15)])
def test_without_halo_it_is_seldom_found(same: float, people: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duologue.acute.analysis.asked_together.DEALS", 199)
    rng, errors = np.random.default_rng([9, int(10 * same), people]), 0
    for _ in range(STUDIES):
        votes = votes_from_rows(made(rng, people=people, each=4, same=same))
        (found,) = questions_together(tuple(parts_of(votes)), seed=1)
        errors += any(one.p_adjusted <= 0.05 for one in found.halo)
    assert why_refused(errors) == ""


def norm_of(sides: list[Any], used: Any) -> float:
    return float(np.linalg.norm(sides[0][used]) * np.linalg.norm(sides[1][used]))


def test_correlations_within_groups_are_those_of_deviations() -> None:
    rng = np.random.default_rng(8)
    group, who = rng.integers(0, 4, 400), rng.integers(0, 40, 400)
    shared = rng.normal(size=400)
    one, other = shared + rng.normal(size=400) + 3 * group, shared + rng.normal(size=400) - 5 * group
    (found,) = correlate_answers({"x": one, "y": other}, group, who)
    left = [side - np.array([side[group == g].mean() for g in range(4)])[group] for side in (one, other)]
    assert found.correlation is not None
    assert found.correlation.value == pytest.approx(float(np.corrcoef(*left)[0, 1]))
    assert found.correlation.interval is not None
    assert found.correlation.interval.low < 0.5 < found.correlation.interval.high
    without = [np.arctanh(left[0][who != w] @ left[1][who != w] / norm_of(left, who != w)) for w in range(40)]
    error = math.sqrt(39 / 40 * float(((np.array(without) - np.mean(without)) ** 2).sum()))
    reach = float(student.ppf(0.975, 39)) * error
    assert found.correlation.interval.high == pytest.approx(
        math.tanh(math.atanh(found.correlation.value) + reach)
    )
    assert "x and y 0." in say_answer_correlations([found], within="bot")
    (alike,) = correlate_answers({"x": np.ones(9), "y": np.arange(9.0)}, np.zeros(9, int), np.arange(9))
    assert alike.correlation is None
    assert say_answer_correlations([alike], within="bot") == ""


@pytest.mark.slow
def test_the_interval_of_a_correlation_holds_it_where_annotators_repeat() -> None:
    rng, missed, studies = np.random.default_rng(10), 0, 2_000
    true = (0.5 + 0.25) / (1 + 0.25 + 0.25)  # shared by the item, and by the annotator's taste
    for _ in range(studies):
        who = np.repeat(np.arange(40), 10)
        taste, shared = rng.normal(0, 0.5, 40)[who], rng.normal(0, math.sqrt(0.5), 400)
        sides = [
            shared + taste + rng.normal(0, math.sqrt(0.5), 400) + rng.normal(0, 0.5, 40)[who]
            for _ in range(2)
        ]
        (found,) = correlate_answers({"x": sides[0], "y": sides[1]}, np.zeros(400, int), who)
        assert found.correlation is not None
        assert found.correlation.interval is not None
        missed += not found.correlation.interval.low <= true <= found.correlation.interval.high
    assert missed / studies < 0.08


@pytest.mark.parametrize(("count", "correlation"), [(2, 0.0), (3, 0.4), (3, 0.8)])
def test_the_chance_of_all_is_that_of_a_normal_in_several_dimensions(count: int, correlation: float) -> None:
    cov = np.full((count, count), correlation) + (1 - correlation) * np.eye(count)
    expected = multivariate_normal.cdf(np.full(count, norm.ppf(0.8)), cov=cov)
    assert chance_of_all(0.8, count, correlation=correlation) == pytest.approx(float(expected), abs=2e-3)
    assert chance_of_all(0.8, 1, correlation=correlation) == pytest.approx(0.8)


def plan(**options: Any) -> Any:
    common = {name: options.pop(name) for name in ("bots", "seconds", "pay") if name in options}
    return make_plan(PlanRequest(**common, options=read_plan_options("acute", options)))


def test_a_plan_shares_alpha_and_prices_every_further_question() -> None:
    one = plan(bots=3, seconds=60.0, pay=0.5)
    four = plan(bots=3, seconds=60.0, pay=0.5, ask_together=4, question_seconds=6.0)
    assert four.request.tests == 12
    assert four.design.alpha == pytest.approx(0.05 / 12)
    assert four.work.seconds == pytest.approx(78)
    assert one.judgments < four.judgments < 1.5 * one.judgments
    assert any(
        "4 questions about the same dialogues, 6 s for each further one" in note for note in four.notes
    )
    assert any("all 4 find it with 53 %" in note for note in four.notes)
    primary = plan(bots=3, ask_together=4, primary=True)
    assert (primary.judgments, primary.work.seconds) == (one.judgments, 90.0)
    assert PooledChoice(bots=8, per_annotator=8).sections == 1
    pooled = plan(bots=8, ask_together=4, verdicts="pooled")
    assert pooled.design.sections == 4
    assert pooled.design.alpha == pytest.approx(0.05 / 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"primary": True}, "say --ask-together"),
        ({"question_seconds": 3.0}, "say --ask-together"),
        ({"ask_together": 2, "question_correlation": 1.0}, "below 1"),
        ({"ask_together": 2, "collect": "phrasings"}, "no meaning in this design"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(options: Mapping[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        plan(**options)


FOUR = """ask = "together"
primary = "humanness"
[[acute.questions]]
name = "engagingness"
[[acute.questions]]
name = "humanness"
question = "humanness"
[[acute.questions]]
name = "knowledgeable"
question = "knowledgeable"
[[acute.questions]]
name = "boring"
question = "boring-to-talk-to"
"""


def test_four_questions_are_rehearsed_to_a_report(tmp_path: Path) -> None:
    study = make_demo(tmp_path / "study").study
    text = study.text.replace("[acute.pairings]", f"{FOUR}[acute.pairings]", 1)
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    study = load_study(study.folder)
    said = describe_study(study)
    assert "4 questions about the same dialogues, one after the other" in said
    assert "10 s for each of 3 further questions" in said
    result = rehearse(study.folder, annotators=70, seed=3)
    assert result.rules_have_held
    assert [one.finding for one in result.recoveries].count("wrong") == 0
    assert len(result.recoveries) == 12
    copy = load_study(result.folder)
    with open_store(copy.database) as store:
        analysed_study = analyse_study(copy, store).results
        rows = list(judgment_rows(copy, store))
    assert isinstance(analysed_study, AcuteResults)
    page = (result.folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "Several questions about the same dialogues" in page
    assert "question humanness" in page
    assert "arm humanness" not in page
    assert "All 4 questions were asked about the same dialogues" in page
    took: dict[str, float] = {str(row["judgment"]): float(str(row["seconds"])) for row in rows}
    for key, seconds in took.items():
        asked_for = [float(str(row["asked_seconds"])) for row in rows if row["judgment"] == key]
        assert sum(asked_for) == pytest.approx(seconds)
    assert min(took.values()) < 1  # of those who hurry
    methods = (result.folder / "report" / "methods.txt").read_text(encoding="utf-8")
    assert methods.count("judgments collected") == 1
    assert "judgments collected (the same for question" in methods
    examples = page.partition("<h2>Examples</h2>")[2].partition("</section>")[0]
    assert examples.count("<article") == examples.count("Which speaker sounds more human?") == 3
    path = tmp_path / "judgments.jsonl"
    write_rows(path, rows)
    again = analyse_file(path).results
    assert isinstance(again, AcuteResults)
    for one, other in zip(analysed_study.sections, again.sections, strict=True):
        assert (one.title, one.wins, one.n) == (other.title, other.wins, other.n)
    assert analysed_study.together[0].halo[0].first_n == again.together[0].halo[0].first_n


def write_rows(path: Path, rows: list[Any]) -> None:
    from duologue.dialogues import dump_json

    path.write_text("".join(f"{dump_json(dict(row))}\n" for row in rows), encoding="utf-8")
