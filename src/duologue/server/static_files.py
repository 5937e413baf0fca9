"""Scripts and style sheets, kept in memory and cached by browsers until they change."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class StaticFiles:
    """All files of ``static/``, ours and those of the study's protocol.

    Their address holds a hash of the whole, so they may be cached for ever.
    """

    def __init__(self, own: Path | None = None) -> None:
        """Take our files, and those in the protocol's folder ``own`` as ``protocol/``."""
        self._files: Final = dict(_walk(files("duologue.server") / "static", ""))
        if own is not None and own.is_dir():
            self._files.update(_walk(own, "protocol/"))
        digest = hashlib.sha256()
        for path, content in sorted(self._files.items()):
            digest.update(path.encode() + b"\0" + content + b"\0")
        self.version: Final = digest.hexdigest()[:12]

    def __contains__(self, path: str) -> bool:
        return path in self._files

    def address(self, path: str) -> str:
        """Where a page finds a file."""
        return f"/static/{self.version}/{path}"

    async def respond(self, request: Request) -> Response:
        """Answer a request for a file."""
        content = self._files.get(request.path_params["path"])
        if content is None:
            raise HTTPException(404, "There is no such file.")
        kind = MEDIA_TYPES[PurePosixPath(request.path_params["path"]).suffix]
        is_current = request.path_params["version"] == self.version
        cache = "public, max-age=31536000, immutable" if is_current else "no-cache"
        return Response(content, media_type=kind, headers={"cache-control": cache})


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        path = prefix + entry.name
        if entry.is_dir():
            found += _walk(entry, path + "/")
        elif PurePosixPath(path).suffix in MEDIA_TYPES:
            found.append((path, entry.read_bytes()))
    return found
