"""Addresses the server cannot use, and access that is denied."""

from __future__ import annotations

from duologue.errors.root import DuologueError


class CannotListen(DuologueError):
    """The server cannot use the address it was given."""

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(
            f"cannot listen on {host}, port {port}: {why}. Choose another with --host and --port."
        )
        self.host, self.port, self.why = host, port, why


class AccessError(DuologueError):
    """Access is denied."""


class LinkUnknown(AccessError):
    """No annotator has this link."""

    def __init__(self) -> None:
        super().__init__(
            "This link is not known. Please check that it was copied whole, or ask for a new one."
        )


class LinkRevoked(AccessError):
    """The researcher withdrew this link."""

    def __init__(self) -> None:
        super().__init__("This link has been withdrawn. Please ask the person who sent it for a new one.")


class SignInNeeded(AccessError):
    """The researcher's pages need the key that `duologue serve` prints."""

    def __init__(self) -> None:
        super().__init__("Please sign in with the key that `duologue serve` printed.")


class FormExpired(AccessError):
    """The CSRF token of a form is missing, or belongs to another sign-in."""

    def __init__(self) -> None:
        super().__init__("This page is too old. Nothing was changed; load it again and repeat.")


class TooManyTries(AccessError):
    """There were too many requests in a short time."""

    def __init__(self, *, wait_seconds: int) -> None:
        super().__init__(f"Too many tries in a short time. Please wait {wait_seconds} s and try again.")
        self.wait_seconds = wait_seconds
