"""The root of the tree, and the error that any room may raise."""

from __future__ import annotations


class DuologueError(Exception):
    """The root of every error Duologue raises on purpose.

    Its message is one line that any terminal, page or file can hold, whatever it quotes.
    """

    def __init__(self, message: str = "") -> None:
        whole = message.encode("utf-8", "backslashreplace").decode("utf-8")
        super().__init__(" ".join(whole.splitlines()) if len(whole.splitlines()) > 1 else whole)


class MissingExtra(DuologueError):
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed. Run: pip install 'duologue[{extra}]'")
        self.package, self.extra = package, extra
