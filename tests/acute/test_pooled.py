"""Pooled verdicts through the whole analysis: which decide and why, what stands beside, how they err."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks._studies import decided
from duologue.acute import AcuteResults, Section, analyse_votes
from duologue.acute.analysis.matchups import tally_matchups
from duologue.acute.analysis.pooled import pool_votes
from duologue.acute.analysis.sides import sides_of_matchups
from duologue.acute.rehearsal.preferences import Preferences
from duologue.acute.rehearsal.recovery import recoveries
from duologue.acute.report import AcuteReport
from duologue.acute.report.latex import matchups_table, win_matrix_table
from duologue.acute.report.methods import methods_paragraph
from duologue.acute.report.tables import matchup_rows
from duologue.judgments import Row, Votes, votes_from_rows
from tests.acute.test_calibration import votes_of
from tests.error_rates import STUDIES, why_refused
from tests.strategies import thorough

BOTS = "ABCDE"


def table(
    seed: int, *, people: int = 40, each: int = 3, apart: float = 0.5, ties: float = 0.0, **cells: object
) -> list[Row]:
    """Annotators who judge every matchup, of bots ``apart`` from one another in strength."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for person, (i, j), turn in itertools.product(
        range(people), itertools.combinations(range(len(BOTS)), 2), range(each)
    ):
        first_won = rng.random() < 1 / (1 + np.exp(apart * (i - j)))
        winner, loser = (i, j) if first_won else (j, i)
        row: dict[str, object] = {
            "winner": BOTS[winner],
            "loser": BOTS[loser],
            "annotator": f"p{person}",
            "winner_side": 1 + (person + turn) % 2,
            "outcome": "tie" if rng.random() < ties else "win",
        }
        rows.append({**row, **cells})
    return rows


def pooled(rows: Sequence[Row], **asked: object) -> AcuteResults:
    return analyse_votes(votes_from_rows(rows), verdicts="pooled", **asked)  # type: ignore[arg-type]


def only(results: AcuteResults) -> Section:
    (section,) = results.sections
    return section


def test_bots_in_a_row_are_told_apart_together_and_cut_intervals_say_so() -> None:
    rows: list[Row] = [
        {
            "winner": a if n * 37 % 100 < won else b,
            "loser": b if n * 37 % 100 < won else a,
            "annotator": f"p{n}",
        }
        for a, b, won in (("A", "B", 60), ("B", "C", 60), ("A", "C", 68))
        for n in range(100)
    ]
    section = only(pooled(rows))
    assert [one.verdict.better for one in section.matchups] == ["A", "A", "B"]
    is_cut = [one.interval is not None and one.interval.is_cut for one in section.matchups]
    assert is_cut == [True, False, True]
    said = [one.verdict.sentence for one in section.matchups]
    assert "simultaneous 95 % interval [50.0, 68.7], cut at 50 %" in said[0]
    assert "simultaneous 95 % interval [53.0, 80.6];" in said[1]
    assert section.pooled is not None
    assert [(one.best_rank, one.worst_rank) for one in section.pooled.leaderboard] == [(1, 1), (2, 2), (3, 3)]


def test_latex_tables_say_how_pooled_verdicts_were_reached_and_mark_cut_intervals() -> None:
    rows: list[Row] = [
        {
            "winner": a if n * 37 % 100 < won else b,
            "loser": b if n * 37 % 100 < won else a,
            "annotator": f"p{n}",
            "arm": arm,
        }
        for arm in "xy"
        for a, b, won in (("A", "B", 61), ("B", "C", 61), ("A", "C", 70))
        for n in range(100)
    ]
    results = pooled(rows)
    section = results.sections[0]
    said = matchups_table(section, results, label="t")
    assert "simultaneous interval ($^{\\dagger}$: of a decided pair, cut at 50\\%)" in said
    assert "unadjusted 97.5\\% interval; $p$ by Student's $t$, adjusted over all pairs of bots" in said
    assert "Holm" not in said
    assert "binomial" not in said
    cut = [one for one in section.matchups if one.interval is not None and one.interval.is_cut]
    assert said.count("]$^{\\dagger}$ & 97.5 &") == len(cut) > 0
    assert "better at adjusted $p \\leq 0.025$" in said
    assert "better at adjusted $p \\leq 0.025$" in win_matrix_table(section, results, label="w")
    direct = analyse_votes(votes_from_rows(rows))
    said = matchups_table(direct.sections[0], direct, label="t")
    assert "Holm-compatible interval" in said
    assert "dagger" not in said
    assert "better at Holm-adjusted $p \\leq 0.05$" in win_matrix_table(direct.sections[0], direct, label="w")


