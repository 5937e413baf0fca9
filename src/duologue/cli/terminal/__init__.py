"""What a terminal is shown: names are untrusted text, and a terminal obeys control characters in them."""

from __future__ import annotations

import io
import sys
from typing import TextIO

_SIGNS = (
    {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"}
    | {127: "␡"}
    | dict.fromkeys(range(128, 160), "�")
)


def visible(text: str) -> str:
    """A text with signs in the place of control characters; ends of lines and tabs stay.

    Example:
        >>> visible("\\x1b[31mred\\n")
        '␛[31mred\\n'
    """
    return text if text.isprintable() else text.translate(_SIGNS)


class VisibleStream(io.TextIOWrapper):
    """A terminal that shows control characters and does not obey them.

    Rich, which moves the cursor and colours words, looks for ``rich_proxied_file`` and writes past this;
    what it is given to print goes through `visible` first.
    """

    def __init__(self, terminal: TextIO) -> None:
        super().__init__(
            terminal.buffer, encoding=terminal.encoding, errors=terminal.errors, line_buffering=True
        )
        self.rich_proxied_file = terminal

    def write(self, text: str, /) -> int:
        """Write a text; its control characters become signs."""
        super().write(visible(text))
        return len(text)


def guard_terminal() -> None:
    """Let nothing that is written to a terminal command it. Files and pipes get every character as it is."""
    if sys.stdout.isatty():
        sys.stdout = VisibleStream(sys.stdout)
    if sys.stderr.isatty():
        sys.stderr = VisibleStream(sys.stderr)
