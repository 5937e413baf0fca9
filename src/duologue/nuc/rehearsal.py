"""How simulated annotators answer: by how often their cohort finds the true reply, and some by nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from duologue.errors import DesignError
from duologue.nuc.analysis.comparing import PEOPLE, say_cohort
from duologue.nuc.analysis.recall import HumanRecall
from duologue.nuc.analysis.results import NucResults
from duologue.nuc.protocol import BEST, SECOND
from duologue.nuc.questions import question_of
from duologue.protocols import AskedItem, FieldValue, Item
from duologue.rehearsal import (
    Choices,
    Kind,
    Protocol,
    ProtocolRehearsal,
    Recovery,
    SimulatedAnnotator,
    Stated,
)

SECOND_CHANCE = 0.5
"""How often the true reply is the second-best one where it is not the best."""


@dataclass(frozen=True, slots=True)
class Skills:
    """How often careful annotators find the true reply."""

    stated: Mapping[tuple[str, str], float]
    """By cohort and corpus; an empty corpus stands for all others."""
    others: float
    """Of everybody else."""

    def of(self, cohort: str, corpus: str) -> float:
        """The skill of a cohort in a corpus.

        Example:
            >>> skills = Skills({("expert", ""): 0.8, ("expert", "ubuntu"): 0.9}, 0.5)
            >>> skills.of("expert", "ubuntu"), skills.of("expert", "tweets"), skills.of("novice", "ubuntu")
            (0.9, 0.8, 0.5)
        """
        return self.stated.get((cohort, corpus), self.stated.get((cohort, ""), self.others))


class NucRehearsal(ProtocolRehearsal[Skills, NucResults]):
    """Annotators who find the true reply as often as their cohort does."""

    mix: ClassVar[Mapping[Kind, float]] = {
        "careful": 0.7,
        "careless": 0.1,
        "always-left": 0.05,
        "leaves-half-way": 0.05,
        "double-clicker": 0.1,
    }
    summaries: ClassVar[Mapping[Kind, str]] = {
        "careful": "find the true reply as often as their cohort does, and that of attention checks always",
        "careless": "choose two replies at random, attention checks too",
        "always-left": "choose the first reply and then the second, every time",
        "leaves-half-way": "are careful and leave half-way",
        "double-clicker": "are careful and send every answer twice at once",
    }
    sought: ClassVar[str] = "find"

    def noun(self, items: Sequence[Item]) -> str:
        """A question."""
        return "question"

    def truth(self, items: Sequence[Item], stated: Stated, *, rng: np.random.Generator) -> Skills:
        """The skills stated; of all others one that is drawn."""
        corpora = sorted({item.group for item in items})
        others = float(rng.uniform(0.5, 0.8))
        found: dict[tuple[str, str], float] = {}
        for text in stated.get("skill", ()):
            name, _, number = text.rpartition("=")
            cohort, _, corpus = name.partition(":")
            if corpus and corpus not in corpora:
                raise DesignError(f"--skill {text}: the corpora of this study are {', '.join(corpora)}.")
            skill = _skill(text, number)
            if name:
                found[cohort, corpus] = skill
            else:
                others = skill
        return Skills(found, others)

    def simulate(
        self,
        annotator: SimulatedAnnotator,
        asked: AskedItem,
        choices: Choices,
        *,
        protocol: Protocol,
        truth: Skills,
    ) -> Mapping[str, FieldValue]:
        """The rows of the best and the second-best reply."""
        rows = list(choices[BEST])
        if annotator.kind == "always-left":
            return {BEST: rows[0], SECOND: rows[1]}
        rng, question = annotator.rng(asked.item.id), question_of(asked.item)
        shuffled = [rows[place] for place in rng.permutation(len(rows)).tolist()]
        if annotator.kind == "careless":
            return {BEST: shuffled[0], SECOND: shuffled[1]}
        true = rows[asked.order.index(question.truth)]
        false = [row for row in shuffled if row != true]
        if asked.item.gold is not None or rng.random() < truth.of(annotator.cohort, question.corpus):
            return {BEST: true, SECOND: false[0]}
        return {BEST: false[0], SECOND: true if rng.random() < SECOND_CHANCE else false[-1]}

    def recoveries(self, results: NucResults, truth: Skills) -> Iterator[Recovery]:
        """Whether each cohort is found above chance, and which of two cohorts finds more."""
        people = [one for one in results.recall.people if one.k == 1]
        for one in people:
            yield _above_chance(one, truth)
        for pair in results.recall.pairs:
            skills = [_of_pooled(truth, name, pair.corpus) for name in (pair.first, pair.second)]
            better = "" if skills[0] == skills[1] else (pair.first, pair.second)[skills[1] > skills[0]]
            finding = "recovered" if pair.better == better else "wrong" if pair.better else "undecided"
            yield Recovery(
                finding=finding,  # type: ignore[arg-type]  # one of the three
                said=f"{pair.first} ({100 * skills[0]:.0f} %) and {pair.second} ({100 * skills[1]:.0f} %) in "
                f"{pair.corpus}",
                sentence=pair.sentence,
                record={"first": pair.first, "second": pair.second, "corpus": pair.corpus, "skills": skills},
            )
        there = {name for one in people for name in one.cohort.split("+")}
        for cohort in sorted({cohort for cohort, _ in truth.stated} - there):
            sentence = f"Nobody of the cohort {cohort} has answered."
            yield Recovery("undecided", f"{cohort}: stated, and not there", sentence, {"cohort": cohort})


def _skill(text: str, number: str) -> float:
    try:
        skill = float(number)
    except ValueError as error:
        raise DesignError(f"--skill {text}: expected a cohort and a number, such as expert=0.8.") from error
    if not 0 <= skill <= 1:
        raise DesignError(f"--skill {text}: a skill is from 0 to 1.")
    return skill


def _of_pooled(truth: Skills, cohort: str, corpus: str) -> float:
    """The skill of a cohort, or of several that are counted as one: the mean of theirs."""
    return float(np.mean([truth.of(name, corpus) for name in cohort.split("+")]))


def _above_chance(one: HumanRecall, truth: Skills) -> Recovery:
    skill, interval = _of_pooled(truth, one.cohort, one.corpus), one.interval
    is_above = interval is not None and interval.low > one.chance
    is_below = interval is not None and interval.high < one.chance
    is_right = (is_above and skill > one.chance) or (is_below and skill < one.chance)
    true, seen, chance = (f"{100 * share:.0f} %" for share in (skill, one.recall, one.chance))
    said = f"{one.cohort or PEOPLE} in {one.corpus}: true {true}, R@1 {seen}, chance {chance}"
    finds = f"{say_cohort(one.cohort or PEOPLE)} find the true reply in {one.corpus}"
    sentence = f"{finds[0].upper()}{finds[1:]} {'more' if is_above else 'less'} often than chance."
    if not (is_above or is_below):
        sentence = f"Whether {finds} more often than chance is undecided."
    return Recovery(
        finding="recovered" if is_right else "wrong" if is_above or is_below else "undecided",
        said=said,
        sentence=sentence,
        record={"cohort": one.cohort, "corpus": one.corpus, "skill": skill, "recall": one.recall},
    )
