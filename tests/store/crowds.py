"""More people than places: annotators who come at once or one after another, and what each of them got."""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Literal

from duologue.protocols import Answer, ChatPlan, ChatSettings, Item, Selection
from duologue.store import (
    Assignment,
    ConsentStation,
    FormStation,
    ItemStation,
    Station,
    Store,
    choose_candidates,
    fetch_annotators,
    fetch_chat,
    fetch_judgments,
    fill_in_form,
    give_consent,
    invite_annotators,
    load_dialogues,
    load_items,
    record_answer,
    resume_sitting,
)
from duologue.studies import AttentionTable, StudyRules
from tests.store.small_chats import CHAT_CAPS, candidate_items, chat_items, reply, say
from tests.store.small_study import CAPS, attention_items, dialogues, gold_dialogues, pairings

How = Literal["at once", "one after another"]
Protocol = Literal["acute", "likert", "per-turn", "nuc"]
CHECKED = AttentionTable(per_sitting=2, threshold=1.0, on_fail="exclude")


@dataclass(frozen=True)
class SmallStudy:
    """A study with a number of places, as a protocol makes it."""

    caps: StudyRules
    items: tuple[Item, ...]
    judgments: int
    """That are wanted in all."""


@dataclass
class Came:
    """What one of a crowd got."""

    token: str
    is_right: bool = True
    agreed: bool = False
    asked: Counter[str] = field(default_factory=Counter)
    """Items by their role."""
    counted: int = 0
    ended: str = ""
    """The last station."""


def small_study(store: Store, protocol: Protocol, *, places: int, questions: int = 6) -> SmallStudy:
    """A study in a store: so many judgments that are wanted, or in nuc so many whole questionnaires."""
    study = _made(protocol, places, questions)
    gold = gold_dialogues("check", 2)
    store.run(load_dialogues([*dialogues("AB", places), *gold] if protocol == "acute" else []))
    store.run(load_items(study.items, study.caps))
    return study


def _made(protocol: Protocol, places: int, questions: int) -> SmallStudy:
    if protocol == "acute":
        caps = replace(CAPS, max_judgments=questions, attention=CHECKED)
        return SmallStudy(caps, (*attention_items(2), *pairings("AB", places)), places)
    if protocol == "likert":
        return SmallStudy(CHAT_CAPS, tuple(chat_items(("ada", "bea"), each=places // 2)), places)
    if protocol == "per-turn":
        chats = candidate_items(("ada", "bea"), each=places, plan=ChatPlan(choose="any", goes_on="random"))
        caps = replace(CHAT_CAPS, chat=ChatSettings(min_exchanges=1, max_exchanges=2))
        return SmallStudy(caps, tuple(chats), places)
    caps = replace(
        CAPS,
        annotations_per_item=places // 2,
        attention=CHECKED,
        sitting_seconds=2400.0,
        forms_before=("you",),
    )
    asked = [question(f"q{n}", block=f"version {n % 2}") for n in range(2 * questions)]
    checks = [replace(question(f"check {n}"), role="attention", gold=1) for n in range(3)]
    return SmallStudy(caps, (*asked, *checks), places * questions)


def question(key: str, *, block: str = "") -> Item:
    """A question with five replies to choose from."""
    return Item(key, "corpus", (), (), (), slots=5, block=block)


def come_all(store: Store, caps: StudyRules, people: int, how: How, *, careless: int = 0) -> tuple[Came, ...]:
    """So many people come and go on until there is nothing for them; the first of them are careless."""
    links = store.run(invite_annotators(people))
    crowd = [Came(link.token, is_right=number >= careless) for number, link in enumerate(links)]
    if how == "at once":
        with ThreadPoolExecutor(people) as pool:
            list(pool.map(lambda one: list(visit(store, caps, one)), crowd))
    else:
        for one in crowd:
            list(visit(store, caps, one))
    tokens = {one.id: one.token for one in store.run(fetch_annotators())}
    counted = Counter(tokens[one.annotator] for one in store.stream(fetch_judgments()) if not one.excluded)
    for one in crowd:
        one.counted = counted[one.token]
    return tuple(crowd)


def visit(store: Store, caps: StudyRules, came: Came) -> Iterator[Station]:
    """All that somebody meets, station by station."""
    station = store.run(resume_sitting(came.token, caps))
    yield station
    if isinstance(station, ConsentStation):
        station = store.run(give_consent(came.token, caps))
        yield station
    while isinstance(station, FormStation | ItemStation):
        came.agreed = True
        if isinstance(station, FormStation):
            station = store.run(fill_in_form(came.token, caps, form=station.form, answers={"age": 30}))
        else:
            came.asked[station.assignment.item.role] += 1
            station = _judge(store, caps, came, station.assignment)
        yield station
    came.ended = type(station).__name__


def _judge(store: Store, caps: StudyRules, came: Came, assignment: Assignment) -> Station:
    if assignment.chat is not None:
        _chat(store, caps, came.token, assignment)
    return store.run(
        record_answer(
            came.token,
            caps,
            assignment=assignment.key,
            answer=Answer({"best": 0, "second": 1}),
            seconds=20.0,
            is_correct=None if assignment.item.is_judged else came.is_right,
            key=f"key-{assignment.key}",
        )
    )


def _chat(store: Store, caps: StudyRules, token: str, assignment: Assignment) -> None:
    """Chat until it is over, and choose a reply wherever one is asked for."""
    while (chat := store.run(fetch_chat(token, assignment.key))).state != "ended":
        if chat.state == "annotator":
            say(store, token, assignment, f"This is turn {len(chat.turns)}.", caps)
        elif chat.state == "choosing":
            chosen = Selection(chat.turn, (1,))
            store.run(
                choose_candidates(
                    token, caps, assignment=assignment.key, selection=chosen, key=f"turn {chat.turn}"
                )
            )
        else:
            reply(store)


def spread(numbers: Sequence[int]) -> str:
    """Numbers in words: how often each came."""
    return ", ".join(f"{count} × {number}" for number, count in sorted(Counter(numbers).items()))
