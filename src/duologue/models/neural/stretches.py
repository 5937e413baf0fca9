"""Rows of different lengths through an LSTM, without a step for every word and without counting padding."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duologue.models.neural.library import torch_library


def read_rows(lstm: Any, embedded: Any, lengths: NDArray[np.int64]) -> tuple[Any, tuple[Any, Any]]:
    """What an LSTM says after every word, and what it remembers after the last word of each row.

    The same as with packed sequences, whose backward pass costs the square of the number of words on a
    processor. Here the words are read in stretches: from one length that occurs in the batch to the next, by
    the rows that go on. Where rows of about the same length are together, these are few.

    Args:
        lstm: With ``batch_first``.
        embedded: Rows, words, size; padded at their ends.
        lengths: Words of each row, at least 1.
    """
    torch = torch_library()
    order = np.argsort(-lengths, kind="stable")
    sorted_lengths = lengths[order]
    rows = embedded[torch.from_numpy(order).to(embedded.device)]
    said, ended, memory, begin = [], [], None, 0
    for end in np.unique(lengths):
        going = int((sorted_lengths >= end).sum())
        if memory is not None:
            memory = tuple(part[:, :going].contiguous() for part in memory)
        states, memory = lstm(rows[:going, begin:end], memory)
        said.append(torch.nn.functional.pad(states, (0, 0, 0, 0, 0, len(lengths) - going)))
        stays = int((sorted_lengths > end).sum())
        ended.append(tuple(part[:, stays:] for part in memory))
        begin = end
    back = torch.from_numpy(np.argsort(order, kind="stable")).to(embedded.device)
    last, cell = (torch.cat(parts, dim=1)[:, back] for parts in zip(*reversed(ended), strict=True))
    return torch.cat(said, dim=1)[back], (last.contiguous(), cell.contiguous())
