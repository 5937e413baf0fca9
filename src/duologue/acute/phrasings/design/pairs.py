"""The pairs that phrasings are compared on: the same dialogues on every axis, or picked for one.

An annotator may judge the same two dialogues once on each axis, so that a pair is an item of its own there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from duologue.acute.design.table import acute_settings
from duologue.acute.pairing import Matchup, pairing_id
from duologue.acute.settings import AcuteSettings
from duologue.dialogues import index_dialogues
from duologue.errors import DesignError
from duologue.protocols import Item, read_items, write_items
from duologue.studies import Study


@dataclass(frozen=True, slots=True)
class PickedPair:
    """A pair that was picked by hand."""

    path: Path
    dialogues: tuple[str, str]
    bots: tuple[str, str]
    axes: tuple[str, ...]
    """Those on which it was not there yet."""


def on_each_axis(items: Iterable[Item], settings: AcuteSettings) -> Iterator[Item]:
    """Pairings as they are; where phrasings are compared, one of each pair for every axis."""
    for item in items:
        if settings.compares_phrasings and item.is_judged and not item.factor:
            yield from (_on_axis(item, axis) for axis in settings.axes)
        else:
            yield item


def _on_axis(item: Item, axis: str) -> Item:
    return replace(item, id=f"{item.id}-{axis}", factor=axis)


def pick_pair(study: Study, first: str, second: str, *, axes: Sequence[str] = ()) -> PickedPair:
    """Have phrasings compared on two dialogues that were picked by hand.

    Args:
        study: The study of phrasings; its pairings file is added to.
        first: One dialogue, by its id.
        second: The other.
        axes: On which axes; all of them when not given.

    Raises:
        DesignError: The study compares bots, there is no such dialogue or axis, or both are the same one.
    """
    settings = acute_settings(study)
    if not settings.compares_phrasings:
        raise DesignError(
            f'{study.name} compares bots; pairs are picked by hand where compare = "phrasings" in [acute].'
        )
    for axis in axes:
        if axis not in settings.axes:
            raise DesignError(f"--axis {axis}: the axes of {study.name} are {', '.join(settings.axes)}.")
    if first == second:
        raise DesignError(f"{first!r} cannot be compared with itself: pick two dialogues.")
    heads = {head.id: head for head in index_dialogues(study.folder)}
    for name in (first, second):
        if name not in heads:
            some = ", ".join(sorted(heads)[:5]) or "none"
            raise DesignError(
                f"{study.folder} has no dialogue {name!r}; there {'is' if len(heads) == 1 else 'are'} "
                f"{some}{' and others' if len(heads) > 5 else ''} (`duologue dialogues show {study.quoted}`)."
            )
    pair = sorted((heads[first], heads[second]), key=lambda head: head.bot)
    dialogues, judged = (pair[0].id, pair[1].id), (pair[0].judged, pair[1].judged)
    matchup = Matchup.of(pair[0].bot, pair[1].bot)
    item = Item(
        id=pairing_id(dialogues, judged, "judged"),
        group=matchup.group,
        bots=(matchup.first, matchup.second),
        dialogues=dialogues,
        judged=judged,
    )
    before = list(read_items(study.items_path)) if study.items_path.exists() else []
    there = {one.id for one in before}
    fresh = [one for axis in axes or settings.axes if (one := _on_axis(item, axis)).id not in there]
    if fresh:
        write_items([*before, *fresh], study.items_path)
    first, second = item.bots
    return PickedPair(study.items_path, dialogues, (first, second), tuple(one.factor for one in fresh))
