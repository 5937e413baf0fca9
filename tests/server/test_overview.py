from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from duologue.acute import AcuteResults
from duologue.reports import analyse_study
from duologue.server.researcher import pages
from duologue.server.researcher.flagged import FlagSoFar
from duologue.server.researcher.overview import ANYTIME, BotWins, GroupOverview, StudyOverview, study_overview
from duologue.server.site import Keys
from duologue.stats import confidence_sequence
from duologue.store import (
    CohortProgress,
    GroupProgress,
    Store,
    ensure_secret,
    exclude_judgments,
    fetch_annotators,
    fetch_assignment,
    fetch_judgments,
    invite_annotators,
)
from duologue.studies import Study
from tests.server.test_researcher import Researcher
from tests.server.visits import Visitor, assignment_in, site_of, text_of

Serve = Callable[..., tuple[TestClient, Store]]


def study_of(client: TestClient) -> Study:
    study = site_of(client).study
    assert isinstance(study, Study)
    return study


def judge(client: TestClient, store: Store, *choices: str) -> None:
    for choice in choices:
        visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
        fields = dict(zip(("choice", "choice-1", "choice-2"), choice.split("/"), strict=False))
        visitor.submit(visitor.consent(), script=True, **fields)


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


def test_where_annotators_judge_several_times_the_interval_is_left_to_the_analysis(serve: Serve) -> None:
    client, store = serve(
        onboarding=0,
        per_matchup=40,
        rest='[stopping]\nrule = "sequential"\n[annotators]\nmax_judgments = 2\n',
    )
    judge(client, store, *"1" * 6)
    (once,) = api_progress(client, store)
    assert (sum(wins["wins"] for wins in once["wins"]), once["anytime"]) == (6, None)
    assert "each of them as one" in once["why_no_anytime"]
    assert "duologue analyse" in once["why_no_anytime"]
    assert once["why_no_anytime"] in text_of(Researcher(client, store).page())
    assert analysed_intervals(client, store) == {("main", "ann__vs__bob"): (0.0, 1.0)}  # nobody has given two


def test_matchups_of_an_arm_share_the_error_rate(serve: Serve) -> None:
    client, store = serve(
        bots=("ann", "ben", "cat"), onboarding=0, per_matchup=40, rest='[stopping]\nrule = "sequential"\n'
    )
    judge(client, store, "1")
    group = next(one for one in study_overview(study_of(client), store).groups if one.wins)
    outcomes = [float(group.wins[0].wins)]
    assert group.anytime == confidence_sequence(outcomes, gap=0.2, alpha=0.05 / 3)


ARMS = """
[[acute.questions]]
name = "e"
question = "engagingness"
[[acute.questions]]
name = "h"
question = "humanness"
"""
SEQUENTIAL = '[stopping]\nrule = "sequential"\n'


@pytest.mark.parametrize(
    ("bots", "rest", "choices"),
    [
        pytest.param(
            ("ann", "ben", "cat"),
            f"{SEQUENTIAL}[acute]\nties = true\n[annotators]\nmax_judgments = 3\n",
            ("1", "tie", "2", "1", "1", "tie"),
            id="ties",
        ),
        pytest.param(
            ("ann", "bob"), f"{SEQUENTIAL}[acute]\nties = true\n{ARMS}", ("1", "1", "tie", "2"), id="arms"
        ),
        pytest.param(
            ("ann", "bob"),
            f'{SEQUENTIAL}[acute]\nties = true\nprimary = "h"\n{ARMS}',
            ("1", "1", "tie", "2"),
            id="primary arm",
        ),
        pytest.param(
            ("ann", "bob", "cy"), f"{SEQUENTIAL}[acute]\nties = true\n{ARMS}", ("1", "2"), id="arms of three"
        ),
        pytest.param(
            ("ann", "bob", "cy"),
            f'{SEQUENTIAL}[acute]\nties = true\nprimary = "h"\nask = "together"\n{ARMS}',
            ("/1/2", "/2/1", "/2/2", "/1/tie"),
            id="together",
        ),
        pytest.param(
            ("ann", "bob"),
            f'{SEQUENTIAL}[acute]\nanswer = "graded"\nties = true\n',
            ("clearly-1", "slightly-1", "tie", "slightly-2", "clearly-2", "clearly-1"),
            id="graded",
        ),
    ],
)
def test_the_page_the_api_and_the_analysis_state_the_same_interval(
    serve: Serve, bots: tuple[str, ...], rest: str, choices: tuple[str, ...]
) -> None:
    client, store = serve(bots=bots, onboarding=0, per_matchup=40, rest=rest)
    judge(client, store, *choices * 4)
    expected = analysed_intervals(client, store)
    if "together" in rest:  # shown is what the primary question says
        expected = {("main", name): limits for (arm, name), limits in expected.items() if arm == "h"}
    found = api_progress(client, store)
    shown = {(one["arm"], one["group"]): tuple(one["anytime"]) for one in found if one["anytime"]}
    assert len(expected) >= len(bots) - 1
    assert {name: pytest.approx(interval) for name, interval in expected.items()} == shown
    assert {one["anytime_of"] for one in found} == {"mean preference" if "graded" in rest else "win rate"}
    page = Researcher(client, store).page()
    described = client.get("/api/openapi.json").json()["components"]["schemas"]["GroupRecord"]["properties"]
    for said in (page, described["anytime"]["description"]):
        assert ANYTIME in said
        assert "half a win" not in said
    assert ("mean preference for ann" in text_of(page)) == ("graded" in rest)
    assert ("by one question, “Which speaker sounds more human?”" in text_of(page)) == ("together" in rest)


