"""Whether the texts of a study are true: its facts, and the words that are false where a fact does not hold.

`study check` compares what the study file says in its own words; a test compares what Duologue says in every
combination of settings. Only English is compared, and only what is plainly false.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from duologue.bots import answering_bots
from duologue.errors import StudyFileError
from duologue.protocols import Fact, chat_plan
from duologue.studies.drawing import planned_items
from duologue.studies.load import FILE_NAME, line_of
from duologue.studies.model import Study

FALSE_WITHOUT: Mapping[tuple[Fact, ...], str] = {
    ("chats",): (
        r"you(?: will|'ll) (?:chat|talk)|you will have (?:\w+ ){1,4}conversations?|you (?:chatted|talked)|"
        r"did you enjoy (?:talking|chatting)|your (?:partners?|messages?)|^(?:chat|talk) (?:with|to)|"
        r"(?:^|\byou(?: will|'ll| can| may)? |\bplease )have a (?:\w+ )?(?:chat|conversation)|"
        r"go on to the questions?|after the chat"
    ),
    ("reads",): (
        r"you(?: will|'ll) (?:only )?read (?:\w+ ){0,4}(?:conversations?|dialogues?|chats?)|"
        r"^read (?:\w+ ){0,4}(?:conversations?|dialogues?|chats?|what was said)|"
        r"conversations? that others had|highlighted speaker"
    ),
    ("two", "ranks"): r"side by side",
    ("two",): r"(?:one|which|either) of (?:the )?two (?:speakers|conversations|dialogues|partners)",
    ("at once",): r"at the same time|partners at once|goes to both|both conversations",
    ("ranks",): (
        r"three (?:\w+ )?(?:speakers|conversations|dialogues)|\b(?:in|into) order(?! to\b)|"
        r"\brank(?:ing)?\b|\b(?:1st|2nd|3rd)\b"
    ),
    ("grades",): r"only slightly|clearly or|clearly better|slightly better",
    ("ties",): r"no difference|\ba tie\b",
    ("reasons",): r"\bsay (?:\w+ ){0,4}why\b|\bexplain (?:why|your)\b|\bgive (?:a|your) reasons?\b",
    ("selects",): r"\b(?:choose|select|pick|judge) (?:\w+ ){0,3}repl(?:y|ies)\b",
    (
        "writes replies",
    ): r"repl(?:y|ies) (?:that )?you write|\bwrite (?:a|another|your own|the) (?:\w+ )?reply\b",
    ("rates", "grades"): r"\bon a scale\b",
    ("rates",): r"\brate (?:it|them|the|each|this)\b|\byour ratings?\b",
    (
        "persona",
    ): r"\byour (?:character|persona)\b|\bthese two characters\b|\bplay (?:a|the|your) (?:character|role)\b",
    ("person",): (
        r"\b(?:talk(?:ing)?|chat(?:ting)?|speak(?:ing)?|writ(?:e|ing)|connected|paired|conversations?) "
        r"(?:with|to) (?:a|another|one other) (?:real )?(?:person|human(?: being)?|participant)\b"
    ),
    ("forms",): r"questions about you(?:rself|rselves)\b",
}
"""By facts of which one must hold: English words that are false where none of them does."""

NOT_CLAIMED = (
    r"\b(?:not|no|never|nobody|without|cannot|instead|imagine|suppose|if|would|like|feels?|felt|seems?)\b|"
    r"n['’]t\b"
)
"""Words before others in a sentence that do not claim them: "you need not say why", "as if you ..."."""

DENIALS = (
    r"\b(?:no|not an?|never an?) (?:computer program|chat ?bot|bot|robot|machine)s?\b|"
    r"\bonly (?:real )?(?:people|humans)\b"
)
"""Words that deny that computer programs are met."""

PROGRAMS = r"program|\bbots?\b|chatbot|computer|machine|artificial|\bAI\b"
"""Words by which a text says that they are."""

_CHAT_KEYS = (
    "another_chat bot_failed chat_instructions end_chat exchanges first_message go_on meet_both "
    "meet_program message_label no_edits not_sent send slow_partner stored_chats text_only too_long topic "
    "typing you your_persona your_turn"
)
_RANKING_KEYS = (
    "first_place ranking_hint ranking_keys ranking_keys_reason ranking_missing second_place third_place"
)
_KEYS: Mapping[Fact, str] = {
    "chats": _CHAT_KEYS,
    "person": "meet_both no_partner partner_left stored_partner waiting_room waiting_time",
    "ranks": _RANKING_KEYS,
    "grades": "clearly slightly",
    "ties": "no_difference",
    "reasons": "keys_reason ranking_keys_reason reason_label reason_missing reason_required_label",
    "selects": (
        "cards_keys choose_reply confirm_choice none_of_these not_this_one stored_selections written_label"
    ),
    "writes replies": "written_label",
    "persona": "your_persona",
    "forms": (
        "form_at_least form_at_most form_between form_choose form_number form_optional form_required "
        "form_several form_too_long form_wrong stored_forms"
    ),
}
SHOWN_WITH: Mapping[Fact, frozenset[str]] = {fact: frozenset(keys.split()) for fact, keys in _KEYS.items()}
"""Texts of ``[wording]`` that are shown only where a fact holds; of several facts, all must."""


@dataclass(frozen=True, slots=True)
class FalseWords:
    """Words that are false in a study."""

    words: str
    why: str
    """What is so instead, as the rest of a sentence."""


def study_facts(study: Study) -> frozenset[Fact] | None:
    """What annotators do and meet in a study; None where its protocol does not say.

    Raises:
        BotError: ``[chat] bots`` names a bot that does not answer.
    """
    known = study.protocol.facts()
    if known is None:
        return None
    chat, has_chats = study.file.chat, "chats" in known
    has_bots = bool(answering_bots(study.file.bots, chat.bots))
    more: dict[Fact, bool] = {
        "person": has_chats and chat.human_partner,
        "program": "reads" in known or not has_chats or has_bots,
        "persona": has_chats and bool(chat.personas),
        "forms": bool(study.file.forms),
    }
    return known | {fact for fact, holds in more.items() if holds}


def is_shown(key: str, facts: frozenset[Fact]) -> bool:
    """Whether a text of ``[wording]`` is shown in a study with these facts.

    Example:
        >>> is_shown("waiting_room", frozenset({"chats"})), is_shown("thanks", frozenset())
        (False, True)
    """
    return all(fact in facts for fact, keys in SHOWN_WITH.items() if key in keys)


def false_words(text: str, facts: frozenset[Fact], *, may_deny: bool = False) -> FalseWords | None:
    """The first words of an English text that are false where these facts hold, and no others.

    Args:
        text: What annotators read.
        facts: What holds in the study.
        may_deny: Whether the text may hide that computer programs are met: a study of declared deception.

    Example:
        >>> false_words("You will read two conversations side by side.", frozenset({"chats", "rates"})).words
        'You will read two conversations'
        >>> false_words("You will talk to another person.", frozenset({"chats", "program", "person"})).words
        'talk to another person'
    """
    says_programs = re.search(PROGRAMS, text, re.IGNORECASE) is not None
    for needed, words in FALSE_WITHOUT.items():
        is_of_people = needed == ("person",)
        found = _first_claim(words, text)
        if found is None or (is_of_people and (may_deny or says_programs)):
            continue
        if not any(fact in facts for fact in needed):
            return FalseWords(found[0], _WHY_NOT[needed[0]])
        if is_of_people and "program" in facts:
            return FalseWords(found[0], _WHY_PROGRAM)
    denied = re.search(DENIALS, text, re.IGNORECASE)
    if denied and "program" in facts and not may_deny:
        return FalseWords(denied[0], _WHY_PROGRAM)
    return None


def _first_claim(words: str, text: str) -> re.Match[str] | None:
    """The first of the words that the text claims, and does not deny or only imagine."""
    for found in re.finditer(words, text, re.IGNORECASE | re.MULTILINE):
        before = re.split(r"[.!?:;\n]", text[: found.start()])[-1]
        if not re.search(NOT_CLAIMED, before, re.IGNORECASE):
            return found
    return None


_WHY_PROGRAM = (
    "annotators may meet a computer program. Say so, or declare deception = true in [consent], with the "
    "approval that allows it"
)
_WHY_NOT: Mapping[Fact, str] = {
    "chats": "annotators of this study do not chat",
    "reads": "annotators of this study read no finished conversations",
    "two": "no two speakers are compared in this study",
    "at once": "annotators of this study do not talk to two partners at once",
    "ranks": "nothing is put in order in this study",
    "grades": "answers of this study do not say how clearly",
    "ties": "no answer of this study says so",
    "reasons": "this study asks for no reason",
    "selects": "annotators of this study choose between no replies",
    "writes replies": "annotators of this study write no replies of their own",
    "rates": "nothing is rated on a scale in this study",
    "persona": "nobody has a character in this study",
    "person": "no annotator of this study talks to a person",
    "forms": "this study has no forms",
}


def contradictions(study: Study) -> Iterator[StudyFileError]:
    """What the study file says in its own words and its settings make false.

    Nothing is said of other languages than English, nor of protocols that do not say what annotators do.

    Raises:
        DuologueError: Bots, items or personas cannot be read.
    """
    facts = study_facts(study)
    if facts is None or not study.file.study.lang.lower().startswith("en"):
        return
    may_deny = study.file.consent.deception
    for table, key, text in _own_texts(study, facts):
        false = false_words(text, facts, may_deny=may_deny)
        if false is None:
            continue
        could_be_read = "chats" in facts and not false_words(text, facts | {"reads"}, may_deny=may_deny)
        if could_be_read and _has_finished_dialogues(study):
            continue
        yield _contradiction(study, table, key, false)


def _own_texts(study: Study, facts: frozenset[Fact]) -> Iterator[tuple[str, str, str]]:
    """Table, key and text of what the study file sets itself, and the questions of its arms."""
    written = tomllib.loads(study.text)
    for key in ("title", "description"):
        if key in written["study"]:
            yield "study", key, str(written["study"][key])
    for key, text in written.get("wording", {}).items():
        if is_shown(key, facts):
            yield "wording", key, str(text)
    for arm in study.arms:
        yield study.file.study.protocol, "", arm.summary


def _has_finished_dialogues(study: Study) -> bool:
    """Whether something is read where annotators chat, which only the items say: onboarding, say."""
    return any(item.dialogues and chat_plan(item) is None for item in planned_items(study))


def _contradiction(study: Study, table: str, key: str, false: FalseWords) -> StudyFileError:
    what = "this" if key else "a question"
    advice = "Change it, or leave it out: what is said then follows the settings."
    return StudyFileError(
        study.folder / FILE_NAME,
        table=table,
        key=key,
        line=line_of(study.text, (table, key)) if key else None,
        expected=f'{what} says "{false.words}", but {false.why}{_setting(study, false)}. {advice}',
    )


def _setting(study: Study, false: FalseWords) -> str:
    """The setting that decides it, in brackets, where there is one."""
    fact = next((fact for fact, why in _WHY_NOT.items() if why == false.why), None)
    if fact is None:
        return ""
    shared = {
        "person": "[chat] human_partner = false",
        "forms": "no [[forms]]",
        "persona": "no personas in [chat]",
    }
    name = study.protocol.fact_settings.get(fact)
    value = getattr(study.settings, name) if name else None
    if isinstance(value, bool | str):
        said = f'"{value}"' if isinstance(value, str) else str(value).lower()
        return f" ([{study.file.study.protocol}] {name} = {said})"
    return f" ({shared.get(fact) or f'[study] protocol = {chr(34)}{study.file.study.protocol}{chr(34)}'})"
