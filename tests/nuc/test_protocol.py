"""A question as it is asked, blind; what the form may say; and the pages without any script."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import httpx2
import pytest

from duologue.errors import AnswerError, DesignError
from duologue.judgments import Judgment
from duologue.nuc import NucProtocol, NucSettings
from duologue.nuc.design import nuc_settings
from duologue.nuc.questions import QUESTION, NextTurnQuestion, question_of
from duologue.protocols import ONLY_ARM, Answer, AskedItem, FormValues, Item, protocol_named
from duologue.server import create_app, served
from duologue.store import fetch_judgments, invite_annotators, judgment_rows
from duologue.studies import (
    check_study,
    describe_plan,
    describe_study,
    load_study,
    make_plan,
    new_study,
    request_from_study,
)
from tests.nuc.surveys import LAB, next_turn, survey
from tests.server.conftest import prepared_store
from tests.waiting import PATIENCE

TRUTH = 3
ITEM = Item(
    "1: i",
    "movies",
    (),
    (),
    (),
    block="1",
    slots=5,
    extras={QUESTION: NextTurnQuestion.of(next_turn("i", "movies", truth=TRUTH)).record()},
)
ORDER = (4, 3, 0, 2, 1)
ASKED = AskedItem(ONLY_ARM, ITEM, ORDER)
NUC = NucProtocol(NucSettings())


def judgment(best: int, second: int, order: tuple[int, ...] = ORDER) -> Judgment:
    return Judgment(
        id="j", assignment="a", annotator="p", annotator_kind="lab", arm=ONLY_ARM, item="i", group="movies",
        answer={"best": best, "second": second}, order=order, reason="", seconds=3.0, seconds_kind="wall",
        at="2026-01-01T00:00:00Z", revision=1, role="judged", is_correct=None, excluded="",
    )  # fmt: skip


def test_nuc_is_a_protocol() -> None:
    assert protocol_named("nuc") is NucProtocol
    assert NUC.arms()[0].name == ONLY_ARM
    assert (NUC.annotations_per_item(), NUC.items_file()) == (10, "questions.jsonl")
    assert "clustered" in NUC.rules(stopping="fixed").test
    assert NUC.drawn_files() == ("task/test.jsonl",)
    assert NUC.heading["title"] == "Which reply comes next?"


def test_replies_are_shown_in_the_order_of_the_assignment_and_nothing_tells_the_true_one() -> None:
    view = NUC.show(ASKED)
    replies = [text for _, text in view.values["replies"]]  # type: ignore[attr-defined]
    assert replies == [question_of(ITEM).candidates[slot] for slot in ORDER]
    assert "truth" not in str(view.values)
    assert [is_first for _, _, is_first in view.values["context"]] == [True, False]  # type: ignore[attr-defined]
    words = list(NUC.texts_shown(ASKED))
    assert len(words) == 2 + 5


def test_background_is_shown_where_the_study_asks_for_it_with_the_speaker_it_is_about() -> None:
    lines = ("your persona: i like tea.", "topic: rain", "partner's persona: i ski.", "your persona: i nap.")
    about = ("B", "", "A", "B")
    question = NextTurnQuestion("i", "movies", (("A", "Hi"),), ("a", "b"), 0, lines, about)
    item = Item("i", "movies", (), (), (), slots=2, extras={QUESTION: question.record()})
    assert question_of(item) == question
    asked = AskedItem(ONLY_ARM, item, (1, 0))
    assert NUC.show(asked).values["background"] == ()
    assert list(NUC.texts_shown(asked)) == ["Hi", "a", "b"]
    shows = NucProtocol(NucSettings(show_background=True))
    assert "lines about the people who talk" in shows.study_wording()["instructions"]
    told = (("", ("topic: rain",)), ("A", ("i ski.",)), ("B", ("i like tea.", "i nap.")))
    assert shows.show(asked).values["background"] == told
    assert list(shows.texts_shown(asked)) == [*lines, "Hi", "a", "b"]


def test_an_answer_names_two_rows() -> None:
    answer = NUC.read(ASKED, FormValues({"best": "2", "second": "5"}))
    assert answer.values == {"best": 2, "second": 5}
    assert NUC.position_chosen(answer) == 2


@pytest.mark.parametrize(
    "form", [{}, {"best": "1"}, {"second": "1"}, {"best": "1", "second": "1"}, {"best": "6", "second": "1"}]
)
def test_anything_else_is_refused(form: dict[str, str]) -> None:
    with pytest.raises(AnswerError) as error:
        NUC.read(ASKED, FormValues(form))
    assert error.value.field == "choice"


@pytest.mark.parametrize("twice", ["best", "second"])
def test_two_best_replies_are_refused(twice: str) -> None:
    with pytest.raises(AnswerError, match="one answer to each question") as error:
        NUC.read(ASKED, FormValues({"best": "1", "second": "4", twice: ["2", "3"]}))
    assert error.value.field == twice


def test_only_attention_checks_have_a_right_answer() -> None:
    check = Item("c", "movies", (), (), (), role="attention", gold=TRUTH, slots=5, extras=ITEM.extras)
    right, wrong = Answer({"best": 2, "second": 1}), Answer({"best": 1, "second": 2})
    assert NUC.is_correct(ASKED, right) is None
    assert NUC.is_correct(AskedItem(ONLY_ARM, check, ORDER), right) is True
    assert NUC.is_correct(AskedItem(ONLY_ARM, check, ORDER), wrong) is False


def test_the_same_answer_names_the_same_best_reply_in_whatever_order() -> None:
    assert NUC.same_answer(ITEM, judgment(2, 1), judgment(4, 1, ORDER[::-1]))
    assert not NUC.same_answer(ITEM, judgment(2, 1), judgment(2, 1, ORDER[::-1]))


def test_a_row_has_places_in_the_file_of_items() -> None:
    row = NUC.as_row(ITEM, judgment(2, 1))
    assert (row["item"], row["corpus"], row["version"]) == ("i", "movies", "1")
    assert (row["best"], row["second"], row["truth"], row["candidates"]) == (3, 4, 3, 5)


def test_scores_of_models_may_come_later_without_a_new_revision(tmp_path: Path) -> None:
    study = survey(tmp_path / "s")
    (study.folder / "study.toml").write_text(study.text.replace("scores = []", 'scores = ["x.jsonl"]'))
    again = load_study(study.folder)
    assert again.settings != study.settings
    assert again.design_hash == study.design_hash


def test_a_study_is_checked_and_described(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", rest=LAB)
    paid = study.text.replace("per_judgment = 0.0", "per_judgment = 0.1")
    (study.folder / "study.toml").write_text(paid, encoding="utf-8")
    study = load_study(study.folder)
    assert check_study(study.folder).is_sound
    assert check_study(study.folder).warnings == ()
    said = describe_study(study)
    assert "2 versions of a questionnaire from task/test.jsonl; 5 replies to a question" in said
    assert "A version: 6 questions (2 of movies, 2 of tweets, 2 of ubuntu)." in said
    assert "A version for lab-expert: 8 questions (2 of movies, 2 of tweets, 4 of ubuntu)." in said
    assert f"Answers: {2 * 6 * 4 + 2 * 8 * 2}, by {2 * 4 + 2 * 2} annotators." in said
    assert "Attention checks: 4 to draw from" in said
    assert "Whoever does not finish a question in 30 minutes has left" in said
    assert "handed out again" not in said
    asked = 2 * 6 * 4 + 2 * 8 * 2 + 12 * 2
    assert f"Cost: {asked * 0.1:.2f} USD at 0.1 a question" in said, "12 annotators meet 2 checks each"
    assert "attention checks included." in said
    request = dataclasses.replace(request_from_study(study), gap=0.4)
    work = make_plan(request).work
    assert work.besides == 2 * work.annotators
    assert work.cost == pytest.approx(0.1 * (work.answers + work.besides))
    printed = describe_plan(make_plan(request))
    assert "attention checks and repeated items, paid like any other" in printed
    without = survey(tmp_path / "t", attention_items=0)
    assert "to draw from" not in describe_study(without)


def test_a_questionnaire_is_not_stopped_early(tmp_path: Path) -> None:
    study = survey(tmp_path / "s")
    (study.folder / "study.toml").write_text(study.text.replace('rule = "fixed"', 'rule = "sequential"'))
    (problem,) = check_study(study.folder).problems
    assert "nuc has no sequential test" in problem


def test_what_is_odd_is_said(tmp_path: Path) -> None:
    pool = '{ films = ["novice"], movies = ["novice", "expret"] }'
    few = '\n[[cohorts]]\nname = "few"\nitems = 3\n'
    study = survey(tmp_path / "s", attention_items=1, pool=pool, rest=few)
    warnings = " ".join(check_study(study.folder).warnings)
    assert "asks for 2 attention checks in a sitting, and there are 1" in warnings
    assert "no corpus 'films'" in warnings
    assert "few has items in [[cohorts]], which cuts versions short" in warnings
    assert "no cohort 'expret'" in warnings
    (tmp_path / "s" / "study.toml").write_text(
        (tmp_path / "s" / "study.toml").read_text().replace("[annotators]", "[annotators]\nmax_judgments = 5")
    )
    assert "max_judgments is 5, which cuts versions of 6 questions short" in " ".join(
        check_study(study.folder).warnings
    )
    with pytest.raises(DesignError, match="not one of nuc"):
        nuc_settings(new_study(tmp_path / "other", protocol="likert"))


def test_the_pages_work_without_script_and_tell_nothing(tmp_path: Path) -> None:
    study = survey(tmp_path / "s")
    with prepared_store(study) as store, served(create_app(study, store)) as address:
        (link,) = store.run(invite_annotators())
        with httpx2.Client(
            base_url=address, follow_redirects=True, trust_env=False, timeout=PATIENCE
        ) as client:
            place = f"/a/{link.token}"
            told = client.get(place).text
            assert "At most 40 minutes" in told
            assert "you can stop at any time." in told, "no contact is stated: nobody can be asked"
            assert "what you wrote" not in told  # nobody writes anything
            assert told.count("how long you took") == 1
            client.post(f"{place}/consent")
            form = {"form": "you", "question-knowledge": "Basic"}
            names = re.findall(r'name="([^"]*knowledge)"', client.get(place).text)
            page = client.post(
                f"{place}/form", data={"form": "you", names[0]: form["question-knowledge"]}
            ).text
            for number in range(6 + 2):
                assert 'name="best"' in page
                assert "truth" not in page
                assert "&lt;b&gt;hello" in page
                assert "role=&quot;timer" in page or 'role="timer"' in page
                hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
                if number == 0:
                    refused = client.post(f"{place}/submit", data={**hidden, "best": "2", "second": "2"})
                    assert refused.status_code == 422
                    assert "in another row, the second-best one" in refused.text
                    assert re.search(r'name="best" value="2"[^>]* checked', refused.text)
                page = client.post(f"{place}/submit", data={**hidden, "best": "2", "second": "1"}).text
            assert "Thank you" in page
        judged = list(store.stream(fetch_judgments()))
        rows = list(judgment_rows(study, store))
    assert [one.role for one in judged].count("attention") == 2
    assert {row["cohort"] for row in rows} == {"novice"}
