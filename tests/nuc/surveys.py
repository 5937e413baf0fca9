"""A small questionnaire: items of three corpora, a study of them, and answers to give."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from duologue.dialogues import NextTurnItem, Turn, write_next_turns
from duologue.studies import Study, load_study, new_study

CORPORA = ("movies", "tweets", "ubuntu")


PERSONAS = ("your persona: my father is an electrician.", "partner's persona: i ski.", "It is winter.")
ABOUT = ("B", "A", "")


def next_turn(
    key: str, corpus: str, *, candidates: int = 5, truth: int = 2, turns: int = 2, about: tuple[str, ...] = ()
) -> NextTurnItem:
    replies = tuple(f"reply {place} to {key} says so and no more" for place in range(candidates))
    context = [Turn("A", f"<b>hello</b> from {key}"), Turn("B", f"and hello to {key}")]
    context += [Turn("AB"[place % 2], f"turn {place}, neither long nor short") for place in range(2, turns)]
    item = NextTurnItem(key, corpus, "test", f"d-{key}", tuple(context), replies, truth)
    return replace(item, background=PERSONAS, about=about)


def write_task(folder: Path, *, each: int = 20, **options: Any) -> Path:
    """Items of three corpora, as ``nuc build`` would write them."""
    (folder / "task").mkdir(parents=True, exist_ok=True)
    items = [
        next_turn(f"{corpus}-{n}", corpus, truth=n % 5, **options) for corpus in CORPORA for n in range(each)
    ]
    path = folder / "task" / "test.jsonl"
    write_next_turns(items, path, about={})
    return path


def survey(
    folder: Path, *, each: int = 20, rest: str = "", turns: int = 2, candidates: int = 5,
    about: tuple[str, ...] = ABOUT, **settings: object,
) -> Study:  # fmt: skip
    """A study of nuc as it is made, smaller; ``settings`` stand in ``[nuc]``, ``rest`` at the end."""
    new_study(folder, protocol="nuc", seed=5)
    write_task(folder, each=each, turns=turns, candidates=candidates, about=about)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    small = {"versions": 2, "per_annotator": 6, "annotations_per_item": 4, **settings}
    for name, value in small.items():
        text, changed = re.subn(rf"^(# )?{name} = .*$", f"{name} = {value}", text, count=1, flags=re.M)
        assert changed, name
    path.write_text(text + rest, encoding="utf-8")
    return load_study(folder)


LAB = """
[[cohorts]]
name = "lab-expert"
annotations_per_item = 2

[nuc.cohorts.lab-expert]
per_annotator = 8
shares = { movies = 1, tweets = 1, ubuntu = 2 }
"""
"""A cohort with a questionnaire of its own, as in the paper: half of it is Ubuntu."""