def test_pooled_verdicts_decide_and_the_direct_ones_stand_beside_them() -> None:
    rows = table(1, each=1, apart=0.25)
    section, direct = only(pooled(rows)), only(analyse_votes(votes_from_rows(rows)))
    assert section.pooled is not None
    assert section.pooled.decides
    assert section.pooled.sentence.startswith("The verdicts rest on strengths pooled over all matchups")
    for ours, theirs in zip(section.matchups, direct.matchups, strict=True):
        assert ours.decided_by == "pooled"
        assert ours.other is not None
        assert (ours.other.kind, ours.other.p_value) == ("direct", theirs.p_value)
        assert theirs.other is not None
        assert (theirs.other.kind, theirs.other.p_value) == ("pooled", ours.p_value)
        assert theirs.other.better == ours.verdict.better
    found = [sum(m.verdict.better is not None for m in one.matchups) for one in (section, direct)]
    assert found[0] > found[1]  # pooling is worth judgments
    assert direct.pooled is not None
    assert direct.pooled.why_not == ""
    assert not direct.pooled.decides


def test_a_first_bot_by_strengths_that_do_not_decide_is_no_claim() -> None:
    rows = table(1, each=3, apart=0.5)
    decided, beside = only(pooled(rows)).pooled, only(analyse_votes(votes_from_rows(rows))).pooled
    assert decided is not None
    assert beside is not None
    assert "By pooled strengths A is the first (simultaneous rank sets)." in decided.sentence
    assert beside.sentence.startswith(
        "By pooled strengths, which do not decide, A is the first (simultaneous"
    )


def test_of_many_who_may_be_the_first_five_are_named() -> None:
    """Six bots that win half of their matchups with each other, and nine in ten with a seventh."""
    rows: list[Row] = []
    matchups = enumerate(itertools.combinations("ABCDEFG", 2))
    for person, (number, (first, second)) in itertools.product(range(20), matchups):
        wins_first = (person + number) % (10 if second == "G" else 2) != 0
        winner, loser = (first, second) if wins_first else (second, first)
        rows.append({"winner": winner, "loser": loser, "annotator": f"p{person}"})
    placed = only(pooled(rows)).pooled
    assert placed is not None
    five = ", ".join(one.bot for one in placed.leaderboard[:5])
    assert f"By pooled strengths the first is one of 6 bots: {five} and 1 more." in placed.sentence


def test_the_methods_and_tables_describe_what_decides() -> None:
    rows = table(1, each=1, apart=0.25)
    found, direct = pooled(rows), analyse_votes(votes_from_rows(rows))
    said, said_of_direct = (methods_paragraph(one, None) for one in (found, direct))
    assert said.index("rest on the pooled strengths") < said.index("deciding nothing") < said.index("Holm's")
    assert "Beside the matchups, Bradley" not in said
    assert said_of_direct.index("Holm's") < said_of_direct.index("Beside the matchups, Bradley")
    for matchup, row in zip(only(found).matchups, matchup_rows(found), strict=True):
        assert row["rate_first"] == matchup.pooled_rate
        assert matchup.interval is not None
        assert matchup.interval.low < row["rate_first"] < matchup.interval.high  # type: ignore[operator]
    recovered = recoveries(found, Preferences(dict.fromkeys(BOTS, 1.0), {}))
    assert [one.win_rate for one in recovered] == [one.pooled_rate for one in only(found).matchups]


def test_a_leaderboard_gets_strengths_with_rank_sets_and_nothing_where_there_are_none() -> None:
    results = pooled(table(1, each=1, apart=0.25))
    placed = only(results).pooled
    assert placed is not None
    scores = list(AcuteReport().bot_scores(results))
    assert [(one.bot, one.value) for one in scores] == [(one.bot, one.strength) for one in placed.leaderboard]
    assert [one.ranks for one in scores] == [(one.best_rank, one.worst_rank) for one in placed.leaderboard]
    two = [row for row in table(2) if {row["winner"], row["loser"]} <= {"A", "B"}]
    assert list(AcuteReport().bot_scores(pooled(two))) == []


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (table(2, people=19), "need at least 20 annotators, and there are 19"),
        (
            [row for row in table(2) if {row["winner"], row["loser"]} <= {"A", "B"}],
            "the judgments that count are of 2 bots",
        ),
        (
            [{**row, "excluded": "late"} for row in table(2)],
            "three bots or more, and no judgment of them counts",
        ),
        ([{**row, "annotator": ""} for row in table(2, people=20)], "the annotators are not known"),
    ],
)
def test_where_pooled_verdicts_cannot_decide_the_direct_ones_do(rows: Sequence[Row], why: str) -> None:
    results = pooled(rows)
    section, direct = only(results), only(analyse_votes(votes_from_rows(rows)))
    assert [one.verdict for one in section.matchups] == [one.verdict for one in direct.matchups]
    assert why in (section.pooled.sentence if section.pooled else section.why_not_pooled)
    assert results.verdicts == "pooled"


