"""Whether the texts of a study are true: its facts, and the words that are false where a fact does not hold.

`study check` compares what the study file says in its own words; a test compares what Duologue says in every
combination of settings. Only English is compared, and only what is plainly false.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from duologue.bots import answering_bots
from duologue.dialogues import DialogueKind, index_dialogues
from duologue.errors import StudyFileError
from duologue.protocols import Counted, Fact, chat_plan
from duologue.studies.drawing import planned_items
from duologue.studies.load import FILE_NAME, line_of
from duologue.studies.model import Study
from duologue.studies.served_words import human_bots, shows_programs

_PROGRAM = r"(?:computers?(?: programs?)?|programs?|chat ?bots?|bots?|robots?|machines?|AIs?)"
_PERSON = r"(?:person|people|humans?(?: beings?)?|participants?)"
_MEETS = r"(?:be|being|deal|ever|meet|(?:chat|come|connect|pair|read|said|speak|talk|writ)\w*)"
_TALKS = r"(?:conversations|dialogues|chats)"
_SIDES = r"(?:speakers?|conversations?|dialogues?|partners?)"
_WORDS = "one two three four five six seven eight nine ten"
_DIGITS = {word: number for number, word in enumerate(_WORDS.split(), 1)}
_OURS = r"(?:us|our|the researchers?|a person (?:from|of))\b"
_STORED = r"(?:stored|recorded|saved|kept|collected)"
_BUT = r"(?:but|except(?: for)?|besides|other than|apart from)"
_NUMBER = rf"(?P<number>\d+|{'|'.join(_DIGITS)})"

FALSE_WITHOUT: Mapping[tuple[Fact, ...], str] = {
    ("chats",): (
        rf"you(?: will|'ll) (?:chat|talk)(?! (?:to|with) {_OURS})|"
        r"you will have (?:\w+ ){1,4}conversations?|you (?:chatted|talked)|"
        r"did you enjoy (?:talking|chatting)|your partners?\b(?! or\b)|"
        r"your messages? (?:is|are|will be)\b(?! (?:not|never)\b)|"
        r"^(?:chat|talk) (?:with|to)|"
        r"(?:^|\byou(?: will|'ll| can| may)? |\bplease )have a (?:\w+ )?(?:chat|conversation)|"
        r"go on to the questions?|after the chat"
    ),
    ("reads",): (
        r"you(?: will|'ll) (?:only )?read (?:\w+ ){0,4}(?:conversations?|dialogues?|chats?)|"
        r"^read (?:\w+ ){0,4}(?:conversations?|dialogues?|chats?|what was said)|"
        r"conversations? that others had|highlighted speaker"
    ),
    ("two", "ranks"): (
        r"(?:conversations?|dialogues?|speakers?|chats?)[^.?!]{0,30} side by side|"
        r"\bwhich (?:speaker|conversation|dialogue|partner) (?:is|was) better\b|"
        r"\bwhich (?:speaker|conversation|dialogue|partner) (?:do|did|would) you (?:like|prefer)|"
        r"\b(?:choose|decide) between (?:the )?two\b(?! (?:repl|answers|options))|"
        r"(?<!\bwe )\bcompare (?:the |these )?(?:two|three)\b"
    ),
    ("two",): (
        r"\b(?:choose|choosing|pick|select|say which|which)\b[^.?!]{0,30}\b(?:of|between) (?:the )?two "
        r"(?:speakers|conversations|dialogues|partners)|"
        rf"\b(?:choose|pick|select) the better {_SIDES}\b(?! first)|"
        rf"\btwo {_TALKS} and [^.?!,]{{0,20}}\bthe better (?:one\b(?! of)|{_SIDES})"
    ),
    ("two", "one at a time"): (
        r"(?:^|[.!] |\byou(?: will|'ll)? (?:only )?|\bplease )(?:read|see|compare|judge) "
        rf"(?:only |just |these |the )?two (?:\w+ )?{_TALKS}|\btwo {_TALKS} side by side|\bboth {_TALKS}"
    ),
    ("at once",): (r"(?:partners|talk|chat)[^.?!]{0,40} at the same time|partners at once|goes to both"),
    ("ranks", "second best"): (
        r"\b(?:put|putting|bring|place|placing|sort|sorting)\b[^.?!]{0,40}\b(?:in|into) order\b(?! to\b)|"
        r"\brank(?:ing)?\b(?! and\b)|\b(?:1st|2nd|3rd) (?:place|choice)\b"
    ),
    ("ranks", "one at a time"): r"three (?:\w+ )?(?:speakers|conversations|dialogues)",
    ("grades",): r"only slightly|clearly or|clearly better|slightly better",
    ("ties",): (
        r"\b(?:say|choose|answer|or|press)(?: that)?(?: there is)? [\"'\u201c]?no difference|\bis a tie\b|"
        r"\bties (?:are|is) (?:possible|allowed)\b|\b(?:may|can) (?:share a|(?:\w+ ){1,3}the same) place\b"
    ),
    ("reasons",): r"\bsay (?:\w+ ){0,4}why\b|\bexplain (?:why|your)\b|\bgive (?:a|your) reasons?\b",
    ("selects",): (
        r"(?:^|[.!:;,] ?|\b(?:you|please|then|and|to) )(?:choose|select|pick) (?:\w+ ){0,3}repl(?:y|ies)\b"
    ),
    (
        "one best",
    ): r"\bthe (?:one )?best reply\b|\bone best\b|\bwhich (?:one )?reply (?:is|was) (?:the )?best",
    ("all that apply",): r"\ball (?:replies )?that (?:apply|fit)\b|\bnone of (?:these|them)\b|, or none\b",
    ("several replies",): r"\byou (?:will )?see (?:two|three|four|five|some|several) replies\b",
    ("writes replies",): (
        r"repl(?:y|ies) (?:that )?you write|\bwrite (?:a|another|your own|the) (?:\w+ )?reply\b|"
        r"\bwrite (?:a better one|your own|one) (?:yourself)\b"
    ),
    ("rates", "grades"): r"\bon a scale\b",
    ("rates",): (
        r"\brate (?:it|them|the|each|this)\b|\byour ratings?\b|"
        r"\bgive (?:\w+ ){0,2}points (?:from|between|out of)\b"
    ),
    ("persona",): (
        r"\byour (?:character|persona)\b|\bthese two characters\b|"
        r"\b(?:you|please) (?:\w+ ){0,2}play (?:a|the|your) (?:character|role)\b"
    ),
    ("person",): (
        r"(?:^|\b(?:will|are|be|is|you'll|you're) (?:\w+ ){0,2})(?:talk(?:ing)?|chat(?:ting)?|speak(?:ing)?|"
        r"connected|paired) (?:with|to) (?:(?:a|another|one|other|real|only) )*"
        + _PERSON
        + r"\b(?! (?:you|from|of)\b)"
    ),
    ("forms",): r"questions about you(?:rself|rselves)\b",
    ("skips",): r"\byou (?:can|may) skip\b",
    (): (
        r"(?:\b(?:not|never|nobody)|n['\u2019]t) (?:stores?|records?|measures?|keeps?) "
        r"(?:\w+ ){0,2}(?:how long|when you)\b|"
        rf"\b(?:nothing (?:else )?(?:is|will be) {_STORED} {_BUT} (?:\w+ ){{0,2}}answers|"
        rf"only (?:\w+ ){{0,2}}answers (?:are|will be) {_STORED}|"
        rf"(?:store|record|save|keep|collect) (?:only|nothing {_BUT}) (?:\w+ ){{0,2}}answers)(?=$|[.!])"
    ),
}
"""By facts of which one must hold: English words that are false where none of them does."""

FALSE_WITH: Mapping[Fact, str] = {
    "ties": (
        r"\bno ties\b(?! (?:to|with)\b)|\bties? (?:are|is) not (?:possible|allowed)\b|\bthere is no tie\b|"
        r"\b(?:must|have to) (?:always )?(?:choose|pick|select) (?:exactly |only )?one of (?:the )?two\b"
        r"(?![^.?!]*\b(?:or|unless|except|if)\b)"
    ),
    "best first": (
        r"\bfrom (?:the )?(?:worst|last)(?: \w+)? to (?:the )?(?:best|first)\b|\bworst (?:\w+ )?first\b"
    ),
    "second best": (
        r"\b(?:choose|pick|select|mark) (?:only |just |exactly )?one reply\b"
        r"(?![\s\S]*\b(?:second|another|other|each|every|as|for|per)\b)"
    ),
    "reasons": r"(?:\b(?:not|never)|n['\u2019]t) ask (?:you )?why\b",
    "reason needed": (
        r"(?:\b(?:not|never)|n['\u2019]t) (?:\w+ ){0,3}"
        r"(?:give (?:a|any|your) reasons?|"
        r"say why(?! (?:you )?(?:skip|stop|leave|left|declin))|explain\b(?! (?:every|each|all|too|more)))\b|"
        r"\breasons? (?:is|are) (?:not (?:needed|required)|optional|voluntary)\b|"
        r"\bno reason is (?:needed|required)\b|\b(?:why\??|reasons?:?) \(optional\)|"
        r"\b(?:can|may) leave (?:the |your |this )?(?:reasons?|(?:text )?box)(?: \w+)? (?:empty|blank|out)\b|"
        r"\b(?:can|may) leave out (?:the |your |this )?reasons?\b"
    ),
    "forms": (
        r"\bask (?:you )?nothing about you\b|\bno questions about you(?:rself)?\b|"
        r"(?:\b(?:not|never)|n['\u2019]t) ask (?:you )?(?:for|about) (?:you|your (?:age|gender))\b"
    ),
    "asks who": r"(?:\b(?:not|never)|n['\u2019]t) ask (?:you )?who you are\b",
    "skips": (
        r"\b(?:cannot|can['\u2019]t|may not|must not) skip\b(?! (?:more|as many|all|every)\b)|"
        r"\bnothing (?:can|may) be skipped\b|"
        r"\bskip (?:as many (?:\w+ )?as you|any number|(?:\w+ )?without (?:a )?limit)\b"
    ),
    "time limit": (
        r"\btime is (?:not limited|unlimited)\b|"
        r"(?:\bno|\bwithout(?: a| any)?|n['\u2019]t (?:a|any)) time limit\b(?! (?:for|on|per|to|in)\b)|"
        r"\b(?:as much time as|all the time) you (?:need|like|want)\b(?! (?:for|on|per|to|in|with)\b)"
    ),
    "stops": (
        r"(?:\bno|\bnot any|n['\u2019]t any) (?:right (?:or|and|nor) wrong|wrong (?:or|and|nor) right|wrong) "
        r"answers?\b|\bno answer (?:is|can be) (?:right or )?wrong\b"
    ),
    "program": (
        rf"(?:\b(?:not|never|no)|n['\u2019]t) (?:{_MEETS} ){{0,2}}"
        rf"(?:to|with|by|from) (?:an? |any )?{_PROGRAM}\b|"
        rf"(?<!some )\b(?:partners?|speakers?|you) (?:is|are|will be|meet) (?:not |never |no )"
        rf"(?:an? )?{_PROGRAM}\b|"
        rf"\b(?:there are no {_PROGRAM}|no {_PROGRAM} (?:is|are|was|were|takes?|writes?|wrote|here))\b|"
        rf"\b(?:partners?) (?:is|are|will be) (?:an? |only )?(?:real |other )?{_PERSON}\b|"
        rf"\bmeet only (?:real )?{_PERSON}\b|"
        rf"\bonly (?:real )?{_PERSON} (?:write|wrote|talk|reply|answer|meet)\b|"
        rf"\b(?:was|were|is|are) (?:all |only )?(?:written|said) (?:only )?by (?:real )?"
        rf"{_PERSON}\b(?! (?:and|or)\b)|"
        rf"\b(?:all|both|every|each)(?: of)?(?: the)? (?:speakers?|partners?) (?:is|are) (?:an? )?(?:real )?"
        rf"{_PERSON}\b(?! (?:and|or)\b)|"
        rf"\b(?:all|only|are|is|were|was) between (?:two |real )?{_PERSON}\b(?! (?:and|or)\b)|"
        r"\bbetween (?:two )?humans\b(?! (?:and|or)\b)"
    ),
}
"""By a fact: English words that are false where it holds."""

ABOUT_STOPPING = r"\b(?:stop|leave|withdraw|quit|end)\b"
"""Sentences with these words say that nobody need give a reason for stopping."""

NUMBERS: Mapping[Counted, str] = {
    "answers": (
        r"\b(?:(?:one|any) of|(?:choose|decide) between|there are(?: only)?) (?:the |these )?"
        rf"{_NUMBER} (?:possible )?(?:answers|choices|options)\b(?! (?:for|per|to|on|about|from)\b)"
    ),
    "points": rf"\b(?:rate|scale|points)\b[^.?!]{{0,30}} (?:from|of) (?:0|1|zero|one) to {_NUMBER}\b",
    "questions": rf"\banswer (?:only |just )?{_NUMBER} (?:short )?questions? about (?:it|each|every)\b",
    "replies": (
        rf"(?:\b(?:of|between|among|see) (?:the |these )?|^){_NUMBER} (?:possible )?replies\b"
        r"(?! (?:that )?you\b)"
    ),
    "skips": rf"\bskip (?:up to |at most |no more than )?(?!one\b|1\b){_NUMBER}\b(?! (?:or|to)\b)",
}
"""By what is counted: English words that are false where there are not so many."""

_DENIES = r"\b(?:not|no|never|nobody|nothing|without|cannot)\b|n['\u2019]t\b"
NOT_CLAIMED = rf"{_DENIES}|\b(?:instead|imagine|suppose|if|would|like|feels?|felt|seems?)\b"
"""Words before others in a sentence that do not claim them: "you need not say why", "as if you ..."."""

ONLY_SOME = rf"{NOT_CLAIMED}|\b(?:some|part|partly|most|many|half|one|others?|whether|questions?)\b"
"""Words before others that do not claim them of everything: "some of it was written by people"."""

_WHO = r"\b(?:age|old|born|gender|sex|male|female)\b"
"""Words of a form's question that asks who somebody is."""

