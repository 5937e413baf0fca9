"""How many judgments of each matchup a study of comparisons needs."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

from duologue.acute.design.answers import (
    AT_A_TIME,
    MEASURED,
    answer_of,
    as_asked,
    asked_of,
    compared_answers,
    comparisons_each,
    direct_design,
    measured_seconds,
    usual_seconds,
)
from duologue.acute.design.asking import OF_QUESTIONS, notes_on_questions, with_questions
from duologue.acute.design.numbers import (
    comparisons_of_one_annotator,
    is_planned_pooled,
    tests_sharing_alpha,
)
from duologue.acute.design.table import acute_settings
from duologue.acute.options import AcutePlanOptions
from duologue.acute.pairing import matchups_of
from duologue.acute.phrasings.design.planning import phrasings_design, phrasings_request
from duologue.dialogues import index_dialogues
from duologue.errors import DesignError
from duologue.protocols import addendum_asking, read_items, say_count, say_percent
from duologue.stats import AnswerKind, PooledChoice, pooled_cluster_size, sample_size
from duologue.studies import (
    Alternative,
    DialogueCount,
    PlannedDesign,
    PlanRequest,
    ProtocolPlanner,
    Study,
    compared_requests,
    fill,
    forced_choice_design,
    gap_of,
    groups_added,
    hours_of,
    material_of,
    number_of_matchups,
    read_plan_options,
    refuse_meaningless,
    required,
)

TITLE = "ACUTE-EVAL, two dialogues side by side"
PARALLEL_TITLE = "ACUTE-EVAL, two parallel live chats"

PARALLEL_SECONDS = 300.0
"""What a chat with two bots and its comparison take, unless that is stated."""

OF_EACH_BOT = DialogueCount(
    "of each bot, if none is shown twice in a matchup", lambda judgments, matchups: judgments
)
IN_PARALLEL = DialogueCount(
    "live chats with two bots at once, two dialogues each", lambda judgments, matchups: judgments * matchups
)

TURN_BY_TURN = "per-turn"
"""Whose designs parallel chats are compared with: live chats with the same bots, judged at each turn."""


class AcutePlanner(ProtocolPlanner):
    """Two dialogues side by side, one must be chosen."""

    def planned_design(self, request: PlanRequest) -> PlannedDesign:
        """Each matchup by the exact test with Holm, or all of them by pooled strengths; or phrasings."""
        options = asked_of(request)
        if options.collect == "phrasings":
            refuse_meaningless(request, *OF_QUESTIONS, design="phrasings")
            return phrasings_design(request)
        refuse_meaningless(request, "base", "turns_per_dialogue")
        matchups = number_of_matchups(request)
        request = with_questions(request, matchups)
        planned = self._planned(request, options, matchups)
        return dataclasses.replace(planned, notes=(*planned.notes, *notes_on_questions(planned)))

    def _planned(self, request: PlanRequest, options: AcutePlanOptions, matchups: int) -> PlannedDesign:
        """Each matchup by itself, or all of them pooled, for all questions alike."""
        answer = answer_of(request)
        filled = _filled(request, options, answer)
        if answer == "ranking" and _bots_of_all_pairs(filled) is None:
            raise DesignError(
                "a ranking is planned for three bots or more of which each meets every other. Leave "
                "--matchups out, or plan another answer."
            )
        if options.verdicts == "pooled":
            cap = _cap_with_fewest_hours(request, matchups, answer)
            if request.per_annotator is None and cap is not None:
                filled = dataclasses.replace(filled, per_annotator=cap)
            planned = as_asked(_pooled_choice(filled))
            note = _cap_note(required(filled.per_annotator), cap)
            return dataclasses.replace(planned, notes=(*planned.notes, *note))
        return as_asked(
            forced_choice_design(
                filled,
                title=_title(filled),
                unit="judgments",
                dialogues=_dialogues(filled),
                stated_by=": how the per-turn paper states it when one must be chosen",
                alternatives=_alternatives(filled),
                is_effect_shared=False,  # direct and pooled verdicts have design effects of their own
            )
        )

    def request(self, study: Study, common: PlanRequest) -> PlanRequest:
        """The study's gap, and the matchups it has or its file asks for, with their judgments."""
        settings = acute_settings(study)
        if settings.compares_phrasings:
            return phrasings_request(study, common)
        compared = _compared_in(study)
        matchups, bots = compared.matchups, compared.bots
        direct = _why_direct(study, compared) if settings.verdicts == "pooled" else ""
        measured = dict(measured_seconds(study))
        if settings.answer in measured:
            common = dataclasses.replace(common, seconds=measured[settings.answer], seconds_from=MEASURED)
        return dataclasses.replace(
            common,
            gap=study.file.stopping.gap,
            bots=bots,
            matchups=matchups,
            tests=None if matchups is None else tests_sharing_alpha(study, matchups),
            judgments=compared.judgments,
            per_annotator=None if matchups is None else _answers_of_one(study, matchups, compared.same_bot),
            elsewhere=compared.same_bot,
            icc=study.file.stopping.icc if settings.verdicts == "pooled" and not direct else None,
            part=direct or common.part,
            options=AcutePlanOptions(
                verdicts="direct" if direct else settings.verdicts,
                answer="ranking" if settings.is_ranked else None,
                collect=settings.collect,
                measured=tuple(measured.items()),
                ask_together=len(settings.questions) if settings.is_together else None,
                question_seconds=0.0 if settings.is_together else None,  # they are part of an item's seconds
                primary=(settings.is_together and settings.primary is not None) or None,
                is_graded=settings.is_graded,
            ),
        )

    def compared(self, request: PlanRequest) -> tuple[PlanRequest, ...]:
        """The three answers by both verdicts; of parallel chats, those judged turn by turn."""
        options = asked_of(request)
        if options.collect == "phrasings":
            return ()
        if options.collect != "parallel":
            every = dataclasses.replace(request, matchups=number_of_matchups(request))
            return compared_answers(request, bots=_bots_of_all_pairs(every))
        seconds, pay = request.seconds or PARALLEL_SECONDS, request.pay
        turns = options.turns_per_dialogue or TURNS
        bots = request.bots or round((1 + math.sqrt(1 + 8 * (request.matchups or 1))) / 2)
        asked = dataclasses.replace(
            request,
            protocol=TURN_BY_TURN,
            options=read_plan_options(TURN_BY_TURN, {"turns_per_dialogue": turns}),
            bots=bots,
            seconds=seconds / turns,
            pay=None if pay is None else pay / turns,
            per_annotator=None,
            onboarding=0,
            icc=ICC_OF_TURNS if request.icc is None else request.icc,
            cluster_size=turns,
        )
        return compared_requests(asked)


