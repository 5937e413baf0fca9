"""Completion codes for whoever pays: listed, checked, and as a table to download."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import asdict, fields

from starlette.responses import Response

from duologue.judgments import write_csv
from duologue.store import CompletionCode

MOST_CODES = 1_000
"""Codes that are checked at a time."""


def codes_in(text: str) -> tuple[str, ...]:
    """The codes that were pasted, one a line or with commas between them; at most `MOST_CODES`.

    Example:
        >>> codes_in("0A1B, 2C3D;\\n\\n4E5F")
        ('0A1B', '2C3D', '4E5F')
    """
    lines = text.replace("\0", "").replace(",", "\n").replace(";", "\n").splitlines()
    return tuple(line.strip() for line in lines if line.strip())[:MOST_CODES]


def codes_table(codes: Iterable[CompletionCode]) -> str:
    """Codes as CSV; only its header when there are none."""
    names = [field.name for field in fields(CompletionCode)]
    text = io.StringIO(newline="")
    if not write_csv((asdict(one) for one in codes), text):
        text.write(",".join(names) + "\n")
    return text.getvalue()


def codes_download(codes: Iterable[CompletionCode]) -> Response:
    """The table as a download."""
    headers = {"content-disposition": 'attachment; filename="codes.csv"'}
    return Response(codes_table(codes), media_type="text/csv", headers=headers)
