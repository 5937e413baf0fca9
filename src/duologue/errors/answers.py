"""What an annotator sends that cannot be taken: answers, and turns of live chats."""

from __future__ import annotations

from duologue.errors.root import DuologueError


class AnswerError(DuologueError):
    """A submitted answer is not one of the legal ones."""

    def __init__(self, message: str, *, field: str, question: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.question = question
        """The question that was left open, as annotators read it; empty where something else is wrong."""


class ChatError(DuologueError):
    """A live chat cannot go on as asked."""


class NotYourTurn(ChatError):
    """The annotator wrote while it was the partner's turn."""

    def __init__(self) -> None:
        super().__init__("It is your partner's turn. Nothing was sent; please wait for the reply.")


class ChatOver(ChatError):
    """The live chat is over."""

    def __init__(self) -> None:
        super().__init__("This conversation is over. Nothing was sent; please load the page again.")
