"""The table ``[best-worst]`` of a study file, and a study file to begin with."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Positive = Annotated[int, Field(ge=1)]


class BestWorstSettings(BaseModel):
    """``[best-worst]``: what is asked about three dialogues, and how many threes there are."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    best: str = "In which conversation is the speaker best to talk to?"
    worst: str = "And in which one is the speaker worst to talk to?"
    items_per_triple: Positive = 40
    annotations_per_item: Positive = 1
    source: Literal["dialogues", "live"] = "dialogues"
    """Finished dialogues, or a live chat in which all bots answer every message."""
    chosen: str = "Which replies would keep you talking?"
    """Asked about the replies of a live chat."""
    attention: Annotated[int, Field(ge=0)] = 0
    """More threes of every three bots, as attention checks: the last question has a known answer."""
    check: bool = True
    """Ask at the end which conversation ends with a certain message: who does not know has not read them."""


TEMPLATE = """\
[study]
name = {name}
protocol = "best-worst"
seed = {seed}
title = "Which conversation is best, and which is worst?"

[[bots]]
name = "parrot"
kind = "builtin"

[[bots]]
name = "small-talk"
kind = "builtin"

[[bots]]
name = "companion"
kind = "builtin"

[best-worst]
best = "In which conversation is the speaker best to talk to?"
worst = "And in which one is the speaker worst to talk to?"
items_per_triple = 40         # of every three bots
annotations_per_item = 1
check = true                  # ask at the end which conversation ends with a certain message

[onboarding]
enabled = false               # nothing here has a known answer

[annotators]
max_judgments = 2
exclude_without_reason = false

[stopping]
rule = "fixed"
alpha = 0.05
gap = 0.2

[pay]
per_judgment = 0.0
seconds_per_judgment = 90
"""
