"""The pairings of a study: made from its dialogues, or brought in and taken out in the published format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from pydantic import ValidationError

from duologue.acute.design.numbers import is_planned, planned_chats, planned_pairings
from duologue.acute.design.table import acute_settings
from duologue.acute.gold import gold_slot
from duologue.acute.matching import Start, count_shared, starts_of
from duologue.acute.pairing import DialogueHead, pair_dialogues, pair_onboarding, pairing_id
from duologue.acute.parallel import parallel_matchups, plan_parallel_chats
from duologue.acute.phrasings.design.pairs import on_each_axis
from duologue.acute.ranking.answers import gold_place, is_ranking
from duologue.acute.ranking.triples import rank_dialogues
from duologue.acute.settings import VERSUS, PairingSettings
from duologue.dialogues import (
    Dialogue,
    DialogueKind,
    PairingLine,
    import_dialogues,
    index_dialogues,
    read_pairing_lines,
    study_dialogues,
    write_pairing_lines,
)
from duologue.errors import DesignError, FormatError
from duologue.expected import refusal
from duologue.judgments import Role
from duologue.protocols import Item, addendum_asking, chat_plan, drafting_items, read_items, write_items
from duologue.studies import Study, groups_added, material_of

_ROLE = "duologue:role"
"""The field of a published line that tells an attention check from an onboarding pairing."""


@dataclass(frozen=True, slots=True)
class MadePairings:
    """What is in the pairings file now."""

    path: Path
    matchups: Mapping[str, int]
    onboarding: int
    kept: int
    """Pairings that were there before and still are."""
    replaced: int
    """Pairings that were there before and are not any more."""
    left_out: tuple[FormatError, ...] = ()
    in_use: int = 0
    """Pairings that would have been replaced, and were kept because annotators have been handed them."""
    met: Mapping[str, int] = field(default_factory=dict)
    """How often the two bots of each matchup meet in rankings of three; empty where there are none."""
    attention: int = 0
    """Attention checks."""
    shared: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """In how many pairings of each matchup the dialogues share a persona, topic, prompt or opener."""

    def is_ranked(self, group: str) -> bool:
        """Whether the items of a group are rankings of three."""
        return bool(self.met) and group.count(VERSUS) == 2

    @property
    def meetings(self) -> str:
        """How often every two bots meet in rankings, in words; empty where there are none."""
        if not self.met:
            return ""
        least, most = min(self.met.values()), max(self.met.values())
        return f"{least:,} times" if least == most else f"{least:,} to {most:,} times"


def make_pairings(
    study: Study,
    *,
    settings: PairingSettings | None = None,
    seed: int | None = None,
    keep: bool = False,
    in_use: Collection[str] = (),
    planned: Collection[str] = (),
) -> MadePairings:
    """Pair the dialogues of a study and write its pairings file; of parallel chats, pair its bots.

    Onboarding pairings that were brought in stay, and their dialogues are not compared besides.

    Args:
        study: The study.
        settings: How to pair; what the study file says when not given.
        seed: Where the random choices come from; the study's seed when not given.
        keep: Keep the pairings that are there and add those of matchups that are not.
        in_use: Pairings that annotators have been handed. A matchup stays as it is when one of its pairings
            is among them and would be replaced.
        planned: Pairings that an addendum to the plan has added (`added_pairings`): their matchups stay.

    Raises:
        ImpossiblePairing: There are too few dialogues; says how many pairings are possible. The file that
            was there is left as it was.
        DesignError: Parallel chats are asked for, and there are no two bots that answer.
    """
    settings = settings or acute_settings(study).pairings
    before = list(read_items(study.items_path)) if study.items_path.exists() else []
    stays_asked_first = settings.onboarding is None
    asked_first = {
        name for item in before if stays_asked_first and not item.is_judged for name in item.dialogues
    }
    heads = [head for head in index_dialogues(study.folder) if head.id not in asked_first]
    seed = study.seed if seed is None else seed
    pairing = pairing_for(study, settings, heads, seed)
    may_go = [item for item in before if not (keep or (stays_asked_first and not item.is_judged))]
    lost = _lost(may_go, in_use, pairing())
    goes = {(item.group, item.role) for item in may_go}
    goes -= {(item.group, item.role) for item in lost}
    goes -= {(item.group, item.role) for item in may_go if item.id in planned}
    kept = [item for item in before if (item.group, item.role) not in goes]
    made = pairing()
    settled = {(item.group if item.is_judged else "", item.role) for item in kept}

    def merged() -> Iterator[Item]:
        yield from kept
        for item in made:
            if (item.group if item.is_judged else "", item.role) not in settled:
                yield item

    counting = _ItemCounter()
    write_items(counting.passing(merged()), study.items_path)
    same = sum(item.id in counting.ids for item in before)
    result = counting.result(study.items_path, kept=same, replaced=len(before) - same)
    return replace(result, in_use=len(lost), shared=shared_starts(study))


def pairing_for(
    study: Study, settings: PairingSettings, heads: Sequence[DialogueHead], seed: int
) -> Callable[[], Iterator[Item]]:
    """What makes the pairings, the same ones each time; how many a matchup has is settled before."""
    if not acute_settings(study).is_parallel:
        if is_planned(settings):
            settings = settings.model_copy(update={"per_matchup": planned_pairings(study, settings, heads)})
        put_together = rank_dialogues if acute_settings(study).is_ranked else pair_dialogues
        starts = study_starts(study) if settings.match == "auto" else {}
        return lambda: on_each_axis(
            put_together(heads, settings, seed=seed, starts=starts), acute_settings(study)
        )
    material = replace(material_of(study), seed=seed)
    if is_planned(settings):
        count = planned_chats(study, parallel_matchups(material.bots, settings))
        settings = settings.model_copy(update={"per_matchup": count})

    def parallel() -> Iterator[Item]:
        yield from pair_onboarding(heads, settings, seed=seed)
        yield from plan_parallel_chats(acute_settings(study), settings, material)

    return parallel


def study_starts(study: Study) -> dict[str, Start]:
    """What the dialogues of a study began with, by id; of parallel chats, which are not held yet, nothing."""
    return {} if acute_settings(study).is_parallel else starts_of(study_dialogues(study.folder))


def shared_starts(study: Study) -> dict[str, dict[str, int]]:
    """In how many pairings of each matchup both dialogues share what they began with."""
    starts = study_starts(study)
    return count_shared(read_items(study.items_path), starts) if starts and study.items_path.exists() else {}


def _lost(before: Sequence[Item], in_use: Collection[str], made: Iterator[Item]) -> list[Item]:
    """Pairings that annotators have been handed and that are not made again."""
    handed = [item for item in before if item.id in in_use]
    again = {item.id for item in made} if handed else set()
    return [item for item in handed if item.id not in again]


def import_pairings(
    study: Study,
    path: Path | str,
    *,
    kind: DialogueKind | None = None,
    speaker_map: Mapping[str, str] | None = None,
    skip_bad: bool = False,
) -> MadePairings:
    """Bring in a published ``pairings.jsonl``: its dialogues, its pairings and its onboarding lines.

    What is in the study stays; the same file brought in twice changes nothing.

    Raises:
        FormatError: A line is not what the format says (and nothing was brought in).
    """
    path = Path(path)
    left_out: list[FormatError] = []
    lines = read_pairing_lines(
        path,
        kind=kind,
        speaker_map=speaker_map,
        max_turn_chars=study.file.study.max_turn_chars,
        on_bad=left_out.append if skip_bad else None,
    )
    read = on_each_axis(map(_item_of_line, lines), acute_settings(study))
    fresh = {item.id: item for item in read}
    before = list(read_items(study.items_path)) if study.items_path.exists() else []
    for item in before:
        fresh.pop(item.id, None)
    counting = _ItemCounter()
    with drafting_items(counting.passing(iter([*before, *fresh.values()])), study.items_path):
        import_dialogues(
            [path],
            study.folder,
            format="acute",
            kind=kind,
            speaker_map=speaker_map,
            with_onboarding=True,
            skip_bad=skip_bad,
        )
    result = counting.result(study.items_path, kept=len(before), replaced=0, left_out=tuple(left_out))
    return replace(result, shared=shared_starts(study))


def export_pairings(study: Study, path: Path | str) -> int:
    """Write the study's pairings in the published format, text included; returns how many.

    Raises:
        DesignError: There are dialogues missing, or they are live chats.
    """
    path = Path(path)
    items = list(read_items(study.items_path))
    chats = sum(chat_plan(item) is not None for item in items)
    if chats:
        raise DesignError(
            f"{study.items_path}: {chats:,} of {len(items):,} pairings are parallel chats, which have no "
            "dialogues yet. What was said in those that were held is written by `duologue dialogues collect`."
        )
    wanted = {name for item in items for name in item.dialogues}
    dialogues = {dialogue.id: dialogue for dialogue in study_dialogues(study.folder) if dialogue.id in wanted}
    missing = sorted(wanted - set(dialogues))
    if missing:
        raise DesignError(
            f"{study.items_path}: {len(missing)} dialogues are gone from the study, {missing[0]!r} first. "
            "Import them again, or make the pairings anew with `duologue pairings make`."
        )
    write_pairing_lines((_line_of_item(item, dialogues) for item in items), path)
    return len(items)


def added_pairings(study: Study) -> frozenset[str]:
    """Pairings that an addendum to the plan has added: new pairings are made beside them."""
    added = groups_added(study.folder)
    if not added:
        return frozenset()
    there = read_items(study.items_path) if study.items_path.exists() else ()
    return frozenset(item.id for item in there if item.group in added or addendum_asking(item.group))


def change_pairing(study: Study, changes: Mapping[str, object]) -> PairingSettings:
    """The study's pairing settings with some of them changed.

    Raises:
        DesignError: A change is not legal; says which.
    """
    settings = acute_settings(study).pairings
    try:
        return PairingSettings.model_validate(settings.model_dump() | dict(changes))
    except ValidationError as error:
        first = error.errors()[0]
        raise DesignError(f"{'.'.join(map(str, first['loc']))}: {refusal(first)}") from error


def _item_of_line(line: PairingLine) -> Item:
    dialogues = tuple(dialogue.id for dialogue in line.dialogues)
    bots = tuple(dialogue.bot for dialogue in line.dialogues)
    judged = tuple(dialogue.judged for dialogue in line.dialogues)
    is_check = line.extras.get(_ROLE) == "attention"
    role: Role = "judged" if not line.is_onboarding else "attention" if is_check else "onboarding"
    return Item(
        id=pairing_id(dialogues, judged, role),
        group=VERSUS.join(sorted(bots)),
        bots=bots,
        dialogues=dialogues,
        judged=judged,
        role=role,
        gold=line.correct if line.last is None else {"last": line.last},
        extras={"published": {"dialogue_ids": line.dialogue_ids, "fields": dict(line.extras)}},
    )


def _line_of_item(item: Item, dialogues: Mapping[str, Dialogue]) -> PairingLine:
    published = item.extras.get("published")
    if isinstance(published, dict):
        given, fields = published["dialogue_ids"], published["fields"]
        ids = tuple(given) if given else None
    else:
        ids, fields = tuple(item.dialogues), {}
    if item.role == "attention":
        fields = {**fields, _ROLE: item.role}
    return PairingLine(
        dialogues=tuple(dialogues[name] for name in item.dialogues),
        judged=item.bots,
        is_onboarding=not item.is_judged,
        correct=gold_slot(item),
        last=_last_of(item),
        dialogue_ids=ids,
        extras=fields,
    )


def _last_of(item: Item) -> int | None:
    """The slot of a ranking that should come last.

    Raises:
        DesignError: Another place is known of it, for which the format has no field.
    """
    known = gold_place(item) if is_ranking(item) else None
    if known is not None and known[1] == 1:
        raise DesignError(
            f"ranking {item.id}: of a ranking with a known answer the file says who is last, and this one "
            "says who is first."
        )
    return None if known is None else known[0]


class _ItemCounter:
    """Counts items on their way into the file."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.matchups: Counter[str] = Counter()
        self.met: Counter[str] = Counter()
        self.known: Counter[str] = Counter()

    def passing(self, items: Iterator[Item]) -> Iterator[Item]:
        for item in items:
            self.ids.add(item.id)
            if item.is_judged:
                self.matchups[item.group] += 1
                if is_ranking(item):
                    self.met.update(VERSUS.join(pair) for pair in combinations(sorted(item.bots), 2))
            else:
                self.known[item.role] += 1
            yield item

    def result(
        self, path: Path, *, kept: int, replaced: int, left_out: tuple[FormatError, ...] = ()
    ) -> MadePairings:
        return MadePairings(
            path,
            dict(self.matchups),
            self.known["onboarding"],
            kept,
            replaced,
            left_out,
            met=dict(self.met),
            attention=self.known["attention"],
        )
