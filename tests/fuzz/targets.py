"""Everything that reads files of other people: a good file for each, and what is done with it."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from duologue.acute import export_pairings, import_pairings
from duologue.bots import read_briefings
from duologue.dialogues import (
    FORMATS,
    check_dialogues,
    import_dialogues,
    index_dialogues,
    read_dialogues,
    read_pairing_lines,
    study_dialogues,
    write_dialogues,
    write_pairing_lines,
)
from duologue.judgments import write_table
from duologue.metrics.memorising import training_pairs
from duologue.per_turn import read_turns
from duologue.protocols import chat_plan, read_items
from duologue.reports import analyse_file, check_file, file_rows, read_metrics
from duologue.screening import read_words
from duologue.server import prepare_study
from duologue.store import load_dialogues, open_store
from duologue.studies import check_study, describe_study, load_study, new_study
from duologue.studies.drawing import planned_items
from tests.sheets import write_sheet

Use = Callable[[Path], object]


@dataclass(frozen=True, slots=True)
class Target:
    """One reader: good files for it, how they go bad, and all that is done with what it gives."""

    name: str
    kind: str
    seeds: tuple[bytes, ...]
    read: Use
    file: str
    """The name of the file, in a folder of its own."""
    read_slowly: Use | None = None
    """More that is done with a few of the files only, because it takes its time."""
    slowly_every: int = 20
    """With one in so many of them."""


GOOD = Path(__file__).parent / "good"
"""One good file for each reader, small enough that most mutations hit something."""


def _study_seed(folder: Path) -> bytes:
    new_study(folder, protocol="acute", seed=1)
    return (folder / "study.toml").read_bytes()


def _sheets(scratch: Path, *good: str) -> tuple[bytes, ...]:
    """Good tables as Excel files."""
    sheet = scratch / "sheet.xlsx"
    made = []
    for name in good:
        with (GOOD / name).open(encoding="utf-8", newline="") as file:
            rows = [[_cell(text) for text in row] for row in csv.reader(file)]
        made.append(write_sheet(sheet, rows).read_bytes())
    return tuple(made)


def _cell(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text or None


def _read_dialogues(name: str | None) -> Use:
    bot = None if name in ("duologue", "acute") else "ada"

    def read(path: Path) -> object:
        list(read_dialogues(path, format=name, bot=bot, on_bad=lambda error: None))
        return name and list(read_dialogues(path, format=name, bot=bot))

    return read


def _import_dialogues(name: str) -> Use:
    """Bring dialogues in, and use what came in."""

    def bring(path: Path) -> None:
        study = path.parent / "study"
        shutil.rmtree(study, ignore_errors=True)
        new_study(study, seed=1)
        import_dialogues(
            [path], study, format=name, bot=None if name in ("duologue", "acute") else "ada", skip_bad=True
        )
        found = list(study_dialogues(study))
        list(index_dialogues(study))
        check_dialogues(found)
        write_dialogues(found, path.parent / "copy.jsonl")
        again = list(read_dialogues(path.parent / "copy.jsonl", format="duologue"))
        assert [one.id for one in again] == [one.id for one in found]
        with open_store(load_study(study).database) as store:
            store.run(load_dialogues(iter(found)))

    return bring


def _import_pairings(path: Path) -> None:
    study = path.parent / "study"
    shutil.rmtree(study, ignore_errors=True)
    new_study(study, seed=1)
    loaded = load_study(study)
    import_pairings(loaded, path)
    export_pairings(loaded, path.parent / "copy.jsonl")
    describe_study(loaded)
    with open_store(loaded.database) as store:
        prepare_study(loaded, store)


def _read_pairings(path: Path) -> None:
    lines = list(read_pairing_lines(path))
    write_pairing_lines(iter(lines), path.parent / "copy.jsonl")


def _table(path: Path) -> None:
    check_file(path)
    write_table(file_rows(path), path.with_name("copy.csv"))
    write_table(file_rows(path), path.with_name("copy.jsonl"))


def _read_items(path: Path) -> None:
    for item in read_items(path):
        chat_plan(item)


def _serve_items(path: Path) -> None:
    """Use a file of items in a study that has its dialogues."""
    study = path.parent / "study"
    if not study.exists():
        new_study(study, seed=1)
        import_dialogues([GOOD / "duologue.jsonl"], study)
    loaded = load_study(study)
    shutil.copyfile(path, loaded.items_path)
    (study / "study.db").unlink(missing_ok=True)
    check_study(study)
    describe_study(loaded)
    with open_store(loaded.database) as store:
        prepare_study(loaded, store)


def _read_study(path: Path) -> None:
    folder = path.parent
    (folder / "personas.jsonl").write_bytes((GOOD / "briefings.jsonl").read_bytes())
    check_study(folder)
    study = load_study(folder)
    assert study.caps
    assert study.design_hash
    assert study.database
    describe_study(study)
    if study.protocol.name != "acute" and study.file.chat.chats_per_bot < 1000:
        list(planned_items(study))


def targets(scratch: Path) -> tuple[Target, ...]:
    """All of them.

    Args:
        scratch: A folder in which a study is made whose file is one of the good ones.
    """
    acute_study = _study_seed(scratch / "acute")
    logs = {
        "duologue": ("json", "duologue.jsonl"),
        "acute": ("json", "acute.jsonl"),
        "parlai": ("json", "parlai.jsonl"),
        "parlai-text": ("text", "parlai-text.txt"),
        "openai": ("json", "openai.jsonl"),
        "sharegpt": ("json", "sharegpt.json"),
        "convai2-logs": ("json", "convai2-logs.json"),
        "turns": ("json", "turns.jsonl"),
        "convai2": ("text", "convai2.txt"),
        "topical-chat": ("json", "topical-chat.json"),
        "transcript": ("text", "transcript.txt"),
    }
    assert logs.keys() == FORMATS.keys()
    return (
        *(
            _target(f"dialogues-{name}", kind, _read_dialogues(name), good, then=_import_dialogues(name))
            for name, (kind, good) in logs.items()
        ),
        _target("dialogues-unknown", "json", _read_dialogues(None), *(good for _, good in logs.values())),
        _target("parlai-metadata", "json", _metadata, "parlai.metadata"),
        _target("pairings", "json", _read_pairings, "acute.jsonl", then=_import_pairings),
        _target("onboarding", "json", _read_pairings, "onboarding.json", then=_import_pairings),
        _target("judgments-csv", "csv", _table, "judgments.csv", then=analyse_file),
        _target("judgments-jsonl", "json", _table, "judgments.jsonl", then=analyse_file),
        _target("arena-csv", "csv", _table, "arena.csv", then=analyse_file),
        _target("arena-json", "json", _table, "arena.json", then=analyse_file),
        *(
            replace(_target(name, kind, _table, good, then=analyse_file), slowly_every=100)
            for name, kind, good in (
                ("ratings-csv", "csv", "ratings.csv"),
                ("ratings-jsonl", "json", "ratings.jsonl"),
                ("ratings-convai2", "json", "convai2-logs.json"),
            )
        ),
        _target("turns", "json", read_turns, "turns.jsonl"),
        Target("judgments-xlsx", "xlsx", _sheets(scratch, "judgments.csv", "arena.csv"), _table, "t.xlsx"),
        Target("ratings-xlsx", "xlsx", _sheets(scratch, "ratings.csv"), _table, "t.xlsx"),
        _target("metrics", "csv", read_metrics, "metrics.csv"),
        _target("briefings", "json", read_briefings, "briefings.jsonl", "convai2.txt"),
        _target("training", "text", _training, "parlai-text.txt", "convai2.txt", "duologue.jsonl"),
        _target("training-pairs", "text", _training, "pairs.tsv"),
        _target("words", "text", read_words, "words.txt"),
        _target("items", "json", _read_items, "items.jsonl", "chats.jsonl", then=_serve_items),
        Target("study-acute", "toml", (acute_study,), _read_study, "study.toml"),
        Target("study-likert", "toml", ((GOOD / "likert.toml").read_bytes(),), _read_study, "study.toml"),
    )


def _target(name: str, kind: str, read: Use, *good: str, then: Use | None = None) -> Target:
    return Target(name, kind, tuple((GOOD / file).read_bytes() for file in good), read, good[0], then)


def _metadata(path: Path) -> None:
    log = path.with_suffix(".jsonl")
    log.write_bytes((GOOD / "parlai.jsonl").read_bytes())
    list(read_dialogues(log, format="parlai", bot="ada"))


def _training(path: Path) -> None:
    list(training_pairs(path))
