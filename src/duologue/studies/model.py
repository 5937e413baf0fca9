"""What a study is: its folder, study.toml as it was read and checked, and the settings of its protocol."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from pydantic import BaseModel, SerializeAsAny

from duologue.dialogues import Json
from duologue.errors import NotFound
from duologue.protocols import Arm, ChatSettings, Item, StudyProtocol, protocol_named
from duologue.studies.caps import StudyRules
from duologue.studies.forms.settings import FormSettings
from duologue.studies.tables import ConsentTable, StudyFile, StudyTable
from duologue.studies.wording import WordingTable


@dataclass(frozen=True, slots=True)
class Study:
    """A study: its folder, its file, and the settings of its protocol."""

    folder: Path
    text: str = field(repr=False)
    """study.toml as it was read."""
    file: StudyFile
    settings: SerializeAsAny[BaseModel]

    @property
    def protocol(self) -> StudyProtocol[Any]:
        """The protocol by which judgments are asked for, bound to the study's settings."""
        return protocol_named(self.file.study.protocol)(self.settings)

    @property
    def quoted(self) -> str:
        """Its folder as a word of a command line: quoted where it holds a blank."""
        return quote(str(self.folder))

    @property
    def name(self) -> str:
        """What the study is called."""
        return self.file.study.name

    @property
    def heading(self) -> StudyTable:
        """``[study]``, with the protocol's own title, description and keywords where the file sets none.

        What the file says (`file`) stays as it is: a plan and a design hash are about that.
        """
        given = self.file.study.model_fields_set
        own = {key: words for key, words in self.protocol.study_heading().items() if key not in given}
        return self.file.study.model_copy(update=own)

    def wording_of(self, item: Item) -> WordingTable:
        """What annotators see at an item: an arm's own words, unless the file sets others."""
        of_study, given = self.protocol.study_wording(), self.file.wording
        own = self.protocol.item_wording(item).items()
        return given.model_copy(
            update={key: text for key, text in own if getattr(given, key) == of_study.get(key)}
        )

    @property
    def seed(self) -> int:
        """Where every random choice of the study comes from."""
        return self.file.study.seed

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms of the study, at least one."""
        return self.protocol.arms()

    @property
    def database(self) -> str:
        """The study's database as an SQLAlchemy address: a file in the folder, or PostgreSQL."""
        place = self.file.study.database
        return place if "://" in place else f"sqlite:///{(self.folder / place).resolve()}"

    @property
    def items_path(self) -> Path:
        """The file with the items to judge."""
        return self.folder / self.protocol.items_file()

    @property
    def chat(self) -> ChatSettings:
        """What live chats are held to: no message is longer than any turn of the study may be."""
        most = min(self.file.chat.max_message_chars, self.file.study.max_turn_chars)
        return self.file.chat.model_copy(update={"max_message_chars": most})

    @property
    def caps(self) -> StudyRules:
        """What the store must hold to when it hands out work."""
        onboarding = self.file.onboarding
        return StudyRules(
            arms=tuple(arm.name for arm in self.arms),
            max_judgments=self.file.annotators.max_judgments,
            lease_seconds=self.file.annotators.lease_minutes * 60,
            annotations_per_item=self.protocol.annotations_per_item(),
            onboarding_comparisons=onboarding.comparisons if onboarding.enabled else 0,
            onboarding_threshold=onboarding.threshold,
            block=onboarding.block if onboarding.block_on_fail else "off",
            seed=self.seed,
            chat=self.chat,
            max_per_group=self.protocol.max_per_group(self.file.chat),
            excluding_flags=self.file.screening.exclude,
            words_per_second=self.file.screening.words_per_second,
            excludes_without_reason=self.excludes_without_reason,
            forms_before=tuple(form.name for form in self.file.forms if form.when == "before"),
            forms_after=tuple(form.name for form in self.file.forms if form.when == "after"),
            copies=self._copies(),
            items_of={one.name: one.items for one in self.file.cohorts if one.items is not None},
            has_cohorts=bool(self.file.cohorts),
            asks_cohort=bool(self.file.annotators.cohort_from),
            attention=self.file.attention,
            sees_each_arm=self.file.arms.per_annotator == "each" and len(self.arms) > 1,
            factors={arm.name: arm.factor for arm in self.arms if arm.factor},
            one_per_factor=self.file.arms.per_annotator == "one-per-factor",
            sitting_seconds=_seconds(self.file.annotators.sitting_minutes),
            item_seconds=self.file.annotators.item_seconds,
            skips=self.file.annotators.skips,
            repeat=self.file.annotators.repeat,
            repeat_after=self.file.annotators.repeat_after,
            judged_twice=0.0 if self.why_not_twice else self.file.annotators.judged_twice,
        )

    @property
    def why_not_twice(self) -> str:
        """Why a share of the items cannot be judged twice; empty where it can, or is not asked for."""
        if not self.file.annotators.judged_twice:
            return ""
        if self.protocol.max_per_group(self.file.chat) is not None:
            return "a live chat is judged by who held it, so nothing is judged twice"
        if self._copies():
            return "cohorts with places of their own judge every item more than once"
        if (most := self.protocol.annotations_per_item()) > 1:
            return f"every item is judged {most} times already"
        return ""

    def _copies(self) -> dict[str, int]:
        """Judgments of each item by cohorts with places of their own, and by all others, if there are any."""
        cohorts = self.file.cohorts
        own = {one.name: one.copies for one in cohorts if one.copies is not None}
        is_shared = len(own) < len(cohorts)
        return {**own, **({"": self.protocol.annotations_per_item()} if own and is_shared else {})}

    def form(self, name: str) -> FormSettings:
        """The form of that name.

        Raises:
            NotFound: There is none.
        """
        for form in self.file.forms:
            if form.name == name:
                return form
        raise NotFound("form", name)

    def check_cohort(self, name: str) -> None:
        """Refuse a cohort that the study does not have.

        Raises:
            NotFound: There is none of that name; says which there are.
        """
        known = [cohort.name for cohort in self.file.cohorts]
        if name and name not in known:
            error = NotFound("cohort", name)
            error.add_note(f"The cohorts are: {', '.join(known) or 'none; add [[cohorts]] to study.toml'}.")
            raise error

    @property
    def link_cohorts(self) -> tuple[str, ...]:
        """Cohorts that links are made for; ``""`` is none, where those without a cohort get work."""
        named = tuple(cohort.name for cohort in self.file.cohorts)
        has_work = bool(self.file.annotators.cohort_from) or "" in self.caps.copies_wanted
        return ("", *named) if has_work else named

    def cohort_by(self, form: str, answers: Mapping[str, Json]) -> str:
        """The cohort that the answers to a form put somebody into; empty when they say nothing about it."""
        asked, _, question = self.file.annotators.cohort_from.partition(".")
        if form != asked:
            return ""
        answer = answers.get(question)
        return next((cohort.name for cohort in self.file.cohorts if answer in cohort.answers), "")

    @property
    def excludes_without_reason(self) -> bool:
        """Whether annotators who never give a reason do not count."""
        rules = self.protocol.rules(stopping=self.file.stopping.rule)
        return rules.asks_for_reasons and self.file.annotators.exclude_without_reason

    @property
    def requires_reasons(self) -> bool:
        """Whether no answer is taken without a reason."""
        return self.protocol.rules(stopping=self.file.stopping.rule).requires_reasons

    @property
    def design_hash(self) -> str:
        """A name for all that judgments depend on; a change of it after the first one is a new revision.

        Settings that are as they are by default are left out: a version with a new setting, or a setting
        written down as it is anyway, changes nothing.
        """
        return self._hashed(self._design())

    def design_hash_since(self, text: str) -> str:
        """The design hash without the bots that an earlier text of study.toml did not have.

        Adding a bot changes no earlier item, unless the protocol says so: then it is the design hash.
        """
        if not self.protocol.adding_a_bot_leaves_items():
            return self.design_hash
        before = {str(bot.get("name")) for bot in tomllib.loads(text).get("bots", ())}
        parts = self._design()
        for table in (parts, parts.get("chat", {})):
            if "bots" in table:
                table["bots"] = [bot for bot in table["bots"] if _name_of(bot) in before]
        if not parts.get("chat", {}).get("bots", True):
            del parts["chat"]["bots"]
        return self._hashed({name: part for name, part in parts.items() if part or name == "settings"})

    def _design(self) -> dict[str, Any]:
        """All that judgments depend on; what is as it is by default is left out."""
        parts = self.file.model_dump(
            mode="json",
            exclude_defaults=True,
            exclude={
                "pay": True,
                "consent": set(ConsentTable.model_fields) - {"deception"},
                "study": {"database", "name"},
                "annotators": {"recruited"},
            },
        )
        for table in ("annotators", "consent"):  # nothing but how they were recruited, or what they are told
            if not parts.get(table, True):
                del parts[table]
        parts["settings"] = self.protocol.settings_that_count()
        return parts

    @staticmethod
    def _hashed(parts: Mapping[str, Any]) -> str:
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _name_of(bot: Mapping[str, Any] | str) -> str:
    """The name of a bot: of a ``[[bots]]`` table, or as ``[chat]`` names it."""
    return bot if isinstance(bot, str) else str(bot["name"])


def _seconds(minutes: float | None) -> float | None:
    return None if minutes is None else 60 * minutes