def _filled(request: PlanRequest, options: AcutePlanOptions, answer: AnswerKind) -> PlanRequest:
    matchups = number_of_matchups(request)
    return fill(
        dataclasses.replace(request, options=options.fill(verdicts="direct")),
        gap=0.2,
        test="exact",
        seconds=PARALLEL_SECONDS if options.collect == "parallel" else usual_seconds(answer),
        per_annotator=_of_each_matchup(matchups, answer),
        matchups=matchups,
    )


TURNS = 10
"""Of a live chat that is judged turn by turn, unless that is stated."""

ICC_OF_TURNS = 0.1
"""How far they correlate, unless that is stated: what a study of turns takes too."""


_TITLES = {
    "choice": TITLE,
    "graded": f"{TITLE}, on four points",
    "ranking": "ACUTE-EVAL, three dialogues ranked",
}


def _title(filled: PlanRequest) -> str:
    return PARALLEL_TITLE if asked_of(filled).collect == "parallel" else _TITLES[answer_of(filled)]


def _dialogues(filled: PlanRequest) -> DialogueCount:
    return IN_PARALLEL if asked_of(filled).collect == "parallel" else OF_EACH_BOT


def _alternatives(filled: PlanRequest) -> tuple[Alternative, ...]:
    """The other verdicts; the analysis uses the exact test with Holm, and nothing else is offered."""
    bots = _bots_of_all_pairs(filled)
    if bots is None:
        return ()
    pooled = sample_size(_pooled(filled, bots), gap_of(filled), power=filled.power)
    what = f'with verdicts = "pooled" in [acute]: strengths from all matchups of the {bots} bots decide'
    return (Alternative(pooled.judgments, what),)


