"""Pages as they are rendered say nothing false, whom one may meet, and what was hidden at the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from duologue.per_turn import write_turns
from duologue.per_turn.finished.study import reread_study
from duologue.server import create_app
from duologue.store import Store, block_annotator, fetch_annotators, invite_annotators
from duologue.studies import FIELD, Study, draw_items, load_study, new_study, study_facts
from duologue.studies.texts import false_words
from tests.nuc.surveys import survey
from tests.per_turn.chats import MadeUp, made_up
from tests.server.chat_studies import make_chat_study
from tests.server.conftest import prepared_store
from tests.server.studies import make_study
from tests.server.visits import Visitor, text_of
from tests.studies.conftest import edit, write_dialogues

PROGRAM = "You may talk to a computer program."
BOTH = "You may talk to a person or to a computer program."
READ = "Some of what you read may be written by computer programs."
DECEPTION = '[consent]\ndeception = true\napproval = "Board, 2025-17"\ncontact = "ada@example.org"\n'
TOLD = "What we did not tell you before"


def comparison(folder: Path, acute: str = "") -> Study:
    return make_study(folder, onboarding=0, rest=f"[acute]\n{acute}")


def readers(folder: Path) -> Study:
    study = new_study(folder, protocol="likert", seed=5)
    write_dialogues(folder, "parrot", 3)
    return edit(study, 'source = "live"  ', 'source = "dialogues"  ')


def turns(folder: Path) -> Study:
    return new_study(folder, protocol="per-turn", seed=5)


def finished_turns(folder: Path) -> Study:
    source = folder.parent / "turns.jsonl"
    write_turns(made_up(MadeUp({"ada": 0.6, "bea": 0.4}, annotators=3, turns=2), 3), source)
    reread_study(folder, source)
    return load_study(folder)


MADE: dict[str, tuple[Callable[[Path], Study], tuple[str, ...]]] = {
    "acute": (comparison, (READ,)),
    "graded": (lambda folder: comparison(folder, 'answer = "graded"\nreason = "off"'), (READ,)),
    "ties": (lambda folder: comparison(folder, "ties = true"), (READ,)),
    "parallel": (
        lambda folder: make_chat_study(folder, bots=(("ann", "echo"), ("bob", "told")), acute=""),
        (PROGRAM,),
    ),
    "likert": (make_chat_study, (PROGRAM,)),
    "people": (lambda folder: make_chat_study(folder, chat="human_partner = true\n"), (BOTH,)),
    "readers": (readers, (READ,)),
    "per-turn": (turns, (PROGRAM,)),
    "finished": (finished_turns, (READ,)),
    "nuc": (survey, (READ,)),
}


@contextmanager
def served_study(study: Study) -> Iterator[tuple[Visitor, Store]]:
    draw_items(study)
    store = prepared_store(study)
    with TestClient(create_app(study, store), follow_redirects=False) as client:
        yield Visitor(client, store.run(invite_annotators(1))[0].token), store
    store.close()


def said_by_us(html: str) -> str:
    """What a page says, without the dialogues on it."""
    body = html[html.index("<body") :]
    return text_of(
        re.sub(r'<div class="text".*?</div>|<span class="text".*?</span>', "", body, flags=re.DOTALL)
    )


@pytest.mark.parametrize("name", MADE)
def test_the_pages_of_a_study_say_nothing_that_is_false_in_it(name: str, tmp_path: Path) -> None:
    make, met = MADE[name]
    study = make(tmp_path / "study")
    facts = study_facts(study)
    assert facts is not None
    with served_study(study) as (visitor, _):
        consent = visitor.open().text
        told = text_of(consent)
        assert [one for one in (PROGRAM, BOTH, READ) if one in told] == list(met)
        assert ("Which replies you choose" in told) == ("selects" in facts)
        assert ("Whether you paste text" in told) == bool(facts & {"chats", "reasons"})
        assert TOLD not in told
        begun = visitor.consent()
        if 'name="form"' in begun.text:
            about = {"form": "you", f"{FIELD}knowledge": "Basic"}
            visitor.client.post(f"/a/{visitor.token}/form", data=about)
            begun = visitor.open()
        assert 'name="assignment"' in begun.text
        for page in (consent, begun.text):
            for line in said_by_us(page).splitlines():
                assert false_words(line.strip(), facts) is None, line


def test_a_warning_and_the_approval_stand_before_the_consent(tmp_path: Path) -> None:
    consent = '[consent]\napproval = "Board, 2025-17"\ncontent_warning = "Some of it is <rude>."\n'
    with served_study(make_study(tmp_path / "study", rest=consent)) as (visitor, _):
        page = visitor.open().text
        told = text_of(page)
    assert told.index("Some of it is <rude>.") < told.index("I agree")
    assert "Ethics approval" in told
    assert "Board, 2025-17" in told
    assert "<rude>" not in page


def test_who_was_deceived_is_told_at_the_end_with_their_code(tmp_path: Path) -> None:
    study = make_study(
        tmp_path / "study", onboarding=0, per_matchup=1, rest=f"{DECEPTION}[annotators]\nmax_judgments = 1\n"
    )
    with served_study(study) as (visitor, _):
        told = text_of(visitor.open().text)
        assert READ not in told
        assert "computer program" not in told
        assert "We explain it at the end." in told
        assert TOLD not in text_of(visitor.client.post(f"/a/{visitor.token}/decline").text)
        page = visitor.consent()
        assert TOLD not in page.text
        visitor.submit(page)
        thanks = text_of(visitor.open().text)
    assert thanks.index(TOLD) < thanks.index("computer programs wrote all or some of the replies")
    assert "ada@example.org" in thanks
    assert thanks.index(TOLD) < thanks.index("Your completion code")


def test_who_is_let_go_early_is_told_too_and_who_never_took_part_is_not(tmp_path: Path) -> None:
    own = "[wording]\ndebriefing = 'Every reply came from a program.'\n"
    study = make_study(tmp_path / "study", onboarding=0, per_matchup=1, rest=DECEPTION + own)
    with served_study(study) as (visitor, store):
        visitor.submit(visitor.consent())
        assert "Every reply came from a program." in text_of(visitor.open().text)
        late = Visitor(visitor.client, store.run(invite_annotators(1))[0].token)
        told = text_of(late.open().text)
        assert "This study is complete" in told
        assert TOLD not in told
        (first, _) = store.run(fetch_annotators())
        store.run(block_annotator(first.id, reason="spam", by="test"))
        told = text_of(visitor.open().text)
        assert "You cannot go on in this study" in told
        assert "Every reply came from a program." in told
