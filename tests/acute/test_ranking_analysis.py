"""Verdicts from rankings: three pairs each, clustered, with positions, and beside comparisons of two."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from duologue.acute import AcuteReport, AcuteResults, analyse_votes
from duologue.acute.analysis.results import Section
from duologue.acute.report import planned_pairs
from duologue.acute.report.methods import methods_paragraph
from duologue.acute.report.text import results_in_words
from duologue.judgments import Row, votes_from_rows
from duologue.protocols import PlannedNumber, ReportedPlan
from duologue.reports import AnalysisRequest, analyse_study, find_reasons_of, report_page
from duologue.store import Store, fetch_progress, judgment_rows
from duologue.studies import Study
from tests.acute.ranked_study import ranked_study
from tests.reports.judged_study import compared

BOTS = ("ann", "bob", "cy", "dot")
STRENGTHS = (0.9, 0.3, -0.3, -0.9)


def rankings(
    count: int, *, seed: int = 1, each: int = 4, strengths: Sequence[float] = STRENGTHS, lean: float = 0.0,
    **more: object,
) -> list[Row]:  # fmt: skip
    """Rankings of every three bots by turns, so many by one annotator, drawn by strength and chance."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    threes = list(combinations(range(len(BOTS)), 3))
    for number in range(count):
        shown = rng.permutation(threes[number % len(threes)]).tolist()
        felt = [
            strengths[bot] + rng.gumbel() + (lean if place == 0 else 0) for place, bot in enumerate(shown)
        ]
        order = sorted(range(3), key=lambda place: -felt[place])
        for one, other in combinations(order, 2):
            rows.append(
                {
                    "winner": BOTS[shown[one]], "loser": BOTS[shown[other]], "ranking": f"r{number}",
                    "winner_position": one + 1, "loser_position": other + 1,
                    "winner_side": 1 if one < other else 2, "annotator": f"p{number // each}", **more,
                }
            )  # fmt: skip
    return rows


def comparisons(count: int, *, seed: int = 2, each: int = 4, **more: object) -> list[Row]:
    rng = np.random.default_rng(seed)
    pairs = list(combinations(range(len(BOTS)), 2))
    rows: list[Row] = []
    for number in range(count):
        one, other = pairs[number % len(pairs)]
        won = rng.random() < 1 / (1 + np.exp(STRENGTHS[other] - STRENGTHS[one]))
        winner, loser = (one, other) if won else (other, one)
        side = int(rng.integers(1, 3))
        row = {"winner": BOTS[winner], "loser": BOTS[loser], "winner_side": side}
        rows.append({**row, "annotator": f"p{number // each}", **more})
    return rows


def analysed(rows: Sequence[Row], **options: Any) -> AcuteResults:
    return analyse_votes(votes_from_rows(rows), **options)


def section_of(rows: Sequence[Row], **options: Any) -> Section:
    (section,) = analysed(rows, **options).sections
    return section


def test_a_ranking_is_one_judgment_in_each_of_three_matchups() -> None:
    section = section_of(rankings(120))
    assert section.rankings is not None
    assert section.rankings.rankings == 120
    assert section.rankings.comparisons == 0
    assert [matchup.n for matchup in section.matchups] == [60] * 6
    assert section.rankings.sentence.startswith("120 rankings of three give 360 judgments of two. Pairs")


def test_direct_verdicts_are_those_of_the_same_pairs_by_themselves() -> None:
    rows = rankings(160, each=2)
    alone = [{name: row[name] for name in ("winner", "loser", "winner_side", "annotator")} for row in rows]
    one, other = section_of(rows), section_of(alone)
    assert [matchup.p_value for matchup in one.matchups] == [matchup.p_value for matchup in other.matchups]
    assert other.rankings is None


def test_pooled_strengths_count_a_ranking_once_where_nobody_is_known() -> None:
    rows = [{**row, "annotator": ""} for row in rankings(80)]
    unknown = section_of(rows).pooled
    known = section_of([{**row, "annotator": row["ranking"]} for row in rows]).pooled
    assert unknown is not None
    assert known is not None
    assert [one.low for one in unknown.leaderboard] == pytest.approx([one.low for one in known.leaderboard])


def test_pooled_strengths_do_not_count_a_ranking_of_dialogues_shown_once_twice() -> None:
    rows = rankings(80)
    named = [
        {
            **row,
            "winner_dialogue": f"{row['ranking']}/{row['winner']}",
            "loser_dialogue": f"{row['ranking']}/{row['loser']}",
        }
        for row in rows
    ]
    with_dialogues, without = section_of(named).pooled, section_of(rows).pooled
    assert with_dialogues is not None
    assert without is not None
    assert [one.low for one in with_dialogues.leaderboard] == pytest.approx(
        [one.low for one in without.leaderboard]
    )


