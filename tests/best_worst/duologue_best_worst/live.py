"""Live chats with three bots at once: the items, and which bot was chosen most and least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from duologue.dialogues import Json
from duologue.protocols import CHAT, AskedItem, ChatPlan, Item, Material

PLAN = ChatPlan(choose="any", goes_on="annotator", min_written=5)


def live_items(material: Material) -> Iterator[Item]:
    """Chats of every three bots; any reply may be chosen, and who chooses none writes a better one."""
    for bots in combinations(sorted(material.bots), 3):
        for number in range(material.chat.chats_per_bot):
            group = "+".join(bots)
            yield Item(f"{group}-{number + 1}", group, bots, (), (), extras={CHAT: PLAN.record()})


def most_and_least_chosen(asked: AskedItem) -> dict[str, Json]:
    """The shown sides of the bots whose replies were chosen most often and least often; none on a tie."""
    credited = Counter(
        candidate
        for selection in asked.selections
        for card in selection.chosen
        for candidate in selection.shown[card - 1]
    )
    ordered = sorted(range(len(asked.item.bots)), key=lambda candidate: credited[candidate])
    least, most = ordered[0], ordered[-1]
    is_tie = credited[most] == credited[ordered[-2]] or credited[least] == credited[ordered[1]]
    if is_tie:
        return {"best": None, "worst": None}
    return {"best": asked.order.index(most) + 1, "worst": asked.order.index(least) + 1}
