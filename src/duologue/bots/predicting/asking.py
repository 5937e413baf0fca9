"""What a bot is asked for one example, and how its answer is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duologue.bots.answering import AnsweringBot
from duologue.bots.base import Ability, Message
from duologue.bots.briefing import PERSONA
from duologue.dialogues import Json
from duologue.errors import BotError
from duologue.metrics import HeldOutExample, Prediction, WordDictionary, shown_candidates, split_words
from duologue.seeds import seed_sequence


@dataclass(frozen=True, slots=True)
class Questions:
    """What a bot is asked for every example.

    The references stay here. A bot is given the context, and candidates in random order; asked for words, it
    is given the words of the reference one by one, each after it has said how likely it is.
    """

    abilities: tuple[Ability, ...]
    with_parrot: bool = False
    seed: int = 0
    dictionary: WordDictionary | None = None


async def ask_example(bot: AnsweringBot, example: HeldOutExample, questions: Questions) -> Prediction:
    """All that a bot answers on one example, or why it did not."""
    messages = example_messages(example)
    seed = int(seed_sequence(questions.seed, "metrics", example.id).generate_state(1)[0])
    text: str | None = None
    shown: tuple[str, ...] = ()
    scores: tuple[float, ...] | None = None
    parrot: int | None = None
    words: tuple[float | None, ...] | None = None
    try:
        if "reply" in questions.abilities:
            text = (await bot.reply(messages, seed=seed)).text
        if "score" in questions.abilities:
            shown, parrot = shown_candidates(example, with_parrot=questions.with_parrot, seed=questions.seed)
            scores = tuple(await bot.score(messages, shown, seed=seed))
        if "words" in questions.abilities and questions.dictionary is not None:
            words = await _words(bot, messages, example, questions.dictionary, seed)
    except BotError as error:
        return Prediction(failure=error.why)
    return Prediction(text, shown, scores, parrot, word_probabilities=words)


def example_messages(example: HeldOutExample) -> list[Message]:
    """The persona, and the turns so far as the bot sees them: the last is the partner's."""
    told = [Message("system", f"{PERSONA}{line}") for line in example.persona]
    last = len(example.context) - 1
    return told + [
        Message("assistant" if (last - place) % 2 else "user", text)
        for place, text in enumerate(example.context)
    ]


async def _words(
    bot: AnsweringBot,
    messages: list[Message],
    example: HeldOutExample,
    dictionary: WordDictionary,
    seed: int,
) -> tuple[float | None, ...]:
    words = split_words(example.references[0])
    shares: list[float | None] = []
    for place, word in enumerate(words):
        given: Mapping[str, float] = {}
        if word in dictionary.words:
            given = await bot.next_word_probabilities(messages, words[:place], seed=seed)
        shares.append(dictionary.probability(word, given))
    return tuple(shares)


def prediction_record(key: str, answer: Prediction) -> dict[str, Json]:
    """A line of a file of predictions, without context and references."""
    whole: dict[str, Json] = {
        "id": key,
        "prediction": answer.text,
        "candidates": list(answer.candidates) or None,
        "scores": None if answer.scores is None else list(answer.scores),
        "parrot": answer.parrot,
        "word_probabilities": None if answer.word_probabilities is None else list(answer.word_probabilities),
        "failure": answer.failure,
    }
    return {field: value for field, value in whole.items() if value is not None}