def test_a_pairing_stands_for_its_three_dialogues() -> None:
    rows = rankings(96)
    by_pairing = [{**row, "pairing": f"t{int(str(row['ranking'])[1:]) // 8 % 6}"} for row in rows]
    by_dialogue = [
        {
            **row,
            "winner_dialogue": f"{paired['pairing']}/{row['winner']}",
            "loser_dialogue": f"{paired['pairing']}/{row['loser']}",
        }
        for row, paired in zip(rows, by_pairing, strict=True)
    ]
    one, other = section_of(by_pairing), section_of(by_dialogue)
    assert [matchup.p_value for matchup in one.matchups] == pytest.approx(
        [matchup.p_value for matchup in other.matchups]
    )
    assert one.pooled is not None
    assert other.pooled is not None
    assert [bot.low for bot in one.pooled.leaderboard] == pytest.approx(
        [bot.low for bot in other.pooled.leaderboard]
    )
    assert one.agreement is not None
    assert one.agreement.pairings <= 6 * 6


def test_the_position_effect_is_told_for_every_position() -> None:
    even = section_of(rankings(120)).rankings
    assert even is not None
    assert even.position_p is not None
    assert even.position_p > 0.05
    assert sum(one.first for one in even.positions) == sum(one.last for one in even.positions) == 120
    assert sum(one.mean_place for one in even.positions) == pytest.approx(6)
    leaning = section_of(rankings(240, lean=1.5)).rankings
    assert leaning is not None
    assert leaning.position_p is not None
    assert leaning.position_p < 0.001
    assert leaning.positions[0].mean_place < leaning.positions[1].mean_place
    assert leaning.position_sentence.startswith(
        "Positions on the page were not ranked alike: of 240 rankings"
    )
    assert section_of(rankings(240, lean=1.5)).position is None


def test_positions_of_few_annotators_are_tested_by_ranking_and_of_few_rankings_not_at_all() -> None:
    found = section_of(rankings(24, each=24)).rankings
    assert found is not None
    assert found.position_p is not None
    (few,) = [section_of(rankings(2)).rankings]
    assert few is not None
    assert few.position_p is None
    assert few.position_sentence.startswith("No effect of the position was detected: of 2 rankings")
    unknown = [{**row, "winner_position": ""} for row in rankings(8)]
    nothing = section_of(unknown).rankings
    assert nothing is not None
    assert (nothing.positions, nothing.position_sentence) == ((), "")


def test_strengths_from_rankings_and_comparisons_of_one_section_are_compared() -> None:
    section = section_of([*rankings(120), *comparisons(180, ranking="")])
    assert section.rankings is not None
    agreement = section.rankings.agreement
    assert agreement is not None
    assert (agreement.rankings, agreement.comparisons, agreement.compared_in) == (120, 180, "")
    assert agreement.p_value > 0.05
    assert "were not found to differ (Wald test, clustered, F(3, " in agreement.sentence
    assert [one.bot for one in agreement.differences] == list(BOTS)
    assert section.position is not None
    assert section.position.n == 180
    assert "beside 180 comparisons of two" in section.rankings.sentence


def test_strengths_that_differ_are_said_to() -> None:
    turned = rankings(160, strengths=STRENGTHS[::-1])
    section = section_of([*turned, *comparisons(240, ranking="")])
    assert section.rankings is not None
    assert section.rankings.agreement is not None
    assert section.rankings.agreement.p_value < 0.001
    assert "comparisons of two differ (" in section.rankings.agreement.sentence


def test_an_arm_of_rankings_is_compared_with_an_arm_of_comparisons_that_asks_the_same() -> None:
    rows = [
        *rankings(100, arm="three", question="Who?"),
        *comparisons(150, arm="two", question="Who?", ranking=""),
        *comparisons(150, seed=3, arm="other", question="Why?", ranking=""),
    ]
    found = {section.arm: section.rankings for section in analysed(rows).sections}
    assert found["two"] is None
    assert found["three"] is not None
    assert found["three"].agreement is not None
    assert found["three"].agreement.compared_in == "two"
    assert "(arm two)" in found["three"].agreement.sentence
    alone = {one.arm: one.rankings for one in analysed([row for row in rows if row["arm"] != "two"]).sections}
    assert alone["three"] is not None
    assert alone["three"].agreement is None


