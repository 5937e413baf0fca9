"""`study check` warns of a number of ratings that is too small."""

from __future__ import annotations

import math
from pathlib import Path

from duologue.protocols import ChatSettings
from duologue.studies import check_study, make_plan, new_study, request_from_study
from tests.studies.conftest import edit, write_dialogues


def test_one_rating_of_a_bot_is_said_in_the_singular(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s", protocol="likert", seed=1)
    (said,) = check_study(edit(study, "chats_per_bot = 235", "chats_per_bot = 1").folder).warnings
    assert said.startswith("1 rating of a bot finds a difference of 0.3 points")


def test_the_default_study_of_ratings_has_the_power_it_states_and_is_not_warned_of(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s", protocol="likert", seed=1)
    assert study.file.chat.chats_per_bot == ChatSettings().chats_per_bot
    assert check_study(study.folder).warnings == ()
    weaker = edit(study, "chats_per_bot = 235", "chats_per_bot = 100")
    (said,) = check_study(weaker.folder).warnings
    assert said.startswith("100 ratings of a bot find a difference of 0.3 points with a power of 0.42")
    assert "correlate by 0.1 where they are by one annotator, who gives 3. 213 would have it" in said
    plan = make_plan(request_from_study(weaker))
    assert (plan.judgments, plan.request.bots, plan.request.per_annotator) == (213, 3, 3)
    assert plan.affordable is not None
    assert plan.affordable.judgments == 100
    strict = edit(weaker, "chats_per_bot = 100", "chats_per_bot = 213")
    assert check_study(strict.folder).warnings == ()
    (said,) = check_study(edit(strict, "[stopping]", "[stopping]\nicc = 0.0").folder).warnings
    assert "236 would have it" in said


def test_few_ratings_show_no_gap_that_the_scale_has(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s", protocol="likert", seed=1)
    few = edit(study, "chats_per_bot = 235", "chats_per_bot = 3")
    plan = make_plan(request_from_study(few))
    assert plan.affordable is None
    (said,) = [note for note in plan.notes if "no gap of this scale" in note]
    assert said.startswith("3 ratings per bot show no gap of this scale with power 0.8: it would have to be ")
    assert said.endswith("and no two means are more than 3 apart.")


def test_a_dialogue_that_is_rated_twice_is_needed_once(tmp_path: Path) -> None:
    study = new_study(tmp_path / "d", protocol="likert", seed=3)
    for bot in ("kaspar", "lena"):
        write_dialogues(study.folder, bot, 10)
    study = edit(study, 'source = "live"', 'source = "dialogues"\nannotations_per_dialogue = 2')
    plan = make_plan(request_from_study(study))
    assert plan.work.dialogues == 2 * math.ceil(plan.judgments / 2)
    assert plan.work.dialogues_are == "each rated 2 times"
    for limit, where in (("", "the dialogues of each bot"), ("per_bot = 4\n", "per_bot in [likert]")):
        limited = edit(study, 'source = "dialogues"\n', f'source = "dialogues"\n{limit}')
        assert any(f"raise {where}, or state" in one for one in check_study(limited.folder).warnings)
