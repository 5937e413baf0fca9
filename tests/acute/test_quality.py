"""What annotators' agreement says: of each bot, of single annotators, of the whole crowd."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from duologue.acute import Section, analyse_votes
from duologue.judgments import Row, votes_from_rows
from duologue.protocols import Conduct, CreditedGroup


def crowd(strange: int = 0, *, careful: float = 0.9) -> Section:
    """Eight annotators who mostly give the same answer to each pairing, and some who give the other one."""
    rng = np.random.default_rng(5)
    rows: list[Row] = []
    for pairing in range(60):
        first, second = ("A", "B") if pairing % 2 else ("A", "C")
        if rng.random() < 0.5:
            first, second = second, first
        for person in range(8 + strange):
            agrees = person < 8 and rng.random() < careful
            winner, loser = (first, second) if agrees else (second, first)
            rows.append(
                {"winner": winner, "loser": loser, "annotator": f"p{person}", "pairing": f"x{pairing}"}
            )
    (section,) = analyse_votes(votes_from_rows(rows)).sections
    return section


def test_agreement_is_told_for_each_bot() -> None:
    agreement = crowd().agreement
    assert agreement is not None
    assert {one.bot: one.pairings for one in agreement.bots} == {"A": 60, "B": 30, "C": 30}
    of_bot = {one.bot: one.rate for one in agreement.bots}
    assert of_bot["A"] == pytest.approx((of_bot["B"] + of_bot["C"]) / 2)
    assert of_bot["A"] == pytest.approx(agreement.rate)
    assert agreement.strangers == ()


def test_annotators_who_agree_with_nobody_are_named() -> None:
    agreement = crowd(strange=1).agreement
    assert agreement is not None
    assert agreement.strangers == ("p8",)
    assert "1 annotator agrees with the others no more often than chance: p8 (" in agreement.sentence


def test_a_crowd_that_hardly_agrees_is_a_warning() -> None:
    assert any("hardly agree beyond chance" in warning for warning in crowd(careful=0.5).warnings)
    assert not any("hardly agree" in warning for warning in crowd().warnings)


def test_chats_that_ended_with_credit_are_in_the_person_hours() -> None:
    rows: list[Row] = [
        {"winner": "A", "loser": "B", "annotator": f"p{n}", "seconds": 90.0, "arm": "main"} for n in range(20)
    ]
    found = analyse_votes(votes_from_rows(rows))
    said = CreditedGroup("main", "A__vs__B", "bot-failed", 3, 2, "", 360.0)
    conduct = Conduct(None, "", (), (), "", (), "", (), (), (), credited=(said,))
    (section,) = found.with_conduct(conduct).sections
    assert section.time is not None
    assert section.time.person_hours == pytest.approx(0.6)
    assert section.time.credited_hours == pytest.approx(0.1)


def prompts(*, people: int) -> list[Row]:
    """Four prompts that three bots answered, every two of which everybody compares: C loses to both."""
    return [
        {"winner": winner, "loser": loser, "annotator": f"p{person}", "pairing": f"x{prompt}"}
        for prompt, person in itertools.product(range(4), range(people))
        for winner, loser in ("AB" if prompt % 2 else "BA", "AC", "BC")
    ]


def test_a_prompt_that_several_bots_answered_is_a_unit_of_agreement_for_each_two_of_them() -> None:
    (section,) = analyse_votes(votes_from_rows(prompts(people=2))).sections
    assert section.agreement is not None
    assert (section.agreement.rate, section.agreement.pairings) == (1.0, 12)


def test_one_annotator_who_judges_a_pairing_twice_agrees_with_nobody() -> None:
    (alone,) = analyse_votes(votes_from_rows(prompts(people=1) * 2)).sections
    assert alone.agreement is None
    again: list[Row] = [{**row, "winner": row["loser"], "loser": row["winner"]} for row in prompts(people=2)]
    (first,) = analyse_votes(votes_from_rows([*prompts(people=2), *again])).sections
    assert first.agreement is not None
    assert (first.agreement.rate, first.agreement.judgments) == (1.0, 24)
    assert first.agreement.sentence.startswith("Two annotators of the same pairing agreed 100.0 %")


def test_judgments_by_nobody_knows_whom_are_not_said_to_be_of_two_annotators() -> None:
    rows = [{**row, "annotator": ""} for row in prompts(people=2)]
    (section,) = analyse_votes(votes_from_rows(rows)).sections
    assert section.agreement is not None
    assert section.agreement.sentence.startswith("Two judgments of the same pairing agreed 100.0 %")