@pytest.mark.parametrize(
    "others",
    [
        [{"winner": "ann", "loser": "zoe", "annotator": "p1", "ranking": ""}],
        [{"winner": "ann", "loser": "bob", "annotator": "p1", "ranking": ""}] * 5,
    ],
)
def test_comparisons_that_share_no_bots_or_have_too_few_annotators_are_not_tested(others: list[Row]) -> None:
    section = section_of([*rankings(40), *others])
    assert section.rankings is not None
    assert section.rankings.agreement is None


def test_unknown_annotators_and_dialogues_of_either_kind_can_be_compared() -> None:
    def told(row: Row) -> Row:
        dialogues = {f"{end}_dialogue": f"{row[end]}-{row['annotator']}" for end in ("winner", "loser")}
        return {**row, **dialogues, "annotator": ""}

    named = section_of([told(row) for row in [*rankings(60), *comparisons(90, ranking="")]]).rankings
    assert named is not None
    assert named.agreement is not None
    paired = section_of(
        [{**row, "pairing": row["ranking"] or f"c{number}", "annotator": ""} for number, row in
         enumerate([*rankings(60), *comparisons(90, ranking="")])]
    ).rankings  # fmt: skip
    assert paired is not None
    assert paired.agreement is not None


def test_planned_judgments_of_three_bots_are_planned_of_every_two() -> None:
    assert planned_pairs({("a", "b", "c"): 4, ("b", "c", "d"): 3, ("b", "c"): 2}) == {
        ("a", "b"): 4, ("a", "c"): 4, ("b", "c"): 9, ("b", "d"): 3, ("c", "d"): 3,
    }  # fmt: skip


def test_a_table_with_rankings_says_so_when_it_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "rankings.csv"
    rows = rankings(4)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    assert "12 of them pairs of rankings" in AcuteReport().checked(path, layout="judgments")


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[tuple[Study, Store]]:
    """A study of rankings after all its work is done, and its store."""
    study, store = ranked_study(tmp_path / "s")
    yield study, store
    store.close()


def test_a_study_of_rankings_is_analysed_and_its_export_gives_the_same_verdicts(
    judged: tuple[Study, Store],
) -> None:
    study, store = judged
    results = compared(analyse_study(study, store))
    (section,) = results.sections
    assert section.rankings is not None
    assert section.rankings.rankings == 12
    assert [(matchup.n, matchup.planned) for matchup in section.matchups] == [(16, 16)] * 3
    assert section.time is not None
    assert section.time.timed == 12 + 12 + 6  # six annotators were enough, with an onboarding ranking each
    rows = list(judgment_rows(study, store))
    assert len(rows) == 3 * 12 + 12 + 3 * 6
    assert len({str(row["judgment"]) for row in rows}) == 12 + 12 + 6
    asked = AnalysisRequest(alpha=0.05, gap=0.2, power=0.8, seed=study.seed)
    again = compared(AcuteReport().analyse_rows(rows, asked))
    assert [one.verdict.better for one in again.sections[0].matchups] == [
        one.verdict.better for one in section.matchups
    ]
    assert again.sections[0].rankings == section.rankings
    page = report_page(results, study=study)
    assert "Rankings of three" in page
    assert "rankings of three, with dialogues as in the ACUTE-EVAL protocol" in methods_paragraph(
        results, study
    )
    methods = methods_paragraph(results, study)
    assert "one annotator judged the same matchup at most 4 times" in methods  # in rankings and in pairs
    assert "Ties were not possible" in methods
    assert "ties left out" not in methods
    assert "chose one of the two speakers" in methods
    planned = {"__vs__".join(BOTS[:3]): 12} | {"__vs__".join(two): 4 for two in combinations(BOTS[:3], 2)}
    numbers = tuple(PlannedNumber("main", group, count, count) for group, count in planned.items())
    plan = ReportedPlan(
        hash="", frozen_at="", test="", family="", alpha=0.05, gap=0.2, power=0.8, icc=0.1, stopping="fixed",
        numbers=numbers, exclusions=(),
    )  # fmt: skip
    assert results.conduct is not None
    with_plan = replace(results, conduct=replace(results.conduct, plan=plan))
    assert "The number of judgments (16 for each matchup)" in methods_paragraph(with_plan, study)
    said = " ".join(line for line in results_in_words(results) if isinstance(line, str))
    assert section.rankings.position_sentence in said
    reasons = find_reasons_of(study, store)
    assert next(one.sentence for one in reasons if not one.group).startswith(
        "all bots: 12 reasons, 12 about ann, bob and cy."
    )
    assert all(one.group.count("__vs__") in (1, 2) for one in store.run(fetch_progress()))
