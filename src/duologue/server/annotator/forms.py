"""Reading submitted forms."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from duologue.errors import AnswerError
from duologue.protocols import FormValues

MAX_BODY_BYTES = 256 * 1024
"""More than any of our forms can hold: a reason of 10,000 characters is at most 120 kB on the wire."""

MAX_FIELDS = 256


async def read_form(request: Request) -> FormValues:
    """The fields of a submitted form, line ends as ``\\n``; a field may have several values.

    Raises:
        HTTPException: The body is not a form (415), or not a readable one (400).
        AnswerError: A field holds a NUL, which no database keeps.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "Please send the form as application/x-www-form-urlencoded.")
    body = await request.body()
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS
        )
    except ValueError as error:
        raise HTTPException(400, "The form could not be read.") from error
    for name, value in pairs:
        if "\0" in value:
            raise AnswerError("Please remove the NUL character.", field=name)
    return FormValues.of_pairs((name, value.replace("\r\n", "\n")) for name, value in pairs)
