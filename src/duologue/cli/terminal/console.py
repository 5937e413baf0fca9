"""Rich's console for words that hold names: it lays them out, and shows control characters as signs."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from duologue.cli.terminal import visible


class VisibleConsole(Console):
    """A console that shows control characters in what it prints and does not pass them on."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render something, piece by piece; Rich's own pieces that move the cursor stay."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)
