"""Split ConvAI2's validation set into train, valid and test by persona, so that nothing leaks.

`valid_both_original_no_cands.txt` has 1,000 dialogues with the persona of both speakers, and each of them can
be the one whose replies are asked for (a *side* of the dialogue). Personas recur in many dialogues, with
lines in another order or left out; two that share a line are one.

- test: the sides of 10 personas drawn by seed; one side of a dialogue, never both.
- valid: the sides of 5 others, in dialogues without a test persona.
- train: both sides of the dialogues in which neither speaker has a persona of test or valid.

So no dialogue is in two parts, and no line of a persona that is asked for in test or valid is in train. The
partner's persona in test may be: the bot is not told it. train-revised has the sides of train with the
revised personas of the second file; valid and test have the original ones.

    python scripts/split_convai2.py valid_both_original_no_cands.txt valid_both_revised_no_cands.txt OUT
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TEST, VALID = 10, 5
OWN, PARTNERS = "your persona: ", "partner's persona: "


@dataclass(frozen=True)
class Side:
    """A dialogue as one of its speakers has it: own persona, the partner's, exchanges (partner, own)."""

    own: tuple[str, ...]
    partner: tuple[str, ...]
    exchanges: tuple[tuple[str, str], ...]

    def turned(self) -> Side:
        """The same dialogue from the other side: it begins, since the first turn was the partner's."""
        said = ["__SILENCE__", *(text for exchange in self.exchanges for text in exchange)]
        return Side(self.partner, self.own, tuple(zip(said[::2], said[1::2], strict=False)))

    def lines(self) -> Iterator[str]:
        """As ConvAI2 writes it, without the partner's persona."""
        parts = [OWN + line for line in self.own] + ["\t".join(exchange) for exchange in self.exchanges]
        return (f"{number} {part}\n" for number, part in enumerate(parts, 1))


def read_sides(path: Path) -> list[Side]:
    """The dialogues of a file, each from the side of the speaker who replies."""
    dialogues: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        number, text = line.split(" ", 1)
        if number == "1":
            dialogues.append([])
        dialogues[-1].append(text)
    return [_side(lines) for lines in dialogues]


def _side(lines: Sequence[str]) -> Side:
    said = [text.split("\t") for text in lines if "\t" in text]
    return Side(
        tuple(text.removeprefix(OWN) for text in lines if text.startswith(OWN)),
        tuple(text.removeprefix(PARTNERS) for text in lines if text.startswith(PARTNERS)),
        tuple((partner, own) for partner, own in said),
    )


def group_personas(personas: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """For every line the first line of its persona: personas that share a line are the same one.

    Example:
        >>> group_personas([("i ski", "i cook"), ("i cook", "i read")])["i read"]
        'i cook'
    """
    parents: dict[str, str] = {}

    def root(line: str) -> str:
        while parents.setdefault(line, line) != line:
            line = parents[line]
        return line

    for lines in personas:
        for line in lines:
            ends = sorted((root(lines[0]), root(line)))
            parents[ends[1]] = ends[0]
    return {line: root(line) for line in parents}


def split(sides: Sequence[Side], seed: int) -> dict[str, list[tuple[int, bool]]]:
    """Which dialogues, and whether turned round, are in each part."""
    groups = group_personas(persona for side in sides for persona in (side.own, side.partner))
    names = sorted(set(groups.values()))
    random.Random(seed).shuffle(names)
    test, valid = set(names[:TEST]), set(names[TEST : TEST + VALID])
    parts: dict[str, list[tuple[int, bool]]] = {"train": [], "valid": [], "test": []}
    for place, side in enumerate(sides):
        own, partner = groups[side.own[0]], groups[side.partner[0]]
        held = next(
            (name for name, some in (("test", test), ("valid", valid)) if {own, partner} & some), None
        )
        if held is None:
            parts["train"] += [(place, False), (place, True)]
        else:
            parts[held].append((place, own not in (test if held == "test" else valid)))
    return parts


def main(original: Path, revised: Path, out: Path, seed: int = 0) -> None:
    """Write train.txt, train-revised.txt, valid.txt and test.txt."""
    sides, rephrased = read_sides(original), read_sides(revised)
    if [one.exchanges for one in sides] != [one.exchanges for one in rephrased]:
        sys.exit(f"{revised} does not have the dialogues of {original} in the same order.")
    out.mkdir(parents=True, exist_ok=True)
    parts = split(sides, seed)
    for name, chosen in [*parts.items(), ("train-revised", parts["train"])]:
        used = rephrased if name == "train-revised" else sides
        found = [used[place].turned() if turn else used[place] for place, turn in chosen]
        (out / f"{name}.txt").write_text("".join(line for side in found for line in side.lines()), "utf-8")
        replies = sum(len(side.exchanges) for side in found)
        print(
            f"{name}: {len({place for place, _ in chosen})} dialogues, {len(found)} sides, {replies} replies"
        )


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*map(Path, sys.argv[1:4]))
