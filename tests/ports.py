"""Ports that stay free for a test while nobody listens on them."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserved_port(host: str = "127.0.0.1") -> Iterator[int]:
    """A port that the system gives to nobody else while the block runs; servers that ask for it get it.

    It is bound and never listened on. Whoever sets ``SO_REUSEADDR``, as servers do, may bind it too.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((host, 0))
        yield int(held.getsockname()[1])
