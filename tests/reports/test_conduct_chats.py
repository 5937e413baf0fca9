"""Live chats: what screening flagged and counted is shown with and without, and the methods tell of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.likert import LikertResults
from duologue.protocols import Answer
from duologue.reports import analyse_study, write_report
from duologue.server import prepare_study
from duologue.store import (
    Flag,
    GivenReply,
    ItemStation,
    Store,
    give_consent,
    invite_annotators,
    open_store,
    record_answer,
    store_reply,
    take_replies,
    take_turn,
)
from duologue.studies import Study
from tests.server.chat_studies import make_chat_study

CHAT = "min_exchanges = 1\nmax_exchanges = 1\nchats_per_bot = 12\n"
ASKED = {"ann": 4, "bob": 1}


def chat_and_rate(study: Study, store: Store, number: int, *, is_flagged: bool) -> None:
    """One annotator chats with every bot once: who is flagged rates ann high and bob low, others disagree."""
    (invited,) = store.run(invite_annotators())
    station = store.run(give_consent(invited.token, study.caps))
    while isinstance(station, ItemStation):
        held = station.assignment
        store.run(
            take_turn(invited.token, study.caps, assignment=held.key, text="Hello!", key=f"say {held.key}")
        )
        for wanted in store.run(take_replies(bots=list(ASKED), lease_seconds=60)):
            store.run(store_reply(wanted.id, GivenReply("Hello.", 0.1)))
        bot = held.item.bots[0]
        point = ASKED[bot] if is_flagged else 2 + (number + (bot == "ann")) % 2
        station = store.run(
            record_answer(
                invited.token,
                study.caps,
                assignment=held.key,
                answer=Answer({"ratings": {"enjoyment": point}, "persona": None}, ""),
                seconds=9.0,
                is_correct=None,
                key=held.key,
                flags=[Flag("few-words", "1 word")] if is_flagged else [],
            )
        )


@pytest.mark.usefixtures("undrawn")
def test_flagged_chats_count_and_the_verdict_without_them_stands_beside(tmp_path: Path) -> None:
    study = make_chat_study(tmp_path / "study", bots=(("ann", "echo"), ("bob", "echo")), chat=CHAT)
    with open_store(study.database) as store:
        prepare_study(study, store)
        for number in range(12):
            chat_and_rate(study, store, number, is_flagged=number < 8)
        results = analyse_study(study, store).results
    assert isinstance(results, LikertResults)
    assert results.conduct is not None
    (found,) = results.conduct.sensitivities
    assert (found.name, found.judgments) == ("flagged: few-words", 16)
    (verdict,) = found.verdicts
    assert (verdict.n, verdict.other_n) == (24, 8)
    assert verdict.better == "ann"
    assert verdict.other is None
    assert found.sentence.startswith(
        "Without 16 judgments that screening flagged as few-words, 1 of 1 verdict would change: "
        "ann and bob: ann better with them, no difference detected without."
    )
    assert results.conduct.plan is not None
    assert results.conduct.plan.test.startswith("calibrated difference")
    assert results.conduct.deviations == ()
    write_report(results, tmp_path / "out", study=study)
    methods = (tmp_path / "out" / "methods.txt").read_text(encoding="utf-8")
    assert "at most once with each of them" in methods
    assert "one annotator met the same bot at most once." in methods
    assert "ann, 12 live chats of 2 turns" in methods
    assert "so many judgments have a power of " in methods
    assert "%, less than the plan states, by the test of the analysis" in methods
    assert "with given personas" in methods
    assert "Of 12 annotators invited, 12 consented, 12 judged and 12 were analysed." in methods
    assert found.sentence in methods
