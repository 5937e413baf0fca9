"""The good bot: it answers what it was asked, takes up what was said, keeps the topic and asks back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from duologue.bots.base import Message
from duologue.bots.lines import fresh_line
from duologue.dialogues import Json

ASK_BACK = 0.8
"""How often it ends with a question of its own."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A question, and its possible answers, each with what somebody who heard it may remark."""

    ask: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """Something to talk about: the words that give it away, remarks that fit, and threads to follow."""

    name: str
    keywords: frozenset[str]
    remarks: tuple[str, ...]
    threads: tuple[Thread, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """All the topics, and the ways from one to the next."""

    topics: tuple[Topic, ...]
    bridges: tuple[str, ...]


def read_topics(written: Mapping[str, Json]) -> Conversation:
    """The topics as they are written in ``companion.toml``."""
    topics = cast("list[dict[str, list[str]]]", written["topics"])
    return Conversation(
        tuple(_topic(topic) for topic in topics), tuple(cast("list[str]", written["bridges"]))
    )


def _topic(written: Mapping[str, list[str]]) -> Topic:
    threads = cast("list[dict[str, list[list[str]]]]", written["threads"])
    return Topic(
        name=str(written["name"]),
        keywords=frozenset(written["keywords"]),
        remarks=tuple(written["remarks"]),
        threads=tuple(
            Thread(str(thread["ask"]), tuple((answer, remark) for answer, remark in thread["answers"]))
            for thread in threads
        ),
    )


def speak_companion(messages: Sequence[Message], conversation: Conversation, rng: np.random.Generator) -> str:
    """A remark on what was said, an answer to what was asked, and a question back."""
    said = "\n".join(message.text for message in messages)
    heard = messages[-1].text if messages else ""
    topic = _topic_of(messages, conversation, rng)
    parts = _taken_up(heard, said, conversation, rng) or [fresh_line(topic.remarks, said, rng)]
    if len(parts) == 1 or rng.random() < ASK_BACK:
        parts += _asked_back(topic, said, conversation, rng)
    return " ".join(parts)


def _taken_up(heard: str, said: str, conversation: Conversation, rng: np.random.Generator) -> list[str]:
    """What the last turn calls for: a remark on a known answer, an answer to a known question."""
    threads = [thread for topic in conversation.topics for thread in topic.threads]
    remarks = [remark for thread in threads for answer, remark in thread.answers if answer in heard]
    asked = [thread for thread in threads if thread.ask in heard]
    answers = [fresh_line([answer for answer, _ in thread.answers], said, rng) for thread in asked]
    return remarks + answers


def _asked_back(topic: Topic, said: str, conversation: Conversation, rng: np.random.Generator) -> list[str]:
    """A question nobody has asked, in this topic while it has one, then across a bridge to the next."""
    open_asks = [thread.ask for thread in topic.threads if thread.ask not in said]
    if open_asks:
        return [open_asks[int(rng.integers(len(open_asks)))]]
    fresh = [
        thread.ask for other in conversation.topics for thread in other.threads if thread.ask not in said
    ]
    if not fresh:
        return []
    return [fresh_line(conversation.bridges, said, rng), fresh[int(rng.integers(len(fresh)))]]


def _topic_of(messages: Sequence[Message], conversation: Conversation, rng: np.random.Generator) -> Topic:
    """The topic of the latest turn that has one; any topic when nothing said so far belongs to one."""
    for message in reversed(messages):
        for topic in conversation.topics:
            if any(thread.ask in message.text for thread in topic.threads):
                return topic
        words = re.findall(r"[a-z]+", message.text.lower())
        hits = [sum(word in topic.keywords for word in words) for topic in conversation.topics]
        if any(hits):
            return conversation.topics[int(np.argmax(hits))]
    return conversation.topics[int(rng.integers(len(conversation.topics)))]
