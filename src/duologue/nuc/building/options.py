"""What is asked of `build_task`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

from duologue.dialogues import SPLITS, Split
from duologue.errors import DesignError
from duologue.nuc.building.cleaning import Cleaning
from duologue.nuc.building.context import ContextRule

FalseRule = Literal["uniform", "confusing", "all"]
"""Where false replies come from: drawn from elsewhere, the most alike, or every reply of the corpus."""
FALSE_RULES: tuple[FalseRule, ...] = get_args(FalseRule)

DEFAULT_SHARES: Mapping[Split, float] = MappingProxyType({"train": 0.8, "valid": 0.1, "test": 0.1})


@dataclass(frozen=True, slots=True)
class Corpus:
    """Dialogues that belong together, from one file or several."""

    name: str
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How items are made of corpora."""

    seed: int = 0
    max_context: int = 6
    """The paper's limit (section 4.2)."""
    context: ContextRule = "ubuntu"
    false_replies: int = 4
    false: FalseRule = "uniform"
    vectors: Path | None = None
    """With confusing replies: a file of word vectors to compare texts by, instead of TF-IDF."""
    pool: int = 10_000
    """With confusing replies: among how many they are looked for."""
    per_dialogue: int = 1
    items: int | None = None
    """At most so many of each corpus in each split."""
    shares: Mapping[Split, float] = field(default_factory=lambda: DEFAULT_SHARES)
    cleaning: Cleaning = field(default_factory=Cleaning)

    def check(self) -> None:
        """Refuse what cannot be.

        Raises:
            DesignError: A number is too small, or shares do not add up to 1.
        """
        for name, value, least in (
            ("max_context", self.max_context, 1),
            ("false_replies", self.false_replies, 1),
            ("per_dialogue", self.per_dialogue, 1),
            ("items", 1 if self.items is None else self.items, 1),
            ("pool", self.pool, self.false_replies + 1),
            ("seed", self.seed, 0),
        ):
            if value < least:
                raise DesignError(f"{name} is {value}; it is at least {least}.")
        if self.vectors is not None and self.false != "confusing":
            raise DesignError("word vectors are for confusing false replies: say --false confusing too.")
        total = sum(self.shares.get(split, 0.0) for split in SPLITS)
        if abs(total - 1) > 1e-9 or min(self.shares.values()) < 0:
            raise DesignError(f"the shares of train, valid and test are {total:g} in all; they must make 1.")
