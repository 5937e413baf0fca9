"""A small study to put into a store, and annotators to judge it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.protocols import Answer, Item
from duologue.store import (
    AnnotatorSummary,
    ItemStation,
    ListQuery,
    Station,
    Store,
    give_consent,
    invite_annotators,
    list_annotators,
    load_dialogues,
    load_items,
    record_answer,
)
from duologue.studies import StudyRules

CAPS = StudyRules(
    arms=("main",),
    max_judgments=None,
    lease_seconds=1800.0,
    annotations_per_item=1,
    onboarding_comparisons=0,
    onboarding_threshold=1.0,
    block="soft",
    seed=7,
)
"""Rules of a study without onboarding."""

SCREENED = replace(CAPS, onboarding_comparisons=1)
"""Rules of a study with one onboarding comparison."""

ANSWER = Answer({"side": 1}, "It listened.")


@dataclass
class Hand:
    """A clock that stands still until it is moved."""

    now: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def dialogue(key: str, *, text: str = "Hello!") -> Dialogue:
    bot = key.split("-")[0]
    speakers = (Speaker("she", bot), Speaker("he"))
    return Dialogue(key, bot, "self-chat", "she", speakers, (Turn("she", text), Turn("he", "Well, hello.")))


def dialogues(bots: str = "ABC", each: int = 6) -> list[Dialogue]:
    return [dialogue(f"{bot}-{number}") for bot in bots for number in range(each)]


def pairing(first: str, second: str, *, gold: int | None = None) -> Item:
    bots = (first.split("-")[0], second.split("-")[0])
    return Item(
        id=f"{first}:{second}",
        group="__vs__".join(sorted(bots)),
        bots=bots,
        dialogues=(first, second),
        judged=("she", "she"),
        role="judged" if gold is None else "onboarding",
        gold=gold,
    )


def pairings(bots: str = "ABC", each: int = 4) -> list[Item]:
    """Every two bots; each dialogue once in a matchup."""
    return [
        pairing(f"{one}-{number}", f"{two}-{number}")
        for one, two in combinations(bots, 2)
        for number in range(each)
    ]


def attention_items(number: int) -> list[Item]:
    """Attention checks, each with dialogues of its own (`gold_dialogues`)."""
    return [
        replace(pairing(f"A-check{one}", f"B-check{one}", gold=0), role="attention") for one in range(number)
    ]


def gold_dialogues(name: str, number: int) -> list[Dialogue]:
    """The dialogues of items with a known answer: the first of each two is the better one."""
    return [
        dialogue(f"{bot}-{name}{one}", text=text)
        for one in range(number)
        for bot, text in (("A", "A pleasure to meet you."), ("B", "no no no no"))
    ]


def load(
    store: Store,
    caps: StudyRules = CAPS,
    *,
    bots: str = "ABC",
    each: int = 4,
    onboarding: int = 0,
    attention: int = 0,
) -> None:
    """Load a study; its onboarding items and attention checks have dialogues of their own."""
    gold = [*gold_dialogues("gold", onboarding), *gold_dialogues("check", attention)]
    store.run(load_dialogues([*dialogues(bots, each), *gold]))
    items = [pairing(f"A-gold{number}", f"B-gold{number}", gold=0) for number in range(onboarding)]
    store.run(load_items([*items, *attention_items(attention), *pairings(bots, each)], caps))


def summary_of(store: Store, token: str) -> AnnotatorSummary:
    """The annotator who has a link."""
    (found,) = store.run(list_annotators(ListQuery(token))).rows
    return found


def come(store: Store, caps: StudyRules = CAPS) -> tuple[str, Station]:
    """A new annotator who consents: the link's token, and where they stand."""
    (invitation,) = store.run(invite_annotators())
    return invitation.token, store.run(give_consent(invitation.token, caps))


def answer(
    store: Store,
    token: str,
    station: Station,
    caps: StudyRules = CAPS,
    *,
    is_right: bool = True,
    reason: str = "So.",
) -> Station:
    """Submit the assignment in hand."""
    assert isinstance(station, ItemStation)
    return store.run(
        record_answer(
            token,
            caps,
            assignment=station.assignment.key,
            answer=replace(ANSWER, reason=reason),
            seconds=20.0,
            is_correct=None if station.assignment.item.is_judged else is_right,
            key=f"key-{station.assignment.key}",
        )
    )


def walk(
    store: Store, token: str, station: Station, caps: StudyRules = CAPS, *, is_right: bool = True
) -> Iterator[Station]:
    """Judge until there is nothing more, and tell every station on the way."""
    yield station
    while isinstance(station, ItemStation):
        station = answer(store, token, station, caps, is_right=is_right)
        yield station


def judge_all(store: Store, caps: StudyRules = CAPS, *, is_right: bool = True) -> list[Station]:
    """A new annotator judges until there is nothing more."""
    token, station = come(store, caps)
    return list(walk(store, token, station, caps, is_right=is_right))


def working(stations: Sequence[Station]) -> list[ItemStation]:
    return [station for station in stations if isinstance(station, ItemStation)]
