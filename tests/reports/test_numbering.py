"""Ids of people never stand in what is published: annotators are numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.files import make_folder
from duologue.judgments import Row, write_table
from duologue.per_turn import write_turns
from duologue.reports import analyse_file, analyse_study, choose_examples, write_report, write_results
from duologue.store import (
    block_annotator,
    exclude_judgments,
    fetch_annotators,
    fetch_judgments,
    judgment_rows,
    open_store,
)
from tests.likert.rated import rated
from tests.nuc.test_report import answers
from tests.per_turn.chats import row
from tests.reports.judged_study import load, make_study, prefers_earlier, prefers_later, sit


def worker(number: int) -> str:
    """An id as Prolific gives it (PROLIFIC_PID)."""
    return f"{0x5F3C9A7B21D4E8000C6A0000 + 7919 * number:024x}"


PEOPLE = [worker(number) for number in range(40)]


def written(folder: Path) -> dict[str, str]:
    """Every file below a folder as text; figures for paper are the same drawings as the SVG."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pdf"]
    assert files
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def holding(folder: Path, ids: Iterable[str]) -> list[str]:
    """The files that hold one of these ids."""
    return sorted({name for name, text in written(folder).items() for one in ids if one in text})


def comparisons() -> list[Row]:
    """One annotator gives most judgments, and one agrees with nobody."""
    found: list[Row] = []
    for number in range(30):
        for who in (PEOPLE[0], PEOPLE[1 + number % 9], PEOPLE[11]):
            won, lost = ("sage", "mint") if who == PEOPLE[11] else ("mint", "sage")
            row: Row = {
                "winner": won,
                "loser": lost,
                "annotator": who,
                "pairing": f"p{number}",
                "reason": "so lively",
                "excluded": "late" if number > 27 else "",
            }
            found.append(row)
    return found


def table_of(protocol: str, folder: Path) -> Path:
    if protocol == "per-turn":
        path = folder / "turns.jsonl"
        turns = [
            row(
                {"ada": n % 3 > 0, "bea": n % 4 > 1},
                dialogue=f"d{n}",
                turn=turn,
                annotator=who,
                participant=had,
            )
            for n, (who, had) in enumerate(zip(PEOPLE[:20], PEOPLE[20:], strict=True))
            for turn in (1, 2)
        ]
        write_turns(turns, path)
        return path
    path = folder / f"{protocol}.csv"
    makers: dict[str, Callable[[], list[Row]]] = {
        "acute": comparisons,
        "likert": lambda: [
            {**one, "annotator": PEOPLE[int(str(one["annotator"])[1:])]}
            for one in rated({"mint": 3.0, "sage": 2.0})
        ],
        "nuc": lambda: [
            {**one, "annotator": PEOPLE[int(str(one["annotator"])[-1])]} for one in answers(skills={"a": 0.5})
        ],
    }
    write_table(makers[protocol](), path)
    return path


@pytest.mark.parametrize("protocol", ["acute", "likert", "nuc", "per-turn"])
def test_no_id_of_a_table_is_in_its_report_or_results(protocol: str, tmp_path: Path) -> None:
    path, out = table_of(protocol, tmp_path), tmp_path / "out"
    assert any(one in path.read_text() for one in PEOPLE)
    said = CliRunner().invoke(app, ["analyse", str(path), "--out", str(out / "analysed")])
    assert said.exit_code == 0, said.output
    told = CliRunner().invoke(app, ["report", str(path), "--out", str(out / "report")])
    assert told.exit_code == 0, told.output
    assert holding(out, PEOPLE) == []
    assert not [one for one in PEOPLE if one in said.output + told.output]


def test_no_id_of_a_study_is_in_its_report_or_results(tmp_path: Path) -> None:
    study, out = make_study(tmp_path / "study"), tmp_path / "out"
    with open_store(study.database) as store:
        load(study, store)
        for number in range(11):
            sit(study, store, prefers_earlier(), label=PEOPLE[number])
        sit(study, store, prefers_later(), label=PEOPLE[11])
        store.run(block_annotator(store.run(fetch_annotators())[0].id, reason="too fast", by="ada"))
        judgment = next(one for one in store.stream(fetch_judgments()) if one.annotator != "nobody")
        store.run(exclude_judgments([judgment.id], rule="test-entry", reason="a try", by="ada"))
        analysed = analyse_study(study, store, how="report")
        write_results(analysed, judgment_rows(study, store), make_folder(out / "analysed"))
        write_report(analysed.results, out / "report", study=study, examples=choose_examples(study, store))
        people = store.run(fetch_annotators())
        assert people[0].label == PEOPLE[0]
        assert [one.number for one in people] == list(range(1, 13))
        ids = [one.id for one in people]
    assert holding(out, [*PEOPLE, *ids]) == []
    assert "annotator 2" in written(out)["analysed/tables/full.csv"]


def test_results_and_tables_call_an_annotator_by_the_same_number(tmp_path: Path) -> None:
    path, rows = tmp_path / "votes.csv", comparisons()[::-1]
    write_table(rows, path)  # it begins with excluded judgments
    assert CliRunner().invoke(app, ["analyse", str(path), "--out", str(tmp_path)]).exit_code == 0
    people = list(dict.fromkeys(str(one["annotator"]) for one in rows))
    numbers = {who: f"annotator {number}" for number, who in enumerate(people, 1)}
    full = (tmp_path / "tables" / "full.csv").read_text().splitlines()[1:]
    kept = [numbers[str(one["annotator"])] for one in rows if not one["excluded"]]
    assert [line.split(",")[0] for line in full] == kept
    counts = (tmp_path / "tables" / "ratings_per_worker.csv").read_text().splitlines()[1:3]
    assert sorted(counts) == sorted(f"{numbers[who]},28" for who in (PEOPLE[0], PEOPLE[11]))
    assert f'"annotator": "{numbers[PEOPLE[0]]}"' in (tmp_path / "results.json").read_text()


def test_a_number_does_not_change_when_more_judgments_come(tmp_path: Path) -> None:
    path, rows = tmp_path / "votes.csv", comparisons()
    write_table(rows, path)
    before = analyse_file(path).results.to_json()
    write_table([*rows, {**rows[0], "annotator": "00000000new"}], path)
    after = analyse_file(path).results.to_json()
    assert '"annotator": "annotator 1"' in before
    assert '"annotator": "annotator 1"' in after
    assert '"strangers": ["annotator 3"]' in " ".join(before.split()).replace("[ ", "[").replace(" ]", "]")


def test_models_that_judged_keep_their_names(tmp_path: Path) -> None:
    path = tmp_path / "judges.csv"
    write_table([{**one, "annotator": f"gpt-{one['annotator']}"} for one in comparisons()], path)
    done = CliRunner().invoke(app, ["analyse", str(path), "--judged-by", "judge", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert f"gpt-{PEOPLE[0]}" in (tmp_path / "tables" / "full.csv").read_text()
    assert f"gpt-{PEOPLE[0]}" in (tmp_path / "tables" / "ratings_per_worker.csv").read_text()
