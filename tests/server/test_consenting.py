"""The consent page says who asks and what is stored, and takes no for an answer."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from duologue.server import create_app
from duologue.store import Store, fetch_annotator_events, fetch_annotators, fetch_leases, invite_annotators
from duologue.studies import load_study, new_study
from tests.server.chat_studies import make_chat_study
from tests.server.conftest import prepared_store
from tests.server.test_researcher import Researcher
from tests.server.visits import Visitor, text_of
from tests.studies.conftest import write_dialogues

Serve = Callable[..., tuple[TestClient, Store]]

CONSENT = (
    "[consent]\n"
    'institution = "University of <b>Nowhere</b>"\ncontact = "ada@example.org"\n'
    'duration = "about 10 minutes"\npay = "2.00 USD"\n'
)
CHATS = "The conversations you have here, word for word"
PARTNER = "Your partner may be another participant"


@pytest.fixture
def serve_chats(tmp_path: Path) -> Iterator[Callable[[str], Visitor]]:
    opened: list[Store] = []

    def make(chat: str) -> Visitor:
        study = make_chat_study(tmp_path / f"study-{len(opened)}", chat=chat)
        store = prepared_store(study)
        opened.append(store)
        client = TestClient(create_app(study, store), follow_redirects=False)
        return Visitor(client, store.run(invite_annotators(1))[0].token)

    yield make
    for store in opened:
        store.close()


def test_page_says_who_asks_how_long_it_takes_and_what_is_paid(serve: Serve) -> None:
    client, store = serve(rest=CONSENT)
    page = Visitor(client, store.run(invite_annotators(1))[0].token).open()
    told = text_of(page.text)
    for text in ("University of <b>Nowhere</b>", "ada@example.org", "about 10 minutes", "2.00 USD"):
        assert text in told
    assert "<b>" not in page.text


def test_headings_of_what_is_not_set_are_left_out(visitor: Visitor) -> None:
    page = visitor.open().text
    assert "Who is responsible" not in page
    assert "<dl" not in page


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("[annotators]\nsitting_minutes = 25\n", "At most 25 minutes"),
        ("[annotators]\nitem_seconds = 90\n", "You have 90 seconds for each item."),
        ('[annotators]\nsitting_minutes = 25\n[consent]\nduration = "half an hour"\n', "half an hour"),
    ],
)
def test_a_sitting_takes_as_long_as_its_minutes_unless_the_study_says_otherwise(
    rest: str, said: str, serve: Serve
) -> None:
    client, store = serve(rest=rest)
    page = text_of(Visitor(client, store.run(invite_annotators(1))[0].token).open().text)
    assert said in page
    assert ("At most" in page) == said.startswith("At most")


ARMS = """
[[acute.questions]]
name = "colleague"
question = "Who would you rather have as a colleague?"
s1_choice = "I would rather work with <Speaker 1>"
[[acute.questions]]
name = "boring"
question = "boring-to-talk-to"
[arms]
per_annotator = "each"
[annotators]
max_judgments = 2
"""


def test_a_changed_question_is_announced_on_its_first_item_and_consent_names_no_one_question(
    serve: Serve,
) -> None:
    client, store = serve(onboarding=0, per_matchup=6, rest=ARMS)
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    assert "the question" not in text_of(visitor.open().text)
    page, asked = visitor.consent(), []
    for _ in range(4):
        assert ("is a different one now." in visitor.open().text) == ("is a different one now." in page.text)
        asked.append(("boring" in text_of(page.text), "The question is a different one now." in page.text))
        page = visitor.submit(page, script=True)
    first = asked[0][0]
    assert [is_boring != first for is_boring, _ in asked] == [False, False, True, True]
    assert [is_told for _, is_told in asked] == [False, False, True, False]


@pytest.mark.parametrize("reason", ["off", "required"])
def test_only_who_writes_something_is_told_that_it_can_be_erased(tmp_path: Path, reason: str) -> None:
    folder = tmp_path / "study"
    new_study(folder)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('reason = "encouraged"', f'reason = "{reason}"'), encoding="utf-8")
    study = load_study(folder)
    assert ("what you wrote" in study.file.wording.consent) == (reason != "off")
    assert "We erase it if you ask us" in study.file.wording.stored_forms


def test_what_is_stored_follows_from_how_somebody_came(serve: Serve) -> None:
    client, store = serve()

    def told(kind: str, label: str) -> str:
        (invitation,) = store.run(invite_annotators(1, kind=kind, labels=[label]))
        return text_of(Visitor(client, invitation.token).open().text)

    named, nameless, by_open_link, elsewhere = (
        told("lab", "Ada"),
        told("lab", ""),
        told("open", ""),
        told("messenger", "0a1b"),
    )
    assert "The name or number under which you were invited." in named
    assert "Ada" not in named
    assert "invited" not in nameless
    assert "A cookie in this browser" in by_open_link
    assert "A code that is made from your account" in elsewhere
    for page in (named, nameless, by_open_link, elsewhere):
        assert "Your answers, when you gave them, and how long you took." in page
        assert "Nothing else about you." in page
        assert CHATS not in page


@pytest.mark.parametrize(
    ("rest", "is_said"),
    [
        ('[acute]\nreason = "required"\n', False),
        ('[acute]\nreason = "off"\n', False),
        ('[acute]\nreason = "off"\n[annotators]\nskips = 1\n', True),
        ("", True),
    ],
)
def test_what_is_left_out_is_said_to_be_stored_where_it_can_be(
    rest: str, is_said: bool, serve: Serve
) -> None:
    assert ("Whether you skip something or leave it empty." in _consent_of(serve, rest)) is is_said


DECEIVED = '[consent]\ndeception = true\napproval = "EB 1"\n'


def _consent_of(serve: Serve, rest: str) -> str:
    client, store = serve(rest=rest)
    return text_of(Visitor(client, store.run(invite_annotators(1))[0].token).open().text)


def test_nothing_is_promised_that_nobody_can_be_asked_for(serve: Serve) -> None:
    alone = _consent_of(serve, "")
    assert "you can stop at any time." in alone
    assert "ask us" not in alone
    assert "and ask us to erase what you wrote." in _consent_of(serve, CONSENT)
    own = '[wording]\nconsent = "You can stop, and ask us in room 3."\n'
    assert "You can stop, and ask us in room 3." in _consent_of(serve, own)


def test_a_deception_is_not_given_away_by_the_consent(serve: Serve) -> None:
    assert "for research on conversational systems." in _consent_of(serve, "")
    hidden = _consent_of(serve, DECEIVED)
    assert "for research on conversations." in hidden
    assert "We cannot tell you everything about this study before you begin." in hidden
    assert "program" not in hidden.lower()
    assert "system" not in hidden.lower()


@pytest.mark.parametrize("kind", ["human-human", "self-chat"])
def test_programs_are_named_where_one_wrote_what_is_read(tmp_path: Path, kind: str) -> None:
    likert = '[study]\nname = "x"\nseed = 3\nprotocol = "likert"\n[likert]\nsource = "dialogues"\n'
    pages = []
    for number, rest in enumerate(("", DECEIVED, DECEIVED + 'contact = "ada@example.org"\n')):
        folder = tmp_path / str(number)
        (folder / "dialogues").mkdir(parents=True)
        (folder / "study.toml").write_text(
            f'{likert}leave_out = ["other"]\n[annotators]\nmax_judgments = 1\n{rest}', encoding="utf-8"
        )
        write_dialogues(folder, "talker", 2, kind=kind)
        write_dialogues(folder, "other", 2)  # of a program, and not shown
        study = load_study(folder)
        with prepared_store(study) as store:
            client = TestClient(create_app(study, store), follow_redirects=False)
            visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
            pages.append(text_of(visitor.open().text))
            visitor.submit(visitor.consent(), rating_enjoyment="3")
            pages.append(text_of(visitor.open().text))
    is_program = kind == "self-chat"
    open_consent, _, _, without_contact, _, debriefed = pages
    assert ("Some of what you read may be written by computer programs." in open_consent) is is_program
    for page in (without_contact, debriefed):
        assert "What we did not tell you before" in page
        assert ("In this study, computer programs wrote all or some of the replies." in page) is is_program
        assert ("people wrote everything that you read" in page) is not is_program
    assert "please tell us" not in without_contact
    assert "please tell us." in debriefed


def test_live_chats_are_said_to_be_stored_where_there_are_any(serve_chats: Callable[[str], Visitor]) -> None:
    with_bots = text_of(serve_chats("").open().text)
    assert CHATS in with_bots
    assert PARTNER not in with_bots
    with_people = text_of(serve_chats("human_partner = true\n").open().text)
    assert CHATS in with_people
    assert PARTNER in with_people


def test_whoever_does_not_agree_is_thanked_noted_once_and_given_nothing(
    visitor: Visitor, store: Store
) -> None:
    place = f"/a/{visitor.token}"
    assert f'action="{place}/decline"' in visitor.open().text
    for _ in range(2):
        answer = visitor.client.post(f"{place}/decline")
        assert (answer.status_code, answer.headers["location"]) == (303, f"{place}/declined")
    page = visitor.client.get(f"{place}/declined")
    assert page.status_code == 200
    assert "You have not agreed" in page.text
    assert f'href="{place}"' in page.text
    (event,) = store.run(fetch_annotator_events())
    assert (event.action, event.by) == ("decline", "annotator")
    (annotator,) = store.run(fetch_annotators())
    assert annotator.has_declined
    assert annotator.consented_at is None
    assert store.run(fetch_leases()) == ()
    links = Researcher(visitor.client, store).page("/links")
    assert '<span class="tag">declined</span>' in links
    assert "not used yet" not in links


def test_whoever_changes_their_mind_takes_part(visitor: Visitor, store: Store) -> None:
    visitor.client.post(f"/a/{visitor.token}/decline")
    assert "choice" in visitor.consent().text
    (annotator,) = store.run(fetch_annotators())
    assert not annotator.has_declined
    old = visitor.client.get(f"/a/{visitor.token}/declined")
    assert (old.status_code, old.headers["location"]) == (303, f"/a/{visitor.token}")
    assert visitor.client.get("/a/nobody/declined").status_code == 404


def test_whoever_has_agreed_cannot_decline_by_an_old_page(visitor: Visitor, store: Store) -> None:
    visitor.consent()
    answer = visitor.client.post(f"/a/{visitor.token}/decline")
    assert answer.headers["location"] == f"/a/{visitor.token}"
    assert store.run(fetch_annotator_events()) == ()


@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_declines_by_a_made_up_link(client: TestClient, method: str) -> None:
    path = "/a/made-up/decline" + ("d" if method == "get" else "")
    assert client.request(method, path).status_code == 404
