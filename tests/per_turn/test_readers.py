"""What others say who read chats: agreement with those who had them, written replies, and whole studies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa, to_table

from duologue.errors import AnalysisError
from duologue.per_turn import (
    RULES,
    PerTurnResults,
    PerTurnSettings,
    TurnQuestion,
    TurnRow,
    analyse_readers,
    analyse_turns,
    read_turns,
    turn_record,
)
from duologue.per_turn.analysis.readers import readers_set_aside
from duologue.per_turn.finished.study import reread_study
from duologue.per_turn.report import PerTurnReport
from duologue.per_turn.report.latex import turn_paper_tables
from duologue.per_turn.report.methods import methods_paragraph
from duologue.per_turn.report.text import results_in_words
from duologue.per_turn.report.view import not_shown
from duologue.rehearsal import rehearse
from duologue.reports import AnalysisRequest, analyse_file, analyse_study, write_report, write_results
from duologue.store import judgment_rows, open_store
from duologue.studies import load_study
from tests.per_turn.chats import row
from tests.per_turn.test_design import study

pytestmark = pytest.mark.usefixtures("forked_servers")

ALL = TurnQuestion(rules=())


def pairs(seed: int = 1, *, dialogues: int = 12, readers: int = 2, same: float = 0.8) -> list[TurnRow]:
    """Chats with their participants' selections, and readers who mostly select the same."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(dialogues):
        for turn in range(1, 6):
            own = {bot: bool(rng.random() < 0.5) for bot in ("ada", "bea")}
            rows.append(row(own, dialogue=f"d{number}", turn=turn))
            for reader in range(readers):
                read = {bot: own[bot] if rng.random() < same else bool(rng.random() < 0.5) for bot in own}
                who: dict[str, Any] = {
                    "annotator": f"r{reader}",
                    "participant": f"ann-d{number}",
                    "continuation": None,
                }
                rows.append(row(read, dialogue=f"d{number}", turn=turn, seconds=9.0, **who))
    return rows


def test_agreement_is_cohens_kappa_over_cards_with_an_interval_by_dialogue() -> None:
    rows = pairs()
    (section,) = analyse_readers(rows, ALL).sections
    whole, ada, bea = section.third_party
    own = {(one.dialogue, one.turn): one.selected() for one in rows if not one.is_third_party}
    cards = [
        (own[one.dialogue, one.turn]["ada"], one.selected()["ada"]) for one in rows if one.is_third_party
    ]
    theirs = cohens_kappa(to_table(np.array(cards, dtype=int), bins=2)[0])
    assert ada.kappa == pytest.approx(theirs.kappa)
    assert (ada.bot, bea.bot, whole.bot, whole.dialogues, ada.turns) == ("ada", "bea", "", 12, 120)
    assert whole.kappa_interval is not None
    assert whole.kappa is not None
    assert whole.kappa_interval.low < whole.kappa < whole.kappa_interval.high
    assert whole.alpha_interval is not None
    assert whole.agreement_interval is not None
    assert ada.reader_rate == pytest.approx(np.mean([read for _, read in cards]))
    assert section.is_read
    assert (section.pairs, section.all_bots, section.against, section.power) == ((), None, (), None)
    assert section.cost.dialogues == 12
    assert section.cost.seconds_per_dialogue == pytest.approx(45.0)


def test_third_parties_in_a_file_with_everything_are_told_the_same_way() -> None:
    rows = pairs()
    (read,) = analyse_readers(rows, ALL).sections
    (had,) = analyse_turns(rows, ALL).sections
    assert had.third_party == read.third_party
    assert had.pairs
    assert not had.is_read


def test_one_dialogue_or_perfect_agreement_has_no_interval_of_kappa() -> None:
    (one,) = analyse_readers(pairs(dialogues=1), ALL).sections
    assert one.third_party[0].kappa_interval is None
    assert one.third_party[0].agreement_interval is None
    (same,) = analyse_readers(pairs(same=1.1), ALL).sections
    assert same.third_party[0].kappa == pytest.approx(1.0)
    assert same.third_party[0].kappa_interval is None
    assert same.third_party[0].agreement_interval is not None


