"""What annotators are told is true in every combination of settings; `study check` refuses what is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from duologue.errors import StudyFileError
from duologue.per_turn import PerTurnSettings
from duologue.per_turn.rows import Setting
from duologue.per_turn.settings import Ask
from duologue.protocols import Item, protocol_names, write_items
from duologue.studies import Study, check_study, load_study, new_study, study_facts
from duologue.studies.frozen_plan import settings_of
from duologue.studies.texts import FALSE_WITHOUT, SHOWN_WITH, contradictions, false_words, is_shown
from duologue.studies.wording import WordingTable
from tests.studies.conftest import write_dialogues

BOTS = '[[bots]]\nname = "parrot"\nkind = "builtin"\n[[bots]]\nname = "companion"\nkind = "builtin"\n'
LOGS = '[[bots]]\nname = "ann"\n[[bots]]\nname = "bob"\n'
CHATS = ("human_partner = true\n", 'personas = "personas.jsonl"\n', "")
ASKS: tuple[Ask, ...] = ("appropriate", "engaging", "human", "interesting")
QUESTION = '[[{protocol}.questions]]\nname = "one"\ntext = "How was it?"\nlabels = ["Bad", "Good"]\n'
FORM = (
    '[[forms]]\nname = "you"\nwhen = "after"\ntitle = "About you"\n'
    '[[forms.questions]]\nname = "age"\nkind = "number"\nlabel = "How old are you?"\n'
)


TWO = ("humanness", "knowledgeable")


def acute() -> Iterator[tuple[str, str, str]]:
    for answer, ties, reason in product(
        ("choice", "graded"), ("true", "false"), ("encouraged", "required", "off")
    ):
        table = f'answer = "{answer}"\nties = {ties}\nreason = "{reason}"\n'
        for question in ("engagingness", "interestingness", "humanness", "knowledgeable"):
            yield "acute", f'{table}question = "{question}"\n', LOGS
        yield "acute", f'{table}collect = "parallel"\n', BOTS
        yield "acute", f'{table}collect = "parallel"\n[acute.pairings]\nonboarding = ["a", "b"]\n', BOTS
    several = "".join(f'[[acute.questions]]\nname = "{name}"\nquestion = "{name}"\n' for name in TWO)
    for answer, collect, reason in product(
        ("choice", "graded", "ranking"), ("dialogues", "parallel"), ("encouraged", "required", "off")
    ):
        if (answer, collect) != ("ranking", "parallel"):
            table = f'ask = "together"\nanswer = "{answer}"\ncollect = "{collect}"\nreason = "{reason}"\n'
            yield "acute", f"{table}{several}", BOTS if collect == "parallel" else LOGS
    for reason, pairs in product(("encouraged", "required", "off"), (0, 3)):
        table = f'answer = "ranking"\nreason = "{reason}"\n[acute.pairings]\npairs_per_matchup = {pairs}\n'
        yield "acute", table, LOGS


def likert() -> Iterator[tuple[str, str, str]]:
    for source, persona, reason, questions in product(
        ("live", "dialogues"), ("true", "false"), ("optional", "required", "off"), (0, 1, 2)
    ):
        table = f'source = "{source}"\npersona_detection = {persona}\nreason = "{reason}"\n'
        asked = "".join(
            QUESTION.format(protocol="likert").replace('"one"', f'"one_{number}"')
            for number in range(questions)
        )
        chats = CHATS if source == "live" else ("",)
        bots = BOTS if source == "live" else LOGS
        for chat in chats:
            yield "likert", f"{table}{asked}[chat]\n{chat}", bots


def per_turn() -> Iterator[tuple[str, str, str]]:
    arms = {
        "": "",
        "single": '[[per-turn.arms]]\nname = "s"\nbots = ["parrot"]\n',
        "soba": '[[per-turn.arms]]\nname = "p"\nbots = ["parrot", "companion"]\nsetting = "soba"\n',
        "user": '[[per-turn.arms]]\nname = "u"\nbots = ["parrot", "companion"]\nsetting = "sata-user"\n',
    }
    arms["all"] = arms["single"] + arms["soba"] + arms["user"]
    for ask, arm, questions in product(ASKS, arms.values(), (0, 1)):
        further = [one for one in ASKS if one != ask][:1]
        table = f'ask = "{ask}"\ndimensions = {json.dumps(further)}\n'
        yield "per-turn", table + QUESTION.format(protocol="per-turn") * questions + arm, BOTS
    for collect, ask, questions in product(("finished", "written"), ASKS, (0, 1)):
        table = f'collect = "{collect}"\nask = "{ask}"\n' + QUESTION.format(protocol="per-turn") * questions
        yield "per-turn", table, ""


def nuc() -> Iterator[tuple[str, str, str]]:
    yield "nuc", "", ""


def phrasings() -> Iterator[tuple[str, str, str]]:
    names = ("fun", "captivating", "long-conversation", "interesting-or-boring")
    arms = "".join(f'[[acute.questions]]\nname = "{name}"\nquestion = "{name}"\n' for name in names)
    for reason in ("encouraged", "required", "off"):
        table = f'compare = "phrasings"\nreason = "{reason}"\n{arms}[acute.pairings]\nper_matchup = 1\n'
        yield "acute", table, LOGS


COMBINATIONS = tuple(
    (protocol, table, bots, form)
    for protocol, table, bots in (*acute(), *likert(), *per_turn(), *nuc(), *phrasings())
    for form in ("", FORM)
)


def made(folder: Path, protocol: str, table: str, rest: str, head: str = "") -> Study:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "personas.jsonl").write_text('{"persona": ["a"], "partner_persona": ["b"]}\n', encoding="utf-8")
    text = f'[study]\nname = "walk"\nseed = 5\nprotocol = "{protocol}"\n{head}\n[{protocol}]\n{table}\n{rest}'
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return load_study(folder)


def texts_of(study: Study) -> dict[str, str]:
    """Everything the program says to annotators in a study, by where it stands."""
    facts = study_facts(study)
    assert facts is not None
    found = {"title": study.heading.title, "description": study.heading.description}
    found |= {key: text for key, text in study.file.wording.model_dump().items() if is_shown(key, facts)}
    settings = study.settings
    found |= {f"arm {arm.name}": arm.summary for arm in study.arms}
    for name in ("persona_question", "question"):
        if name != "persona_question" or "persona" in facts:
            found[name] = str(getattr(settings, name, ""))
    if isinstance(settings, PerTurnSettings):
        settings_of_logs: tuple[Setting | None, ...] = (None, "soba", "sata-random", "sata-user")
        usual = settings_of_logs if settings.collect != "live" else settings_of_logs[2:3]
        for ask, setting in product(ASKS, {arm.chosen for arm in settings.arms} or usual):
            found[f"{ask} {setting}"] = settings.words_for(ask, setting)
    return found


def test_every_installed_protocol_is_walked() -> None:
    assert {protocol for protocol, *_ in COMBINATIONS} == set(protocol_names())


def test_nothing_that_is_said_is_false_in_any_combination(tmp_path: Path) -> None:
    false = []
    for number, (protocol, table, bots, form) in enumerate(COMBINATIONS):
        study = made(tmp_path / "walk", protocol, table, bots + form)
        facts = study_facts(study)
        assert facts is not None
        for key, text in texts_of(study).items():
            if found := false_words(text, facts):
                false.append(f"{number} {protocol} {table!r} {key}: {found.words!r} in {text!r}")
        assert [*contradictions(study)] == []
    assert len(COMBINATIONS) > 200
    assert not false, "\n".join(false)


def test_every_word_of_the_table_is_found_and_every_text_of_it_is_one() -> None:
    assert set().union(*SHOWN_WITH.values()) <= WordingTable.model_fields.keys()
    false = {
        "chats": "Did you enjoy talking to this user?",
        "reads": "You will read some conversations.",
        "two": "Choose one of the two speakers.",
        "at once": "Each message goes to both.",
        "ranks": "Put them in order.",
        "grades": "Say whether it is only slightly better.",
        "ties": "Or say that there is no difference.",
        "reasons": "Please say in a few words why.",
        "selects": "Choose a good reply.",
        "one best": "Say which reply is best.",
        "all that apply": "Choose all that apply.",
        "several replies": "You will see two replies.",
        "writes replies": "Write your own reply.",
        "rates": "Your ratings are points of a scale.",
        "persona": "Your character likes tea.",
        "person": "You will be connected to another person.",
        "forms": "At the end there are questions about yourself.",
        "skips": "You may skip what you do not like.",
    }
    assert false.keys() == {needed[0] for needed in FALSE_WITHOUT if needed}
    every = frozenset(fact for needed in FALSE_WITHOUT for fact in needed)
    for fact, text in false.items():
        assert false_words(text, every) is None, text
        either = {one for needed in FALSE_WITHOUT if needed and needed[0] == fact for one in needed}
        assert false_words(text, every - either), text


READERS = ("likert", 'source = "dialogues"', LOGS)
CHATTERS = ("likert", "", BOTS)
PAIRS = ("acute", "", LOGS)
GRADED = ("acute", 'answer = "graded"', LOGS)
QUESTIONNAIRE = ("nuc", "", "")
REASONS_NEEDED = ("likert", 'source = "dialogues"\nreason = "required"', LOGS)
ARM = '[[per-turn.arms]]\nname = "p"\nbots = ["parrot", "companion"]\nsetting = "{}"\n'
WRITERS = ("per-turn", ARM.format("sata-user"), BOTS)
ONE_BEST = ("per-turn", ARM.format("soba"), BOTS)
ALL_THAT_APPLY = ("per-turn", ARM.format("sata-random"), BOTS)
ONE_BOT = ("per-turn", '[[per-turn.arms]]\nname = "s"\nbots = ["parrot"]\n', BOTS)
RANKED = ("acute", 'answer = "ranking"', LOGS)
RANKED_AND_PAIRS = ("acute", 'answer = "ranking"\n[acute.pairings]\npairs_per_matchup = 3', LOGS)
LEAST_FIRST = (
    "acute",
    'answer = "ranking"\ns1_choice = "<Speaker 1> is worse"\nquestion = "Who is worse?"\ncredits = "other"',
    LOGS,
)
TIED = ("acute", "ties = true", LOGS)
TIED_GRADES = ("acute", 'answer = "graded"\nties = true', LOGS)
REASON_NEEDED = ("acute", 'reason = "required"', LOGS)
HUMANS = ("likert", 'source = "dialogues"\ndialogue_kind = "human-human"', LOGS)
SKIPPERS = ("acute", "", f"{LOGS}[annotators]\nskips = 2\n")
STOPPING = ("acute", "", f"{LOGS}[attention]\nevery = 5\nstop_after = 2\n")
TIMED = ("nuc", "", f"{FORM}[annotators]\nsitting_minutes = 25\n")
REMARKS = ("nuc", "", FORM.replace("How old are you?", "What did you think of it?"))
TRUE = (
    (READERS, "We keep only your answers; your name is deleted."),
    (READERS, "The questions were written by people who study language."),
    (READERS, "What you do is not checked by a program. This is not a test by a computer."),
    (READERS, "After the study you will talk to a person of our team."),
    (CHATTERS, "Afterwards you will talk to a person from our team."),
    (READERS, "We compare two kinds of systems."),
    (TIED, "This study has no ties to any company."),
    (RANKED, "In each conversation you see two speakers."),
    (RANKED, "You will read two sets of three conversations."),
    (RANKED, "Put the three speakers in order, from the best to the worst."),
    (RANKED, "No two speakers can share a place."),
    (PAIRS, "Read both conversations to the end."),
    (REASON_NEEDED, "You need not explain every detail."),
    (REASON_NEEDED, "You need not say why you skipped a conversation."),
    (REASON_NEEDED, "No reason is needed if you want to stop."),
    (ONE_BEST, "Choose between two replies."),
    (CHATTERS, "You will talk to people and programs."),
    (RANKED, "Give your points of view in the box."),
    (RANKED_AND_PAIRS, "You will read two conversations, or three. Choose the better speaker of two."),
    (RANKED_AND_PAIRS, "Where you see two, choose one of two answers."),
    (LEAST_FIRST, "Put them in order, from the worst to the best."),
    (PAIRS, "Choose one of two answers: speaker 1 or speaker 2."),
    (PAIRS, "Choose the better speaker."),
    (PAIRS, "No ties are possible. You must choose one of the two."),
    (GRADED, "Choose one of four answers."),
    (GRADED, "There are two answers for each speaker: clearly and slightly."),
    (TIED, "You must choose one of the two or say that there is no difference."),
    (TIED, "Choose one of the three options. Ties are possible."),
    (TIED_GRADES, "Choose one of 5 answers."),
    (REASON_NEEDED, "The questions about you are optional."),
    (REASON_NEEDED, "Please do not leave the reason empty."),
    (SKIPPERS, "You can skip up to two of them."),
    (SKIPPERS, "You can skip one if you like."),
    (SKIPPERS, "You cannot skip as many as you want."),
    (SKIPPERS, "You cannot skip more than two of them."),
    (STOPPING, "Some answers are right, and some are wrong."),
    (STOPPING, "Please give no answer that you know is wrong."),
    (PAIRS, "There are no right or wrong answers."),
    (READERS, "You will read three conversations, one after the other."),
    (READERS, "You will read two conversations."),
    (READERS, "Rate each conversation from 1 to 4."),
    (READERS, "You answer one question about each conversation."),
    (READERS, "There is no time limit. Take as much time as you like."),
    (READERS, "Not all conversations are between people."),
    (READERS, "Not everything you read was written by people."),
    (READERS, "Some of these texts were written by people."),
    (READERS, "The conversations are between people and computer programs."),
    (READERS, "Say whether all speakers are people."),
    (READERS, "Only your answers are stored with your number."),
    (READERS, "We keep only your answers and when you gave them."),
    (HUMANS, "All conversations are between people."),
    (ONE_BEST, "You will have two conversations. After each message you see two replies."),
    (ONE_BEST, "After each message, choose the better one of two replies."),
    (WRITERS, "You will have three conversations."),
    (QUESTIONNAIRE, "Everything you read was written by people."),
    (QUESTIONNAIRE, "All conversations are between people."),
    (QUESTIONNAIRE, "There is no time limit."),
    (QUESTIONNAIRE, "We do not ask who you are."),
    (QUESTIONNAIRE, "Choose one reply as the best one. Then choose one more."),
    (QUESTIONNAIRE, "Choose one reply. Then choose the second-best one."),
    (QUESTIONNAIRE, "Rank the two best replies."),
    (TIMED, "There is no time limit for a single question."),
    (TIMED, "We do not ask your name."),
    (REMARKS, "We do not ask who you are."),
    (WRITERS, "You can stop at any time and do not have to give a reason."),
    (WRITERS, "Chat in order to help us."),
    (WRITERS, "Write as you would to a person you have just met."),
    (WRITERS, "Your name will not be given to another person."),
    (WRITERS, "The study ends on December 1st."),
    (WRITERS, "Please do nothing else at the same time."),
    (WRITERS, "You do not need to compare the replies or rank them."),
    (WRITERS, "Only people over 18 may take part."),
    (PAIRS, "Only people over 18 may take part."),
    (READERS, "It makes no difference for your pay how you answer."),
    (WRITERS, "This is not a chatbot test; programs reply to you."),
    (WRITERS, "What you write is never passed to another participant."),
    (WRITERS, "You see the replies side by side."),
    (GRADED, "Imagine you will talk to one of them for a long time."),
    (READERS, "We never show your messages to anybody."),
    (READERS, "In order to help us, be honest."),
    (READERS, "Write to us in order to get an answer."),
    (READERS, "How well did the speaker keep the conversation in order?"),
    (READERS, "Please do not open this page on two devices at the same time."),
    (READERS, "Judge the replies by how natural they are."),
    (READERS, "Judge only the replies of the highlighted speaker."),
    (READERS, "How well did the speaker choose good replies?"),
    (READERS, "How likely is it that the speaker is not a bot?"),
    (READERS, "Is the highlighted speaker a person, not a machine?"),
    (READERS, "Some speakers are no robots; some are."),
    (READERS, "Not only people wrote these replies."),
    (READERS, "If you feel upset, talk to a person you trust."),
    (READERS, "If you need help, you can talk with another person at our helpline."),
    (READERS, "Your partner or family will not see what you answer."),
    (READERS, "Your messages are not collected; you only rate what others wrote."),
    (READERS, "One of the two speakers in each conversation may be a computer program."),
    (READERS, "How well did the speaker play the role of an assistant?"),
    (REASONS_NEEDED, "You can stop at any time without giving a reason."),
    (REASONS_NEEDED, "If you want to stop you do not have to give a reason."),
    (CHATTERS, "You may talk to another person or to a computer program."),
    (QUESTIONNAIRE, "Choose the best reply."),
    (ALL_THAT_APPLY, "Select all that apply, or none."),
    (ONE_BEST, "Select the one best reply."),
    (WRITERS, "If none fits, write a better one yourself."),
    (ONE_BOT, "You see one reply. Say whether it fits."),
    (CHATTERS, "You can stop when you like."),
    (READERS, "Some of what you read was written by people, some by programs."),
)
FALSE = (
    (RANKED, "You will read two conversations. Say what you think."),
    (RANKED, "Choose the better speaker."),
    (RANKED, "Read both conversations to the end."),
    (RANKED, "Choose between two speakers."),
    (RANKED, "You may give two speakers the same place."),
    (CHATTERS, "You will chat with real people."),
    (READERS, "No bot takes part."),
    (CHATTERS, "You won't be talking to a bot."),
    (CHATTERS, "You will never be connected to a program."),
    (READERS, "Everything was said by people."),
    (READERS, "Nobody records how long you need."),
    (REASON_NEEDED, "No reason is needed."),
    (REASON_NEEDED, "Giving a reason is voluntary."),
    (SKIPPERS, "Nothing can be skipped."),
    (TIMED, "There isn\u2019t any time limit. The time is unlimited."),
    (TIMED, "There are no questions about you."),
    (STOPPING, "There are no right or wrong answers."),
    (STOPPING, "There aren't any wrong answers."),
    (STOPPING, "No answer is wrong."),
    (RANKED, "Choose one of two answers: speaker 1 or speaker 2."),
    (RANKED, "Give points from one to four."),
    (RANKED, "Two speakers may share a place."),
    (RANKED, "Put them in order, from the worst to the best."),
    (RANKED, "The worst speaker first."),
    (RANKED_AND_PAIRS, "Choose one of four answers."),
    (PAIRS, "Choose one of three options."),
    (PAIRS, "Ties are possible."),
    (GRADED, "Choose one of two answers."),
    (TIED, "No ties are possible."),
    (TIED, "You must choose one of the two."),
    (TIED, "There are two answers."),
    (TIED_GRADES, "Choose one of four answers."),
    (REASON_NEEDED, "Reason (optional)"),
    (REASON_NEEDED, "You can leave the text box empty."),
    (REASON_NEEDED, "You may leave the reason empty."),
    (REASON_NEEDED, "You can leave out your reasons."),
    (SKIPPERS, "You can skip as many as you like."),
    (SKIPPERS, "You can skip up to five of them."),
    (READERS, "Rate each conversation from 1 to 7."),
    (READERS, "You answer three questions about each conversation."),
    (READERS, "Choose one of seven answers."),
    (READERS, "You don't read what a bot said. These weren't written by a program."),
    (REASON_NEEDED, "You don't have to give a reason."),
    (READERS, "All conversations are between people."),
    (READERS, "All of these texts were written by people."),
    (READERS, "All the speakers are real people."),
    (READERS, "Nothing is stored but your answers."),
    (HUMANS, "We store only your answers."),
    (ONE_BEST, "Choose the best of three replies."),
    (QUESTIONNAIRE, "You will read two conversations and choose the better one."),
    (QUESTIONNAIRE, "Choose one reply"),
    (TIMED, "There is no time limit."),
    (TIMED, "Take as much time as you need."),
    (TIMED, "We do not ask who you are."),
    (CHATTERS, "You will talk to another person, not to a computer."),
    (CHATTERS, "Your partner is human."),
    (CHATTERS, "You will not talk to a computer program."),
    (CHATTERS, "Your partner is a real person."),
    (ONE_BEST, "Which replies are good? Select all that apply, or none."),
    (ALL_THAT_APPLY, "Choose the one best reply."),
    (ALL_THAT_APPLY, "Which one reply is best?"),
    (ONE_BOT, "You see two replies. Choose the better one."),
    (REASONS_NEEDED, "We do not ask why."),
    (REASONS_NEEDED, "A reason is not needed."),
    (REASONS_NEEDED, "You do not need to give a reason."),
    (READERS, "You will read two conversations and say which speaker is better."),
    (READERS, "Which speaker is better? Choose between two conversations."),
    (READERS, "Put three conversations in order"),
    (READERS, "Which speaker would you prefer to talk to?"),
    (READERS, "Everything you read was written by people."),
    (READERS, "All of the conversations are between two humans."),
    (READERS, "We do not store how long you took."),
    (READERS, "You can skip what you do not like."),
    (CHATTERS, "There are no bots in this study."),
    (CHATTERS, "You are connected to another participant."),
)
"""What researchers wrote who tried it."""


@pytest.mark.parametrize(
    ("what", "head", "wording", "key", "words", "setting"),
    [
        (
            READERS,
            "",
            "instructions = 'You will chat with a bot.'",
            "[wording] instructions",
            "You will chat",
            'source = "dialogues"',
        ),
        (
            READERS,
            'title = "Have a conversation"',
            "",
            "[study] title",
            "Have a conversation",
            'source = "dialogues"',
        ),
        (
            READERS,
            'description = "Tell us about your partner."',
            "",
            "[study] description",
            "your partner",
            'source = "dialogues"',
        ),
        (
            CHATTERS,
            "",
            "instructions = 'You will read conversations.'",
            "[wording] instructions",
            "You will read conversations",
            'source = "live"',
        ),
        (
            CHATTERS,
            "",
            "consent = 'You will talk to another person.'",
            "[wording] consent",
            "will talk to another person",
            "human_partner = false",
        ),
        (
            PAIRS,
            "",
            "instructions = 'Put the three speakers in order.'",
            "[wording] instructions",
            "Put the three speakers in order",
            'answer = "choice"',
        ),
        (
            PAIRS,
            "",
            "instructions = 'Or say no difference.'",
            "[wording] instructions",
            "say no difference",
            "ties = false",
        ),
        (
            ("acute", 'reason = "off"', LOGS),
            "",
            "instructions = 'Choose, and say why.'",
            "[wording] instructions",
            "say why",
            'reason = "off"',
        ),
        (
            ("nuc", "", ""),
            "",
            "instructions = 'Rate each reply.'",
            "[wording] instructions",
            "Rate each",
            'protocol = "nuc"',
        ),
        (
            ("per-turn", 'collect = "finished"', ""),
            "",
            "instructions = 'Answer your partner.'",
            "[wording] instructions",
            "your partner",
            'collect = "finished"',
        ),
        (
            PAIRS,
            "",
            "instructions = 'Judge it on a scale.'",
            "[wording] instructions",
            "on a scale",
            'protocol = "acute"',
        ),
        (
            PAIRS,
            "",
            "instructions = 'This is a study of talk: you meet only people.'",
            "[wording] instructions",
            "meet only people",
            "deception = true",
        ),
    ],
)
def test_a_text_that_contradicts_the_settings_is_refused(
    tmp_path: Path, what: tuple[str, str, str], head: str, wording: str, key: str, words: str, setting: str
) -> None:
    protocol, table, bots = what
    study = made(tmp_path, protocol, table, f"[wording]\n{wording}\n{bots}", head)
    (problem,) = contradictions(study)
    said = str(problem)
    assert f"{key}: " in said
    assert f'says "{words}"' in said
    assert setting in said
    assert problem.line is not None
    assert str(problem) in check_study(tmp_path).problems
    in_german = made(tmp_path, protocol, table, f"[wording]\n{wording}\n{bots}", f'lang = "de"\n{head}')
    assert [*contradictions(in_german)] == []


def test_a_question_about_a_talk_is_refused_where_nobody_talks(tmp_path: Path) -> None:
    question = (
        '[[likert.questions]]\nname = "fun"\ntext = "How much did you enjoy talking to this user?"\n'
        'labels = ["Not", "Much"]\n'
    )
    (problem,) = contradictions(made(tmp_path, "likert", f'source = "dialogues"\n{question}', LOGS))
    assert '[likert]: a question says "did you enjoy talking"' in str(problem)
    assert [*contradictions(made(tmp_path, "likert", question, BOTS))] == []


@pytest.mark.parametrize(
    ("what", "wording"),
    [
        (CHATTERS, "instructions = 'You may talk to another person or to a computer program.'"),
        (READERS, "typing = 'Your partner is writing'"),
        (("acute", 'answer = "graded"', LOGS), "slightly = 'Only slightly:'"),
        (PAIRS, "no_difference = 'No difference'"),
        (PAIRS, "instructions = 'Two conversations. Who would you rather talk to at a party?'"),
        (PAIRS, "instructions = 'Read all of it in order to choose. You need not put them in order.'"),
        (PAIRS, "instructions = 'Which of them is more similar to a human being?'"),
        (CHATTERS, "instructions = 'Did it feel like talking to a real person?'"),
        (READERS, "instructions = 'You see how two people have a conversation. Do not rate the spelling.'"),
        (READERS, "instructions = 'Imagine that you will talk to the speaker tomorrow.'"),
        (("acute", 'answer = "graded"', LOGS), "instructions = 'Answer on a scale between the two.'"),
        (("acute", 'reason = "off"', LOGS), "instructions = 'You don\u2019t have to say why.'"),
    ],
)
def test_what_is_true_or_never_shown_is_left_alone(
    tmp_path: Path, what: tuple[str, str, str], wording: str
) -> None:
    protocol, table, bots = what
    assert [*contradictions(made(tmp_path, protocol, table, f"[wording]\n{wording}\n{bots}"))] == []


@pytest.mark.parametrize(("what", "text"), [*TRUE, *FALSE])
def test_what_researchers_write_is_refused_only_where_it_is_false(
    tmp_path: Path, what: tuple[str, str, str], text: str
) -> None:
    protocol, table, bots = what
    study = made(tmp_path, protocol, table, f'[wording]\ninstructions = "{text}"\n{bots}')
    assert bool([*contradictions(study)]) == ((what, text) in FALSE)


@pytest.mark.parametrize(
    ("what", "text", "words"),
    [
        (PAIRS, "You can skip what you do not like.", "nothing can be skipped in this study"),
        (PAIRS, "You cannot skip anything.", "[annotators] skips = 2"),
        (PAIRS, "There are no questions about yourself. We ask nothing about you.", "this study has forms"),
        (ONE_BEST, "Select all that apply.", "([[per-turn.arms]])"),
    ],
)
def test_skips_forms_and_arms_are_compared_too(
    tmp_path: Path, what: tuple[str, str, str], text: str, words: str
) -> None:
    protocol, table, bots = what
    more = "[annotators]\nskips = 2\n" if "skips = 2" in words else FORM if "forms" in words else ""
    (problem,) = contradictions(
        made(tmp_path, protocol, table, f'[wording]\ninstructions = "{text}"\n{more}{bots}')
    )
    assert words in str(problem)


@pytest.mark.parametrize(("title", "is_false"), [("Four replies", True), ("One of five replies", False)])
def test_replies_are_counted_in_the_items_where_no_setting_says_how_many(
    tmp_path: Path, title: str, is_false: bool
) -> None:
    study = made(tmp_path, "nuc", "", "", f'title = "{title}"')
    write_items([Item("q", "movies", (), (), (), slots=5)], study.items_path)
    found = [str(problem) for problem in contradictions(study)]
    assert bool(found) == is_false
    assert all("annotators of this study see 5 replies" in one for one in found)


def test_words_for_consent_and_labels_are_compared_too(tmp_path: Path) -> None:
    label = "[wording]\nreason_required_label = 'Reason (optional)'\n"
    (problem,) = contradictions(made(tmp_path, "acute", 'reason = "required"', label + LOGS))
    assert "[wording] reason_required_label: " in str(problem)
    warning = "[consent]\ncontent_warning = 'All conversations are between people.'\n"
    (problem,) = contradictions(made(tmp_path, "acute", "", warning + LOGS))
    assert "[consent] content_warning: " in str(problem)
    hint = "[wording]\nranking_hint = 'Two speakers may share a place'\n"
    (problem,) = contradictions(made(tmp_path, "acute", 'answer = "ranking"', hint + LOGS))
    assert "[wording] ranking_hint: " in str(problem)
    skipping = "[wording]\ninstructions = 'Skip at most 3.'\n"
    (problem,) = contradictions(made(tmp_path, "acute", "", f"{skipping}{SKIPPERS[2]}"))
    assert "annotators of this study may skip 2 items" in str(problem)


def test_onboarding_that_was_imported_may_be_told_of(tmp_path: Path) -> None:
    wording = "[wording]\ninstructions = 'First you will read two conversations.'\n"
    study = made(tmp_path, "acute", 'collect = "parallel"', wording + BOTS)
    bots = ("parrot", "companion")
    live = Item("c", "parrot__vs__companion", bots, (), (), extras={"chat": {"histories": "own"}})
    write_items([live], study.items_path)
    assert len([*contradictions(study)]) == 1
    write_items([live, Item("o", live.group, bots, ("d1", "d2"), bots, role="onboarding")], study.items_path)
    assert [*contradictions(study)] == []


def test_only_a_study_of_approved_deception_may_deny_programs(tmp_path: Path) -> None:
    wording = "[wording]\ninstructions = 'You will talk to another person.'\n"
    assert [*contradictions(made(tmp_path, "likert", "", wording + BOTS))]
    people = made(tmp_path, "likert", "", f"{wording}[chat]\nhuman_partner = true\n{BOTS}")
    (problem,) = contradictions(people)
    assert "may meet a computer program" in str(problem)
    assert "deception = true" in str(problem)
    with pytest.raises(
        StudyFileError, match=r"\[consent\] approval: deception = true needs the ethics approval"
    ):
        made(tmp_path, "likert", "", f"{wording}[consent]\ndeception = true\n{BOTS}")
    approved = '[consent]\ndeception = true\napproval = "Board, 2025-17"\n'
    assert [*contradictions(made(tmp_path, "likert", "", wording + approved + BOTS))] == []
    denied = "[wording]\ninstructions = 'You will not talk to a bot.'\n"
    assert [*contradictions(made(tmp_path, "likert", "", denied + approved + BOTS))] == []
    unasked = "[wording]\ninstructions = 'We do not ask you why.'\n"
    (problem,) = contradictions(made(tmp_path, "acute", "", unasked + approved + LOGS))
    assert "this study asks why" in str(problem)


def test_readers_have_no_character_whatever_is_set_for_chats(tmp_path: Path) -> None:
    wording = "[wording]\ninstructions = 'Your character likes tea.'\n"
    personas = '[chat]\npersonas = "personas.jsonl"\n'
    (problem,) = contradictions(made(tmp_path, "likert", 'source = "dialogues"', wording + personas + LOGS))
    assert "nobody has a character" in str(problem)


def test_declaring_deception_is_part_of_the_design_and_the_other_words_of_consent_are_not(
    tmp_path: Path,
) -> None:
    plain = made(tmp_path, "likert", "", BOTS)
    told = made(tmp_path, "likert", "", f'[consent]\napproval = "B"\ncontent_warning = "Rude words."\n{BOTS}')
    deceived = made(tmp_path, "likert", "", f'[consent]\napproval = "B"\ndeception = true\n{BOTS}')
    assert plain.design_hash == told.design_hash
    assert plain.design_hash != deceived.design_hash
    assert "consent" not in settings_of(told)
    assert settings_of(deceived)["consent"] == {"deception": True}


@pytest.mark.parametrize(
    ("protocol", "collect", "old", "new"),
    [
        ("likert", None, 'source = "live"  ', 'source = "dialogues"  '),
        ("acute", None, 'answer = "choice"  ', 'answer = "ranking"  '),
        ("acute", "parallel", 'reason = "encouraged"  ', 'reason = "off"  '),
    ],
)
def test_the_texts_of_a_new_study_stay_true_when_its_settings_change(
    tmp_path: Path, protocol: str, collect: str | None, old: str, new: str
) -> None:
    study = new_study(tmp_path / "new", protocol=protocol, collect=collect)
    assert [*contradictions(study)] == []
    before = study.heading, study.file.wording
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    changed = load_study(study.folder)
    assert [*contradictions(changed)] == []
    assert (changed.heading, changed.file.wording) != before
    facts = study_facts(changed)
    assert facts is not None
    for key, said in texts_of(changed).items():
        assert false_words(said, facts) is None, key


def test_a_study_of_people_alone_may_say_so(tmp_path: Path) -> None:
    wording = "[wording]\ninstructions = 'Everything you read was written by people.'\n"
    study = made(tmp_path, "likert", 'source = "dialogues"', wording)
    (study.folder / "dialogues").mkdir(exist_ok=True)
    write_dialogues(study.folder, "human", 2, kind="human-human")
    assert [*contradictions(study)] == []
    write_dialogues(study.folder, "ann", 2)
    (false,) = contradictions(study)
    assert "annotators may meet a computer program" in str(false)


def test_a_deception_without_a_contact_is_warned_of(tmp_path: Path) -> None:
    for contact, is_warned in (("", True), ('contact = "ada@example.org"\n', False)):
        consent = f'[consent]\ndeception = true\napproval = "EB 1"\n{contact}'
        warnings = check_study(made(tmp_path, "likert", "", BOTS + consent).folder).warnings
        assert any("deception = true and contact is empty" in one for one in warnings) is is_warned


def test_nobody_is_told_that_no_answer_is_right_where_a_check_may_have_one(tmp_path: Path) -> None:
    for number, (protocol, table, bots, _) in enumerate(COMBINATIONS[::2]):
        study = made(tmp_path / str(number), protocol, table, bots)
        assert "no right or wrong" not in study.file.wording.instructions
    words = made(tmp_path / "one", *READERS).file.wording
    asked = words.instructions
    assert "scroll to the end of the conversation." in words.not_scrolled
    assert asked.startswith(
        "You will read one or more conversations. Read each of them and answer our question "
    )
