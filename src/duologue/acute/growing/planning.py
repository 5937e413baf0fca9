"""What adding bots to a study takes: which matchups are new, how many pairings, what is asked again."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote

from duologue.acute.design.pairings import pairing_for
from duologue.acute.design.table import acute_settings
from duologue.acute.pairing import DialogueHead, Matchup
from duologue.dialogues import index_dialogues
from duologue.errors import DesignError
from duologue.protocols import Item, addendum_asking, ask_again, read_items
from duologue.seeds import first_numbers
from duologue.studies import AddedGroup, Study, material_of

RECHECK = 0.1
"""The share of earlier pairings that is asked again, unless somebody says otherwise."""

FEWEST_AGAIN = 2
"""Pairings of a matchup that are asked again at least: of one nothing can be said."""


@dataclass(frozen=True, slots=True)
class GrowthPlan:
    """What would be added to a study."""

    number: int
    """Of the addendum."""
    adds: tuple[str, ...]
    new: tuple[Item, ...]
    again: tuple[Item, ...]
    """Earlier pairings, to be asked again."""
    groups: tuple[AddedGroup, ...]
    """The new matchups, in every arm."""
    asked_again: tuple[AddedGroup, ...]
    """The earlier matchups that are asked again, in every arm."""
    earlier: Mapping[str, int]
    """Judgments of each of them that were planned before, in one arm."""
    has_onboarding: bool

    @property
    def judgments(self) -> int:
        """Of the new matchups, in all arms."""
        return sum(one.judgments for one in self.groups)

    @property
    def judgments_again(self) -> int:
        """Of what is asked again, in all arms."""
        return sum(one.judgments for one in self.asked_again)


def plan_growth(
    study: Study,
    bots: Sequence[str],
    *,
    against: Sequence[str] = (),
    per_matchup: int | None = None,
    recheck: float | None = None,
    mix_kinds: bool = False,
    number: int = 1,
    judged: Collection[str] = (),
) -> GrowthPlan:
    """Plan and pair what is new when bots are added to a study; nothing is written.

    Every bot is compared with the others of the study (or with those of ``against``) and with the other new
    ones. Matchups that are there stay as they are. How many pairings each new one has is planned for their
    own family, unless the study file or ``per_matchup`` says it.

    Args:
        study: The study, with the dialogues of the bots (or, of parallel chats, with bots that answer).
        bots: The bots that are added.
        against: Compare them with these bots only.
        per_matchup: Pairings of each new matchup.
        recheck: The share of the earlier pairings that is asked again; a tenth when not given, and none of
            parallel chats, which cannot be held again.
        mix_kinds: Allow a matchup of self-chats against live chats.
        number: Of the addendum.
        judged: Pairings that were judged: of these some are asked again.

    Raises:
        DesignError: A bot is not there, or there is nothing new to compare.
        ImpossiblePairing: There are too few dialogues.
    """
    settings = acute_settings(study)
    share = (0.0 if settings.is_parallel else RECHECK) if recheck is None else recheck
    if settings.is_parallel and share:
        raise DesignError(
            "--recheck: parallel chats are held by the annotator who compares them, and cannot be asked "
            "again. Leave it out."
        )
    if settings.compares_phrasings:
        raise DesignError("this study compares phrasings of a question, not bots: none can be added.")
    before = list(read_items(study.items_path))
    if any(len(item.bots) > 2 for item in before):
        raise DesignError(
            "this study has items that show more than two bots (rankings of three): a bot can be added only "
            "where two are compared at a time. Compare the new bot in a study of its own."
        )
    heads = list(index_dialogues(study.folder))
    there = {Matchup.of(*item.bots).group for item in before if item.is_judged}
    pairs = _new_matchups(study, bots, against, before, _known_bots(study, heads), there)
    changes: dict[str, object] = {"mix_kinds": True} if mix_kinds else {}
    if per_matchup is not None:
        changes["per_matchup"] = per_matchup
    new = tuple(_paired(study, pairs, before, heads, changes))
    again = tuple(_again(study, before, share, number, judged))
    counts = Counter(item.group for item in before if item.is_judged)
    return GrowthPlan(
        number=number,
        adds=tuple(dict.fromkeys(bots)),
        new=new,
        again=again,
        groups=tuple(_groups(study, new)),
        asked_again=tuple(_groups(study, again)),
        earlier=study.caps.judgments_of(counts),
        has_onboarding=any(item.is_onboarding for item in before),
    )


def _known_bots(study: Study, heads: Sequence[DialogueHead]) -> frozenset[str]:
    """The bots that can be compared: with dialogues; of parallel chats, those that answer."""
    if acute_settings(study).is_parallel:
        return frozenset(material_of(study).bots)
    return frozenset(head.bot for head in heads)


def _new_matchups(
    study: Study,
    bots: Sequence[str],
    against: Sequence[str],
    before: Sequence[Item],
    known: frozenset[str],
    there: Collection[str],
) -> tuple[Matchup, ...]:
    for bot in (*bots, *against):
        if bot not in known:
            raise DesignError(_missing(study, bot, known))
    compared = {bot for item in before if item.is_judged for bot in item.bots}
    others = list(against) or sorted(compared - set(bots))
    pairs = {Matchup.of(bot, other) for bot in bots for other in others if bot != other}
    pairs |= {Matchup.of(one, other) for one, other in itertools.combinations(dict.fromkeys(bots), 2)}
    fresh = sorted((pair for pair in pairs if pair.group not in there), key=lambda pair: pair.group)
    if not fresh:
        listed = ", ".join(dict.fromkeys(bots))
        raise DesignError(
            f"there is nothing new to compare: {listed} and {', '.join(others) or 'no other bot'} have their "
            "pairings already. Judgments that are missing there come in when the study is served."
        )
    return tuple(fresh)


def _missing(study: Study, bot: str, known: frozenset[str]) -> str:
    listed = ", ".join(sorted(known)) or "none"
    if acute_settings(study).is_parallel:
        return (
            f"bot {bot!r} cannot be chatted with (the bots that can: {listed}). Add a [[bots]] table with a "
            "kind that answers to study.toml (docs/bots.md)."
        )
    if any(one.name == bot for one in study.file.bots):
        return (
            f"bot {bot!r} of [[bots]] has no dialogues yet. Hold some with `duologue dialogues self-chat "
            f"{study.quoted} --bot {quote(bot)}`."
        )
    return (
        f"bot {bot!r} is not in this study (the bots with dialogues: {listed}). Import its logs with "
        f"`duologue dialogues import {study.quoted} FILE --bot {quote(bot)}`, or add it to [[bots]] in "
        "study.toml and hold self-chats."
    )


def _paired(
    study: Study,
    pairs: Sequence[Matchup],
    before: Sequence[Item],
    heads: Sequence[DialogueHead],
    given: Mapping[str, object],
) -> Iterator[Item]:
    """The pairings of the new matchups, planned as a family of their own."""
    settings = acute_settings(study)
    changes: dict[str, object] = {
        "matchups": tuple((pair.first, pair.second) for pair in pairs),
        "against": (),
        "same_bot": (),
        "same_bot_share": 0.0,
        "leave_out": (),
        "onboarding": None,
        **given,
    }
    pairing = settings.pairings.model_copy(update=changes)
    is_once = pairing.dialogue_once == "study"
    taken = {name for item in before if is_once or not item.is_judged for name in item.dialogues}
    # New matchups are decided by themselves, whatever the study's verdicts rest on.
    alone = replace(study, settings=settings.model_copy(update={"verdicts": "direct", "pairings": pairing}))
    free = [head for head in heads if head.id not in taken]
    yield from pairing_for(alone, pairing, free, study.seed)()


def _again(
    study: Study, before: Sequence[Item], share: float, number: int, judged: Collection[str]
) -> Iterator[Item]:
    """A share of the judged pairings of every earlier matchup of two bots, chosen by the study's seed."""
    if not share:
        return
    groups: dict[str, list[Item]] = {}
    for item in before:
        if (
            item.is_judged
            and len(set(item.bots)) > 1
            and not addendum_asking(item.group)
            and item.id in judged
        ):
            groups.setdefault(item.group, []).append(item)
    for group in sorted(groups):
        items = groups[group]
        lots = first_numbers(study.seed, f"again-{number}", [item.id for item in items])
        drawn = sorted(zip(lots, range(len(items)), strict=True))
        wanted = min(len(items), max(FEWEST_AGAIN, round(share * len(items))))
        yield from (ask_again(items[place], number) for _lot, place in drawn[:wanted])


def _groups(study: Study, items: Sequence[Item]) -> Iterator[AddedGroup]:
    bots = {item.group: tuple(sorted(item.bots)) for item in items}
    wanted = study.caps.judgments_of(Counter(item.group for item in items))
    for arm in study.arms:
        for group, judgments in sorted(wanted.items()):
            yield AddedGroup(arm.name, group, bots[group], judgments)
