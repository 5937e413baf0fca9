"""A small study in a folder, judged by scripted annotators through the real store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from duologue.acute import AcuteResults
from duologue.dialogues import Dialogue, Json, Speaker, Turn, study_dialogues, write_dialogues
from duologue.protocols import Answer, Item, read_items, write_items
from duologue.reports import Analysis
from duologue.store import (
    Assignment,
    FormStation,
    ItemStation,
    Store,
    fill_in_form,
    give_consent,
    invite_annotators,
    load_dialogues,
    load_items,
    record_answer,
    record_revision,
)
from duologue.studies import Study, StudyRules, load_study

BOTS = ("ann", "bob <b>&amp;", "cy")
Judge = Callable[[Assignment], tuple[str, str]]
"""Which bot an annotator finds better ("tie" for none), and the reason given."""


def make_study(folder: Path, *, per_matchup: int = 12, more: str = "") -> Study:
    """A study of three bots, its dialogues and pairings; one onboarding comparison."""
    (folder / "dialogues").mkdir(parents=True)
    text = f'[study]\nname = "three <i>bots</i>"\nseed = 7\n\n[acute]\nquestion = "engagingness"\n{more}'
    (folder / "study.toml").write_text(text, encoding="utf-8")
    study = load_study(folder)
    items = [
        Item("o", _group(*BOTS[:2]), BOTS[:2], ("ann-o", "bob-o"), ("judged",) * 2, role="onboarding", gold=0)
    ]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        for number in range(per_matchup):
            pair = BOTS[one], BOTS[other]
            keys = f"{one}-{one}{other}-{number}", f"{other}-{one}{other}-{number}"
            items.append(Item(f"{one}{other}-{number}", _group(*pair), pair, keys, ("judged",) * 2))
    for position, bot in enumerate(BOTS):
        keys_of_bot = [
            key for item in items for key, of in zip(item.dialogues, item.bots, strict=True) if of == bot
        ]
        path = folder / "dialogues" / f"{position}.jsonl"
        write_dialogues((_dialogue(key, bot) for key in keys_of_bot), path, format="duologue")
    write_items(items, study.items_path)
    return study


def compared(analysed: Analysis) -> AcuteResults:
    """The results of an analysis, which are those of comparisons."""
    assert isinstance(analysed.results, AcuteResults)
    return analysed.results


def load(study: Study, store: Store) -> None:
    """Bring the study into its store."""
    store.run(record_revision(study.design_hash, study.text))
    store.run(load_dialogues(study_dialogues(study.folder)))
    store.run(load_items(read_items(study.items_path), study.caps))


def sit(
    study: Study,
    store: Store,
    judge: Judge,
    *,
    kind: str = "lab",
    label: str = "",
    caps: StudyRules | None = None,
    cohort: str = "",
    about: Mapping[str, Json] | None = None,
    words: int = 0,
) -> str:
    """One annotator answers forms with ``about`` and judges all there is for them; their id."""
    caps = caps or study.caps
    (invitation,) = store.run(invite_annotators(kind=kind, labels=(label or "somebody",), cohort=cohort))
    station = store.run(give_consent(invitation.token, caps))
    while isinstance(station, ItemStation | FormStation):
        if isinstance(station, FormStation):
            filled = fill_in_form(invitation.token, caps, form=station.form, answers=about or {})
            station = store.run(filled)
            continue
        work = station.assignment
        better, reason = judge(work)
        slot = None if better == "tie" else work.item.bots.index(better)
        answer = Answer({"side": None if slot is None else work.order.index(slot) + 1}, reason)
        station = store.run(
            record_answer(
                invitation.token,
                caps,
                assignment=work.key,
                answer=answer,
                seconds=30.0,
                is_correct=study.protocol.is_correct(work.asked, answer),
                key=work.key,
                words=words,
            )
        )
    return invitation.annotator


def prefers_earlier(reason: str = "<script>fun</script>") -> Judge:
    """Finds the bot that comes earlier in `BOTS` better, always for the same reason."""
    return lambda work: (min(work.item.bots, key=BOTS.index), reason)


def prefers_later(reason: str = "the other one") -> Judge:
    """The opposite, so it fails onboarding."""
    return lambda work: (max(work.item.bots, key=BOTS.index), reason)


def _group(one: str, other: str) -> str:
    return "__vs__".join(sorted((one, other)))


def _dialogue(key: str, bot: str) -> Dialogue:
    turns = (Turn("partner", f"hello {key}"), Turn("judged", '<img src="x"> & "hi"'), Turn("partner", "bye"))
    return Dialogue(
        id=key,
        bot=bot,
        kind="live-chat",
        judged="judged",
        speakers=(Speaker("partner"), Speaker("judged", bot)),
        turns=turns,
    )
