"""Making the demo: a complete small study with three built-in bots and people's dialogues for onboarding."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from duologue.acute import make_pairings
from duologue.bots import BUILTIN_BOTS, builtin_bot, openers, self_chats
from duologue.demo.humans import HUMAN, human_dialogues
from duologue.dialogues import Dialogue, write_dialogues
from duologue.errors import ExportError, StudyError
from duologue.studies import Study, load_study, new_study

NAME = "duologue-demo"
MARK = "# Made by `duologue demo`."
"""The first line of a demo's study.toml: what tells it from a study of somebody's own."""

SEED = 7
SELF_CHATS = 45
"""Of each bot: enough to show each dialogue once in each matchup."""
EXCHANGES = 6
ONBOARDING = 14
"""Pairings with a known answer: one for each dialogue between people."""
WEAK = "parrot"
"""What onboarding sets against people."""

PREFERENCES: Mapping[tuple[str, str], float] = {
    ("companion", "parrot"): 0.95,
    ("companion", "small-talk"): 0.85,
    ("small-talk", "parrot"): 0.85,
}
"""What careful annotators of a rehearsal of the demo truly prefer."""


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo's study, and whether it was there already."""

    study: Study
    is_new: bool


def make_demo(folder: Path | str, *, seed: int = SEED) -> Demo:
    """Make the demo's study in a folder, or take up the one that is there.

    The same seed gives the same files. What an interrupted demo left unfinished is finished; what is there
    is never deleted or replaced.

    Raises:
        StudyError: The folder holds something else, or cannot be written to.
    """
    folder = Path(folder)
    study = earlier_demo(folder, protocol="acute")
    is_new = study is None
    if study is None:
        try:
            study = _new_demo(folder, seed)
        except OSError as error:
            raise ExportError(folder, error.strerror or str(error)) from error
    for name in (HUMAN, *BUILTIN_BOTS):
        path = study.folder / "dialogues" / f"{name}.jsonl"
        if not path.exists():
            write_dialogues(_dialogues(name, seed=study.seed), path)
    if not study.items_path.exists():
        make_pairings(study)
    return Demo(study, is_new)


def earlier_demo(folder: Path, *, protocol: str) -> Study | None:
    """The demo that is in a folder; None when the folder is empty or not there.

    Raises:
        StudyError: There is something else in the folder, another demo included.
    """
    path = folder / "study.toml"
    if path.is_file() and path.read_text(encoding="utf-8", errors="replace").startswith(MARK):
        study = load_study(folder)
        if study.protocol.name != protocol:
            raise StudyError(
                f"{folder}: another demo is here (protocol {study.protocol.name}), and it was not changed. "
                "Choose another folder with --folder."
            )
        return study
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StudyError(
            f"{folder}: there is something here that `duologue demo` did not make, and it was not changed. "
            "Choose another folder with --folder."
        )
    return None


def _new_demo(folder: Path, seed: int) -> Study:
    study = new_study(folder, name=NAME, seed=seed)
    bots = "".join(
        f'\n[[bots]]\nname = "{name}"\nkind = "builtin"\nbuiltin = "{name}"\n' for name in BUILTIN_BOTS
    )
    text = study.text
    for key, value in _SETTINGS.items():
        text = with_setting(text, key, value)
    text = text.replace(
        "60 % of the wins against 40 %", f"{50 * (1 + GAP):g} % of the wins against {50 * (1 - GAP):g} %"
    )
    (folder / "study.toml").write_text(f"{MARK}\n{text}{bots}", encoding="utf-8")
    return load_study(folder)


GAP = 0.5
"""What so few judgments can show: 75 % of the wins against 25 %."""

_SETTINGS = {
    "per_matchup": str(SELF_CHATS),
    "leave_out": f'["{HUMAN}"]',
    "onboarding": f'["{HUMAN}", "{WEAK}"]\nonboarding_count = {ONBOARDING}',
    "open_link": "true",
    "gap": str(GAP),
}


def with_setting(text: str, key: str, value: str) -> str:
    """The study file with a setting that stands in it, or stands in it as a comment, set to a value."""
    return re.sub(rf"(?m)^(?:# )?{key} = \S.*?(?=  |$)", f"{key} = {value}", text, count=1)


def _dialogues(name: str, *, seed: int) -> Sequence[Dialogue]:
    if name == HUMAN:
        return human_dialogues()
    made = self_chats([builtin_bot(name)], SELF_CHATS, exchanges=EXCHANGES, openers=openers(), seed=seed)
    return asyncio.run(made)
