from __future__ import annotations

import re
from itertools import chain

from duologue.bots import openers
from duologue.bots.companion import Topic, read_topics
from duologue.bots.lines import read_lines

CONVERSATION = read_topics(read_lines("companion"))


def topics_of(text: str) -> set[str]:
    words = set(re.findall(r"[a-z]+", text.lower()))
    return {topic.name for topic in CONVERSATION.topics if words & topic.keywords}


def answers(topic: Topic) -> list[str]:
    return [answer for thread in topic.threads for answer, _ in thread.answers]


def test_every_opener_belongs_to_a_topic_of_the_companion() -> None:
    assert [opener for opener in openers() if not topics_of(opener)] == []


def test_every_topic_has_openers() -> None:
    begun = set(chain.from_iterable(topics_of(opener) for opener in openers()))
    assert begun == {topic.name for topic in CONVERSATION.topics}


def test_no_line_is_part_of_another_so_that_each_is_recognised() -> None:
    asks = [thread.ask for topic in CONVERSATION.topics for thread in topic.threads]
    lines = asks + [answer for topic in CONVERSATION.topics for answer in answers(topic)]
    inside = [(one, other) for one in lines for other in lines if one is not other and one in other]
    assert inside == []


def test_every_bot_has_dozens_of_lines() -> None:
    small_talk = read_lines("small_talk")
    assert len(read_lines("parrot")["patterns"]) >= 24
    assert sum(map(len, small_talk.values())) >= 48
    assert sum(len(answers(topic)) for topic in CONVERSATION.topics) >= 60
