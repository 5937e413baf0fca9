"""Rendering: templates, with the study's wording, language and direction."""

from __future__ import annotations

from jinja2 import ChoiceLoader, FileSystemLoader, PackageLoader, StrictUndefined
from markupsafe import Markup

from duologue.errors import ProtocolError
from duologue.server.rendering import PageEnvironment
from duologue.server.static_files import StaticFiles
from duologue.studies import Study

PAGE_STYLE, PAGE_SCRIPT = "protocol/page.css", "protocol/page.js"
"""What the pages of the study's protocol have of their own, if they are there."""


class Pages:
    """The pages of one study. An annotator's page is a shell around one ``<main>``.

    With script the shell stays and only ``<main>`` is replaced; without, both are sent.
    """

    def __init__(self, study: Study, static: StaticFiles) -> None:
        ours, theirs = PackageLoader("duologue.server"), FileSystemLoader(study.protocol.templates())
        if taken := sorted(set(ours.list_templates()) & set(theirs.list_templates())):
            raise ProtocolError(
                study.protocol.name,
                f"has a template that is called as one of ours ({taken[0]})",
                "Give it another name.",
            )
        self._templates = PageEnvironment(
            loader=ChoiceLoader([ours, theirs]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        self._templates.globals.update(
            wording=study.file.wording,
            consent=study.file.consent,
            study=study.heading,
            name=study.name,
            static=static.address,
            page_files=[name for name in (PAGE_STYLE, PAGE_SCRIPT) if name in static],
        )
        self._templates.filters["moment"] = _moment
        self._templates.filters["count_said"] = "{:,}".format

    def main(self, template: str, **values: object) -> str:
        """The ``<main>`` of an annotator's page."""
        return self._templates.get_template(template).render(values)

    def annotator(self, main: str, *, refresh: bool = False) -> str:
        """A whole annotator's page around its ``<main>``.

        Args:
            main: The ``<main>``.
            refresh: Whether the page looks again by itself where there is no script.
        """
        page = self._templates.get_template("annotator.html")
        return page.render(main=Markup(main), refresh=refresh)  # noqa: S704

    def researcher(self, template: str, **values: object) -> str:
        """A whole page for the researcher."""
        return self._templates.get_template(template).render(values)


def _moment(at: str | None) -> Markup:
    """A moment (UTC) as shown to the researcher.

    Example:
        >>> str(_moment("2025-03-01T12:30:59.123+00:00"))
        '<time datetime="2025-03-01T12:30:59.123+00:00">2025-03-01 12:30</time>'
    """
    if not at:
        return Markup("–")
    return Markup('<time datetime="{}">{} {}</time>').format(at, at[:10], at[11:16])
