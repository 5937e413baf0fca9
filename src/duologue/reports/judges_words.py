"""The words of a page's template, said of models where they judged; what is put into it is left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from duologue.protocols import say_of_judges


class WordsOfJudges(Extension):
    """Changes the text of templates, and nothing that they are given: names and quotations stay."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The same tokens, the texts among them said of judges."""
        for token in stream:
            is_text = token.type == "data" or (token.type == "string" and " " in str(token.value).strip())
            yield Token(token.lineno, token.type, say_of_judges(str(token.value))) if is_text else token


def shown_of_judges(shown: object) -> object:
    """What a page is given: a time without persons, and sentences about annotators; all else as it is.

    People are left alone here: what is put into a page may be a quotation.
    """
    if not isinstance(shown, str) or not (_TIME.search(shown) or _ANNOTATORS.search(shown)):
        return shown
    said = say_of_judges(shown)
    return type(shown)(said)


_TIME = re.compile(r"[0-9.,]+ person-(hours|minutes|seconds)")
_ANNOTATORS = re.compile(r" annotators?\b|\bannotators? ", re.IGNORECASE)

ENVIRONMENT_OF_JUDGES: dict[str, Any] = {
    "extensions": [WordsOfJudges],
    "finalize": shown_of_judges,
    "bytecode_cache": None,
}
"""Of the pages of models; templates that were compiled so are not kept for others."""