def _pooled_choice(filled: PlanRequest) -> PlannedDesign:
    """Every bot against every other, decided by strengths pooled over all matchups.

    Raises:
        DesignError: There are fewer than three bots, or not every bot meets every other.
    """
    gap, bots = gap_of(filled), _bots_of_all_pairs(filled)
    if bots is None:
        raise DesignError(
            "pooled verdicts are planned for three bots or more of which each meets every other. Leave "
            '--matchups out; or plan direct verdicts (--verdicts direct), and set verdicts = "direct" in '
            "[acute] of a study, where pooled ones would decide with a power that is not known."
        )
    direct = sample_size(direct_design(filled), gap, power=filled.power)
    design = _pooled(filled, bots)
    return PlannedDesign(
        title=f"{_title(filled)}, pooled verdicts",
        unit="judgments",
        design=design,
        gap=gap,
        sets=filled.matchups or 1,
        sets_are="matchups",
        dialogues=_dialogues(filled),
        readings=(
            f"{gap:g} between two bots: {say_percent((1 + gap) / 2)} of the wins "
            f"against {say_percent((1 - gap) / 2)}",
            f"{math.log((1 + gap) / (1 - gap)):.2f} between their strengths (log-odds), the others half-way",
        ),
        request=filled,
        alternatives=(
            Alternative(direct.judgments, 'with verdicts = "direct": each matchup by its own judgments'),
        ),
        notes=(
            "pooled verdicts decide with 20 annotators or more, more annotators than bots, and a "
            "lack-of-fit test that does not reject; otherwise the direct ones do, and their power is part of "
            "this number.",
        ),
        cluster_size=pooled_cluster_size(bots, comparisons_each(filled)),
        is_effect_shared=False,
        can_stop_early=False,
        notes_on=lambda judgments: tuple(_few_annotators(design, judgments)),
    )


def _few_annotators(design: PooledChoice, judgments: int) -> Iterator[str]:
    people = int(design.annotators(judgments))
    if not design.can_decide(people):
        yield (
            f"{judgments:,} judgments for each matchup come from {say_count(people, 'annotator')}, too few "
            "for pooled verdicts: the direct ones decide. A lower max_judgments asks more annotators."
        )


def _bots_of_all_pairs(filled: PlanRequest) -> int | None:
    """How many bots there are, when there are three or more and each meets every other."""
    matchups = filled.matchups or 1
    bots = filled.bots if filled.bots is not None else round((1 + math.sqrt(1 + 8 * matchups)) / 2)
    return bots if is_planned_pooled(bots, matchups) else None


def _pooled(filled: PlanRequest, bots: int) -> PooledChoice:
    shared = max(1.0, (filled.tests or filled.matchups or 1) / (filled.matchups or 1))
    return PooledChoice(
        bots=bots,
        per_annotator=comparisons_each(filled),
        alpha=filled.alpha / shared,
        answer=answer_of(filled),
        sections=round(shared),
    )


FEWEST_EACH = 3
"""Somebody who is recruited and instructed judges at least so often."""

CAPS = (*range(FEWEST_EACH, 9), 10, 12, 14, 16, 20, 24, 28, 36, 45, 60)
"""Caps that are tried: fewer judgments each are less correlated, and more people need time of their own."""


def _cap_with_fewest_hours(request: PlanRequest, matchups: int, answer: AnswerKind) -> int | None:
    """How many answers of one annotator take the fewest person-hours in all; None where that is not known.

    An annotator answers for each matchup once at most. Without a correlation more is always less work.
    """
    if not request.icc or _bots_of_all_pairs(dataclasses.replace(request, matchups=matchups)) is None:
        return None
    most = math.ceil(matchups / AT_A_TIME[answer])
    caps: list[int] = [cap for cap in CAPS if cap < most] + [most]
    return min(caps, key=lambda cap: (_hours(request, cap), cap))


def _hours(request: PlanRequest, cap: int) -> float:
    options = asked_of(request)
    filled = _filled(dataclasses.replace(request, per_annotator=cap), options, answer_of(request))
    return hours_of(as_asked(_pooled_choice(filled)))