def test_more_annotators_than_bots_are_needed() -> None:
    names = [f"bot {number:02}" for number in range(24)]
    rows: list[Row] = [
        {"winner": a, "loser": b, "annotator": f"p{number % 22}"}
        for number, (a, b) in enumerate(itertools.permutations(names, 2))
    ]
    section = only(pooled(rows))
    assert section.pooled is not None
    assert "need more annotators than bots, and there are 22 and 24" in section.pooled.sentence


def test_bots_that_go_round_are_left_to_the_direct_verdicts() -> None:
    rows: list[Row] = []
    for winner, loser in ("AB", "BC", "CA", "AD", "DA", "BD", "DB", "CD", "DC"):
        count = 70 if "D" not in (winner, loser) else 35
        rows += [{"winner": winner, "loser": loser, "annotator": f"p{n % 30}"} for n in range(count)]
        if "D" not in (winner, loser):
            rows += [{"winner": loser, "loser": winner, "annotator": f"p{n % 30}"} for n in range(30)]
    section = only(pooled(rows))
    assert section.pooled is not None
    assert "the ranking model does not fit" in section.pooled.why_not
    assert section.matchups[0].decided_by != "pooled"
    assert section.order.cycles
    assert "furthest off: A against " in section.pooled.sentence
    assert "A against B (70.0 %, where strengths expect 50.0 %)" in section.pooled.sentence
    assert "A against D" not in section.pooled.sentence


def test_no_matchup_is_called_off_that_is_where_strengths_expect_it() -> None:
    rows: list[Row] = [
        {"winner": a, "loser": b, "annotator": f"p{n}"} for a, b in ("AB", "BC", "AC") for n in range(20)
    ]
    placed = only(analyse_votes(votes_from_rows(rows))).pooled
    assert placed is not None
    assert "furthest off" not in placed.sentence


def test_a_bot_always_on_one_side_is_pooled_where_others_show_what_the_side_does() -> None:
    rows = [
        {
            **row,
            "winner_side": 1 if row["winner"] == "A" else 2 if row["loser"] == "A" else row["winner_side"],
        }
        for row in table(3)
    ]
    section = only(pooled(rows))
    assert section.pooled is not None
    assert section.pooled.decides
    assert section.matchups[0].verdict.better == "A"
    assert section.matchups[0].verdict.why_none == ""
    assert section.sides.endswith("The effect of the side is taken out of these verdicts.")


def test_sequential_stopping_is_not_pooled() -> None:
    section = only(pooled(table(4), stopping="sequential"))
    assert section.pooled is not None
    assert section.pooled.why_not == "the sequential test does"
    assert all(one.verdict.is_sequential for one in section.matchups)


def test_sections_of_a_family_share_alpha_and_decide_together() -> None:
    both = pooled([*table(5, arm="one"), *table(6, arm="two")])
    assert all(one.pooled is not None and one.pooled.decides for one in both.sections)
    assert {one.pooled.level for one in both.sections if one.pooled} == {0.975}
    assert both.family.startswith("All 20 pairs of bots of 2 sections, which share it equally")
    one_short = pooled([*table(5, arm="one"), *table(6, people=8, arm="two")])
    assert not any(one.pooled is not None and one.pooled.decides for one in one_short.sections)
    planned = pooled(table(5, arm="one"), arms=["one", "two"], planned={("A", "B"): 5})
    assert {one.pooled.level for one in planned.sections if one.pooled} == {0.975}


def test_a_planned_matchup_without_judgments_has_no_pooled_verdict() -> None:
    rows = [row for row in table(5) if {row["winner"], row["loser"]} != {"A", "B"}]
    section = only(pooled(rows, planned={("A", "B"): 5}))
    empty = next(one for one in section.matchups if {one.first, one.second} == {"A", "B"})
    assert (empty.n, empty.decided_by, empty.other, empty.verdict.better) == (0, None, None, None)
    assert all(one.decided_by == "pooled" for one in section.matchups if one is not empty)


