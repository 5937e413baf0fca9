"""What `study plan` says of pooled verdicts is what `pairings make`, `study check` and `analyse` then do."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from duologue.acute import AcutePlanOptions, analyse_votes, change_pairing, make_pairings
from duologue.errors import DesignError
from duologue.judgments import votes_from_rows
from duologue.protocols import read_items
from duologue.stats import ClusteredDesign, DesignEffect, ForcedChoice, PooledChoice
from duologue.studies import (
    Plan,
    PlanRequest,
    Study,
    check_study,
    make_plan,
    new_study,
    request_from_flags,
    request_from_study,
    simulate_plan,
)
from tests.studies.conftest import edit, write_dialogues

POOLED = ("# verdicts = ", 'verdicts = "pooled" # ')
RANKED = ('answer = "choice"', 'answer = "ranking"')
SEQUENTIAL = ('rule = "fixed"', 'rule = "sequential"')
ONE_AGAINST_ALL = ("# against = ", 'against = ["bot0"] # ')
SAME_BOT = ("# against = ", 'same_bot = ["bot0"] # ')
QUESTIONS = (
    "[acute.pairings]",
    '[[acute.questions]]\nname = "a"\nquestion = "engagingness"\n'
    '[[acute.questions]]\nname = "b"\nquestion = "humanness"\n[acute.pairings]',
)
PRIMARY = ("ties = false", 'primary = "a"\nties = false')
DIRECT_DECIDE = "the direct ones decide. A lower max_judgments"


def cap(each: int) -> tuple[str, str]:
    return "# max_judgments = 3 ", f"max_judgments = {each} "


def pooled_study(folder: Path, *edits: tuple[str, str], bots: int = 5, dialogues: int = 320) -> Study:
    study = new_study(folder, seed=1)
    for number in range(bots):
        write_dialogues(study.folder, f"bot{number}", dialogues, text=f"from {number}")
    for old, new in (POOLED, *edits):
        study = edit(study, old, new)
    return study


def numbers_made(study: Study) -> set[int]:
    """Judgments of each matchup, by the pairings that are made."""
    make_pairings(study)
    counts: Counter[tuple[str, str]] = Counter()
    for item in read_items(study.items_path):
        counts.update(itertools.combinations(sorted(item.bots), 2))
    return set(counts.values())


@pytest.mark.parametrize(
    "edits",
    [(), (cap(3),), (QUESTIONS,), (QUESTIONS, PRIMARY), (cap(40),), (SAME_BOT,)],
    ids=["plain", "three each", "questions", "primary", "forty each", "A/A"],
)
def test_pairings_are_made_in_the_number_that_was_planned(
    edits: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    study = pooled_study(tmp_path / "s", *edits)
    plan = make_plan(request_from_study(study))
    assert isinstance(plan.design, PooledChoice)
    assert numbers_made(study) == {plan.judgments}
    assert make_plan(request_from_study(study)).judgments == plan.judgments
    assert not [said for said in check_study(study.folder).warnings if "power" in said]


def test_three_bots_are_enough_for_pooled_verdicts(tmp_path: Path) -> None:
    plan = make_plan(request_from_study(pooled_study(tmp_path / "s", bots=3, dialogues=3)))
    assert isinstance(plan.design, PooledChoice)
    assert (plan.design.bots, plan.request.icc, plan.request.part) == (3, 0.1, "")


def test_rankings_are_planned_for_annotators_who_rank_every_three_bots_where_no_cap_is_set(
    tmp_path: Path,
) -> None:
    study = pooled_study(tmp_path / "s", RANKED)
    plan = make_plan(request_from_study(study))
    assert plan.work.per_annotator == 10
    assert max(abs(plan.judgments - made) for made in numbers_made(study)) <= 3
    assert make_plan(request_from_study(edit(study, *cap(4)))).work.per_annotator == 4


def test_fewer_pairings_than_planned_are_warned_of_with_what_annotators_repeat(tmp_path: Path) -> None:
    study = pooled_study(tmp_path / "s")
    independent = PlanRequest(bots=5, options=AcutePlanOptions(verdicts="pooled"))
    few = make_plan(independent).judgments
    make_pairings(study, settings=change_pairing(study, {"per_matchup": few}))
    (said,) = [said for said in check_study(study.folder).warnings if "power" in said]
    assert f"10 of 10 matchups have less power than stated: {few} judgments" in said
    assert "worth 115 independent ones at an ICC of 0.1" in said


@pytest.mark.parametrize(
    ("edits", "bots", "why"),
    [((SEQUENTIAL,), 4, "stopping is sequential"), ((), 2, "pooled verdicts need three bots")],
)
def test_where_direct_verdicts_decide_all_the_same_their_number_is_planned(
    edits: tuple[tuple[str, str], ...], bots: int, why: str, tmp_path: Path
) -> None:
    plan = make_plan(request_from_study(pooled_study(tmp_path / "s", *edits, bots=bots, dialogues=3)))
    matchups = bots * (bots - 1) // 2
    assert plan.design == ForcedChoice(alpha=0.05 / matchups)
    assert plan.notes[0].startswith(why)


def test_three_matchups_with_one_bot_are_not_planned_as_three_bots(tmp_path: Path) -> None:
    study = pooled_study(tmp_path / "s", ONE_AGAINST_ALL, bots=4)
    with pytest.raises(DesignError, match="each meets every other"):
        make_plan(request_from_study(study))
    assert numbers_made(study) == {273}  # of direct verdicts
    (said,) = [said for said in check_study(study.folder).warnings if "verdicts" in said]
    assert said.startswith(
        "[acute] verdicts: pooled verdicts compare all 6 pairs of the 4 bots, and 3 of them are judged."
    )
    assert make_plan(request_from_flags({"verdicts": "direct"}, study=study.folder)).judgments == 273


def test_comparisons_of_a_bot_with_itself_are_work_and_no_matchups(tmp_path: Path) -> None:
    study = pooled_study(tmp_path / "s", SAME_BOT, bots=4, dialogues=200)
    plan = make_plan(request_from_study(study))
    assert plan.sets == 6
    assert plan.work.judgments == 7 * plan.judgments
    assert plan.work.per_annotator == 7
    capped = make_plan(request_from_study(edit(study, *cap(14))))
    assert (capped.request.per_annotator, capped.work.per_annotator) == (12, 14)
    shared = make_plan(
        request_from_study(edit(study, "same_bot = [", "same_bot_share = 0.25\nleave_out = ["))
    )
    assert shared.request.elsewhere == pytest.approx(1 / 3)


def test_other_bots_than_the_studys_share_alpha_with_its_questions_too(tmp_path: Path) -> None:
    study = pooled_study(tmp_path / "s", QUESTIONS, dialogues=3)
    for flags in ({"bots": 4}, {"matchups": 6}):
        plan = make_plan(request_from_flags(flags, study=study.folder))
        assert isinstance(plan.design, PooledChoice)
        assert (plan.design.bots, plan.design.alpha, plan.design.sections) == (4, 0.025, 2)
    alone = make_plan(request_from_flags({"bots": 4}, study=edit(study, *PRIMARY).folder))
    assert (alone.design.alpha, alone.request.tests) == (0.05, 6)


def collected(plan: Plan, sections: int = 1) -> list[dict[str, object]]:
    """What a study of the plan collects: its matchups, judgments and annotators."""
    rng, rows = np.random.default_rng(5), list[dict[str, object]]()
    bots = plan.request.bots or 0
    for section in range(sections):
        pairs = rng.permutation(
            np.repeat(np.array(list(itertools.combinations(range(bots), 2))), plan.judgments, axis=0)
        )
        each = plan.work.per_annotator
        for number, (one, other) in enumerate(pairs.tolist()):
            first_won = rng.random() < 1 / (1 + np.exp(0.3 * (one - other)))
            rows.append(
                {
                    "winner": f"bot{one if first_won else other}",
                    "loser": f"bot{other if first_won else one}",
                    "winner_side": 1 + int(rng.integers(2)),
                    "annotator": f"p{number // each}",
                    "arm": f"q{section}",
                }
            )
    return rows


@pytest.mark.parametrize(
    ("bots", "each", "sections"),
    [(3, 3, 1), (3, 60, 1), (3, 30, 2), (5, 10, 1), (4, 6, 3), (4, 200, 1), (8, 28, 1)],
)
def test_analysis_decides_by_the_verdicts_and_at_the_alpha_of_the_plan(
    bots: int, each: int, sections: int
) -> None:
    pairs = bots * (bots - 1) // 2
    plan = make_plan(
        PlanRequest(
            bots=bots,
            per_annotator=each,
            tests=pairs * sections,
            gap=0.3,
            options=AcutePlanOptions(verdicts="pooled"),
        )
    )
    is_direct = any(DIRECT_DECIDE in note for note in plan.notes)
    found = analyse_votes(votes_from_rows(collected(plan, sections)), verdicts="pooled")
    decided_by = {one.decided_by for own in found.sections for one in own.matchups}
    assert (decided_by == {"pooled"}) == (not is_direct)
    assert is_direct == (each in {60, 200, 30})
    if not is_direct:
        (level,) = {
            one.interval.level for own in found.sections for one in own.matchups if one.interval is not None
        }
        assert level == pytest.approx(1 - plan.design.alpha)


def test_whether_annotators_are_enough_goes_by_their_number_and_not_by_what_they_are_worth() -> None:
    design = PooledChoice(bots=3, per_annotator=60)
    assert [bool(design.can_decide(people)) for people in (19, 20)] == [False, True]
    many = PooledChoice(bots=30, per_annotator=60)
    assert [bool(many.can_decide(people)) for people in (30, 31)] == [False, True]
    clustered = ClusteredDesign(design=design, effect=DesignEffect(icc=0.1, cluster_size=30))
    below, above = clustered.power([380, 400], 0.4).tolist()  # 19 and 20 annotators, worth 97 and 102
    assert below == pytest.approx(float(design.direct.power([97], 0.4)[0]))
    alone = design.power_of([102], 0.4, judgments=[400])
    assert above == pytest.approx(float(alone[0]))


def test_sections_that_share_alpha_are_decided_by_pooled_verdicts_together() -> None:
    one, four = (PooledChoice(bots=5, per_annotator=10, sections=count) for count in (1, 4))
    (pooled,), (direct,) = one.power([150], 0.2).tolist(), one.direct.power([150], 0.2).tolist()
    share = (pooled - 0.01 * direct) / 0.99  # of studies that all fit
    assert four.power([150], 0.2).tolist() == pytest.approx([0.99**4 * share + (1 - 0.99**4) * direct])


@pytest.mark.slow
def test_the_planned_number_has_its_power_where_one_annotator_gives_many_judgments() -> None:
    asked = PlanRequest(
        bots=3, gap=0.2, icc=0.1, per_annotator=60, options=AcutePlanOptions(verdicts="pooled")
    )
    plan = make_plan(asked)
    assert (plan.judgments, plan.work.annotators) == (722, 37)
    found = simulate_plan(plan, studies=600, seed=1).simulated
    assert found is not None
    assert 0.8 in found.found_interval
    assert 0.05 in found.false_alarms_interval or found.false_alarms < 0.05
