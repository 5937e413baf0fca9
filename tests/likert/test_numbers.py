"""`study check` warns of a number of ratings that is too small."""

from __future__ import annotations

from pathlib import Path

from duologue.protocols import ChatSettings
from duologue.studies import check_study, make_plan, new_study, request_from_study
from tests.studies.conftest import edit


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