def test_readers_are_screened_by_what_they_did_each_chat_by_itself() -> None:
    rows = pairs(readers=1)
    fixed = [
        row(
            {"ada": True, "bea": False},
            dialogue="d0",
            turn=turn,
            annotator="lazy",
            participant="ann-d0",
            seconds=9.0,
        )
        for turn in range(1, 8)
    ]
    hasty = [
        row(
            {"ada": True, "bea": True},
            dialogue="d1",
            turn=2,
            annotator="fast",
            participant="ann-d1",
            seconds=0.1,
        )
    ]
    out = [
        row(
            {"ada": True, "bea": True},
            dialogue="d2",
            turn=2,
            annotator="out",
            participant="ann-d2",
            excluded="by-hand",
        )
    ]
    assert readers_set_aside([*rows, *fixed, *hasty, *out], RULES) == {
        "lazy": "fixed-pattern",
        "fast": "too-fast-turn",
    }
    results = analyse_readers([*rows, *fixed, *hasty, *out], TurnQuestion())
    found = {rule.rule: (rule.dialogues, rule.turns) for rule in results.screening.rules}
    assert found["first-turn"] == (12, 13)
    assert found["too-fast-turn"] == (1, 1)
    assert found["fixed-pattern"][1] >= 5
    assert set(found) == {"fixed-pattern", "all-or-none", "first-turn", "too-fast-turn"}
    assert results.screening.given == {"by-hand": 1}
    assert results.screening.sentence.startswith("Screening excluded")
    assert "No rule" in analyse_readers(rows, ALL).screening.sentence


def written(outcomes: Sequence[tuple[bool, bool, bool]], *, readers: int = 1) -> list[TurnRow]:
    """Turns on which ada, bea and the written reply were selected or not."""
    return [
        row(
            {"ada": ada, "bea": bea, "human": human},
            dialogue=f"d{number // 2}",
            turn=number % 2 + 1,
            annotator=f"r{reader}",
            participant="p",
            seconds=9.0,
        )
        for number, (ada, bea, human) in enumerate(outcomes)
        for reader in range(readers)
    ]


def test_written_replies_are_better_or_at_least_as_good() -> None:
    outcomes = [(False, False, True), (True, False, True), (False, False, False), (True, True, False)] * 3
    results = analyse_readers(written(outcomes, readers=2), TurnQuestion())
    (section,) = results.sections
    whole, ada, bea = section.written
    assert (whole.bot, whole.replies, whole.judgments) == ("", 12, 24)
    assert (whole.better, whole.at_least) == (0.25, 0.75)
    assert (ada.bot, ada.better, ada.at_least) == ("ada", 0.25, 0.75)
    assert (bea.bot, bea.better, bea.at_least) == ("bea", 0.5, 0.75)
    assert whole.better_interval is not None
    assert whole.better_naive.low < 0.25 < whole.better_naive.high
    assert section.turns == 24  # first turns are asked about like any other
    assert section.third_party == ()


def test_nothing_read_is_nothing_to_analyse() -> None:
    with pytest.raises(AnalysisError, match="nobody who reads"):
        analyse_readers([one for one in pairs() if not one.is_third_party], ALL)
    excluded = [one.model_copy(update={"excluded": "by-hand"}) for one in written([(True, True, True)] * 4)]
    (section,) = analyse_readers(excluded, ALL).sections
    assert (section.turns, section.bots, section.written) == (0, (), ())
    assert section.warnings == ("All turns are excluded.",)


def test_what_was_read_is_told_in_words() -> None:
    results = analyse_readers(pairs(), ALL)
    assert "Krippendorff's alpha (nominal)" in methods_paragraph(results, None)
    assert "It counts as better" not in methods_paragraph(results, None)
    assert "by the study in which the chats were had" in not_shown(results)[0]
    said = [one for one in results_in_words(results) if isinstance(one, str)]
    assert any("agree with those who had them" in one and "clustered by dialogue" in one for one in said)
    assert next(iter(turn_paper_tables(results))).file == "dialogues.tex"


