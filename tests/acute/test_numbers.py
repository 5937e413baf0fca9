"""The planner chooses the default number, and `study check` warns of a number that is too small."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute import analyse_votes, change_pairing, make_pairings
from duologue.acute.design.numbers import MatchupMaterial, _enough, weak_matchups
from duologue.protocols import read_items
from duologue.stats import ForcedChoice, sample_size
from duologue.studies import Study, check_study, make_plan, new_study, request_from_study
from tests.acute.test_calibration import votes_of
from tests.strategies import thorough
from tests.studies.conftest import edit, write_dialogues

POWER = "less power than stated"


def with_bots(folder: Path, bots: int, dialogues: int) -> Study:
    study = new_study(folder, seed=1)
    for number in range(bots):
        write_dialogues(study.folder, f"bot{number}", dialogues, text=f"from {number}")
    return study


def warned(study: Study) -> list[str]:
    return [said for said in check_study(study.folder).warnings if POWER in said]


@pytest.mark.parametrize(
    ("bots", "dialogues", "n"),
    [(2, 250, 210), (3, 300, 273), (2, 100, 292), (3, 120, 408)],
)
def test_the_default_study_has_the_planners_number_and_is_not_warned_of(
    bots: int, dialogues: int, n: int, tmp_path: Path
) -> None:
    study = with_bots(tmp_path / "s", bots, dialogues)
    make_pairings(study)
    groups = Counter(item.group for item in read_items(study.items_path))
    assert set(groups.values()) == {n}
    assert warned(study) == []
    if dialogues >= 250:
        assert n == make_plan(request_from_study(study)).judgments


def test_without_pairings_there_is_no_power_to_warn_of(tmp_path: Path) -> None:
    assert list(weak_matchups(with_bots(tmp_path / "s", 2, 3), {}, {}, bots=0)) == []


def test_a_number_that_is_too_small_is_warned_of_with_its_power(tmp_path: Path) -> None:
    study = with_bots(tmp_path / "s", 2, 120)
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 100}))
    (said,) = warned(study)
    assert said.startswith(
        "1 of 1 matchups have less power than stated: 100 judgments of bot0 against bot1 find a gap of 0.2 "
        "with a power of 0.46, and [stopping] states 0.8. 210 independent judgments would have it"
    )
    assert warned(edit(study, "gap = 0.2 ", "gap = 0.4 ")) == []


def test_dialogues_that_come_again_and_annotators_who_judge_again_weaken_the_plan(tmp_path: Path) -> None:
    study = with_bots(tmp_path / "s", 2, 20)
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 220}))
    (said,) = warned(study)
    assert "220 judgments of bot0 against bot1, worth 73 independent ones at an ICC of 0.1," in said
    many = with_bots(tmp_path / "t", 2, 230)
    make_pairings(many, settings=change_pairing(many, {"per_matchup": 220}))
    assert warned(many) == []
    (said,) = warned(edit(many, "# max_judgments = 3 ", "max_judgments = 5 "))
    assert "worth 157 independent ones" in said


def test_arms_share_alpha_unless_one_is_primary(tmp_path: Path) -> None:
    study = with_bots(tmp_path / "s", 2, 230)
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 215}))
    arms = (
        '[[acute.questions]]\nname = "a"\nquestion = "engagingness"\n'
        '[[acute.questions]]\nname = "b"\nquestion = "humanness"\n[acute.pairings]'
    )
    both = edit(study, "[acute.pairings]", arms)
    (said,) = warned(both)
    assert "(alpha shared by 2 tests, Holm's strictest step)" in said
    assert make_plan(request_from_study(both)).judgments > 215
    assert warned(edit(both, "ties = false", 'ties = false\nprimary = "a"\n#')) == []


def test_a_study_that_may_stop_early_gets_room(tmp_path: Path) -> None:
    study = edit(with_bots(tmp_path / "s", 2, 700), 'rule = "fixed"', 'rule = "sequential"')
    make_pairings(study)
    assert sum(1 for _ in read_items(study.items_path)) == 3 * 210
    assert warned(study) == []


def test_a_study_that_may_stop_early_is_held_to_the_power_of_its_own_test(tmp_path: Path) -> None:
    study = edit(with_bots(tmp_path / "s", 2, 700), 'rule = "fixed"', 'rule = "sequential"')
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 215}))
    (said,) = warned(study)  # enough for a fixed number
    assert "with a power of 0.67 by the sequential test, and [stopping] states 0.8. 630 independent" in said
    (said,) = warned(edit(study, "power = 0.8", "power = 0.95"))
    assert "as studies also stop for futility: state a power of 0.8" in said
    fine = edit(edit(study, "power = 0.95", "power = 0.8"), "gap = 0.2 ", "gap = 0.04 ")
    (said,) = warned(fine)
    assert "find a gap of 0.04 with a power of under 0.01" in said


def enough(material: MatchupMaterial, icc: float = 0.1) -> int:
    return _enough(ForcedChoice(), material, independent=210, gap=0.2, power=0.8, icc=icc)


@thorough(10)
@given(first=st.integers(1, 90), second=st.integers(1, 90), icc=st.sampled_from([0.0, 0.02, 0.1, 0.2]))
def test_the_planned_number_is_the_smallest_with_the_power_or_none_has_it(
    first: int, second: int, icc: float
) -> None:
    """Against a search through every number, one after the other."""
    design, material = ForcedChoice(), MatchupMaterial(first, second)
    found = enough(material, icc)
    every = (
        n
        for n in range(210, min(first * second, 3000) + 1)
        if n / material.design_effect(n, icc) >= 210 - 1e-9 and material.power(design, n, 0.2, icc) >= 0.8
    )
    smallest = next(every, None)
    if smallest is None:
        assert found == 210 or found > 3000
    else:
        assert found == smallest


def test_few_dialogues_lose_degrees_of_freedom_too() -> None:
    few = MatchupMaterial(18, 18)
    n = enough(few, 0.01)
    assert n == 274
    assert few.clusters(n) == pytest.approx(18, rel=0.01)
    assert 269 / few.design_effect(269, 0.01) > 210  # worth enough, if it were for the worth alone
    assert few.power(ForcedChoice(), 269, 0.2, 0.01) < 0.8 <= few.power(ForcedChoice(), 274, 0.2, 0.01)
    assert enough(MatchupMaterial(45, 45)) == 210  # no number has the power
    assert enough(MatchupMaterial(46, 46)) == 1932


@pytest.mark.slow
@pytest.mark.parametrize(("dialogues", "icc"), [(18, 0.01), (60, 0.1), (100, 0.1)])
def test_the_planned_number_finds_the_gap_in_simulated_studies(dialogues: int, icc: float) -> None:
    """Dialogues of either bot differ, so that judgments of one correlate; annotators judge once."""
    n = enough(MatchupMaterial(dialogues, dialogues), icc)
    studies, found = 400, 0
    spread = (icc * 0.24) ** 0.5
    for seed in range(studies):
        rng = np.random.default_rng([dialogues, seed])
        of = [rng.permutation(np.arange(n) % dialogues) for _ in range(2)]
        good = [rng.choice([-spread, spread], dialogues) for _ in range(2)]
        won = rng.random(n) < 0.6 + good[0][of[0]] - good[1][of[1]]
        two = of[0], of[1] + dialogues
        zero = np.zeros(n, dtype=np.int64)
        votes = votes_of(zero, zero + 1, won, rng.random(n) < 0.5, np.arange(n), two)
        found += any(one.verdict.better == "A" for one in analyse_votes(votes).sections[0].matchups)
    assert found / studies >= 0.8 - 2.6 * (0.16 / studies) ** 0.5


def test_the_power_in_the_warning_is_that_of_the_exact_test() -> None:
    design = ForcedChoice(alpha=0.05)
    assert sample_size(design, 0.2, power=0.8).judgments == 210
    assert float(design.power([100], 0.2)[0]) == pytest.approx(0.4621, abs=1e-4)


def test_judgments_worth_less_than_one_have_no_power(tmp_path: Path) -> None:
    study = edit(with_bots(tmp_path / "s", 2, 20), "# max_judgments = 3 ", "max_judgments = 30 ")
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 1}))
    (said,) = warned(study)
    assert "worth less than one at an ICC of 0.1, find a gap of 0.2 with a power of under 0.01" in said
    assert MatchupMaterial(3, 3).design_effect(0, 0.1) == 1
    (said,) = warned(edit(study, 'rule = "fixed"', 'rule = "sequential"'))
    assert "with a power of under 0.01 by the sequential test" in said


def test_dialogues_of_another_kind_are_not_counted(tmp_path: Path) -> None:
    study = with_bots(tmp_path / "s", 2, 250)
    write_dialogues(study.folder, "live", 250, kind="live-chat", text="from live")
    make_pairings(study, settings=change_pairing(study, {"kind": "self-chat"}))
    assert sum(1 for _ in read_items(study.items_path)) == 210


def test_dialogues_that_never_yield_enough_leave_the_independent_number(tmp_path: Path) -> None:
    """Every further judgment here adds nearly as much correlation as information."""
    study = edit(with_bots(tmp_path / "s", 2, 168), "alpha = 0.05", "alpha = 0.05\nicc = 0.4")
    assert set(make_pairings(study).matchups.values()) == {210}
