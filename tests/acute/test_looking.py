"""A sequential test looked at from counts: the interval of the analysis, or why there is none."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duologue.acute import AcuteSettings, analyse_votes
from duologue.acute.analysis import looking
from duologue.acute.protocol import AcuteProtocol
from duologue.dialogues import Json
from duologue.judgments import votes_from_rows
from duologue.protocols import AnytimeInterval, KeptCounts, group_again

GROUP = "a__vs__b"
ARMS = [{"name": "e", "question": "engagingness"}, {"name": "h", "question": "humanness"}]

Vote = tuple[str, str, str, bool, int, float]
"""Arm, winner, loser, whether it is a tie, the winner's side, the lead."""


def row_of(vote: Vote, *, is_graded: bool) -> dict[str, Json]:
    arm, winner, loser, is_tie, side, lead = vote
    row: dict[str, Json] = {
        "arm": arm,
        "question": f"about {arm}",
        "revision": 1,
        "matchup": "__vs__".join(sorted((winner, loser))),
        "winner": winner,
        "loser": loser,
        "outcome": "tie" if is_tie else "win",
        "winner_side": side,
    }
    return row | ({"lead": None if is_tie else lead} if is_graded else {})


def kept_counts(
    votes: Sequence[Vote], planned: Mapping[str, int], arms: Sequence[str], *, is_graded: bool = False
) -> KeptCounts:
    return KeptCounts(
        rows=[(row_of(vote, is_graded=is_graded), count) for vote, count in Counter(votes).items()],
        groups=[(arm, group) for arm in arms for group in planned],
        planned=planned,
        alpha=0.05,
        gap=0.2,
        per_annotator=1,
        judged_again=frozenset(),
        by_hand=frozenset(),
        unsettled=frozenset(),
        annotator_kinds=frozenset({"lab"}),
        revisions=1,
    )


@st.composite
def studies(draw: st.DrawFn) -> tuple[AcuteSettings, list[Vote], list[str]]:
    is_graded = draw(st.booleans())
    arms = draw(st.sampled_from([["main"], ["e", "h"]]))
    primary = draw(st.sampled_from([None, "h"])) if len(arms) > 1 else None
    bots = draw(st.sampled_from(["ab", "abc"]))
    pairs = st.permutations(bots).map(lambda found: (found[0], found[1]))
    leads = st.sampled_from([1.0, 0.5]) if is_graded else st.just(1.0)
    vote = st.builds(
        lambda arm, pair, tie, side, lead: (arm, *pair, tie, side, lead),
        st.sampled_from(arms),
        pairs,
        st.booleans(),
        st.sampled_from([1, 2]),
        leads,
    )
    votes = draw(st.lists(vote, min_size=1, max_size=60))
    given_settings = {
        "answer": "graded" if is_graded else "choice",
        "questions": ARMS if len(arms) > 1 else [],
        "primary": primary,
    }
    return AcuteSettings.model_validate(given_settings), votes, arms


@settings(max_examples=60)
@given(studies())
def test_the_interval_from_counts_is_that_of_the_analysis(
    study: tuple[AcuteSettings, list[Vote], list[str]],
) -> None:
    acute, votes, arms = study
    bots = sorted({bot for vote in votes for bot in vote[1:3]} | {"a", "b"})
    pairs = [(one, other) for one in bots for other in bots if one < other]
    planned = {f"{one}__vs__{other}": 90 for one, other in pairs}
    found = AcuteProtocol(acute).anytime(kept_counts(votes, planned, arms, is_graded=acute.is_graded))
    rows = [
        row_of(vote, is_graded=acute.is_graded)
        | {"annotator": f"p{n}", "winner_dialogue": f"w{n}", "loser_dialogue": f"l{n}"}
        for n, vote in enumerate(votes)
    ]
    analysed = analyse_votes(
        replace(votes_from_rows(rows), on_a_scale=acute.is_graded),
        planned=dict.fromkeys(pairs, 90),
        stopping="sequential",
        arms=[arm.name for arm in acute.questions],
        primary=acute.primary,
        per_annotator=1,
    )
    of = "mean preference" if acute.is_graded else "win rate"
    expected = {group: AnytimeInterval(None, of) for group in found}
    for section in analysed.sections:
        for one in section.matchups:
            group = (section.arm, f"{one.first}__vs__{one.second}")
            assert one.sequential is not None
            if one.sides is not None and one.sides.is_confounded:
                expected[group] = AnytimeInterval(None, of, looking.ONE_SIDE)
            elif one.n:
                expected[group] = AnytimeInterval(one.sequential.interval.limits, of)
    assert found == expected


WINS: list[Vote] = [("main", "a", "b", False, side, 1.0) for side in (1, 2)] * 20
KEPT = kept_counts(WINS, {GROUP: 50}, ["main"])


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"per_annotator": 2}, looking.SEVERAL_EACH),
        ({"judged_again": {("main", GROUP)}}, looking.SEVERAL_EACH),
        ({"by_hand": {("main", GROUP)}}, looking.BY_HAND),
        ({"unsettled": {("main", GROUP)}}, looking.UNSETTLED),
        ({"annotator_kinds": {"lab", "open"}}, looking.APART),
        ({"revisions": 2}, looking.REVISED),
    ],
)
def test_where_the_analysis_needs_more_than_counts_there_is_no_interval(
    changed: dict[str, object], why: str
) -> None:
    protocol = AcuteProtocol(AcuteSettings())
    assert protocol.anytime(KEPT)["main", GROUP].limits is not None
    kept = replace(KEPT, **changed)  # type: ignore[arg-type]  # fields of KEPT
    assert protocol.anytime(kept) == {("main", GROUP): AnytimeInterval(None, why_none=why)}
    assert "duologue analyse" in why


def test_only_matchups_that_can_get_a_verdict_have_an_interval() -> None:
    again = group_again(GROUP, 1)
    groups = [("main", GROUP), ("main", "a__vs__a"), ("main", again), ("main", "a__vs__c")]
    asked_again = row_of(WINS[0], is_graded=False) | {"matchup": again}
    kept = replace(
        KEPT,
        groups=groups,
        planned={GROUP: 50, "a__vs__a": 5, "a__vs__c": 50},
        rows=[*KEPT.rows, (asked_again, 7)],
    )
    found = AcuteProtocol(AcuteSettings()).anytime(kept)
    assert {group[1]: one.why_none for group, one in found.items()} == {
        GROUP: "",
        "a__vs__a": looking.SAME_BOT,
        again: looking.COUNTS_NOWHERE,
        "a__vs__c": "",
    }
    assert [group[1] for group, one in found.items() if one.limits] == [GROUP]
    without = replace(kept, rows=KEPT.rows)
    assert AcuteProtocol(AcuteSettings()).anytime(without) == found


def test_rankings_and_phrasings_have_no_sequential_interval() -> None:
    ranked = AcuteProtocol(AcuteSettings.model_validate({"answer": "ranking"}))
    kept = replace(KEPT, groups=[("main", "a__vs__b__vs__c")], planned={"a__vs__b__vs__c": 5}, rows=[])
    assert ranked.anytime(kept) == {("main", "a__vs__b__vs__c"): AnytimeInterval(None)}
    phrasings = AcuteSettings().model_copy(update={"compare": "phrasings"})
    assert AcuteProtocol(phrasings).anytime(KEPT) == {}
