"""Live chats to put into a store, annotators who chat, and a bot that answers."""

from collections.abc import Sequence
from dataclasses import replace

from duologue.protocols import CHAT, HUMAN, Answer, ChatPlan, ChatSettings, Item
from duologue.store import (
    Assignment,
    Chat,
    Flag,
    GivenReply,
    ItemStation,
    Station,
    Store,
    fetch_chat,
    fetch_credited,
    give_consent,
    invite_annotators,
    record_answer,
    store_reply,
    take_replies,
    take_turn,
)
from duologue.studies import StudyRules
from tests.store.small_study import CAPS

CHAT_CAPS = replace(CAPS, max_per_group=1, chat=ChatSettings(min_exchanges=2, max_exchanges=3))
"""Rules of a study in which everybody chats once with each bot."""

PEOPLE = replace(CHAT_CAPS, chat=ChatSettings(min_exchanges=2, max_exchanges=3, human_partner=True))
"""Rules of a study in which annotators also chat with each other."""

RATING = Answer({"ratings": {"enjoyment": 3}}, "Nice.")


def chat_item(bot: str, number: int, plan: ChatPlan | None = None) -> Item:
    plan = plan or ChatPlan(persona=(f"i am {bot}.",), annotator_persona=(f"i am person {number}.",))
    return Item(f"chat-{bot}-{number}", bot, (bot,), (), (), extras={CHAT: plan.record()})


def candidate_items(bots: Sequence[str], *, each: int, plan: ChatPlan) -> list[Item]:
    """Live chats in which several bots answer."""
    group = "__vs__".join(bots)
    return [
        Item(f"chat-{group}-{number}", group, tuple(bots), (), (), extras={CHAT: plan.record()})
        for number in range(each)
    ]


def chat_items(bots: Sequence[str], *, each: int, plan: ChatPlan | None = None) -> list[Item]:
    return [chat_item(bot, number, plan) for bot in bots for number in range(each)]


def come_to_chat(store: Store, caps: StudyRules = CHAT_CAPS) -> tuple[str, Assignment]:
    """A new annotator who consents: the link's token, and the chat they were handed."""
    (invitation,) = store.run(invite_annotators())
    return invitation.token, in_hand(store.run(give_consent(invitation.token, caps)))


def in_hand(station: Station) -> Assignment:
    assert isinstance(station, ItemStation), station
    return station.assignment


def chat_in(station: Station) -> Chat:
    chat = in_hand(station).chat
    assert chat is not None
    return chat


def say(
    store: Store, token: str, assignment: Assignment, text: str = "Well.", caps: StudyRules = CHAT_CAPS
) -> Station:
    """Say something, under a key that is new in this chat."""
    place = len(store.run(fetch_chat(token, assignment.key)).turns)
    key = f"key-{place}"
    return store.run(take_turn(token, caps, assignment=assignment.key, text=text, key=key, seconds=1.5))


def reply(store: Store, text: str = "Indeed.", *, bots: Sequence[str] = ("ada", "bea", "cyd")) -> int:
    """The bots answer whatever is wanted of them; how many replies that were."""
    taken = store.run(take_replies(bots=bots, lease_seconds=30))
    for wanted in taken:
        assert store.run(store_reply(wanted.id, GivenReply(text, 0.25)))
    return len(taken)


def chat_through(store: Store, token: str, assignment: Assignment, caps: StudyRules = CHAT_CAPS) -> Chat:
    """Chat with a bot until the chat is over."""
    while (chat := store.run(fetch_chat(token, assignment.key))).state != "ended":
        if chat.state == "annotator":
            say(store, token, assignment, f"This is turn {len(chat.turns)}.", caps)
        else:
            assert reply(store)
    return chat


def rate(
    store: Store,
    token: str,
    assignment: Assignment,
    caps: StudyRules = CHAT_CAPS,
    *,
    flags: Sequence[Flag] = (),
) -> Station:
    return store.run(
        record_answer(
            token,
            caps,
            assignment=assignment.key,
            answer=RATING,
            seconds=10.0,
            is_correct=None,
            key=f"key-{assignment.key}",
            flags=flags,
        )
    )


def credits_of(store: Store) -> list[str]:
    """Why live chats ended with credit, each once."""
    return [one.why for one in store.run(fetch_credited()) for _ in range(one.chats)]


def two_people(
    store: Store, caps: StudyRules = PEOPLE
) -> tuple[tuple[str, Assignment], tuple[str, Assignment]]:
    """Two annotators who are handed a chat with each other."""
    first, second = come_to_chat(store, caps), come_to_chat(store, caps)
    assert first[1].item.bots == second[1].item.bots == (HUMAN,)
    return first, second
