"""Simulated annotators of phrasings: how clear each is, and whether the clearest was found."""

from __future__ import annotations

import numpy as np
import pytest

from duologue.acute import AcuteSettings
from duologue.acute.phrasings.analysis import analyse_phrasings
from duologue.acute.phrasings.rehearsal import draw_clarity, parse_clarity, phrasing_recoveries
from duologue.acute.rehearsal import AcuteRehearsal
from duologue.acute.rehearsal.answering import wanted_answer
from duologue.acute.rehearsal.preferences import Preferences
from duologue.errors import DesignError
from duologue.judgments import Row, votes_from_rows
from duologue.protocols import Item, protocol_named
from duologue.rehearsal import Recovery, SimulatedAnnotator
from tests.acute.phrased import ENGAGING, asked, judged_all

ARMS = [{"name": arm, "question": arm} for arm in ENGAGING]
SETTINGS = AcuteSettings.model_validate(
    {"compare": "phrasings", "questions": ARMS, "pairings": {"per_matchup": 1}}
)
CLARITY = {"long-conversation": 0.95, "engaging-to-talk-to": 0.6, "captivating": 0.6}


@pytest.mark.parametrize("text", ["captivating", "captivating=much", "captivating=0.4", "captivating=1.1"])
def test_clarity_is_a_share_from_one_half_up(text: str) -> None:
    with pytest.raises(DesignError, match="--clarity captivating"):
        parse_clarity([text])


def test_clarity_is_stated_once_of_phrasings_that_there_are() -> None:
    with pytest.raises(DesignError, match="stated twice"):
        parse_clarity(["captivating=0.7", "captivating=0.8"])
    with pytest.raises(DesignError, match="names 'charm'; the phrasings are engaging-to-talk-to"):
        draw_clarity(SETTINGS, {"charm": 0.9}, rng=np.random.default_rng(1))


def test_what_is_not_stated_is_drawn_evenly_spaced() -> None:
    rng = np.random.default_rng(1)
    assert sorted(draw_clarity(SETTINGS, {}, rng=rng).values()) == [0.65, 0.8, 0.95]
    drawn = draw_clarity(SETTINGS, {"captivating": 0.7}, rng=rng)
    assert drawn["captivating"] == 0.7
    assert sorted(drawn.values()) == [0.65, 0.7, 0.95]


def test_annotators_choose_the_better_bot_as_often_as_the_phrasing_is_clear() -> None:
    preferences = Preferences({"a": 0.0, "b": 1.0}, clarity={"clear": 0.9})
    annotator = SimulatedAnnotator(0, "careful", has_script=True, seed=7)
    items = [Item(f"i{n}", "a__vs__b", ("a", "b"), ("d", "e"), ("s", "s")) for n in range(400)]
    wanted = [wanted_answer(annotator, item, preferences, arm="clear") for item in items]
    assert np.mean([one is not None and one.slot == 1 for one in wanted]) == pytest.approx(0.9, abs=0.045)


def test_the_truth_of_a_study_has_its_phrasings() -> None:
    part, rng = AcuteRehearsal(), np.random.default_rng(1)
    protocol = protocol_named("acute")(SETTINGS)
    items = [Item("i", "a__vs__b", ("a", "b"), ("d", "e"), ("s", "s"))]
    truth = part.truth_of(protocol, items, {"clarity": ["captivating=0.7"]}, rng=rng)
    assert truth.clarity["captivating"] == 0.7
    bots = protocol_named("acute")(AcuteSettings())
    assert not part.truth_of(bots, items, {}, rng=rng).clarity
    with pytest.raises(DesignError, match="compares bots, not phrasings"):
        part.truth_of(bots, items, {"clarity": ["captivating=0.7"]}, rng=rng)


def recovered(rows: list[Row], clarity: dict[str, float]) -> Recovery:
    (one,) = phrasing_recoveries(analyse_phrasings(votes_from_rows(rows), asked(*ENGAGING)), clarity)
    return one


TOLD = judged_all({"engaging-to-talk-to": (12, 8), "long-conversation": (20, 0), "captivating": (11, 9)})
ALIKE = judged_all(dict.fromkeys(ENGAGING, (16, 4)))


def test_the_clearest_phrasing_is_recovered() -> None:
    found = recovered(TOLD, CLARITY)
    assert found.finding == "recovered"
    assert found.said.startswith("engagingness: long-conversation true 95 %, estimated 100 %, ")
    assert found.said.endswith("ranked first: long-conversation")
    assert found.record["clearest"] == ["long-conversation"]


def test_the_wrong_phrasing_told_apart_is_wrong() -> None:
    assert recovered(TOLD, CLARITY | {"captivating": 0.97}).finding == "wrong"
    assert recovered(TOLD, dict.fromkeys(ENGAGING, 0.8)).finding == "wrong"


def test_what_is_not_told_apart_is_undecided_or_right_where_two_are_the_clearest() -> None:
    assert recovered(ALIKE, CLARITY).finding == "undecided"
    assert recovered(ALIKE, dict.fromkeys(ENGAGING, 0.8)).finding == "recovered"


def test_nobody_judged() -> None:
    found = recovered([], CLARITY)
    assert found.finding == "undecided"
    assert found.said.endswith("; nobody judged")
