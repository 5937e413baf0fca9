"""A/A tests: a study of its own, a share of a normal one, a warning when sides are uneven, no verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from duologue.acute import analyse_votes, change_pairing, make_pairings
from duologue.acute.analysis.results import Section
from duologue.errors import ImpossiblePairing
from duologue.judgments import Row, votes_from_rows
from duologue.reports import report_page
from duologue.studies import Study, check_study, load_study, new_study
from tests.acute.test_pairing import heads, made


def judged(winner: str, loser: str, times: int, **columns: object) -> list[Row]:
    return [{"winner": winner, "loser": loser, **columns}] * times


def section_of(rows: Sequence[Row], **options: Any) -> Section:
    (section,) = analyse_votes(votes_from_rows(rows), **options).sections
    return section


def test_a_share_of_all_pairings_is_a_bot_against_itself() -> None:
    counts = Counter(item.group for item in made(heads(a=60, b=60, c=60), per_matchup=30, same_bot_share=0.1))
    assert counts == {
        **dict.fromkeys(("a__vs__b", "a__vs__c", "b__vs__c"), 30),
        **dict.fromkeys(("a__vs__a", "b__vs__b", "c__vs__c"), 3),
    }


def test_the_share_may_be_of_some_bots_and_leaves_the_others_as_they_are() -> None:
    plain = made(heads(a=60, b=60), per_matchup=30)
    checked = made(heads(a=60, b=60), per_matchup=30, same_bot_share=0.25, same_bot=["b"])
    assert [item for item in checked if item.group == "a__vs__b"] == plain
    assert Counter(item.group for item in checked)["b__vs__b"] == 10


def test_a_share_leaves_dialogues_enough_where_each_is_shown_once() -> None:
    items = made(heads(a=14, b=14), per_matchup=10, same_bot_share=0.25, dialogue_once="study")
    assert max(Counter(name for item in items for name in item.dialogues).values()) == 1
    with pytest.raises(ImpossiblePairing, match="at most 9"):
        made(heads(a=13, b=14), per_matchup=10, same_bot_share=0.25, dialogue_once="study")


def test_a_study_of_a_bot_against_itself_is_made_by_name(tmp_path: Path) -> None:
    study = new_study(tmp_path / "aa", seed=1, collect="same-bot")
    settings = study.settings.model_dump()["pairings"]
    assert (settings["matchups"], settings["same_bot"]) == ((), ("bot-a",))


def test_check_says_how_many_judgments_leave_nobody_with_two_of_a_matchup(study: Study) -> None:
    text = study.text.replace("[acute.pairings]", "[acute.pairings]\nsame_bot_share = 0.2")
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    shared = load_study(study.folder)
    make_pairings(shared, settings=change_pairing(shared, {"per_matchup": 2}))
    warned = [one for one in check_study(shared.folder).warnings if "same_bot_share" in one]
    assert len(warned) == 1
    assert "Set max_judgments in [annotators]" in warned[0]


UNEVEN = judged("A", "A", 40, winner_side=1) + judged("A", "A", 10, winner_side=2)


def test_an_uneven_bot_against_itself_is_a_warning_and_never_a_verdict() -> None:
    section = section_of(UNEVEN + judged("A", "B", 5, winner_side=1))
    (same,) = section.same_bot
    assert not same.is_even
    assert same.sentence.endswith("there should be no difference.")
    assert [one for one in section.warnings if one.startswith("The A/A check failed: A compared with itself")]
    (matchup,) = section.matchups
    assert (matchup.first, matchup.second, matchup.n, matchup.family) == ("A", "B", 5, 1)


def test_an_even_one_warns_of_nothing() -> None:
    section = section_of(judged("A", "A", 26, winner_side=1) + judged("A", "A", 24, winner_side=2))
    assert section.same_bot[0].is_even
    assert not [one for one in section.warnings if "A/A" in one]


def test_the_checks_of_several_bots_share_their_error() -> None:
    """15 of 20 has p = .041: too much for one bot, and chance among three."""
    rows = judged("A", "A", 15, winner_side=1) + judged("A", "A", 5, winner_side=2)
    assert not section_of(rows).same_bot[0].is_even
    others = [row for bot in "BC" for side in (1, 2) for row in judged(bot, bot, 10, winner_side=side)]
    assert section_of(rows + others).same_bot[0].is_even


def test_annotators_who_choose_by_side_are_one_each_and_not_many() -> None:
    rows = [{**row, "annotator": f"p{number // 10}"} for number, row in enumerate(UNEVEN)]
    (same,) = section_of(rows).same_bot
    assert same.p_value is not None
    assert same.p_value > 0.05
    assert same.is_even


def test_a_study_of_nothing_else_has_its_report() -> None:
    results = analyse_votes(votes_from_rows(UNEVEN))
    page = report_page(results)
    assert "side 1 won 40 of 50" in page
    assert "The A/A check failed" in page