def _cap_note(each: int, cap: int | None) -> Iterator[str]:
    if cap is None:
        return
    if each == cap:
        yield f"{cap} by one annotator take the fewest person-hours (max_judgments = {cap})."
    else:
        yield f"{cap} by one annotator would take the fewest person-hours (max_judgments = {cap})."


def _of_each_matchup(matchups: int | None, answer: str) -> int | None:
    """What an annotator is asked where no cap is set: of each matchup once."""
    return None if matchups is None else math.ceil(matchups / AT_A_TIME[answer])


def _answers_of_one(study: Study, matchups: int, same_bot: float) -> int:
    """What one annotator answers of what is sized: by the cap, else of each matchup or three of bots once."""
    each = AT_A_TIME[acute_settings(study).answer]
    own = math.ceil(comparisons_of_one_annotator(study, matchups) / each)
    return own if study.caps.max_judgments is None else max(1, round(own / (1 + same_bot)))


def _why_direct(study: Study, compared: _Compared) -> str:
    """Why the number is that of direct verdicts though pooled ones were declared; else empty."""
    if study.file.stopping.rule == "sequential":
        return "stopping is sequential, so that direct verdicts decide: this is their number."
    if compared.is_added:
        return (
            "matchups with bots that were added are planned by their own judgments, as when they were added."
        )
    if compared.bots is not None and compared.bots < 3:
        return "pooled verdicts need three bots, so that direct ones decide: this is their number."
    return ""


@dataclasses.dataclass(frozen=True, slots=True)
class _Compared:
    """What a study compares, as far as is known."""

    matchups: int | None = None
    bots: int | None = None
    judgments: int | None = None
    """The fewest that any matchup gets."""
    same_bot: float = 0.0
    """Judgments of A/A matchups, for each one of the others."""
    is_added: bool = False
    """Whether they are matchups with bots that were added to a study."""


def _compared_in(study: Study) -> _Compared:
    """How many matchups the study has and the fewest judgments any of them gets.

    Of a study that has grown, those that were added last: they are planned by themselves.
    """
    if study.items_path.exists():
        items: Counter[str] = Counter()
        compared: dict[str, set[tuple[str, str]]] = {}
        for item in read_items(study.items_path):
            if item.is_judged and not addendum_asking(item.group):
                items[item.group] += 1
                compared.setdefault(item.group, set()).update(combinations(sorted(item.bots), 2))
        added = groups_added(study.folder)
        last = max((added.get(group, 0) for group in items), default=0)
        counts: Counter[tuple[str, str]] = Counter()
        for group, judgments in study.caps.judgments_of(items).items():
            if added.get(group, 0) == last:
                counts.update(dict.fromkeys(compared[group], judgments))
        if any(one != other for one, other in counts):
            return dataclasses.replace(_counted(counts), is_added=last > 0)
    pairings = acute_settings(study).pairings
    bots = {head.bot for head in index_dialogues(study.folder)} | {bot.name for bot in study.file.bots}
    if acute_settings(study).is_parallel:
        bots = set(material_of(study).bots)
    each = None
    if pairings.per_matchup != "plan":
        each = pairings.per_matchup * study.caps.judgments_of_every_item
    pairs = {(one.first, one.second) for one in matchups_of(bots, pairings)} if len(bots) > 1 else set()
    if not any(one != other for one, other in pairs):
        return _Compared(judgments=each)
    found, share = _counted(dict.fromkeys(pairs, 1)), pairings.same_bot_share
    same_bot = share / (1 - share) if share else found.same_bot
    return dataclasses.replace(found, judgments=each, same_bot=same_bot)


def _counted(judgments: Mapping[tuple[str, str], int]) -> _Compared:
    """By the judgments of every two bots, the same one twice in an A/A matchup."""
    own = {pair: count for pair, count in judgments.items() if pair[0] != pair[1]}
    return _Compared(
        matchups=len(own),
        bots=len({bot for pair in own for bot in pair}),
        judgments=min(own.values()),
        same_bot=sum(judgments.values()) / sum(own.values()) - 1,
    )
