"""Pages are escaped as Jinja would, to the last character."""

from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment
from markupsafe import Markup, escape

from duologue.server.rendering import PageEnvironment, escaped

TEMPLATE = """
{% macro said(text) %}<i title="{{ text }}">{{ text }}</i>{% endmacro %}
{% set kept %}<b>{{ text }}</b>{% endset %}
{{ kept }}{{ said(text) }}{{ text }}{{ 3 * number }}{{ name }}{{ text ~ 'x<' }}{{ [text] }}{{ none }}
"""


@given(st.text() | st.integers() | st.floats() | st.none() | st.booleans() | st.text().map(Markup))
def test_value_is_escaped_as_ever(value: object) -> None:
    assert escaped(value) == escape(value)


@given(text=st.text(st.characters(codec="utf-8")) | st.sampled_from("&<>'\""), number=st.integers())
def test_page_is_what_jinja_makes_of_it(text: str, number: int) -> None:
    pages = [
        environment(loader=DictLoader({"page": TEMPLATE}), autoescape=True)
        for environment in (Environment, PageEnvironment)
    ]
    for page in pages:
        page.globals["name"] = "<name>"
    theirs, ours = (page.get_template("page").render(text=text, number=number) for page in pages)
    assert ours == theirs


def test_what_is_not_escaped_by_the_environment_is_not_escaped_here() -> None:
    page = PageEnvironment(autoescape=False).from_string(
        "{{ text }}{% autoescape true %}{{ text }}{% endautoescape %}"
    )
    assert page.render(text="<b>") == "<b>&lt;b&gt;"
