"""The words of a page's template, said of models where they judged; what is put into it is left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

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


def hours_of_judges(shown: object) -> object:
    """What a page is given: a time alone, such as "2.2 person-hours", without the persons."""
    is_time = isinstance(shown, str) and _TIME.fullmatch(shown) is not None
    return say_of_judges(str(shown)) if is_time else shown


_TIME = re.compile(r"[0-9.,]+ person-(hours|minutes|seconds)")
