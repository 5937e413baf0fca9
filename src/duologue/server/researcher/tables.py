"""The study's judgments as a table to download."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from tempfile import SpooledTemporaryFile
from typing import Literal

from starlette.responses import StreamingResponse

from duologue.judgments import write_csv, write_jsonl
from duologue.store import Store, exported_rows
from duologue.studies import Study

DownloadFormat = Literal["csv", "jsonl"]

MEDIA_TYPES: Mapping[DownloadFormat, str] = {"csv": "text/csv", "jsonl": "application/jsonl"}

_IN_MEMORY_BYTES = 8 * 1024 * 1024
_PIECE_BYTES = 256 * 1024


def download(study: Study, store: Store, kind: DownloadFormat) -> StreamingResponse:
    """The table as a download, which is a look at the results.

    It is written out first, so a failure is an error and not half a table.
    """
    spool = SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115  closed when it has been sent
    text = io.TextIOWrapper(spool, encoding="utf-8", newline="")
    (write_csv if kind == "csv" else write_jsonl)(exported_rows(study, store), text)
    text.detach()
    spool.seek(0)

    def pieces() -> Iterator[bytes]:
        with spool:
            while piece := spool.read(_PIECE_BYTES):
                yield piece

    disposition = f'attachment; filename="judgments.{kind}"'
    return StreamingResponse(
        pieces(), media_type=MEDIA_TYPES[kind], headers={"content-disposition": disposition}
    )