def test_somebody_who_read_their_own_chat_is_left_out_and_counted() -> None:
    rows = pairs(readers=1)
    read = [turn_record(one) for one in rows if one.is_third_party]
    own = [{**one, "annotator": one["participant"]} for one in read[:3]]
    had = [turn_record(one) for one in rows if not one.is_third_party]
    table: list[dict[str, Any]] = [
        {"turns": read, "participant_turns": had, "dialogue": "all"},
        {"turns": own, "participant_turns": had, "dialogue": "all"},
    ]
    asked = AnalysisRequest(settings=PerTurnSettings(collect="finished", rules=("fixed-pattern",)))
    results = PerTurnReport().analyse_rows(table, asked).results
    assert results.warnings == ("3 turns were read by the annotator who had the chat; they are not used.",)
    assert isinstance(results, PerTurnResults)
    assert results.screening.collected == len(read)


def test_chats_are_had_and_then_read_by_others_to_a_report(tmp_path: Path) -> None:
    planned = study(tmp_path / "had", chats_per_bot="6", min_exchanges="3", max_exchanges="3")
    had = rehearse(
        planned.folder,
        annotators=8,
        seed=5,
        stated={"appropriate": ["companion=0.5", "small-talk=0.1"]},
        with_report=False,
    )
    for name, is_written in (("again", False), ("written", True)):
        made = reread_study(tmp_path / name, had.folder, readers=2, is_written=is_written, seed=2)
        stated = {"same": ["0.9"], "appropriate": ["human=0.95", "companion=0.05", "small-talk=0.05"]}
        known = stated if is_written else {"same": stated["same"]}
        found = rehearse(tmp_path / name, annotators=6, seed=3, stated=known, with_report=False)
        assert [check.rule for check in found.rules if not check.has_held] == []
        copy = load_study(found.folder)
        with open_store(copy.database) as store:
            analysed = analyse_study(copy, store)
            rows = list(judgment_rows(copy, store))
            paths = write_results(analysed, iter(rows), tmp_path / name / "out")
        results = analysed.results
        assert isinstance(results, PerTurnResults)
        (section,) = results.sections
        assert bool(section.written) == is_written
        assert bool(section.third_party) != is_written
        assert section.turns > 0
        assert len(rows) <= 2 * sum(made.values())
        turns = next(path for path in paths if path.name == "turns.jsonl")
        again = analyse_file(turns).results
        assert isinstance(again, PerTurnResults)
        assert again.sections[0].is_read == is_written
        assert len(read_turns(turns)) > 0
    whole, *bots = section.written
    assert [one.bot for one in bots] == ["companion", "small-talk"]
    assert whole.at_least >= whole.better > 0.4, "of written replies 95 % are appropriate, of others 5 %"
    report = {path.name: path for path in write_report(results, tmp_path / "report", study=copy)}
    text = report["report.html"].read_text(encoding="utf-8")
    assert "Written replies" in text
    assert "others who read the chats" in text
    table = report["written.tex"].read_text(encoding="utf-8")
    (line,) = [line for line in table.splitlines() if "all replies of bots" in line]
    cells = [cell.strip() for cell in line.removesuffix(r" \\").split("&")]
    assert cells[1:4] == [f"{whole.replies}", f"{whole.judgments}", f"{100 * whole.at_least:.0f}\\%"]
    assert cells[5] == f"{100 * whole.better:.0f}\\%"


def test_the_sentence_of_the_paper_is_a_table() -> None:
    """Of 33 written replies 24 (73 %) were at least as good and 18 (55 %) were better."""
    outcomes = [*[(False, False, True)] * 18, *[(True, False, True)] * 6, *[(True, True, False)] * 9]
    results = analyse_readers(written(outcomes), TurnQuestion())
    (table,) = [one for one in turn_paper_tables(results) if one.file == "written.tex"]
    assert r"all replies of bots & 33 & 33 & 73\% & -- & 55\% & -- \\" in table.text  # of one reader
    assert "written.tex" not in [one.file for one in turn_paper_tables(analyse_readers(pairs(), ALL))]
