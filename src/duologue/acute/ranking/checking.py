"""Looking rankings over before anybody is paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from duologue.acute.design.table import acute_settings
from duologue.acute.gold import gold_slot
from duologue.acute.ranking.answers import SLOTS, gold_place, is_ranking
from duologue.acute.settings import VERSUS
from duologue.protocols import Item
from duologue.studies import Study


def is_legal_gold(item: Item) -> bool:
    """Whether the known answer of an item is one that it can have."""
    return (gold_place(item) if is_ranking(item) else gold_slot(item)) is not None


def legal_gold(item: Item) -> str:
    """What the known answer of an item should be, in words."""
    if is_ranking(item):
        return 'gold is {"last": slot} or {"first": slot}, the slot from 0 to 2'
    return f"gold is the slot that should win, from 0 to {len(item.bots) - 1}"


def compared_in(item: Item) -> Iterator[tuple[str, frozenset[str], tuple[str, ...]]]:
    """The matchups that an item is about, the two bots and dialogues of each; A/A matchups left out."""
    if not is_ranking(item):
        if len(set(item.bots)) > 1:  # a chat has two dialogues of its own
            yield item.group, frozenset(item.bots), item.dialogues or (item.id,)
        return
    for one, other in combinations(sorted(zip(item.bots, item.dialogues, strict=True)), 2):
        bots = one[0], other[0]
        yield VERSUS.join(bots), frozenset(bots), (one[1], other[1])


class RankingCheck:
    """What is seen of rankings on the way through the items of a study."""

    def __init__(self) -> None:
        self._groups: Counter[str] = Counter()
        self._rankings: list[str] = []

    def note(self, item: Item) -> None:
        """Look at an item."""
        if is_ranking(item):
            self._rankings.append(item.id)
            self._groups[item.group] += item.is_judged

    def problems(self, study: Study) -> Iterator[str]:
        """Rankings in a study that asks for none, none in one that does, and stopping early with them."""
        make = f"Make them anew with `duologue pairings make {study.quoted} --replace`."
        name, settings = study.items_path.name, acute_settings(study)
        if self._rankings and not settings.is_ranked:
            yield (
                f"{name}: {len(self._rankings):,} items have three dialogues, such as {self._rankings[0]}, "
                f'and the study compares two. Set answer = "ranking" in [acute]. {make}'
            )
        if settings.is_ranked and not self._groups.total():
            yield f'{name}: [acute] has answer = "ranking", and no item has three dialogues. {make}'
        if settings.is_ranked and study.file.stopping.rule == "sequential":
            yield (
                '[stopping] rule: sequential stopping is for judgments of two. Set rule = "fixed", or '
                "another answer in [acute]."
            )

    def warnings(self, study: Study, matchups: int) -> Iterator[str]:
        """Annotators who would rank every three bots, where nobody said how much they are to do."""
        groups = sum(1 for count in self._groups.values() if count)
        if groups > 1 and study.file.annotators.max_judgments is None:
            yield (
                "[annotators] max_judgments: an annotator ranks as often as there are threes of bots, "
                f"{groups:,} times. Set it; {-(-matchups // SLOTS):,} rankings have a pair for each matchup."
            )
