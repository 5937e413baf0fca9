"""Rehearsing comparisons: true preferences, who comes, which side they choose, what was recovered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from duologue.acute.analysis.results import AcuteResults
from duologue.acute.pairing import Matchup
from duologue.acute.phrasings.rehearsal import draw_clarity, parse_clarity, phrasing_recoveries
from duologue.acute.ranking.answers import is_ranking
from duologue.acute.rehearsal.answering import value_for, wanted_answer
from duologue.acute.rehearsal.preferences import Preferences, draw_preferences, parse_order, parse_preferences
from duologue.acute.rehearsal.ranking import ranking_form
from duologue.acute.rehearsal.recovery import drift_recoveries, recoveries
from duologue.acute.together import field_ending, names_in_order
from duologue.errors import DesignError
from duologue.protocols import AskedItem, Item, addendum_asking, chat_plan
from duologue.rehearsal import (
    FAILS_ONBOARDING,
    HURRIED,
    Choices,
    Kind,
    Protocol,
    ProtocolRehearsal,
    Recovery,
    SimulatedAnnotator,
    Stated,
)

WORDS_READ_A_SECOND = 4.0
"""By annotators who are asked several questions about what they read."""


class AcuteRehearsal(ProtocolRehearsal[Preferences, AcuteResults]):
    """Annotators who prefer one bot to another, more or less often."""

    mix: ClassVar[Mapping[Kind, float]] = {
        "careful": 0.60,
        "careless": 0.05,
        "always-left": 0.05,
        "never-a-reason": 0.05,
        FAILS_ONBOARDING: 0.10,
        "leaves-half-way": 0.05,
        "double-clicker": 0.10,
    }
    summaries: ClassVar[Mapping[Kind, str]] = {
        "careful": "choose by their true preference and say why",
        "careless": "choose at random",
        "always-left": "always choose the first answer",
        "never-a-reason": "choose by their true preference and never say why",
        FAILS_ONBOARDING: "answer onboarding wrongly, and go against the true preference afterwards",
        "leaves-half-way": "are careful and leave half-way, with a comparison open",
        "double-clicker": "are careful and send every answer twice at once",
    }
    without_reasons: ClassVar[Mapping[Kind, str]] = {"careful": "choose by their true preference"}
    sought: ClassVar[str] = "prefer"

    def noun(self, items: Sequence[Item]) -> str:
        """A pairing, a ranking, or a parallel chat."""
        if any(is_ranking(item) for item in items):
            return "ranking"
        return "parallel chat" if any(chat_plan(item) for item in items) else "pairing"

    def truth(self, items: Sequence[Item], stated: Stated, *, rng: np.random.Generator) -> Preferences:
        """The preferences stated, and strengths for the other matchups."""
        preferences = parse_preferences(stated.get("prefer", ()))
        orders = [parse_order(text) for text in stated.get("order", ())]
        if len(orders) > 1:
            raise DesignError("--order: say one order of all bots that matter.")
        bots = sorted({bot for item in items for bot in item.bots})
        drifted = parse_preferences(stated.get("drift", ()), option="--drift")
        asked_again = {Matchup.of(*item.bots) for item in items if addendum_asking(item.group)}
        for one, other in drifted:
            if Matchup.of(one, other) not in asked_again:
                raise DesignError(
                    f"--drift {one}:{other}: this matchup is not asked again; `duologue study grow` says "
                    "which are."
                )
        order = orders[0] if orders else ()
        return draw_preferences(bots, stated=preferences, order=order, drifted=drifted, rng=rng)

    def truth_of(
        self, protocol: Protocol, items: Sequence[Item], stated: Stated, *, rng: np.random.Generator
    ) -> Preferences:
        """The same; where phrasings are compared, also how clear each of them is."""
        clarity = parse_clarity(stated.get("clarity", ()))
        found = self.truth(items, stated, rng=rng)
        settings = protocol.settings
        if not settings.compares_phrasings:
            if clarity:
                raise DesignError(
                    "--clarity: this study compares bots, not phrasings; say --prefer or --order."
                )
            return found
        return replace(found, clarity=draw_clarity(settings, clarity, rng=rng))

    def simulate(
        self,
        annotator: SimulatedAnnotator,
        asked: AskedItem,
        choices: Choices,
        *,
        protocol: Protocol,
        truth: Preferences,
    ) -> Mapping[str, str]:
        """The side of the bot that the annotator speaks for; the first answer where none is read.

        Of three dialogues, the order in which they are felt. Of several questions, each by itself.
        """
        if protocol.settings.is_together:
            return dict(_of_questions(annotator, asked, choices, protocol, truth))
        if is_ranking(asked.item):
            return ranking_form(annotator, asked, protocol, truth)
        wanted = wanted_answer(annotator, asked.item, truth, arm=asked.arm)
        return {
            name: values[0] if wanted is None else value_for(wanted, name, values, asked, protocol)
            for name, values in choices.items()
        }

    def recoveries(self, results: AcuteResults, truth: Preferences) -> Iterator[Recovery]:
        """Of every matchup, the true rate and the one that was found; of phrasings, the clearest."""
        if results.phrasings is not None:
            yield from phrasing_recoveries(results.phrasings, truth.clarity)
            return
        yield from (recovery.in_words() for recovery in recoveries(results, truth))
        yield from drift_recoveries(results, truth)


def _of_questions(
    annotator: SimulatedAnnotator, asked: AskedItem, choices: Choices, protocol: Protocol, truth: Preferences
) -> Iterator[tuple[str, str]]:
    """The answers to several questions about the same dialogues, each as if it were asked alone."""
    settings = protocol.settings
    alone = type(protocol)(settings.model_copy(update={"ask": "apart"}))
    order = names_in_order(settings, asked.annotator)
    words = sum(len(text.split()) for text in protocol.texts_shown(asked))
    total = 0.0
    for name in order:
        ending, own = field_ending(settings, name), replace(asked, arm=name)
        question = "" if name == settings.lead else name
        if is_ranking(asked.item):
            form = ranking_form(annotator, own, alone, truth, question=question)
            yield from ((f"{field}{ending}", value) for field, value in form.items())
        else:
            values = choices[f"choice{ending}"]
            wanted = wanted_answer(annotator, asked.item, truth, question=question)
            chosen = values[0] if wanted is None else value_for(wanted, "choice", values, own, alone)
            yield f"choice{ending}", chosen
        rng = annotator.rng(f"{asked.item.id}/{name}/took")
        if annotator.kind in HURRIED:
            took = rng.uniform(0.1, 0.2)
        else:
            took = rng.uniform(4, 10) + (words / WORDS_READ_A_SECOND if name == order[0] else 0)
        total += round(took, 1)
        yield f"took{ending}", f"{took:.1f}"
    yield "seconds", f"{total:.1f}"
