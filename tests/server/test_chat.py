"""Live chats over the real pages: said, stored, answered, followed, ended and rated."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from duologue.store import ensure_secret, fetch_chat_dialogues, fetch_chats, fetch_judgments, take_turn
from tests.server.chat_people import Person, Serve, Site, serving_chats
from tests.server.visits import PART, hidden_fields, text_of
from tests.store.small_chats import credits_of
from tests.waiting import PATIENCE


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with serving_chats(tmp_path) as start:
        yield start


@pytest.fixture
def site(serve: Serve) -> Site:
    return serve()


def test_a_whole_chat_and_its_rating_without_script(site: Site) -> None:
    person = site.person().start()
    assert person.state == "annotator"
    person.talk("hello", "how are you?")
    assert person.said == ["hello", "You said: hello", "how are you?", "You said: how are you?"]
    person.talk("goodbye then")
    assert person.state == "ended"
    assert "The conversation is over." in text_of(person.html)
    person.open()
    assert "How much did you enjoy talking to this user?" in text_of(person.html)
    person.post("submit", rating_enjoyment="3", reason="it listens")
    assert "Thank you!" in text_of(person.html)
    (judgment,) = site.store.stream(fetch_judgments())
    assert judgment.answer == {"ratings": {"enjoyment": 3}, "persona": None}
    assert judgment.reason == "it listens"
    (dialogue,) = site.store.stream(fetch_chat_dialogues())
    assert [turn.text for turn in dialogue.turns] == [
        "hello",
        "You said: hello",
        "how are you?",
        "You said: how are you?",
        "goodbye then",
        "You said: goodbye then",
    ]


def test_the_annotator_sees_their_persona_and_not_the_bots(site: Site) -> None:
    person = site.person().start()
    shown = text_of(person.html)
    assert ("I play the cello." in shown) != ("I am a gardener." in shown)
    assert "two cats" not in person.html
    assert "bake bread" not in person.html


def test_the_bot_is_told_its_persona_as_in_self_chats_and_what_was_said(serve: Serve) -> None:
    person = serve(bots=(("bob", "told"),), chat="min_exchanges = 2\nmax_exchanges = 2\n").person().start()
    person.talk("one", "two")
    first, second = person.said[1], person.said[3]
    persona = re.match(r"system: your persona: (I have two cats\.|I bake bread\.) \| user: one", first)
    assert persona is not None
    assert second == f"{first} | assistant: {first} | user: two"


def test_what_was_written_is_shown_exactly_and_escaped(site: Site) -> None:
    text = "  <script>alert('x')</script> &amp; “quotes”\n\tשלום {{ 7*7 }} "
    person = site.person().start().talk(text)
    assert person.said[0] == text
    assert "<script>alert" not in person.html
    assert "You said: " + text == person.said[1]


def test_sending_a_turn_twice_stores_it_once(site: Site) -> None:
    person = site.person().start()
    fields = person.fields() | {"text": "only once"}
    for _ in range(2):
        person.page = person.client.post(f"/a/{person.token}/say", data=fields)
    person.wait_for("annotator")
    assert person.said == ["only once", "You said: only once"]


def test_writing_out_of_turn_is_refused_and_the_text_kept(serve: Serve) -> None:
    site = serve(bots=(("sal", "slow"),))
    person = site.person().start().say("hello")
    assert person.state == "partner"
    person.say("and another thing")
    assert person.page is not None
    assert person.page.status_code == 409
    assert "and another thing</textarea>" in person.html
    part = person.client.post(f"/a/{person.token}/say", data=person.fields() | {"text": "x"}, headers=PART)
    assert part.status_code == 409
    assert part.json()["error"]["code"] == "chat"
    (site.study.folder / "go").touch()
    assert person.wait_for("annotator").said == ["hello", "Sorry, that took a while."]


@pytest.mark.parametrize(
    ("text", "problem"),
    [("   ", "It is your turn."), ("x" * 1001, "Please keep your message under 1000 characters.")],
    ids=["empty", "too long"],
)
def test_what_cannot_be_said_is_refused_in_the_studys_words(site: Site, text: str, problem: str) -> None:
    person = site.person().start().say(text)
    assert person.page is not None
    assert person.page.status_code == 422
    assert problem in text_of(re.search(r'<p class="problem".*?</p>', person.html)[0])  # type: ignore[index]
    assert f"{text}</textarea>" in person.html
    assert person.said == []


def test_it_cannot_be_ended_early_but_after_enough_exchanges(site: Site) -> None:
    person = site.person().start().talk("one")
    assert 'data-form="end"' not in person.html
    refused = person.client.post(f"/a/{person.token}/end", data=person.fields())
    assert refused.status_code == 409
    person.open().talk("two")
    assert 'data-form="end"' in person.html
    person.post("end")
    assert "How much did you enjoy" in text_of(person.html)
    assert site.store.run(fetch_chats())[0].ending == "complete"
    assert site.store.run(fetch_chats())[0].exchanges == 2


def test_a_reply_that_fails_can_be_tried_again(serve: Serve) -> None:
    site = serve(bots=(("fay", "failing"),))
    (site.study.folder / "broken").touch()
    person = site.person().start().say("hello").wait_for("failed")
    assert "could not answer" in text_of(person.html)
    assert "secret cause" not in person.html
    (site.study.folder / "broken").unlink()
    person.post("again").wait_for("annotator")
    assert person.said == ["hello", "Here I am again."]
    (chat,) = site.store.run(fetch_chats())
    assert len(chat.failures) == 1
    assert "secret cause" in chat.failures[0]


def test_after_a_failed_reply_one_can_end_with_credit(serve: Serve) -> None:
    site = serve(bots=(("fay", "failing"),))
    (site.study.folder / "broken").touch()
    person = site.person().start().say("hello").wait_for("failed")
    person.post("end")
    assert "Thank you!" in text_of(person.html)
    assert (list(site.store.stream(fetch_judgments())), credits_of(site.store)) == ([], ["bot-failed"])


def test_an_answer_about_a_chat_that_was_left_with_credit_is_not_called_saved(serve: Serve) -> None:
    site = serve(bots=(("fay", "failing"), ("eve", "failing")), rest="[annotators]\nmax_judgments = 2\n")
    (site.study.folder / "broken").touch()
    person = site.person().start().say("hello").wait_for("failed")
    sent = person.fields() | {"rating_enjoyment": "2", "reason": "because"}
    person.post("end")
    for script in ({}, {"duologue-part": "main"}):
        answer = person.client.post(f"/a/{person.token}/submit", data=sent, headers=script)
        assert "That had ended before, so what you sent was not saved." in text_of(answer.text)
        assert ("duologue-outcome" in answer.headers) == bool(script)
    assert list(site.store.stream(fetch_judgments())) == []


def test_what_is_sent_to_a_last_chat_that_was_left_with_credit_is_not_called_saved(serve: Serve) -> None:
    site = serve(bots=(("fay", "failing"),))
    (site.study.folder / "broken").touch()
    person = site.person().start().say("hello").wait_for("failed")
    sent = person.fields() | {"rating_enjoyment": "2", "reason": "because", "text": "Are you there?"}
    sent["key"] = "new"
    person.post("end")
    assert "not saved" not in text_of(person.html)
    for verb in ("submit", "say"):
        for script in ({}, {"duologue-part": "main"}):
            answer = person.client.post(f"/a/{person.token}/{verb}", data=sent, headers=script)
            assert "Thank you!" in text_of(answer.text)
            assert "That had ended before, so what you sent was not saved." in text_of(answer.text)
    assert list(site.store.stream(fetch_judgments())) == []


def test_a_failure_after_enough_exchanges_leads_to_the_questions(serve: Serve) -> None:
    site = serve(bots=(("fay", "failing"),))
    person = site.person().start().talk("one", "two")
    (site.study.folder / "broken").touch()
    person.say("three").wait_for("failed")
    person.post("end")
    assert "How much did you enjoy" in text_of(person.html)


def test_two_people_are_paired_and_both_rate(serve: Serve) -> None:
    site = serve(bots=(), chat="human_partner = true\nmin_exchanges = 1\nmax_exchanges = 1\n")
    one = site.person().start()
    assert one.state == "waiting"
    assert "looking for a partner" in text_of(one.html)
    other = site.person().start()
    one.wait_for("annotator").say("hello you")
    other.wait_for("annotator").say("hello yourself")
    one.wait_for("ended")
    assert one.said == other.open("?chat").said == ["hello you", "hello yourself"]
    for person in (one, other):
        person.open().post("submit", rating_enjoyment="4")
    assert len(list(site.store.stream(fetch_judgments()))) == 2


def test_somebody_for_whom_nobody_comes_is_let_go_with_credit(serve: Serve) -> None:
    site = serve(
        bots=(), chat="human_partner = true\nwaiting_minutes = 0.001\nmin_exchanges = 1\nmax_exchanges = 1\n"
    )
    person = site.person().start().wait_for("ended")
    assert "Nobody else is here" in text_of(person.html)
    person.post("leave")
    assert credits_of(site.store) == ["no-partner"]


def test_polling_gives_the_chat_after_a_change_and_nothing_otherwise(serve: Serve) -> None:
    site = serve(bots=(("sal", "slow"),))
    person = site.person().start().say("hello")
    change = re.search(r'data-change="(\d+)"', person.html)[1]  # type: ignore[index]
    same = person.client.get(f"/a/{person.token}/chat", params={"after": change})
    assert (same.status_code, same.content) == (204, b"")
    (site.study.folder / "go").touch()
    person.wait_for("annotator")
    after = person.client.get(f"/a/{person.token}/chat", params={"after": change})
    assert after.status_code == 200
    assert after.text.startswith("<main")
    assert "Sorry, that took a while." in after.text


def test_the_stream_tells_of_every_change_until_the_chat_is_over(site: Site) -> None:
    person = site.person().start()
    heard: list[str] = []
    is_there = threading.Event()

    def listen() -> None:
        with (
            httpx2.Client(base_url=site.address, trust_env=False, timeout=PATIENCE) as client,
            client.stream("GET", f"/a/{person.token}/events") as stream,
        ):
            assert stream.headers["content-type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                heard.append(line)
                is_there.set()

    listener = threading.Thread(target=listen)
    listener.start()
    assert is_there.wait(PATIENCE)
    person.talk("a\rb", "two", "three")
    listener.join(PATIENCE)
    assert not listener.is_alive()
    mains = [json.loads(line.removeprefix("data: "))["main"] for line in heard if line.startswith("data: {")]
    assert 'data-chat-state="ended"' in mains[-1]
    assert "You said: three" in mains[-1]
    assert len(mains) > 1
    numbers = [int(line.removeprefix("id: ")) for line in heard if line.startswith("id: ")]
    assert numbers == sorted(set(numbers))


def test_a_reply_by_another_process_reaches_the_stream(serve: Serve) -> None:
    """Changes that this process did not make are found by looking."""
    site = serve(bots=(), chat="human_partner = true\nmin_exchanges = 1\nmax_exchanges = 2\n")
    one, other = site.person().start(), site.person().start()
    one.wait_for("annotator")
    assignment = other.fields()["assignment"]
    speaker = one.fields()["assignment"]
    with other.client.stream("GET", f"/a/{other.token}/events") as stream:
        lines = stream.iter_lines()
        while "data-chat-state" not in (line := next(lines)):
            pass
        site.store.run(
            take_turn(one.token, site.study.caps, assignment=speaker, text="from elsewhere", key="else")
        )
        while "from elsewhere" not in (line := next(lines)):
            pass
    assert assignment in line


def test_the_fifth_stream_of_one_annotator_ends_the_first_and_no_other(site: Site) -> None:
    """A page whose stream ends so is told, as a browser would open it again at once and end the next one."""
    person, other = site.person().start(), site.person().start()
    with ExitStack() as open_streams:

        def listen(who: Person) -> Iterator[str]:
            lines = open_streams.enter_context(
                who.client.stream("GET", f"/a/{who.token}/events")
            ).iter_lines()
            while not next(lines).startswith("id:"):
                pass
            return lines

        theirs = listen(other)
        first, second, *_, last = [listen(person) for _ in range(5)]
        assert "event: replaced" in list(first)
        for who, lines in ((person, second), (person, last), (other, theirs)):
            who.say("still here")
            while "still here" not in (line := next(lines)):
                assert line != "event: replaced"


def test_each_stream_of_a_change_has_an_idempotency_key_of_its_own(site: Site) -> None:
    """What is sent from a second tab with the key of the first would be taken for said already, and lost."""
    person = site.person().start()
    with ExitStack() as open_streams:
        paths = [f"/a/{person.token}/events"] * 3
        streams = [
            open_streams.enter_context(person.client.stream("GET", path)).iter_lines() for path in paths
        ]
        person.say("hello").wait_for("annotator")
        mains = []
        for lines in streams:
            while "You said: hello" not in (line := next(lines)):
                pass
            mains.append(json.loads(line.removeprefix("data: "))["main"])
    keys = {hidden_fields(main)["key"] for main in mains}
    assert len(keys) == 3
    assert len({re.sub(r'name="key" value="\w+"', "", main) for main in mains}) == 1


def test_several_screens_are_gone_through_and_back(serve: Serve) -> None:
    site = serve(
        chat="min_exchanges = 1\nmax_exchanges = 1\n",
        likert="persona_detection = true\n"
        '[[likert.questions]]\nname = "fun"\ntext = "Fun?"\nlabels = ["no", "yes"]\n'
        '[[likert.questions]]\nname = "sense"\ntext = "Sense?"\nlabels = ["no", "", "yes"]\n',
    )
    person = site.person().start().talk("hello").open()
    assert "Fun?" in text_of(person.html)
    assert " checked" not in person.html
    person.post("submit")
    assert person.page is not None
    assert person.page.status_code == 422
    assert "Please choose one of the answers." in text_of(person.html)
    person.post("submit", rating_fun="2")
    assert "Sense?" in text_of(person.html)
    person.post("submit", back="1")
    assert "Fun?" in text_of(person.html)
    person.post("submit", rating_fun="1").post("submit", rating_sense="3")
    assert "Which of these two characters" in text_of(person.html)
    assert "two cats" in person.html
    assert "bake bread" in person.html
    site.with_token(person.token).open()
    person.post("submit", persona="1", reason="so")
    assert "Thank you!" in text_of(person.html)
    (judgment,) = site.store.stream(fetch_judgments())
    assert judgment.answer["ratings"] == {"fun": 1, "sense": 3}
    assert judgment.answer["persona"] in ("true", "other")


def test_spam_is_flagged_for_the_researcher_and_excluded_if_the_study_says_so(serve: Serve) -> None:
    site = serve(rest='[screening]\nexclude = ["repeated-messages"]\n')
    person = site.person().start().talk("Bye", "Bye", "Bye").open()
    person.post("submit", rating_enjoyment="4")
    (chat,) = site.store.run(fetch_chats())
    assert {"few-words", "repeated-messages"} <= {flag.rule for flag in chat.flags}
    (judgment,) = site.store.stream(fetch_judgments())
    assert judgment.excluded == "chat:repeated-messages"


def test_somebody_who_writes_too_fast_is_told_to_wait(serve: Serve) -> None:
    site = serve(bots=(("sal", "slow"),))
    person = site.person().start()
    fields = person.fields() | {"text": "again and again"}
    answers = [person.client.post(f"/a/{person.token}/say", data=fields).status_code for _ in range(125)]
    assert answers[0] == 200
    assert answers[-1] == 429


def test_nobody_sees_or_speaks_in_the_chat_of_another(site: Site) -> None:
    person, stranger = site.person().start().talk("private"), site.person().start()
    theirs = person.fields()["assignment"]
    for verb in ("chat", "events"):
        answer = stranger.client.get(f"/a/{stranger.token}/{verb}", params={"assignment": theirs})
        assert answer.status_code == 404
    for verb in ("say", "end", "again", "leave"):
        answer = stranger.client.post(
            f"/a/{stranger.token}/{verb}", data={"assignment": theirs, "text": "me"}
        )
        assert answer.status_code == 404
        assert "private" not in answer.text
    assert person.open().said == ["private", "You said: private"]


def test_the_researcher_sees_chats_and_reads_what_was_said(serve: Serve) -> None:
    site = serve(chat="min_exchanges = 1\nmax_exchanges = 1\n")
    site.person().start().talk("hello <b>").open().post("submit", rating_enjoyment="4")
    key = site.store.run(ensure_secret("researcher"))
    with httpx2.Client(
        base_url=site.address, trust_env=False, follow_redirects=True, timeout=PATIENCE
    ) as client:
        client.post("/researcher/sign-in", data={"key": key})
        listed = client.get("/researcher/chats").text
        (chat,) = site.store.run(fetch_chats())
        assert "judged" in text_of(listed)
        assert "few-words" in text_of(listed)
        assert f"/researcher/chats/{chat.id}" in listed
        transcript = client.get(f"/researcher/chats/{chat.id}").text
        assert "hello <b>" in text_of(transcript)
        assert "You said: hello &lt;b&gt;" in transcript
        assert client.get("/researcher/chats/nothing").status_code == 404
        (record,) = client.get("/api/chats", headers={"authorization": f"Bearer {key}"}).json()
        assert record["bot"] == "ann"
        assert record["ending"] == "complete"
        turns = client.get(f"/api/chats/{chat.id}", headers={"authorization": f"Bearer {key}"}).json()
        assert [turn["text"] for turn in turns] == ["hello <b>", "You said: hello <b>"]
        assert turns[1]["seconds"] is not None
        overview = client.get("/researcher").text
        assert "Bot" in text_of(overview)
        assert "Win rates" not in overview


def test_without_script_the_page_looks_again_only_while_the_partner_is_awaited(serve: Serve) -> None:
    site = serve(bots=(("sal", "slow"),))
    person = site.person().start()
    assert "http-equiv" not in person.html
    person.say("hello")
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in person.html


def test_no_turn_of_a_live_chat_is_longer_than_the_study_allows(serve: Serve) -> None:
    site = serve(study="max_turn_chars = 15\n", bot_settings="retries = 0\n")
    person = site.person().start()
    assert "Please keep your message under 15 characters." in text_of(person.say("sixteen letters!").html)
    assert person.talk("five!").said == ["five!", "You said: five!"]
    person.say("eleven long").wait_for("failed")
    (chat,) = site.store.run(fetch_chats())
    assert chat.failures == (
        "its reply has 21 characters; at most 15 are shown to anybody (max_turn_chars in [study]).",
    )


def test_whoever_is_kept_waiting_may_end_with_credit_without_script(serve: Serve) -> None:
    site = serve(
        bots=(("sal", "slow"),), chat="min_exchanges = 2\nmax_exchanges = 3\noffer_end_seconds = 0\n"
    )
    person = site.person().start()
    person.say("hello")
    assert person.state == "partner"
    assert "Your partner takes long to answer." in text_of(person.html)
    person.post("end")
    assert credits_of(site.store) == ["bot-failed"]
    (chat,) = site.store.run(fetch_chats())
    assert "the annotator ended the chat" in chat.failures[0]
