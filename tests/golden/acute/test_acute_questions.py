"""Table 1 of Li, Weston and Roller (2019): agreement by thirteen phrasings, from counts that fit.

The paper prints no counts. Those of ``table_1_counts.csv`` are the ones near 20 judgments that round to the
printed agreement (26 of 30 rather than 13 of 15 for the chosen phrasing of interestingness, whose lower bound
would else be below that of the next). They are not the paper's, and only what holds for all that fit is said.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from duologue.acute.phrasings.analysis import Phrasing, analyse_phrasings
from duologue.acute.phrasings.results import PhrasingStudyResults
from duologue.acute.questions import PUBLISHED
from duologue.judgments import Row, votes_from_rows
from duologue.stats import modal_agreement_on_items

FOLDER = Path(__file__).parent


def table(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def analysed() -> PhrasingStudyResults:
    by_text = {question.text: question for question in PUBLISHED.values()}
    rows: list[Row] = []
    for row in table("table_1_counts.csv"):
        for number in range(int(row["n"])):
            human_wins = number < int(row["modal"])
            winner, loser = ("human", "greedy") if human_wins else ("greedy", "human")
            rows.append(
                {
                    "winner": winner,
                    "loser": loser,
                    "winner_dialogue": f"{winner}-1",
                    "loser_dialogue": f"{loser}-1",
                    "arm": by_text[row["question"]].id,
                    "annotator": f"{row['question']} {number}",
                }
            )
    asked = [Phrasing(question.id, question.axis, question) for question in PUBLISHED.values()]
    return analyse_phrasings(votes_from_rows(rows), asked)


def test_the_agreements_are_those_printed() -> None:
    found = {one.question: one for axis in analysed().axes for one in axis.phrasings}
    printed = {row["question"]: row["agreement_percent"] for row in table("table_1.csv")}
    assert {text: f"{100 * (one.agreement or 0):.1f}" for text, one in found.items()} == printed


def test_the_phrasings_in_bold_are_ranked_first() -> None:
    chosen = {row["axis"]: row["question"] for row in table("table_1.csv") if row["chosen"] == "1"}
    assert {axis.axis: axis.phrasings[0].question for axis in analysed().axes} == chosen


def test_no_phrasing_in_bold_can_be_told_from_the_next() -> None:
    assert not any(axis.is_distinguished for axis in analysed().axes)
    assert min(axis.p_value or 0 for axis in analysed().axes) > 0.12


def test_the_stars_are_not_those_of_one_binomial_test() -> None:
    printed = {row["question"]: row["significant"] == "1" for row in table("table_1.csv")}
    ours = {one.question: (one.p_value or 1) < 0.05 for axis in analysed().axes for one in axis.phrasings}
    differ = sorted(text for text in printed if printed[text] != ours[text])
    assert differ == [
        "Which speaker do you think is more captivating?",
        "Which speaker is more engaging to talk to?",
        "Which speaker sounds more like a real person?",
    ]


def test_all_stars_of_the_paper_survive_holm_with_counts_that_fit() -> None:
    starred = {row["question"] for row in table("table_1.csv") if row["significant"] == "1"}
    assert all(
        one.is_significant for axis in analysed().axes for one in axis.phrasings if one.question in starred
    )


@pytest.mark.parametrize("percent", ["82.5", "84.2"])
def test_two_unstarred_agreements_are_significant_whatever_the_counts(percent: str) -> None:
    fitting = [
        modal_agreement_on_items([(k, n - k)]).p_value
        for n in range(1, 61)
        for k in range((n + 1) // 2, n + 1)
        if f"{100 * k / n:.1f}" == percent
    ]
    assert fitting
    assert max(fitting) < 0.05
