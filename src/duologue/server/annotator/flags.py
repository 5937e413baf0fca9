"""Screening: what the rules find in a live chat, and what the page saw, is stored with the judgment."""

from __future__ import annotations

from duologue.protocols import Answer, FormValues, chat_plan
from duologue.screening import JUDGMENT_FLAGS, PAGE_FLAGS, count_words, flag_chat, read_words
from duologue.server.annotator.recent_assignments import AskedAssignment
from duologue.store import Flag, Store, fetch_chat
from duologue.studies import Study


class ChatScreening:
    """A study's rules for live chats, with its list of offensive words."""

    def __init__(self, study: Study) -> None:
        """Read what the rules need.

        Raises:
            InputError: The list of offensive words cannot be read.
        """
        self._study = study
        settings = study.file.screening
        self._min_words = settings.min_words
        listed = settings.offensive_words
        self._offensive = read_words(study.folder / listed) if listed else frozenset()

    async def look_at(
        self, store: Store, token: str, handed: AskedAssignment, answer: Answer
    ) -> tuple[tuple[Flag, ...], int]:
        """What the rules find in the annotator's turns of a live chat, and how many words were to be read."""
        plan = chat_plan(handed.asked.item)
        if plan is None:
            return (), handed.words
        chat = await store.run_async(fetch_chat(token, handed.key))
        found = flag_chat(
            [turn.text for turn in chat.turns if turn.is_annotator],
            persona=plan.annotator_persona,
            min_words=self._min_words,
            offensive_words=self._offensive,
            points=self._study.protocol.points_given(answer),
        )
        read = sum(count_words(turn.text) for turn in chat.turns if not turn.is_annotator)
        return tuple(Flag(flag.rule, flag.detail) for flag in found), read


def flags_of_page(form: FormValues) -> tuple[Flag, ...]:
    """What our script saw while an answer was given, as its form says."""
    return tuple(Flag(rule, JUDGMENT_FLAGS[rule]) for rule in PAGE_FLAGS if form.get(rule) == "1")
