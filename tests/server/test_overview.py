from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from duologue.acute import AcuteResults
from duologue.reports import analyse_study
from duologue.server.researcher import pages
from duologue.server.researcher.flagged import FlagSoFar
from duologue.server.researcher.overview import ANYTIME, BotWins, GroupOverview, StudyOverview, study_overview
from duologue.stats import confidence_sequence
from duologue.store import (
    CohortProgress,
    GroupProgress,
    Store,
    exclude_judgments,
    fetch_judgments,
    invite_annotators,
)
from duologue.studies import Study
from tests.server.test_researcher import Researcher
from tests.server.visits import Visitor, site_of, text_of

Serve = Callable[..., tuple[TestClient, Store]]


def study_of(client: TestClient) -> Study:
    study = site_of(client).study
    assert isinstance(study, Study)
    return study


def judge(client: TestClient, store: Store, *choices: str) -> None:
    for choice in choices:
        visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
        visitor.submit(visitor.consent(), script=True, choice=choice)


def test_win_rates_count_wins_and_leave_ties_out(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=4, rest="[acute]\nties = true\n")
    judge(client, store, "1", "2", "tie", "1")
    (group,) = study_overview(study_of(client), store).groups
    assert group.is_complete
    assert group.ties == 1
    assert sum(wins.wins for wins in group.wins) == 3
    assert {wins.bot for wins in group.wins} == {"ann", "bob"}
    assert sum(wins.rate for wins in group.wins) == 1


def test_a_judgment_set_aside_hides_the_win_rates_again(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=2)
    judge(client, store, "1", "2")
    judgment = next(iter(store.stream(fetch_judgments())))
    store.run(exclude_judgments([judgment.id], rule="researcher", reason="a mistake", by="test"))
    (group,) = study_overview(study_of(client), store).groups
    assert (group.progress.done, group.progress.excluded) == (1, 1)
    assert (group.hidden, group.wins) == ("planned", ())


def test_an_unfinished_matchup_shows_nothing_of_a_finished_one(serve: Serve) -> None:
    client, store = serve(bots=("ann", "bob", "cy"), onboarding=0, per_matchup=1)
    judge(client, store, "1")
    hidden = {group.progress.group: group.hidden for group in study_overview(study_of(client), store).groups}
    assert sorted(hidden.values()) == ["", "planned", "planned"]


def test_onboarding_is_not_counted(serve: Serve) -> None:
    client, store = serve(onboarding=1, per_matchup=1, rest="[onboarding]\nblock_on_fail = false\n")
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.submit(visitor.consent(), script=True), script=True)
    overview = study_overview(study_of(client), store)
    assert (overview.done, overview.wanted) == (1, 1)
    assert sum(wins.wins for wins in overview.groups[0].wins) == 1


def test_a_sequential_study_shows_rates_at_once_with_the_anytime_interval(serve: Serve) -> None:
    client, store = serve(
        onboarding=0, per_matchup=40, rest='[stopping]\nrule = "sequential"\n[acute]\nties = true\n'
    )
    (before,) = study_overview(study_of(client), store).groups
    assert (before.wins, before.anytime, before.hidden) == ((), None, "")
    judge(client, store, "1", "2", "tie")
    (group,) = study_overview(study_of(client), store).groups
    ann = next(wins for wins in group.wins if wins.bot == "ann")
    assert group.anytime == confidence_sequence(
        [1.0] * ann.wins + [0.0] * (2 - ann.wins), gap=0.2, alpha=0.05
    )
    assert not group.is_complete


def test_the_anytime_interval_takes_gap_and_error_rate_from_the_study(serve: Serve) -> None:
    client, store = serve(
        onboarding=0, per_matchup=40, rest='[stopping]\nrule = "sequential"\ngap = 0.4\nalpha = 0.2\n'
    )
    judge(client, store, "1", "2")
    (group,) = study_overview(study_of(client), store).groups
    ann = next(wins for wins in group.wins if wins.bot == "ann")
    outcomes = [1.0] * ann.wins + [0.0] * (2 - ann.wins)
    assert group.anytime == confidence_sequence(outcomes, gap=0.4, alpha=0.2)


def test_where_an_annotator_judged_twice_there_is_no_interval_that_takes_judgments_for_annotators(
    serve: Serve,
) -> None:
    client, store = serve(
        onboarding=0,
        per_matchup=40,
        rest='[stopping]\nrule = "sequential"\n[annotators]\nmax_judgments = 5\n',
    )
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    page = visitor.submit(visitor.consent(), script=True)
    (once,) = study_overview(study_of(client), store).groups
    assert once.anytime is not None
    visitor.submit(page, script=True)
    (twice,) = study_overview(study_of(client), store).groups
    assert (sum(wins.wins for wins in twice.wins), twice.anytime) == (2, None)


def test_matchups_of_an_arm_share_the_error_rate(serve: Serve) -> None:
    client, store = serve(
        bots=("ann", "ben", "cat"), onboarding=0, per_matchup=40, rest='[stopping]\nrule = "sequential"\n'
    )
    judge(client, store, "1")
    group = next(one for one in study_overview(study_of(client), store).groups if one.wins)
    outcomes = [float(group.wins[0].wins)]
    assert group.anytime == confidence_sequence(outcomes, gap=0.2, alpha=0.05 / 3)