def test_no_difference_worth_finding_is_said_only_after_an_equivalence_test() -> None:
    section = only(pooled(table(7, people=60, each=12, apart=0.0)))
    assert all(one.verdict.is_equivalent for one in section.matchups)
    assert "No difference worth finding between A and B" in section.matchups[0].verdict.sentence
    few = only(pooled(table(7, people=21, each=1, apart=0.0)))
    assert not any(one.verdict.is_equivalent for one in few.matchups)
    whole = only(pooled(table(7, people=60, each=12, apart=0.0), gap=1.0))
    assert not any(one.verdict.is_equivalent for one in whole.matchups)


def test_ties_have_a_parameter_of_their_own() -> None:
    section = only(pooled(table(8, ties=0.4)))
    assert section.pooled is not None
    assert section.pooled.model == "davidson"
    assert section.pooled.tie is not None
    assert sum(one.ties for one in section.pooled.leaderboard) == 2 * section.ties
    assert "ties)" in section.matchups[0].verdict.sentence


def test_graded_answers_are_pooled_by_their_score() -> None:
    rows = [{**row, "lead": "0.5" if n % 3 else "1"} for n, row in enumerate(table(9))]
    section, plain = only(pooled(rows)), only(pooled(table(9)))
    assert section.pooled is not None
    assert plain.pooled is not None
    assert section.pooled.model == "bradley-terry"
    assert section.pooled.leaderboard[0].strength < plain.pooled.leaderboard[0].strength
    assert section.pooled.votes_to_flip is not None


def test_pairings_stand_for_dialogues_that_are_not_known() -> None:
    rows = [{**row, "pairing": f"{row['winner']}{row['loser']}{n % 7}"} for n, row in enumerate(table(10))]
    blank = [{**row, "pairing": ""} for row in rows]
    mixed = [{**row, "pairing": "" if n % 2 else row["pairing"]} for n, row in enumerate(rows)]
    spans = [
        [one.high - one.low for one in section.pooled.leaderboard]
        for section in (only(pooled(each)) for each in (rows, mixed, blank))
        if section.pooled is not None
    ]
    assert spans[0] != spans[1] != spans[2]


def test_exclusions_are_told_with_and_without_by_pooled_verdicts() -> None:
    rows = table(11, each=1, apart=0.0)
    aside: list[Row] = [
        {"winner": "A", "loser": bot, "annotator": f"x{n}", "excluded": "late"}
        for bot in "BCDE"
        for n in range(60)
    ]
    section = only(pooled([*rows, *aside]))
    assert section.pooled is not None
    assert section.pooled.decides
    effect = section.exclusions.effects[0]
    assert (effect.better, effect.better_without_exclusions, effect.is_changed) == (None, "A", True)


def test_whether_exclusions_change_pooled_verdicts_cannot_be_told_when_bots_fall_apart() -> None:
    apart: list[Row] = [
        {"winner": "X", "loser": "Y", "annotator": f"x{n}", "winner_side": 1 + n % 2, "excluded": "late"}
        for n in range(6)
    ]
    found = only(pooled(table(1) + apart)).exclusions
    assert "Whether this changes 10 of 10 verdicts cannot be told" in found.sentence
    assert not any(effect.is_changed for effect in found.effects)
    assert all("X" in effect.why_none_without_exclusions for effect in found.effects)


@thorough(10)
@given(seed=st.integers(0, 10**6), ties=st.sampled_from([0.0, 0.3]))
def test_verdict_and_interval_never_contradict_and_bots_mirror(seed: int, ties: float) -> None:
    rows = table(seed, people=22, each=1, ties=ties)
    turned = dict(zip(BOTS, BOTS[::-1], strict=True))
    mirrored = [
        {**row, "winner": turned[str(row["winner"])], "loser": turned[str(row["loser"])]} for row in rows
    ]
    ours, theirs = only(pooled(rows)), only(pooled(mirrored))
    others = {(turned[one.second], turned[one.first]): one for one in theirs.matchups}
    for one in ours.matchups:
        assert one.interval is not None
        assert (one.verdict.better is not None) == (0.5 not in one.interval)
        other = others[one.first, one.second]
        assert other.interval is not None
        assert other.interval.low == pytest.approx(1 - one.interval.high)
        assert one.verdict.better == (turned[other.verdict.better] if other.verdict.better else None)


