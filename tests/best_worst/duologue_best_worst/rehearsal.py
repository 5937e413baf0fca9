"""How simulated annotators rank three dialogues: by the true strengths of the bots, and some by nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from duologue.errors import DesignError
from duologue.protocols import CHOSEN_FIELD, NONE_FIELD, AskedItem, AtTurn, FieldValue, Item
from duologue.rehearsal import (
    Choices,
    Kind,
    Protocol,
    ProtocolRehearsal,
    Recovery,
    SimulatedAnnotator,
    Stated,
)
from duologue_best_worst.analysis import BestWorstResults
from duologue_best_worst.protocol import CHECK, TALKED, TIE

Strengths = Mapping[str, float]
TIE_RATE = 0.1


class BestWorstRehearsal(ProtocolRehearsal[Strengths, BestWorstResults]):
    """Annotators who rank by strength and chance (Plackett and Luce), and now and then see no difference."""

    mix: ClassVar[Mapping[Kind, float]] = {
        "careful": 0.7,
        "skims": 0.15,
        "leaves-half-way": 0.05,
        "double-clicker": 0.1,
    }
    summaries: ClassVar[Mapping[Kind, str]] = {
        "careful": "rank by the true strengths of the bots, and know what they read",
        "skims": "always choose the first answer, whatever is asked",
        "leaves-half-way": "are careful and leave half-way",
        "double-clicker": "are careful and send every answer twice at once",
    }
    sought: ClassVar[str] = "find better"

    def noun(self, items: Sequence[Item]) -> str:
        """Three dialogues."""
        return "three"

    def truth(self, items: Sequence[Item], stated: Stated, *, rng: np.random.Generator) -> Strengths:
        """The strengths stated, and for other bots places one logit apart in an order that is drawn."""
        bots = sorted({bot for item in items for bot in item.bots})
        places = rng.permutation(len(bots)).tolist()
        strengths = dict(zip(bots, map(float, places), strict=True))
        for text in stated.get("strength", ()):
            bot, _, number = text.partition("=")
            if bot not in strengths:
                raise DesignError(f"--strength {text}: the bots of this study are {', '.join(bots)}.")
            try:
                strengths[bot] = float(number)
            except ValueError as error:
                raise DesignError(
                    f"--strength {text}: expected a bot and a number, such as A=1.5."
                ) from error
        return strengths

    def simulate(
        self,
        annotator: SimulatedAnnotator,
        asked: AskedItem,
        choices: Choices,
        *,
        protocol: Protocol,
        truth: Strengths,
    ) -> Mapping[str, FieldValue]:
        """The side that an annotator names on the screen that is shown, or the cards of a turn."""
        if isinstance(asked.moment, AtTurn):
            return _chosen(annotator, asked, asked.moment, truth)
        if TALKED in choices:
            return {TALKED: "1"}
        if annotator.kind == "skims":
            return {name: values[0] for name, values in choices.items()}
        rng = annotator.rng(asked.item.id)
        felt = [truth[bot] + rng.gumbel() for bot in asked.item.bots]
        by_side = {str(side): felt[slot] for side, slot in enumerate(asked.order, 1)}
        is_tie = rng.random() < TIE_RATE
        chosen = {}
        for name, values in choices.items():
            sides = [value for value in values if value != TIE]
            if name == CHECK:
                chosen[name] = str(asked.order.index(int(str(asked.item.extras[CHECK]))) + 1)
            elif name == "best":
                chosen[name] = TIE if is_tie else max(sides, key=by_side.__getitem__)
            else:
                chosen[name] = min(sides, key=by_side.__getitem__)
        return chosen

    def recoveries(self, results: BestWorstResults, truth: Strengths) -> Iterator[Recovery]:
        """Of every two bots, the true strengths and how many annotators placed which one above."""
        for pair in results.pairs:
            first, second = truth[pair.first], truth[pair.second]
            better = None if first == second else pair.first if first > second else pair.second
            finding = (
                "recovered" if pair.better == better else "undecided" if pair.better is None else "wrong"
            )
            yield Recovery(
                finding=finding,  # type: ignore[arg-type]  # one of the three
                said=f"{pair.first} ({first:g}) and {pair.second} ({second:g}), {pair.above} : {pair.below}",
                sentence=pair.sentence,
                record={"first": pair.first, "second": pair.second, "true_strengths": [first, second]},
            )


def _chosen(
    annotator: SimulatedAnnotator, asked: AskedItem, moment: AtTurn, truth: Strengths
) -> Mapping[str, FieldValue]:
    """The cards that please: each by its strongest bot, and chance."""
    if annotator.kind == "skims":
        return {CHOSEN_FIELD: "1"}
    rng = annotator.rng(f"{asked.item.id}/{moment.turn}")
    middle = float(np.mean([truth[bot] for bot in asked.item.bots]))
    felt = [max(truth[asked.item.bots[number]] for number in card) + rng.gumbel() for card in moment.behind]
    chosen = [str(card) for card, value in enumerate(felt, 1) if value > middle]
    return {CHOSEN_FIELD: chosen} if chosen else {NONE_FIELD: "1"}
