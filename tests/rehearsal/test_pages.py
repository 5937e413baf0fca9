from __future__ import annotations

from duologue.rehearsal.pages import read_page

COMPARISON = """
<main><p>Is <code-like> &lt;form&gt; shown in a turn?</p>
<input type="hidden" name="outside" value="not sent">
<form class="answer" method="post" action="/a/tok/submit">
<input type="hidden" name="assignment" value="k&amp;1"><input type="hidden" name="seconds" value="">
<label><input type="radio" name="choice" value="1" required> Speaker 1</label>
<label><input type="radio" name="choice" value="2" required> Speaker 2</label>
<textarea name="reason" rows="2">
typed before</textarea><button type="submit">Submit</button></form></main>
"""


def test_a_comparison_shows_its_choices_texts_and_hidden_fields() -> None:
    form = read_page(COMPARISON).form
    assert form is not None
    assert form.is_question
    assert form.action == "/a/tok/submit"
    assert form.choices == {"choice": ("1", "2")}
    assert form.texts == ("reason",)
    assert form.hidden == {"assignment": "k&1", "seconds": ""}


def test_a_form_without_choices_is_only_to_be_agreed_to() -> None:
    form = read_page('<form method="post" action="/a/tok/consent"><button>OK</button></form>').form
    assert form is not None
    assert not form.is_question


def test_text_that_looks_like_a_form_is_not_one() -> None:
    assert read_page("<p>&lt;form action=&quot;/x&quot;&gt;&lt;/form&gt;</p>").form is None


def test_the_completion_code_is_read_from_the_thank_you_page() -> None:
    page = read_page("<main><h1>Thank you!</h1><p><code>\nAB12-CD34 </code></p></main>")
    assert page.code == "AB12-CD34"
    assert page.form is None


def test_a_page_without_a_code_has_none() -> None:
    assert read_page("<main><h1>No work</h1><code></code></main>").code is None


CHAT = """
<main class="chat" data-chat-state="annotator" data-change="17" data-place="/a/tok">
<ol><li>&lt;main data-chat-state="ended"&gt;</li></ol>
<form action="/a/tok/say" data-form="say"><input type="hidden" name="assignment" value="k">
<textarea name="text"></textarea></form>
<form action="/a/tok/end" data-form="end"><input type="hidden" name="assignment" value="k"></form></main>
"""


def test_a_live_chat_says_whose_turn_it_is_and_names_its_forms() -> None:
    page = read_page(CHAT)
    assert (page.chat_state, page.change) == ("annotator", "17")
    say, end = page.named("say"), page.named("end")
    assert say is not None
    assert end is not None
    assert (say.action, say.texts, end.action) == ("/a/tok/say", ("text",), "/a/tok/end")
    assert page.named("leave") is None


def test_a_page_without_a_chat_has_no_state() -> None:
    assert (read_page(COMPARISON).chat_state, read_page(COMPARISON).change) == ("", "")


def test_a_question_is_gone_on_with_before_any_other_form() -> None:
    page = read_page(
        '<form action="/back"></form><form action="/go"><input type="radio" name="r" value="1"></form>'
    )
    assert page.form is not None
    assert page.form.action == "/go"


def test_several_can_be_chosen_among_checkboxes() -> None:
    boxes = "".join(f'<input type="checkbox" name="chosen" value="{number}">' for number in (1, 2, 3))
    form = read_page(f'<form action="/a/tok/select">{boxes}</form>').form
    assert form is not None
    assert form.choices == {"chosen": ("1", "2", "3")}


def test_a_form_that_only_says_an_item_is_done_with_answers_it() -> None:
    hidden = '<input type="hidden" name="assignment" value="a"><input type="hidden" name="key" value="k">'
    done, message = (
        read_page(f"<form action='/x'{name}>{hidden}</form>").form for name in ("", " data-form='say'")
    )
    assert done is not None
    assert message is not None
    assert done.is_question
    assert not message.is_question


def test_numbers_sliders_and_lists_are_fields_too() -> None:
    form = read_page(
        '<form action="/go"><input type="number" name="size"><input type="range" name="liking">'
        '<select name="place"><option value="">–</option><option value="a">A</option></select>'
        '<input type="submit" name="go" value="Go"></form>'
    ).form
    assert form is not None
    assert form.texts == ("size", "liking")
    assert form.choices == {"place": ("a",)}