def api_progress(client: TestClient, store: Store) -> list[dict[str, Any]]:
    key = {"authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
    found: list[dict[str, Any]] = client.get("/api/progress", headers=key).json()
    return found


def analysed_intervals(client: TestClient, store: Store) -> dict[tuple[str, str], tuple[float, float]]:
    """What `duologue analyse` says, by arm and matchup."""
    analysed = analyse_study(study_of(client), store).results
    assert isinstance(analysed, AcuteResults)
    return {
        (section.arm, f"{one.first}__vs__{one.second}"): one.sequential.interval.limits
        for section in analysed.sections
        for one in section.matchups
        if one.sequential is not None and one.n and not (one.sides and one.sides.is_confounded)
    }


def test_where_a_judgment_counts_that_was_judged_again_the_dashboard_has_no_interval(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=40, rest=SEQUENTIAL)
    judge(client, store, "1", "1")
    judgment = next(iter(store.stream(fetch_judgments())))
    store.run(exclude_judgments([judgment.id], rule="researcher", reason="a mistake", by="test"))
    (group,) = api_progress(client, store)
    assert group["anytime"] is None
    assert "by hand" in group["why_no_anytime"]


def test_annotators_of_an_open_link_are_analysed_apart_so_the_dashboard_has_no_interval(
    serve: Serve,
) -> None:
    client, store = serve(onboarding=0, per_matchup=40, rest=f"{SEQUENTIAL}[annotators]\nopen_link = true\n")
    judge(client, store, "1", "1")
    assert api_progress(client, store)[0]["anytime"] is not None
    arrived = client.get(f"/open/{Keys.of(store).open_link}")
    visitor = Visitor(client, arrived.headers["location"].rsplit("/", 1)[1])
    visitor.submit(visitor.consent(), script=True)
    (group,) = api_progress(client, store)
    assert group["anytime"] is None
    assert "open link" in group["why_no_anytime"]


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
        "1 of the excluded judgments counts in the verdicts and in the win rates below all the same: a "
        "researcher excluded it, and the plan declares no such rule. Its place was opened again, so more "
        "judgments than planned can count, and the report also shows the verdicts without it." in page
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
    in_progress=7_077,
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
        7_077,
        11_011,
        6_006,
    )
    in_the_table = (4_004, 20_002, 21_001, 8_008, 9_009, 12_012, 7_007, 1_010, 5_005)
    assert [count for count in (*at_the_top, *in_the_table) if f"{count:,}" not in said] == []
    assert said.count("60,600") == 2  # wanted, and until when win rates are hidden
    assert said.count("3,003") == 2  # there and there


def test_who_was_stopped_is_counted_and_named(serve: Serve) -> None:
    client, store = serve(
        onboarding=0,
        attention=1,
        rest=(
            "[annotators]\nmax_judgments = 2\n"
            '[attention]\nper_sitting = 1\nstop_after = 1\non_fail = "exclude"\n'
        ),
    )
    researcher = Researcher(client, store)
    assert "Stopped" not in text_of(researcher.page())
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    page = visitor.consent()
    while (work := store.run(fetch_assignment(visitor.token, assignment_in(page.text)))).item.is_judged:
        visitor.submit(page)
        page = visitor.open()
    visitor.submit(page, choice=str(work.order.index(1) + 1))
    assert "Stopped1 annotator, after failed attention checks" in "".join(
        text_of(researcher.page()).split("\n")
    )
    assert "all excluded stopped" in text_of(researcher.page("/annotators"))
    (somebody,) = store.run(fetch_annotators())
    assert "Stoppedafter failed attention checks" in text_of(researcher.page(f"/annotators/{somebody.id}"))
