"""The study's judgments, and what was answered on forms, as tables to download."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from tempfile import SpooledTemporaryFile
from typing import Literal

from starlette.responses import StreamingResponse

from duologue.judgments import Row, write_csv, write_jsonl
from duologue.store import Store, exported_rows, form_rows
from duologue.studies import Study

DownloadFormat = Literal["csv", "jsonl"]

MEDIA_TYPES: Mapping[DownloadFormat, str] = {"csv": "text/csv", "jsonl": "application/jsonl"}

_IN_MEMORY_BYTES = 8 * 1024 * 1024
_PIECE_BYTES = 256 * 1024


def download(study: Study, store: Store, kind: DownloadFormat) -> StreamingResponse:
    """The table as a download, which is a look at the results.

    It is written out first, so a failure is an error and not half a table.
    """
    return _table(exported_rows(study, store), "judgments", kind)


def forms_table(study: Study, store: Store, kind: DownloadFormat) -> StreamingResponse:
    """The filled-in forms as a download; it says nothing of bots, and is no look."""
    return _table(form_rows(study, store), "forms", kind)


def _table(rows: Iterable[Row], name: str, kind: DownloadFormat) -> StreamingResponse:
    spool = SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115  closed when it has been sent
    text = io.TextIOWrapper(spool, encoding="utf-8", newline="")
    (write_csv if kind == "csv" else write_jsonl)(rows, text)
    text.detach()
    spool.seek(0)

    def pieces() -> Iterator[bytes]:
        with spool:
            while piece := spool.read(_PIECE_BYTES):
                yield piece

    disposition = f'attachment; filename="{name}.{kind}"'
    return StreamingResponse(
        pieces(), media_type=MEDIA_TYPES[kind], headers={"content-disposition": disposition}
    )
