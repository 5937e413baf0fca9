"""Predictions of a bot on a whole test set: many at a time, resumable, failures counted."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from duologue.bots.answering import AnsweringBot
from duologue.bots.journal import alone
from duologue.bots.predicting.asking import Questions, ask_example, prediction_record
from duologue.bots.settings import AnsweringSettings
from duologue.files import make_folder, replacing, translated
from duologue.metrics import PREDICTIONS_FORMAT, HeldOutExample, Predictions, read_predictions
from duologue.strict_json import read_json

FOLDER = "metrics"
"""Where a study keeps predictions that were asked for."""

OnPredicted = Callable[[int, int, int], None]
"""Told after every example how many are finished, how many failed, of how many."""


def collect_predictions(
    folder: Path,
    bot: AnsweringBot,
    examples: Sequence[HeldOutExample],
    questions: Questions,
    *,
    test_set: str = "",
    on_progress: OnPredicted | None = None,
) -> Predictions:
    """Ask an opened bot for its predictions, and close it; those finished before are not asked for again.

    They are kept in ``metrics/`` of the study, a file for each bot, test set and set of questions, without
    references. What failed is asked for again the next time.

    Raises:
        DesignError: Another program asks for the very same predictions at the moment.
    """
    folder = folder.absolute()  # a bot's own code may take the process to another folder
    path = make_folder(folder / FOLDER) / f"{_plan_name(bot.settings, examples, questions)}.jsonl"
    with translated(path), alone(path.with_suffix(".lock"), "asking for the very same predictions"):
        finished = _finished(path, {one.id for one in examples})
        _rewrite(path, bot.name, finished)
        missing = [one for one in examples if one.id not in finished]
        if missing:
            asyncio.run(_ask_all(path, bot, missing, questions, len(examples), on_progress))
    by_id = read_predictions(path, bot=bot.name, examples=examples)
    return Predictions(bot.name, by_id.examples, by_id.answers, test_set)


def _plan_name(settings: AnsweringSettings, examples: Sequence[HeldOutExample], questions: Questions) -> str:
    """A name made of the bot and of all that its answers depend on."""
    dictionary = sorted(questions.dictionary.words) if questions.dictionary else None
    parts = (
        settings.identity,
        [(one.id, one.persona, one.context, one.references, one.candidates) for one in examples],
        (questions.abilities, questions.with_parrot, questions.seed, dictionary),
    )
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    plain = "".join(letter if letter.isalnum() else "-" for letter in settings.name)
    return f"{plain}-{digest[:12]}"


def _finished(path: Path, wanted: set[str]) -> dict[str, str]:
    """The lines of examples that were answered; one that a crash cut short, or that failed, is not."""
    finished: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            row = read_json(line)
        except ValueError:
            continue
        if row.get("id") in wanted and "failure" not in row:
            finished[row["id"]] = line
    return finished


def _rewrite(path: Path, bot: str, finished: dict[str, str]) -> None:
    header = json.dumps({"format": PREDICTIONS_FORMAT, "bot": bot}, ensure_ascii=False)
    with replacing(path) as file:
        file.write("".join(f"{line}\n" for line in (header, *finished.values())).encode())


async def _ask_all(
    path: Path,
    bot: AnsweringBot,
    missing: Sequence[HeldOutExample],
    questions: Questions,
    total: int,
    on_progress: OnPredicted | None,
) -> None:
    waiting = iter(missing)
    counts = {"finished": total - len(missing), "failed": 0}
    async with bot:
        with path.open("a", encoding="utf-8") as file:

            async def ask_the_next() -> None:
                for example in waiting:
                    answer = await ask_example(bot, example, questions)
                    counts["failed" if answer.failure is not None else "finished"] += 1
                    file.write(json.dumps(prediction_record(example.id, answer), ensure_ascii=False) + "\n")
                    file.flush()
                    if on_progress is not None:
                        on_progress(counts["finished"], counts["failed"], total)

            async with asyncio.TaskGroup() as group:
                for _ in range(min(bot.settings.max_concurrent, len(missing))):
                    group.create_task(ask_the_next())