def test_the_page_the_api_and_the_analysis_state_the_same_interval(serve: Serve) -> None:
    client, store = serve(
        bots=("ann", "ben", "cat"),
        onboarding=0,
        per_matchup=40,
        rest='[stopping]\nrule = "sequential"\n[acute]\nties = true\n[annotators]\nmax_judgments = 3\n',
    )
    judge(client, store, *("1", "tie", "2", "1", "1", "tie") * 3)
    analysed = analyse_study(study_of(client), store).results
    assert isinstance(analysed, AcuteResults)
    expected = {
        f"{one.first}__vs__{one.second}": (one.sequential.interval.low, one.sequential.interval.high)
        for section in analysed.sections
        for one in section.matchups
        if one.sequential is not None and one.sequential.n
    }
    shown = {
        group.progress.group: group.anytime
        for group in study_overview(study_of(client), store).groups
        if group.anytime is not None
    }
    assert len(expected) >= 2
    assert {name: pytest.approx(interval) for name, interval in expected.items()} == shown
    page = Researcher(client, store).page()
    described = client.get("/api/openapi.json").json()["components"]["schemas"]["GroupRecord"]["properties"]
    for text in (page, described["anytime"]["description"]):
        assert ANYTIME in text
        assert "half a win" not in text


def test_the_note_on_hidden_win_rates_goes_when_all_are_shown(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=2)
    researcher = Researcher(client, store)
    judge(client, store, "1")
    assert "Win rates stay hidden" in researcher.page()
    judge(client, store, "2")
    page = researcher.page()
    assert "Win rates stay hidden" not in page
    assert "hidden until" not in page


def test_a_bot_compared_with_itself_is_told_apart_by_where_it_was_shown(serve: Serve) -> None:
    client, store = serve(bots=("ann", "ann"), onboarding=0, per_matchup=3)
    judge(client, store, "1", "1", "2")
    (group,) = study_overview(study_of(client), store).groups
    assert {wins.bot: wins.wins for wins in group.wins} == {"ann, shown first": 2, "ann, shown second": 1}


def test_win_rates_count_what_the_verdicts_count_and_say_so(serve: Serve) -> None:
    client, store = serve(
        onboarding=0, per_matchup=3, rest='[screening]\nresearcher_rules = ["test-entry"]\n'
    )
    judge(client, store, "1", "2", "1")
    first, second, _ = [judgment.id for judgment in store.stream(fetch_judgments())]
    store.run(exclude_judgments([first], rule="too-fast", reason="a feeling", by="ada"))
    store.run(exclude_judgments([second], rule="test-entry", reason="it was me", by="ada"))
    judge(client, store, "1", "1")  # the places opened again
    overview = study_overview(study_of(client), store)
    (group,) = overview.groups
    assert overview.counted_by_hand == 1
    results = analyse_study(study_of(client), store).results
    assert isinstance(results, AcuteResults)
    (matchup,) = results.sections[0].matchups
    wins = {one.bot: one.wins for one in group.wins}
    assert wins == {matchup.first: matchup.wins_first, matchup.second: matchup.wins_second}
    assert sum(wins.values()) == 4
    page = Researcher(client, store).page()
    assert (
        "1 judgment excluded by hand, by a rule that the plan does not declare, counts in these win" in page
    )


LARGE = StudyOverview(
    (
        GroupOverview(
            GroupProgress(
                "main",
                "ann__vs__bob",
                21_001,
                20_002,
                3_003,
                4_004,
                (CohortProgress("experts", 9_009, 8_008, 0, 0),),
            ),
            "ann against bob",
            (BotWins("ann", 12_012, 0.6), BotWins("bob", 7_007, 0.35)),
            1_010,
            "",
            compares=True,
        ),
        GroupOverview(
            GroupProgress("main", "ann__vs__cy", 60_600, 5_005, 0, 0, (), 15_015, 14_014),
            "ann against cy",
            (),
            0,
            "planned",
            compares=True,
        ),
    ),
    is_sequential=False,
    counted_by_hand=6_006,
)


def test_large_counts_are_written_with_separators(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    client, store = serve(onboarding=0)
    monkeypatch.setattr(pages, "study_overview", lambda study, store: LARGE)
    monkeypatch.setattr(pages, "flagged_so_far", lambda site: (FlagSoFar("late", "too late", 11_011, False),))
    said = text_of(Researcher(client, store).page())
    at_the_top = (
        25_007,
        81_601,
        14_014,
        15_015,
        3_003,
        4_004,
        11_011,
        6_006,
    )
    in_the_table = (20_002, 21_001, 8_008, 9_009, 12_012, 7_007, 1_010, 5_005)
    assert [count for count in (*at_the_top, *in_the_table) if f"{count:,}" not in said] == []
    assert said.count("60,600") == 2  # wanted, and until when win rates are hidden
    assert said.count("3,003") == said.count("4,004") == 2  # there and there
