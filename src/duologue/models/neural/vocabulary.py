"""The words a trained model knows, and texts as their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from duologue.models.neural.ragged import RaggedArray
from duologue.models.word_counts import words_of

Splitting = Literal["signs", "blanks", "pieces"]
"""Words are split from signs, at white space alone (as perplexity per word is counted), or into pieces."""

PADDING, UNKNOWN, END, PARTNER, SELF, BACKGROUND = "<pad>", "<unk>", "<end>", "<partner>", "<self>", "<about>"
MARKS = (PADDING, UNKNOWN, END, PARTNER, SELF, BACKGROUND)
"""What is no word: padding, words not known, the end of a reply, and whose words follow."""


@dataclass(frozen=True, slots=True)
class ModelVocabulary:
    """Words by number; the first numbers are `MARKS`."""

    words: tuple[str, ...]
    splitting: Splitting = "signs"
    places: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", {word: place for place, word in enumerate(self.words)})

    @classmethod
    def of(cls, texts: Iterable[str], *, min_count: int, splitting: Splitting) -> ModelVocabulary:
        """The words that occur at least so often, the most frequent first.

        Example:
            >>> ModelVocabulary.of(["Tea, tea!", "rain"], min_count=2, splitting="signs").words[len(MARKS):]
            ('tea',)
        """
        counts = Counter(word for text in texts for word in split_text(text, splitting))
        kept = sorted(
            (word for word, n in counts.items() if n >= min_count), key=lambda word: (-counts[word], word)
        )
        return cls((*MARKS, *(word for word in kept if word not in MARKS)), splitting)

    def __len__(self) -> int:
        return len(self.words)

    def numbers(self, text: str) -> list[int]:
        """The numbers of the words of a text."""
        unknown = self.places[UNKNOWN]
        return [self.places.get(word, unknown) for word in split_text(text, self.splitting)]

    def text(self, numbers: Sequence[int]) -> str:
        """The words of some numbers, with blanks between them."""
        return " ".join(self.words[number] for number in numbers)

    def rows(self, texts: Sequence[str], *, longest: int, end: bool = False) -> RaggedArray:
        """Texts as rows, cut at their ends; with the mark of the end where a model must learn to stop."""
        mark = [self.places[END]] if end else []
        return RaggedArray.of([self.numbers(text)[: longest - len(mark)] + mark for text in texts])

    def context_rows(
        self, contexts: Sequence[tuple[Sequence[str], Sequence[str]]], *, longest: int, then: str = ""
    ) -> RaggedArray:
        """Contexts (background and turns) as rows, each part after a mark.

        What is too long loses its beginning. A mark may come ``then``, where the reply follows.
        """
        last = [self.places[then]] if then else []
        return RaggedArray.of([(self._context(*parts) + last)[-longest:] for parts in contexts])

    def _context(self, background: Sequence[str], turns: Sequence[str]) -> list[int]:
        found: list[int] = []
        for line in background:
            found += [self.places[BACKGROUND], *self.numbers(line)]
        for place, turn in enumerate(turns):
            mark = PARTNER if (len(turns) - place) % 2 else SELF
            found += [self.places[mark], *self.numbers(turn)]
        return found


def split_text(text: str, splitting: Splitting) -> list[str]:
    """The words of a text."""
    return words_of(text) if splitting == "signs" else text.lower().split()
