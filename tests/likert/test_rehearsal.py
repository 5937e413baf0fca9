from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from duologue.likert.rehearsal import LikertRehearsal
from duologue.likert.rehearsal.means import Means
from duologue.likert.rehearsal.rating import DETECTION_RATE, leniency
from duologue.protocols import AskedItem, FormValues, Item, read_items
from duologue.rehearsal import Kind, SimulatedAnnotator
from duologue.rehearsal.answers import PASTED, PASTED_OF_ONE, Knowledge, fill_form
from duologue.rehearsal.pages import Form
from duologue.screening import count_words
from duologue.store import Assignment
from duologue.studies import Study, draw_items, load_study, new_study

FIELD = "rating_enjoyment"
POINTS = ("1", "2", "3", "4")
FORM = Form("/a/x/submit", {"assignment": "k", "seconds": ""}, {FIELD: POINTS}, ("reason",))
MEANS = Means({"parrot": 0.0, "small-talk": 0.5, "companion": 1.0}, {"small-talk": 2.4})
PERSONAS = '{"persona": "i like tea.", "partner_persona": "i have a dog."}\n{"persona": "i climb."}\n'


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return new_study(tmp_path / "study", protocol="likert", seed=1)


def items_of(study: Study, bot: str) -> list[Item]:
    draw_items(study)
    return [item for item in read_items(study.items_path) if item.bots == (bot,)]


def assignment(item: Item, **draft: str) -> Assignment:
    return Assignment("k", item, (), (0,), "main", 1, 3, "2026-01-01T00:00:00+00:00", draft=FormValues(draft))


def ratings(kind: Kind, study: Study, bot: str, *, number: int = 0) -> list[int]:
    """What one annotator of a kind gives a bot in a hundred chats."""
    annotator = SimulatedAnnotator(number, kind, has_script=True, seed=7)
    knowledge = Knowledge(study, LikertRehearsal(), MEANS)
    return [
        int(fill_form(annotator, FORM, assignment(item), knowledge)[FIELD]) for item in items_of(study, bot)
    ]


def test_a_careful_annotator_rates_around_the_true_mean_and_their_leniency(study: Study) -> None:
    for number in range(5):
        expected = 2.4 + leniency(SimulatedAnnotator(number, "careful", has_script=True, seed=7))
        given = ratings("careful", study, "small-talk", number=number)
        assert fmean(given) == pytest.approx(expected, abs=0.3)
        assert len(set(given)) > 1


def test_ratings_stay_on_the_scale(study: Study) -> None:
    given = {point for bot in ("parrot", "companion") for point in ratings("careful", study, bot)}
    assert given == {1, 2, 3, 4}


def test_those_who_always_give_the_highest_do_whatever_the_bot(study: Study) -> None:
    for kind in ("always-highest", "spammer"):
        assert set(ratings(kind, study, "parrot")) == {4}


def test_where_dialogues_are_read_nobody_sends_messages_or_compares(study: Study) -> None:
    (chat, *_), part = items_of(study, "parrot"), LikertRehearsal()
    finished = replace(chat, dialogues=("d",), judged=("parrot",), extras={})
    assert part.summaries_of([chat]) == part.summaries
    assert "message" not in " ".join(part.summaries_of([finished]).values())
    assert part.summaries_of([finished]).keys() == part.summaries.keys()
    spammer = SimulatedAnnotator(0, "spammer", has_script=True, seed=7)
    reason = fill_form(
        spammer, replace(FORM, texts=("reason",)), assignment(chat), Knowledge(study, part, MEANS)
    )["reason"]
    assert reason == PASTED_OF_ONE
    assert "other" not in reason
    assert count_words(PASTED_OF_ONE) == count_words(PASTED)


def test_a_careless_annotator_gives_every_rating(study: Study) -> None:
    assert min(Counter(ratings("careless", study, "parrot")).values()) > 10


def test_a_careful_annotator_rates_a_check_as_it_should_be_rated(study: Study) -> None:
    annotator = SimulatedAnnotator(0, "careful", has_script=True, seed=7)
    knowledge = Knowledge(study, LikertRehearsal(), MEANS)
    gold = {"enjoyment": "2 to 3"}
    given = {
        fill_form(annotator, FORM, assignment(replace(item, role="attention", gold=gold)), knowledge)[FIELD]
        for item in items_of(study, "companion")
    }
    assert given == {"2", "3"}


def test_leniency_is_an_annotators_own() -> None:
    found = {leniency(SimulatedAnnotator(number, "careful", True, 7)) for number in range(10)}
    assert len(found) == 10


def detections(study: Study) -> Iterator[tuple[Item, str]]:
    annotator = SimulatedAnnotator(0, "careful", has_script=True, seed=7)
    form = replace(FORM, choices={"persona": ("1", "2")})
    for item in items_of(study, "parrot"):
        handed = assignment(item, **{FIELD: "3"})
        yield item, fill_form(annotator, form, handed, Knowledge(study, LikertRehearsal(), MEANS))["persona"]


def test_a_careful_annotator_tells_the_partners_persona_most_of_the_time(study: Study) -> None:
    (study.folder / "personas.jsonl").write_text(PERSONAS, encoding="utf-8")
    text = study.text.replace('# personas = "', 'personas = "').replace(
        "persona_detection = false", "persona_detection = true"
    )
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    study = load_study(study.folder)
    right = [
        study.protocol.read(AskedItem("main", item), FormValues({FIELD: "3", "persona": value}))
        for item, value in detections(study)
    ]
    share = fmean(getattr(answer, "values", {}).get("persona") == "true" for answer in right)
    assert share == pytest.approx(DETECTION_RATE, abs=0.12)
    assert len({value for _, value in detections(study)}) == 2
