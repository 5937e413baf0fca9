"""``duologue models``: train models that can be bots of a study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson
from duologue.models import DeviceOption, OutFolder, SeedOption, SetOption

if TYPE_CHECKING:
    from duologue.metrics import HeldOutExample
    from duologue.models import TrainingExample

app = typer.Typer(help="Train models that can be bots of a study.", no_args_is_help=True)

DISTRACTORS = 19


@app.callback()
def models() -> None:
    """Train models that can be bots of a study."""


@app.command()
def train(
    kind: Annotated[str, typer.Argument(help="What is trained; docs/models.md has the kinds.")],
    dialogues: Annotated[
        list[Path], typer.Argument(metavar="DIALOGUES…", help="Dialogues in any known format.")
    ],
    out: OutFolder,
    valid: Annotated[
        Path | None, typer.Option(help="Dialogues for early stopping; else a tenth of the others.")
    ] = None,
    set_: SetOption = None,
    seed: SeedOption = 0,
    device: DeviceOption = "cpu",
    as_json: AsJson = False,
) -> None:
    """Train a model on every reply of the judged speaker, with the persona and the turns before it.

    Interrupted and run again, it goes on from its checkpoint. Needs the extra neural.
    """
    from duologue.metrics import read_test_set
    from duologue.models import given_settings, run_training

    given = given_settings(set_ or (), seed=seed, device=device)
    learned = [one for number, path in enumerate(dialogues) for one in _numbered(number, read_test_set(path))]
    if valid is None:
        learned, held = _split(learned, seed)
    else:
        held = list(read_test_set(valid))
    found = list(_with_candidates(held, seed))
    run_training(kind, [_example(one) for one in learned], found, out, given=given, as_json=as_json)


def _numbered(file: int, examples: Sequence[HeldOutExample]) -> Iterator[HeldOutExample]:
    """Dialogues of several files have different names."""
    from dataclasses import replace

    return (replace(one, dialogue=f"{file}:{one.dialogue}", id=f"{file}:{one.id}") for one in examples)


def _split(
    examples: Sequence[HeldOutExample], seed: int
) -> tuple[list[HeldOutExample], list[HeldOutExample]]:
    """A tenth of the dialogues is held out."""
    import numpy as np

    from duologue.seeds import seed_sequence

    names = sorted({one.dialogue for one in examples})
    order = np.random.default_rng(seed_sequence(seed, "held out")).permutation(len(names))
    held = {names[place] for place in order[: max(1, len(names) // 10)]}
    return [one for one in examples if one.dialogue not in held], [
        one for one in examples if one.dialogue in held
    ]


def _with_candidates(examples: Sequence[HeldOutExample], seed: int) -> Iterator[TrainingExample]:
    """Each with 19 random replies of others, or as many as there are."""
    from dataclasses import replace

    from duologue.metrics import with_distractors

    different = len({one.references[0] for one in examples if one.references})
    number = min(DISTRACTORS, max(different - 2, 1))
    for one in with_distractors(examples, number=number, seed=seed):
        others = tuple(text for text in one.candidates if text != one.references[0])
        yield replace(_example(one), candidates=others)


def _example(one: HeldOutExample) -> TrainingExample:
    from duologue.models import ReplyContext, TrainingExample

    return TrainingExample(ReplyContext(one.context, one.persona), one.references[0])