PROGRAMS = r"program|\bbots?\b|chatbot|computer|machine|artificial|\bAI\b"
"""Words by which a text says that computer programs are met."""

_CHAT_KEYS = (
    "another_chat bot_failed chat_instructions end_chat exchanges first_message go_on meet_both "
    "meet_program message_label no_edits no_reply not_sent send slow_partner stored_chats text_only "
    "too_long topic typing you your_persona your_turn"
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
    "stops": "checks_failed may_stop",
    "reasons": "keys_reason ranking_keys_reason reason_label",
    "reason needed": "reason_missing reason_required_label",
    "selects": (
        "cards_keys choose_reply confirm_choice none_of_these not_this_one stored_selections written_label"
    ),
    "all that apply": "none_of_these",
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
    asked = [question.label for form in study.file.forms for question in form.questions]
    more: dict[Fact, bool] = {
        "person": has_chats and chat.human_partner,
        "program": has_chats and has_bots,
        "persona": has_chats and bool(chat.personas),
        "forms": bool(study.file.forms),
        "asks who": any(re.search(_WHO, label, re.IGNORECASE) for label in asked),
        "skips": bool(study.file.annotators.skips),
        "time limit": bool(study.file.annotators.sitting_minutes or study.file.annotators.item_seconds),
        "stops": bool(study.file.attention.stop_after),
    }
    return known | {fact for fact, holds in more.items() if holds}


def is_shown(key: str, facts: frozenset[Fact]) -> bool:
    """Whether a text of ``[wording]`` is shown in a study with these facts.

    Example:
        >>> is_shown("waiting_room", frozenset({"chats"})), is_shown("thanks", frozenset())
        (False, True)
    """
    if key == "reason_label" and "reason needed" in facts:
        return False
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
        'will talk to another person'
    """
    for needed, words in FALSE_WITHOUT.items():
        found = _first_claim(words, text, denies=not needed)
        if found is None or any(fact in facts for fact in needed if fact != "person"):
            continue
        if needed == ("person",) and (may_deny or re.search(PROGRAMS, _sentence(text, found), re.IGNORECASE)):
            continue
        if "person" not in needed or "person" not in facts:
            return FalseWords(found[0], _WHY_NOT[needed[0]] if needed else _WHY_STORED)
        if "program" in facts:
            return FalseWords(found[0], _WHY_PROGRAM)
    for fact, words in FALSE_WITH.items():
        if fact not in facts or (fact == "program" and may_deny):
            continue
        for found in re.finditer(words, text, re.IGNORECASE | re.MULTILINE):
            sentence = _sentence(text, found)
            if not re.search(_DENIES, found[0], re.IGNORECASE) and _denies(ONLY_SOME, text, found):
                continue
            if fact == "program" and _says_programs_too(sentence, found):
                continue
            rest = sentence.replace(found[0], "")
            if fact == "reason needed" and re.search(ABOUT_STOPPING, rest, re.IGNORECASE):
                continue
            return FalseWords(found[0], _WHY[fact])
    return None


def _first_claim(words: str, text: str, *, denies: bool = False) -> re.Match[str] | None:
    """The first of the words that the text claims, and does not deny or only imagine."""
    for found in re.finditer(words, text, re.IGNORECASE | re.MULTILINE):
        if denies or not _denies(NOT_CLAIMED, text, found):
            return found
    return None


def _denies(words: str, text: str, found: re.Match[str]) -> bool:
    """Whether such words stand before what was found, in the same part of a sentence."""
    before = re.split(r"[.!?:;\n]", text[: found.start()])[-1]
    return bool(re.search(words, before, re.IGNORECASE))


def _sentence(text: str, found: re.Match[str]) -> str:
    """The sentence in which something was found, with its end."""
    start = max(text.rfind(sign, 0, found.start()) for sign in ".!?\n") + 1
    ends = [text.find(sign, found.end()) for sign in ".!?\n"]
    return text[start : min((end for end in ends if end >= 0), default=len(text)) + 1]


def _says_programs_too(sentence: str, found: re.Match[str]) -> bool:
    """Whether a sentence only asks, denies what was found, or says beside it that programs may be met."""
    if sentence.endswith("?") or re.search(r"\bnot only\b", sentence, re.IGNORECASE):
        return True
    rest = sentence.replace(found[0], "")
    return (
        re.search(PROGRAMS, found[0], re.IGNORECASE) is None
        and bool(re.search(PROGRAMS, rest, re.IGNORECASE))
        and not re.search(rf"\b(?:not|never|no)\b[^,;]*(?:{PROGRAMS})", rest, re.IGNORECASE)
    )


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
    "one best": "annotators of this study do not select one best reply",
    "all that apply": "annotators of this study do not select all that apply",
    "several replies": "annotators of this study see one reply at a time",
    "writes replies": "annotators of this study write no replies of their own",
    "rates": "nothing is rated on a scale in this study",
    "persona": "nobody has a character in this study",
    "person": "no annotator of this study talks to a person",
    "forms": "this study has no forms",
    "skips": "nothing can be skipped in this study",
}
_WHY: Mapping[Fact, str] = {
    "reasons": "this study asks why",
    "reason needed": "this study asks for a reason and does not go on without one",
    "forms": "this study has forms with questions about annotators",
    "ties": "an answer of this study says that there is no difference",
    "best first": "the first place of this study is that of the best",
    "second best": "annotators of this study choose the best and the second-best reply",
    "asks who": "a form of this study asks for age, gender or the like",
    "skips": "annotators of this study may skip some items, and no more",
    "time limit": "the time of annotators is limited in this study",
    "stops": "some items of this study have a known answer, and it ends for who gets some of them wrong",
    "program": _WHY_PROGRAM,
}
_WHY_NUMBER: Mapping[Counted, str] = {
    "answers": "a question of this study has {} answers to choose from",
    "points": "a scale of this study ends with {}",
    "questions": "this study asks {} about what is read or had",
    "replies": "annotators of this study see {} replies at a time",
    "skips": "annotators of this study may skip {} items",
}
_WHY_STORED = "how long annotators take, and when they answer, is stored"


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
        if false is not None and false.why == _WHY_PROGRAM and not _meets_programs(study, facts):
            false = None
        could_be_read = "chats" in facts and not false_words(text, facts | {"reads"}, may_deny=may_deny)
        if false is not None and could_be_read and _has_finished_dialogues(study):
            false = None
        if false := false or _false_number(study, text, facts):
            yield _contradiction(study, table, key, false)


def _false_number(study: Study, text: str, facts: frozenset[Fact]) -> FalseWords | None:
    """The first number in a text that is not that of the settings, or of the items."""
    known = study.protocol.numbers()
    for counted, words in NUMBERS.items():
        found = _first_claim(words, text)
        if found is None:
            continue
        right = known.get(counted)
        if counted == "skips" and "skips" in facts:
            right = frozenset({study.file.annotators.skips})
        if right is None and counted in ("answers", "replies") and "selects" in facts:
            right = frozenset(item.slots for item in planned_items(study) if item.slots) or None
        said = found["number"].lower()
        if right is not None and int(_DIGITS.get(said, said)) not in right:
            many = " or ".join(map(str, sorted(right))) or "no"
            return FalseWords(found[0], _WHY_NUMBER[counted].format(many))
    return None


def _own_texts(study: Study, facts: frozenset[Fact]) -> Iterator[tuple[str, str, str]]:
    """Table, key and text of what the study file sets itself, and the questions of its arms."""
    written = tomllib.loads(study.text)
    for key, text in written.get("consent", {}).items():
        if isinstance(text, str):
            yield "consent", key, text
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


def _meets_programs(study: Study, facts: frozenset[Fact]) -> bool:
    """Whether annotators talk to programs or may read what one wrote; dialogues say who wrote them."""
    if "chats" in facts and answering_bots(study.file.bots, study.file.chat.bots):
        return True
    kinds: defaultdict[str, set[DialogueKind]] = defaultdict(set)
    for dialogue in index_dialogues(study.folder):
        kinds[dialogue.bot].add(dialogue.kind)
    return not kinds or shows_programs(planned_items(study), human_bots(kinds))


def _contradiction(study: Study, table: str, key: str, false: FalseWords) -> StudyFileError:
    what = "this" if key else "a question"
    advice = "Change it, or leave it out: what is said then follows the settings."
    place = study.text.find(false.words)
    return StudyFileError(
        study.folder / FILE_NAME,
        table=table,
        key=key,
        line=line_of(study.text, (table, key))
        if key
        else study.text.count("\n", 0, place) + 1
        if place >= 0
        else None,
        expected=f'{what} says "{false.words}", but {false.why}{_setting(study, false)}. {advice}',
    )


def _setting(study: Study, false: FalseWords) -> str:
    """The setting that decides it, in brackets, where there is one."""
    reasons = (*_WHY_NOT.items(), *_WHY.items())
    fact = next((fact for fact, why in reasons if why == false.why and why != _WHY_PROGRAM), None)
    if fact is None:
        return ""
    shared: dict[Fact, str] = {
        "skips": f"[annotators] skips = {study.file.annotators.skips}",
        "time limit": "[annotators] sitting_minutes or item_seconds",
        "stops": f"[attention] stop_after = {study.file.attention.stop_after}",
        "asks who": "[[forms]]",
        "person": "[chat] human_partner = false",
        "forms": "[[forms]]",
        "persona": "no personas in [chat]",
    }
    name = study.protocol.fact_settings.get(fact)
    value = getattr(study.settings, name) if name else None
    if isinstance(value, tuple):
        return f" ([[{study.file.study.protocol}.{name}]])"
    if isinstance(value, bool | str):
        said = f'"{value}"' if isinstance(value, str) else str(value).lower()
        return f" ([{study.file.study.protocol}] {name} = {said})"
    return f" ({shared.get(fact) or f'[study] protocol = {chr(34)}{study.file.study.protocol}{chr(34)}'})"
