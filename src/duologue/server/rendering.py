"""Templates as Jinja renders them, with less work for every value that a page shows.

A page for an annotator shows about a hundred values. Jinja makes an object of each that remembers to be
escaped, and copies its globals through a chain of mappings: both cost more than the page itself.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from jinja2 import Environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Expr
from markupsafe import Markup, escape


def escaped(value: object) -> str:
    """A value as it stands in HTML, exactly as `markupsafe.escape` writes it.

    Example:
        >>> escaped("<b> & 'c'"), escaped(Markup("<b>")), escaped(3)
        ('&lt;b&gt; &amp; &#39;c&#39;', Markup('<b>'), '3')
    """
    kind = type(value)
    if kind is str:
        text: str = value  # type: ignore[assignment]  # just asked
        plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return plain.replace("'", "&#39;").replace('"', "&#34;")
    if kind is Markup:
        return value  # type: ignore[return-value]  # likewise
    return str(value) if kind is int else escape(value)


class _PageCode(CodeGenerator):
    """The Python that a template becomes, with our `escaped` where values are put out."""

    def _output_child_pre(self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
            return
        self.write("environment.escaped(")
        if finalize.src is not None:
            self.write(finalize.src)


class PageEnvironment(Environment):
    """Jinja's environment for pages; its globals are set before the first template is loaded."""

    code_generator_class = _PageCode
    escaped = staticmethod(escaped)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template: a plain copy, which every page is begun with."""
        return {**self.globals, **(d or {})}
