"""What ``duologue dialogues check`` says about repetition, lengths and memorisation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from duologue.dialogues import Dialogue
    from duologue.metrics import Degeneration, Memorisation


class DialogueMetrics:
    """Looks at dialogues while somebody else goes through them."""

    def __init__(self, training: Sequence[Path]) -> None:
        from duologue.metrics import DegenerationTally, LengthTally, MemorisationTally

        self._training = training
        self._degeneration, self._lengths = DegenerationTally(), LengthTally()
        self._memorisation = MemorisationTally()

    def watching(self, dialogues: Iterable[Dialogue]) -> Iterator[Dialogue]:
        """The same dialogues, looked at on their way."""
        for dialogue in dialogues:
            self._degeneration.look(dialogue)
            self._lengths.look(dialogue)
            if self._training:
                self._memorisation.look(dialogue)
            yield dialogue

    def facts(self) -> dict[str, object]:
        """All of it, for a machine."""
        facts: dict[str, object] = {
            "degeneration": {bot: asdict(one) for bot, one in self._degeneration.report().items()},
            "turn_words": {bot: asdict(one) for bot, one in self._lengths.report().items()},
        }
        if self._training:
            found = self._memorisation.report(self._training)
            facts["memorisation"] = {bot: asdict(one) | {"share": one.share} for bot, one in found.items()}
        return facts

    def say(self) -> None:
        """All of it, for a person: a line a bot."""
        lengths = self._lengths.report()
        for bot, one in self._degeneration.report().items():
            words = f"; words a turn: median {lengths[bot].median}, at most {lengths[bot].most}" * (
                bot in lengths
            )
            typer.echo(f"repetition of {bot}: {_repetition(one)}{words}")
            if one.looping:
                ids = ", ".join(one.examples)
                typer.echo(
                    f"warning: {bot}: {one.looping:,} of {one.dialogues:,} dialogues loop, such as {ids}"
                )
        if self._training:
            for found in self._memorisation.report(self._training).values():
                typer.echo(_memorised(found))


def _repetition(one: Degeneration) -> str:
    counts = (
        (one.repeated, "repeated"),
        (one.nearly_repeated, "nearly repeated"),
        (one.echoed, "echoed"),
        (one.self_repeating, "repeating themselves"),
    )
    return ", ".join(f"{100 * count / max(1, one.turns):.1f} % of turns {what}" for count, what in counts)


def _memorised(found: Memorisation) -> str:
    share = "no pairs" if found.share is None else f"{100 * found.share:.1f} %"
    return (
        f"memorisation of {found.bot}: {share} ({found.memorised:,} of {found.pairs:,} pairs of call and "
        f"response are among {found.training_pairs:,} of the training data)"
    )