def test_what_is_missing_is_said_for_the_planned_gap_over_all_matchups() -> None:
    few = only(pooled(table(7, people=21, each=1, apart=0.0)))
    for matchup in few.matchups:
        more = matchup.verdict.more_for_gap
        assert more
        said = "over all matchups, spread as so far, are needed for a gap of 20 points with 80 % power"
        assert said in matchup.verdict.sentence
        assert "would be a new test" in matchup.verdict.sentence
        # As the planner has it: 138 a matchup for five bots, of which there are 21.
        assert 0.7 * 138 < matchup.n + more < 1.5 * 138
    whole = only(pooled(table(7, people=21, each=1, apart=0.0), gap=1.0))
    assert all(one.verdict.more_for_gap == 0 for one in whole.matchups if one.verdict.better is None)
    assert "more judgments" not in whole.matchups[0].verdict.sentence


def simulate(
    rng: np.random.Generator, *, bots: int, people: int, each: int, icc: float, dialogues: int = 0
) -> Votes:
    """Equal bots, annotators with strengths of their own, one in ten careless, side 1 at 55 of 100.

    With ``dialogues`` each bot has so many, which are better and worse ones too, by as much as annotators
    differ, and which meet those of every other bot.
    """
    pairs = np.array(list(itertools.combinations(range(bots), 2)))
    taste = rng.normal(0, np.sqrt(2 * icc / (1 - icc)), (people, bots))
    taste[rng.random(people) < 0.1] = 0.0
    annotator = np.repeat(np.arange(people), len(pairs) * each)
    first, second = pairs[np.tile(np.repeat(np.arange(len(pairs)), each), people)].T
    first_on_1 = rng.random(len(annotator)) < 0.5
    lead = taste[annotator, first] - taste[annotator, second] + np.where(first_on_1, 0.2, -0.2)
    shown = None
    if dialogues:
        quality = rng.normal(0, np.sqrt(2 * icc / (1 - icc)), (bots, dialogues))
        of_first, of_second = rng.integers(0, dialogues, (2, len(annotator)))
        lead += quality[first, of_first] - quality[second, of_second]
        shown = first * dialogues + of_first, second * dialogues + of_second
    first_won = rng.random(len(annotator)) < 1 / (1 + np.exp(-lead))
    votes = votes_of(first, second, first_won, first_on_1, annotator, shown)
    return replace(votes, bots=tuple("ABCDEFGH")[:bots])


def errors_of(make: Callable[[], Votes]) -> tuple[int, int]:
    """In how many studies there was any verdict, and in how many the pooled ones decided."""
    wrong = pooled_decided = 0
    for number in range(STUDIES):
        votes = make()
        found = decided(votes, is_pooled=True)
        if number == 0:
            matchups = only(analyse_votes(votes, verdicts="pooled")).matchups
            assert {(one.first, one.second): one.verdict.better for one in matchups} == found
        wrong += any(found.values())
        tallies = tally_matchups(votes)
        sides = sides_of_matchups(votes, tallies)
        pooling = pool_votes(votes, tallies, sides, alpha=0.05, with_flipped=False)
        pooled_decided += not isinstance(pooling, str) and not pooling.why_not
    return wrong, pooled_decided


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bots", "people", "each", "icc"), [(8, 30, 1, 0.1), (8, 30, 1, 0.2), (4, 22, 3, 0.1), (4, 22, 3, 0.2)]
)
def test_studies_of_equal_bots_rarely_give_any_pooled_verdict(
    bots: int, people: int, each: int, icc: float
) -> None:
    rng = np.random.default_rng(41)
    wrong, by_pooling = errors_of(lambda: simulate(rng, bots=bots, people=people, each=each, icc=icc))
    print(f"{bots} bots, {people} annotators, {each} each, ICC {icc}: {wrong / STUDIES:.4f}")  # with -s
    assert why_refused(wrong) == ""
    assert by_pooling / STUDIES >= 0.9  # the fit is not rejected where it holds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bots", "people", "dialogues", "icc"),
    [(8, 30, 20, 0.1), (8, 40, 40, 0.2), (4, 60, 20, 0.1), (4, 60, 40, 0.2)],
)
def test_better_and_worse_dialogues_do_not_make_equal_bots_differ(
    bots: int, people: int, dialogues: int, icc: float
) -> None:
    rng = np.random.default_rng(43)
    wrong, _ = errors_of(
        lambda: simulate(rng, bots=bots, people=people, each=1, icc=icc, dialogues=dialogues)
    )
    print(f"{bots} bots, {dialogues} dialogues each, ICC {icc}: {wrong / STUDIES:.4f}")  # with -s
    assert why_refused(wrong) == ""


def test_the_estimate_of_a_pooled_verdict_is_the_pooled_rate() -> None:
    for matchup in only(pooled(table(1, each=1, apart=0.25))).matchups:
        assert matchup.pooled_rate is not None
        assert matchup.estimate == matchup.pooled_rate
