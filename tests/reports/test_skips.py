"""What annotators skipped, in results and in the report: by bot and by item."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from duologue.protocols import Answer, SkippedBot, SkippedItem, Skips
from duologue.reports import analyse_study, report_page, write_report
from duologue.store import (
    Flag,
    ItemStation,
    give_consent,
    invite_annotators,
    open_store,
    record_answer,
    skip_item,
)
from tests.reports.judged_study import compared, load, make_study, prefers_earlier, sit

SKIPS = "[onboarding]\nenabled = false\n[annotators]\nskips = 1\n"


def test_a_report_says_what_was_skipped_by_bot_and_by_item(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", more=SKIPS)
    with open_store(study.database) as store:
        load(study, store)
        (invited,) = store.run(invite_annotators())
        station = store.run(give_consent(invited.token, study.caps))
        assert isinstance(station, ItemStation)
        skipped = station.assignment.item
        store.run(skip_item(invited.token, study.caps, assignment=station.assignment.key))
        sit(study, store, prefers_earlier())
        results = compared(analyse_study(study, store))
    assert results.conduct is not None
    found = results.conduct.skips
    assert found is not None
    assert [(one.item, one.skipped) for one in found.items] == [(skipped.id, 1)]
    assert {one.bot: (one.skipped, one.of) for one in found.bots} == {
        bot: (int(bot in skipped.bots), 2 + (bot in skipped.bots)) for bot in ("ann", "bob <b>&amp;", "cy")
    }
    write_report(results, tmp_path / "report", study=study)
    html = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "1 item was skipped, by 1 annotator" in html
    assert "Skipped items, by bot and by item" in html
    assert "Judgments of 20" in html, "all of one day"
    without = replace(results, conduct=replace(results.conduct, skips=replace(found, bots=())))
    page = report_page(without, study=study)
    assert "Skipped items, by item" in page
    assert "Skipped, by bot" not in page
    assert "Nothing was judged in it." in page
    record = json.loads((tmp_path / "report" / "results.json").read_text(encoding="utf-8"))
    assert record["conduct"]["skips"]["items"][0]["item"] == skipped.id


@pytest.mark.parametrize(
    ("checks", "others", "said"),
    [
        (1, 0, " It was an onboarding item or attention check, and counts as not right."),
        (1, 2, " 1 of them was an onboarding item or attention check, and counts as not right."),
        (2, 1, " 2 of them were onboarding items or attention checks, and count as not right."),
    ],
)
def test_skipped_checks_are_counted_in_words(checks: int, others: int, said: str) -> None:
    items = [SkippedItem("c", "main", ("ann",), "attention", checks)]
    items += [SkippedItem("j", "main", ("ann",), "judged", others)] if others else []
    assert said in Skips(1, 9.0, (SkippedBot("ann", 1, 9),), tuple(items)).sentence


def test_where_nothing_was_skipped_nothing_is_said(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", more=SKIPS)
    with open_store(study.database) as store:
        load(study, store)
        sit(study, store, prefers_earlier())
        results = compared(analyse_study(study, store))
    assert results.conduct is not None
    assert results.conduct.skips is None
    write_report(results, tmp_path / "report", study=study)
    assert "skipped" not in (tmp_path / "report" / "report.html").read_text(encoding="utf-8").lower()


def test_what_pages_saw_is_said_with_how_many_judgments(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", more=SKIPS)
    with open_store(study.database) as store:
        load(study, store)
        (invited,) = store.run(invite_annotators())
        station = store.run(give_consent(invited.token, study.caps))
        while isinstance(station, ItemStation):
            work = station.assignment
            station = store.run(
                record_answer(
                    invited.token,
                    study.caps,
                    assignment=work.key,
                    answer=Answer({"side": 1}, f"reason {work.number}"),
                    seconds=30.0,
                    is_correct=None,
                    key=work.key,
                    flags=[Flag("pasted", ""), Flag("unscrolled", "")],
                )
            )
        results = compared(analyse_study(study, store))
    assert results.conduct is not None
    pasted, unscrolled = results.conduct.flag_sentences
    assert pasted.startswith("3 of 3 judgments (100.0 %) by 1 annotator were given with text that was pasted")
    assert "(flag unscrolled)" in unscrolled
