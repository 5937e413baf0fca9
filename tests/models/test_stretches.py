"""Rows through an LSTM in stretches, beside packed sequences; skipped where torch is absent."""

import numpy as np
import pytest

from duologue.models.neural.stretches import read_rows

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("lengths", [(3, 1, 5, 3), (4, 4, 4), (1,), (1, 2, 3, 4, 5, 6)])
def test_reading_in_stretches_is_reading_packed_sequences(lengths: tuple[int, ...]) -> None:
    torch.manual_seed(1)
    lstm = torch.nn.LSTM(4, 3, 2, batch_first=True)
    rows = torch.randn(len(lengths), max(lengths), 4, requires_grad=True)
    packed = torch.nn.utils.rnn.pack_padded_sequence(rows, torch.tensor(lengths), True, enforce_sorted=False)
    states, memory = lstm(packed)
    expected, _ = torch.nn.utils.rnn.pad_packed_sequence(states, True)
    found, remembered = read_rows(lstm, rows, np.array(lengths))
    assert found.detach().numpy() == pytest.approx(expected.detach().numpy(), abs=1e-6)
    for ours, theirs in zip(remembered, memory, strict=True):
        assert ours.detach().numpy() == pytest.approx(theirs.detach().numpy(), abs=1e-6)
    gradients = [
        torch.autograd.grad((one.sum() + last.square().sum()), rows)[0].numpy()
        for one, last in ((found, remembered[1]), (expected, memory[1]))
    ]
    assert gradients[0] == pytest.approx(gradients[1], abs=1e-5)
