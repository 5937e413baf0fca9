"""``duologue nuc train``: a model that learns to choose the next turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson
from duologue.models import DeviceOption, OutFolder, SeedOption, SetOption

if TYPE_CHECKING:
    from duologue.models import TrainingExample


def train(
    kind: Annotated[str, typer.Argument(help="dual-encoder, or another kind that models train knows.")],
    task: Annotated[
        Path, typer.Argument(help="The folder that nuc build wrote: it learns from train.jsonl.")
    ],
    out: OutFolder,
    set_: SetOption = None,
    seed: SeedOption = 0,
    device: DeviceOption = "cpu",
    as_json: AsJson = False,
) -> None:
    """Train a model to choose the next turn; early stopping by R@1 on valid.jsonl.

    Interrupted and run again, it goes on from its checkpoint. Needs the extra neural.
    """
    from duologue.models import given_settings, run_training

    given = given_settings(set_ or (), seed=seed, device=device)
    learned = list(_examples(task / "train.jsonl", with_candidates=False))
    valid = list(_examples(task / "valid.jsonl", with_candidates=True))
    run_training(kind, learned, valid, out, given=given, as_json=as_json)


def _examples(path: Path, *, with_candidates: bool) -> Iterator[TrainingExample]:
    from duologue.dialogues import read_next_turns
    from duologue.errors import FormatError
    from duologue.models import TrainingExample
    from duologue.nuc.scoring.scoring import reply_context

    for item in read_next_turns(path):
        if item.pool:
            expected = "items with candidates of their own"
            raise FormatError(path, field=item.id, expected=expected, got="every reply of the corpus")
        false = (text for place, text in enumerate(item.candidates) if place != item.truth)
        yield TrainingExample(reply_context(item), item.true_reply, tuple(false) if with_candidates else ())
