"""What was judged: the dialogues of each bot, where they come from, how long they are, how they began."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from duologue.dialogues import Dialogue, Json
from duologue.protocols import BotMaterial, say_list

_CHUNK = 500
_KINDS = {"self-chat": "self-chat", "live-chat": "live chat", "human-human": "human–human dialogue"}


def material_of(
    dialogues: Mapping[str, Iterable[str]], read: Callable[[Sequence[str]], Sequence[Dialogue]]
) -> tuple[BotMaterial, ...]:
    """What is known of the dialogues that were judged, bot by bot.

    Args:
        dialogues: Their ids, by bot.
        read: Gives dialogues by their ids.
    """
    return tuple(
        _of_bot(bot, _read(sorted(keys), read)) for bot, keys in sorted(dialogues.items()) if any(keys)
    )


def _read(keys: Sequence[str], read: Callable[[Sequence[str]], Sequence[Dialogue]]) -> Iterator[Dialogue]:
    for start in range(0, len(keys), _CHUNK):
        yield from read(keys[start : start + _CHUNK])


def _of_bot(bot: str, dialogues: Iterable[Dialogue]) -> BotMaterial:
    kinds: Counter[str] = Counter()
    lengths, openers, with_persona, of_unknown_start = [], [], 0, 0
    for dialogue in dialogues:
        kinds[dialogue.kind] += 1
        lengths.append(len(dialogue.turns))
        briefing = dialogue.extras.get("briefing")
        told: Mapping[str, Json] = briefing if isinstance(briefing, Mapping) else {}
        of_unknown_start += not (told or "briefing" in dialogue.extras or dialogue.context)
        openers += [str(told["opener"])] if told.get("opener") else []
        with_persona += bool(
            dialogue.context
            or any(told.get(key) for key in ("persona", "partner_persona", "annotator_persona"))
        )
    return BotMaterial(
        bot=bot,
        kinds=dict(kinds),
        turns=sum(lengths),
        fewest_turns=min(lengths),
        most_turns=max(lengths),
        openers=len(set(openers)),
        with_opener=len(openers),
        with_persona=with_persona,
        of_unknown_start=of_unknown_start,
    )


def say_material(material: Sequence[BotMaterial]) -> str:
    """What was judged, in sentences for a paper; empty where nothing is known."""
    if not material:
        return ""
    each = "; ".join(f"{one.bot}, {_dialogues(one)}" for one in material)
    said = f"The judgments that count are about these dialogues: {each}."
    people = [f"“{one.bot}”" for one in material if set(one.kinds) == {"human-human"}]
    if len(people) == 1:
        said += f" {people[0]} is no bot: its dialogues are between two people, one of whom was judged."
    elif people:
        who = say_list(people)
        said += f" {who} are no bots: their dialogues are between two people, one of whom was judged."
    return said


def _dialogues(one: BotMaterial) -> str:
    kinds = " and ".join(
        f"{count:,} {_KINDS.get(kind, kind)}{'' if count == 1 else 's'}"
        for kind, count in sorted(one.kinds.items())
    )
    span = f"{one.fewest_turns} to {one.most_turns}, "
    if one.fewest_turns == one.most_turns:
        return f"{kinds} of {_turns(one.most_turns)}{_begun(one)}"
    return f"{kinds} of {span}on average {one.turns / one.dialogues:.1f}, turns{_begun(one)}"


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


def _begun(one: BotMaterial) -> str:
    if one.with_opener:
        share = "" if one.with_opener == one.dialogues else f"{one.with_opener:,} of them "
        first = "opener" if one.openers == 1 else "openers"
        begun = f", {share}begun with one of {one.openers:,} given {first}"
    else:
        begun = "" if one.of_unknown_start else ", without given openers"
    if not one.with_persona and one.of_unknown_start:
        return begun
    if not one.with_persona:
        return f"{begun} or personas" if not one.with_opener else f"{begun}, without personas"
    share = "" if one.with_persona == one.dialogues else f" in {one.with_persona:,} of them"
    return f"{begun}, with given personas{share}"
