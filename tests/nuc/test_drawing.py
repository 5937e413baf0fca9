"""The questions of a study: versions, shares, cohorts, and attention checks that readers cannot miss."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from duologue.dialogues import CandidateScores, NextTurnItem, Turn, write_next_turns, write_scores
from duologue.errors import DesignError, FormatError
from duologue.nuc.drawing import _mixed_up, apportioned
from duologue.nuc.questions import question_of
from duologue.protocols import Item, read_items
from duologue.studies import check_study, draw_items, load_study, planned_items
from tests.nuc.surveys import CORPORA, LAB, next_turn, survey, write_task


def judged(items: tuple[Item, ...], block: str) -> list[Item]:
    return [item for item in items if item.is_judged and item.block == block]


def asked(items: list[Item]) -> set[str]:
    return {question_of(item).item for item in items}


def test_versions_have_other_questions_and_each_its_share_of_every_corpus(tmp_path: Path) -> None:
    items = planned_items(survey(tmp_path / "s", versions=3))
    versions = [judged(items, block) for block in ("1", "2", "3")]
    assert [Counter(item.group for item in one) for one in versions] == [dict.fromkeys(CORPORA, 2)] * 3
    assert len(set.union(*(asked(one) for one in versions))) == 18
    assert all(item.slots == 5 and not item.bots and not item.cohorts for item in items)


def test_a_cohort_has_shares_of_its_own_and_answers_the_same_questions(tmp_path: Path) -> None:
    items = planned_items(survey(tmp_path / "s", rest=LAB))
    ours, theirs = judged(items, "1"), judged(items, "lab-expert 1")
    assert Counter(item.group for item in theirs) == {"movies": 2, "tweets": 2, "ubuntu": 4}
    assert asked(ours) < asked(theirs)
    assert not asked(theirs) & asked(judged(items, "2"))
    assert {item.cohorts for item in ours} == {("",)}
    assert {item.cohorts for item in theirs} == {("lab-expert",)}


def test_every_cohort_may_have_a_questionnaire_of_its_own(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", rest=LAB.replace("per_annotator = 8\n", ""))
    text = study.text.replace('name = "novice"', 'name = "novice"\nannotations_per_item = 1')
    text = text.replace('name = "expert"', 'name = "expert"\nannotations_per_item = 1')
    for name in ("novice", "expert"):
        text += f"\n[nuc.cohorts.{name}]\nshares = {{ ubuntu = 1 }}\n"
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    items = planned_items(load_study(study.folder))
    assert {item.block.rpartition(" ")[0] for item in items if item.is_judged} == {
        "lab-expert",
        "novice",
        "expert",
    }
    assert {item.group for item in judged(items, "novice 1")} == {"ubuntu"}


def test_false_replies_of_attention_checks_are_mixed_up_and_no_version_has_them(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", attention_items=3)
    checks = [item for item in planned_items(study) if item.role == "attention"]
    assert len(checks) == 3
    questions = {question_of(item).item for item in planned_items(study) if item.is_judged}
    known = {
        reply
        for corpus in CORPORA
        for n in range(20)
        for reply in next_turn(f"{corpus}-{n}", corpus).candidates
    }
    for check in checks:
        question = question_of(check)
        assert question.item not in questions
        assert check.gold == question.truth
        for place, reply in enumerate(question.candidates):
            assert (reply in known) == (place == question.truth)
            assert any(sorted(reply.split()) == sorted(other.split()) for other in known)


def test_attention_checks_may_come_from_a_file(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", attention_file='"checks.jsonl"')
    assert any("there are no items to ask about" in said for said in check_study(study.folder).problems)
    write_next_turns([next_turn("mine", "movies", truth=1)], study.folder / "checks.jsonl", about={})
    (check,) = [item for item in planned_items(study) if item.role == "attention"]
    assert (check.id, check.gold, check.block) == ("check: mine", 1, "")


def test_without_attention_items_there_are_none(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", attention_items=0)
    assert all(item.is_judged for item in planned_items(study))
    assert any("no item has the role attention" in said for said in check_study(study.folder).warnings)


def test_questions_are_drawn_again_when_the_items_change(tmp_path: Path) -> None:
    study = survey(tmp_path / "s")
    assert draw_items(study).was_drawn
    first = list(read_items(study.items_path))
    assert not draw_items(study).was_drawn
    write_task(study.folder, each=30)
    assert draw_items(study).was_drawn
    assert list(read_items(study.items_path)) != first


@pytest.mark.parametrize(
    ("settings", "rest", "says"),
    [
        ({"versions": 12}, "", "has 20 items, and 12 versions with 2 of them need 24"),
        ({"items": '"none.jsonl"'}, "", "duologue nuc build CORPUS"),
        ({"shares": "{ films = 1 }"}, "", "no corpus 'films'"),
        ({"shares": "{ movies = 0 }"}, "", "needs a share above 0"),
        ({}, "\n[nuc.cohorts.expert]\nper_annotator = 4\n", "give 'expert' in [[cohorts]]"),
        ({"attention_items": 90}, "", "attention checks cannot be made"),
    ],
)
def test_what_cannot_be_drawn_says_what_to_do(
    tmp_path: Path, settings: dict[str, object], rest: str, says: str
) -> None:
    study = survey(tmp_path / "s", rest=rest, **settings)  # type: ignore[arg-type]  # none is `each`
    with pytest.raises(DesignError, match=says.replace("[", r"\[").replace("]", r"\]")):
        planned_items(study)


def test_persona_lines_of_nobody_known_are_not_shown(tmp_path: Path) -> None:
    assert planned_items(survey(tmp_path / "quiet", about=()))
    assert planned_items(survey(tmp_path / "known", show_background="true"))
    with pytest.raises(DesignError, match=r"show_background: item .* which speaker its persona lines"):
        planned_items(survey(tmp_path / "unknown", about=(), show_background="true"))
    checks = survey(tmp_path / "checks", show_background="true", attention_file='"checks.jsonl"')
    write_next_turns([next_turn("mine", "movies")], checks.folder / "checks.jsonl", about={})
    with pytest.raises(DesignError, match="item mine does not say"):
        planned_items(checks)


def test_files_of_scores_that_are_missing_or_of_other_items_are_named(tmp_path: Path) -> None:
    study = survey(tmp_path / "s", scores='["none.jsonl", "m.jsonl", "all.jsonl"]')
    asked = {question_of(item).item for item in planned_items(study) if item.is_judged}
    scores = {
        "m.jsonl": [CandidateScores(key, "half", (1.0,) * 5) for key in sorted(asked)[1:]],
        "all.jsonl": [CandidateScores(key, "whole", (1.0,) * 5) for key in asked],
    }
    for name, found in scores.items():
        write_scores(found, study.folder / name)
    check = check_study(study.folder)
    assert check.problems == ()
    said = [warning for warning in check.warnings if "scores" in warning]
    assert [len(said), "none.jsonl: cannot be read" in said[0]] == [2, True]
    assert f"half has none for 1 of 12 questions, such as {min(asked)}" in said[1]


def test_replies_too_short_to_mix_up_are_no_attention_checks(tmp_path: Path) -> None:
    study = survey(tmp_path / "s")
    items = [
        NextTurnItem(f"i{n}", "movies", "test", f"d{n}", (Turn("A", "Hi"),), ("Yes.", "No.", "a b c d"), 2)
        for n in range(30)
    ]
    write_next_turns(items, study.folder / "task" / "test.jsonl", about={})
    with pytest.raises(DesignError, match=r"18 items that no version has have a true reply .* 0 replies"):
        planned_items(study)
    write_next_turns([], study.folder / "task" / "test.jsonl", about={})
    with pytest.raises(DesignError, match="there are no items to ask about"):
        planned_items(study)


def test_items_with_every_reply_of_a_corpus_cannot_be_shown(tmp_path: Path) -> None:
    study = survey(tmp_path / "s")
    item = NextTurnItem("i", "movies", "test", "d", (Turn("A", "Hi"),), (), 0, pool="pool.jsonl")
    write_next_turns([item], study.folder / "task" / "test.jsonl", about={})
    with pytest.raises(FormatError, match="candidates that can be shown"):
        planned_items(study)


@given(st.integers(1, 60), st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any))
def test_shares_are_kept_to_within_one_question(total: int, shares: list[int]) -> None:
    corpora = [f"c{n}" for n in range(len(shares))]
    by_corpus = {corpus: float(share) for corpus, share in zip(corpora, shares, strict=True)}
    found = apportioned(total, by_corpus, corpora)
    assert sum(found.values()) == total
    for corpus, share in by_corpus.items():
        assert abs(found[corpus] - total * share / sum(shares)) < 1


class Still:
    """Draws an order that leaves everything where it is."""

    def permutation(self, length: int) -> NDArray[np.intp]:
        return np.arange(length)


def test_a_sentence_whose_words_come_in_their_order_is_turned_round() -> None:
    assert _mixed_up("one two three", Still()) == "three two one"  # type: ignore[arg-type]  # all it needs
