"""Looking a study of phrasings over before anybody is paid."""

from __future__ import annotations

from collections.abc import Iterator

from duologue.acute.design.table import acute_settings
from duologue.dialogues import index_dialogues
from duologue.protocols import Item, read_items
from duologue.studies import Study, odd_dialogues

FEW = 10
"""Annotators of a phrasing: with fewer, its agreement says next to nothing."""


def check_phrasings(study: Study) -> tuple[list[str], list[str]]:
    """What is wrong, and what is only odd, about the pairs and phrasings of a study.

    Raises:
        DuologueError: A file of dialogues or pairings is damaged.
    """
    path = study.items_path
    warnings = list(odd_dialogues(study))
    if not path.exists():
        return [f"there are no pairs yet; pick one with {_picking(study)}."], warnings
    items = list(read_items(path))
    problems = [*_missing(study, items), *_axes(study, items), *_rules(study)]
    return problems, [*warnings, *_odd(study, items)]


def _picking(study: Study) -> str:
    return f"`duologue phrasings pair {study.quoted} DIALOGUE DIALOGUE`"


def _missing(study: Study, items: list[Item]) -> Iterator[str]:
    heads = {head.id for head in index_dialogues(study.folder)}
    gone = [(item.id, name) for item in items for name in item.dialogues if name not in heads]
    for pairing, name in gone[:20]:
        yield f"{study.items_path.name}: pairing {pairing} needs dialogue {name!r}, which is not there."


def _axes(study: Study, items: list[Item]) -> Iterator[str]:
    axes, file = acute_settings(study).axes, study.items_path.name
    judged = [item for item in items if item.is_judged]
    advice = f"Pick pairs with {_picking(study)}"
    for item in (item for item in judged if item.factor not in axes):
        of = f"belongs to the axis {item.factor!r}" if item.factor else "belongs to no axis"
        yield (
            f"{file}: pairing {item.id} {of}, and the axes of the phrasings are {', '.join(axes)}. "
            f"{advice}, or make pairings anew with `duologue pairings make {study.quoted} --replace`."
        )
        break
    for axis in (axis for axis in axes if not any(item.factor == axis for item in judged)):
        yield f"{file}: there is no pair for the axis {axis}. {advice}."


def _rules(study: Study) -> Iterator[str]:
    if study.file.arms.per_annotator == "each":
        yield (
            '[arms] per_annotator = "each": who has answered one phrasing about a pair is not asked about it '
            'again with another one of the same axis. Set "one-per-factor" or "one".'
        )


def _odd(study: Study, items: list[Item]) -> Iterator[str]:
    caps = study.caps
    each = caps.judgments_per_item
    if each < FEW:
        yield (
            f"[acute] annotations_per_pairing: {each} annotators for each phrasing and pair are few, and so "
            "many coin-flippers agree often. About 20 are usual."
        )
    wanted = caps.onboarding_comparisons
    if wanted and sum(item.is_onboarding for item in items) < wanted:
        yield (
            "onboarding asks for more comparisons than there are: annotators will not be screened as stated. "
            "Set onboarding in [acute.pairings] and make them, or set enabled = false in [onboarding]."
        )
    for axis in acute_settings(study).axes:
        same = next((i for i in items if i.factor == axis and len(set(i.bots)) == 1), None)
        if same is not None:
            yield (
                f"pairing {same.id} shows two dialogues of {same.bots[0]}: phrasings are told apart on pairs "
                "with a clear difference that annotators can see."
            )
