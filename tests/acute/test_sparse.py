"""Tables of many matchups with few judgments each: pooled verdicts decide where nothing was declared."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from duologue.acute import AcuteResults, Section, analyse_votes
from duologue.acute.analysis.pooled import fewest_to_separate
from duologue.acute.report.methods import methods_paragraph
from duologue.acute.report.text import results_in_words
from duologue.judgments import Row, votes_from_rows
from duologue.reports import analyse_file, report_of
from duologue.stats import sign_test

SHARED = Path(__file__).parents[3] / "shared" / "data"


def table(bots: int, *, each: int, people: int = 40, ties: float = 0.0) -> list[Row]:
    """Bots half a unit apart in strength, every two compared so often."""
    rng = np.random.default_rng(bots)
    rows: list[Row] = []
    for number, (i, j) in enumerate(itertools.combinations(range(bots), 2)):
        for k in range(each):
            winner, loser = (i, j) if rng.random() < 1 / (1 + np.exp(0.5 * (i - j))) else (j, i)
            outcome = "tie" if rng.random() < ties else "win"
            rows.append(
                {
                    "winner": f"bot{winner:02}",
                    "loser": f"bot{loser:02}",
                    "annotator": f"p{(number * each + k) % people}",
                    "outcome": outcome,
                }
            )
    return rows


def undeclared(rows: Sequence[Row], **asked: Any) -> AcuteResults:
    return analyse_votes(votes_from_rows(rows), verdicts=None, **asked)


def only(results: AcuteResults) -> Section:
    (section,) = results.sections
    return section


@pytest.mark.parametrize("matchups", [1, 3, 28, 927])
def test_with_fewer_judgments_no_two_bots_can_be_separated(matchups: int) -> None:
    fewest = fewest_to_separate(matchups, alpha=0.05)
    assert sign_test(fewest, 0).p_value <= 0.05 / matchups < sign_test(fewest - 1, 0).p_value


def test_pooled_verdicts_decide_a_sparse_table_and_the_first_line_says_so() -> None:
    rows = table(12, each=10)
    results, direct = undeclared(rows), analyse_votes(votes_from_rows(rows))
    assert results.warnings[0] == (
        "The verdicts rest on strengths pooled over all matchups, as 66 of 66 matchups have fewer than 12 "
        "judgments, too few to separate two bots by their own. The direct verdict is told where it differs; "
        "--verdicts direct lets it decide."
    )
    assert {one.decided_by for one in only(results).matchups} == {"pooled"}
    assert {one.other.kind for one in only(results).matchups if one.other} == {"direct"}
    assert (results.verdicts, results.is_declared) == ("pooled", False)
    pooled = only(results).pooled
    assert pooled is not None
    assert pooled.sentence.startswith("By pooled strengths")  # said once, in the first line
    assert "declared" not in " ".join(
        [methods_paragraph(results, None), *map(str, results_in_words(results))]
    )
    assert not any(one.verdict.better for one in only(direct).matchups)
    assert sum(one.verdict.better is not None for one in only(results).matchups) > 20
    assert not any("pooled" in warning for warning in direct.warnings)


def test_direct_verdicts_decide_where_most_matchups_could_be_separated() -> None:
    assert fewest_to_separate(10, alpha=0.05) == 9
    enough, few = undeclared(table(5, each=9, people=30)), undeclared(table(5, each=8, people=30))
    assert (enough.verdicts, few.verdicts) == ("direct", "pooled")
    assert not any("pooled" in warning for warning in enough.warnings)
    half = [*table(5, each=9, people=30)[: 5 * 9], *table(5, each=8, people=30)[5 * 8 :]]
    assert undeclared(half).verdicts == "direct"
    assert undeclared([*half[1:]]).verdicts == "pooled"


def test_ties_count_among_the_judgments_of_a_matchup() -> None:
    """What decides is chosen by how many judged, and not by what they said."""
    assert undeclared(table(5, each=12, people=30, ties=0.9)).verdicts == "direct"


def test_where_pooled_verdicts_cannot_decide_a_sparse_table_it_is_said_why() -> None:
    rows: list[Row] = [{**row, "annotator": ""} for row in table(12, each=10)]
    results = undeclared(rows)
    assert results.verdicts == "direct"
    assert results.warnings[0] == (
        "Direct verdicts decide, though 66 of 66 matchups have fewer than 12 judgments, too few to separate "
        "two bots by their own: pooled ones cannot, as the annotators are not known."
    )
    assert "declared" not in methods_paragraph(results, None)
    assert "P-values were adjusted by Holm's method" in methods_paragraph(results, None)
    alone = methods_paragraph(undeclared([{"winner": "A", "loser": "B", "annotator": "x"}] * 5), None)
    assert "5 by 1 annotator count. No matchup could be tested: there is no verdict on any two bots." in alone
    assert "Holm" not in alone
    few = undeclared([{"winner": "A", "loser": "B"}] * 5)
    assert not any("decide" in warning for warning in few.warnings)


def test_sentences_of_many_matchups_say_neither_levels_nor_what_each_still_needs() -> None:
    rows = table(12, each=10)
    direct = analyse_votes(votes_from_rows(rows))
    for results, interval in (
        (undeclared(rows), "simultaneous 95 % interval"),
        (direct, "interval adjusted for 66 matchups"),
    ):
        said = " ".join(one.verdict.sentence for one in only(results).matchups)
        assert "more judgments" not in said
        assert said.count("interval") == said.count(interval) == 66
    results = direct
    assert any(one.verdict.more_for_gap for one in only(results).matchups)
    fewer = only(analyse_votes(votes_from_rows(table(10, each=10)))).matchups
    assert "more judgments are needed" in " ".join(one.verdict.sentence for one in fewer)
    assert all("% interval" in one.verdict.sentence for one in fewer)


def test_the_methods_count_ties_beside_the_judgments() -> None:
    rows = table(2, each=30, ties=0.3)
    ties = sum(row["outcome"] == "tie" for row in rows)
    assert ties > 1
    assert f"({ties} ties among them)" in methods_paragraph(undeclared(rows), None)
    rows = [{**row, "outcome": "tie" if number == 0 else "win"} for number, row in enumerate(rows)]
    assert "(1 tie among them)" in methods_paragraph(undeclared(rows), None)


def test_pooled_verdicts_decide_where_the_fit_is_above_one_in_a_hundred() -> None:
    """Bots that go round in a circle a little."""
    rows: list[Row] = []
    for winner, loser in ("AB", "BC", "CA", "AD", "DA", "BD", "DB", "CD", "DC", "BA", "CB", "AC"):
        count = 3 if "D" in winner + loser else 5 if winner + loser in ("AB", "BC", "CA") else 1
        rows += [
            {"winner": winner, "loser": loser, "annotator": f"p{(len(rows) + n) % 24}"} for n in range(count)
        ]
    declared, undecided = analyse_votes(votes_from_rows(rows), verdicts="pooled"), undeclared(rows)
    pooled = only(declared).pooled
    assert pooled is not None
    assert pooled.lack_of_fit_p is not None
    assert 0.01 < pooled.lack_of_fit_p < 0.05
    placed = only(undecided).pooled
    assert placed is not None
    for one in (pooled, placed):
        assert one.decides
        assert "The ranking model fits (p = " in one.sentence
        assert "; it would be rejected below 0.01)." in one.sentence
    plain = only(analyse_votes(votes_from_rows(table(40, each=10)), verdicts="pooled")).pooled
    assert plain is not None
    assert plain.lack_of_fit_p is not None
    assert plain.lack_of_fit_p > 0.05
    assert "The ranking model fits (p = " in plain.sentence
    assert "rejected" not in plain.sentence, "only a p that others would call significant is explained"


@pytest.mark.skipif(not (SHARED / "llmfao").is_dir(), reason="the shared data are not here")
def test_the_crowd_votes_of_llmfao_are_decided_by_pooled_strengths() -> None:
    analysed = analyse_file(SHARED / "llmfao" / "crowd-comparisons.csv")
    lines = [*analysed.results.warnings, *map(str, report_of("acute").in_words(analysed.results))]
    assert lines[0].startswith(
        "The verdicts rest on strengths pooled over all matchups, as 819 of 927 matchups have fewer than 16"
    )
    assert any("225 of all show a difference" in line for line in lines)
    assert not any("99.99" in line or "more judgments" in line for line in lines)
