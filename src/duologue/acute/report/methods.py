"""The methods paragraph of an ACUTE study: all that a reader needs to judge, or repeat, it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from duologue.acute import AcuteResults, AcuteSettings, MatchupResult, Section
from duologue.acute.analysis.matchups import FEWEST_CLUSTERS
from duologue.acute.analysis.separating import say_how_ranked
from duologue.acute.analysis.verdicts import say_points
from duologue.acute.design.numbers import planned_pairings
from duologue.acute.design.pairings import shared_starts
from duologue.acute.matching import say_shared
from duologue.acute.report.pooled_methods import pooled_sentences
from duologue.acute.settings import VERSUS
from duologue.dialogues import index_dialogues
from duologue.protocols import ONLY_ARM, ReportedPlan, read_items, say_count, say_list
from duologue.reports import (
    FROM_A_FILE,
    analysed_with,
    asked_besides,
    attention_checks,
    interim_looks,
    judged_material,
    planned_before,
    recruited,
    say_collected,
    took_part,
    why_so_many,
)
from duologue.studies import Study, changed_material

CITATION = (
    "Margaret Li, Jason Weston and Stephen Roller. 2019. ACUTE-EVAL: Improved Dialogue Evaluation with "
    "Optimized Questions and Multi-turn Comparisons. NeurIPS Workshop on Conversational AI. arXiv:1909.03087."
)

_REASONS = {
    "encouraged": "A reason was asked for",
    "required": "A reason was required",
    "off": "No reason was asked for",
}


def methods_paragraph(results: AcuteResults, study: Study | None) -> str:
    """How the judgments were asked for, screened and tested, in sentences for a paper."""
    said = [FROM_A_FILE]
    if study is not None:
        material = judged_material(results, group="matchup")
        said = [_asked(study, is_complete=_is_complete(results)), *asked_besides(results, study)]
        said += [*material, *_matched(study), *changed_material(study)]
        said += [_screened(study, results), *attention_checks(study, results)]
        said += [recruited(study), *took_part(results), *_why_so_many(results, study)]
    said += _collected_of_all(results)
    has_ties = study is None or getattr(study.settings, "ties", False)
    said.append(_tested(results, has_ties=has_ties))
    said.append(say_how_ranked(results.questions))
    said += planned_before(results)
    said += interim_looks(warning for section in results.sections for warning in section.warnings)
    said += interim_looks(results.warnings)
    said += analysed_with(results)
    return " ".join(filter(None, said))


def _is_complete(results: AcuteResults) -> bool:
    """Whether all judgments that the plan asks for are there."""
    if results.conduct is None or results.conduct.plan is None:
        return True
    done: Counter[tuple[str, ...]] = Counter()
    for section in results.sections:
        arm = ONLY_ARM if section.is_together else section.arm
        done.update({(arm, *sorted((one.first, one.second))): one.n + one.ties for one in section.matchups})
    return all(done[two] >= planned for two, planned in _planned_of_matchups(results.conduct.plan).items())


def _asked(study: Study, *, is_complete: bool) -> str:
    settings, caps = study.settings, study.caps
    assert isinstance(settings, AcuteSettings)  # noqa: S101  only ACUTE studies are analysed
    names = settings.question_names if settings.is_together else [arm.name for arm in study.arms]
    asked = [_question(settings, name, is_alone=len(names) == 1) for name in names]
    questions = f"{'; '.join(asked)}.{_order_of_questions(settings)}"
    most = "as many judgments as there are matchups"
    if caps.max_judgments is not None:
        most = f"{caps.max_judgments} judgments"
    if settings.is_parallel:
        return f"{_chatted(study, settings)} {questions} {_REASONS[settings.reason]}. {_had_at_most(study)}"
    most_of, was = "up to " if caps.items_of else "", "was" if is_complete else "was to be"
    if settings.is_ranked:
        return _ranked(study, settings, questions, was=was)
    return (
        "We used the ACUTE-EVAL protocol (Li et al., 2019): annotators read two whole dialogues side by "
        "side, one judged speaker highlighted in each, without knowing which bots spoke, and answered "
        f"{questions} {_REASONS[settings.reason]}. Sides were randomised. Each pairing {was} "
        f"judged by {most_of}{_some(caps.judgments_per_item, 'annotator')}{_in_arms(study)}; one annotator "
        f"gave at most {most}{' in each arm' if caps.sees_each_arm else ''}, and {_never_twice(study)}."
    )


def _order_of_questions(settings: AcuteSettings) -> str:
    """That questions came one after the other about the same dialogues, and in which order."""
    if not settings.is_together:
        return ""
    order = "the same for everybody"
    if settings.question_order == "random":
        order = "random, balanced, and the same for all items of an annotator"
    reason = "" if settings.reason == "off" else f" A reason was asked for with {settings.lead} only."
    return (
        f" All {len(settings.questions)} questions were asked about the same dialogues, one after the other; "
        f"their order was {order}.{reason} Known answers, and items that were asked twice, are held against "
        f"the answer to {settings.lead}."
    )


def _matched(study: Study) -> list[str]:
    """How many pairings show dialogues that began alike, where pairs were matched by that."""
    settings = study.settings
    assert isinstance(settings, AcuteSettings)  # noqa: S101  only ACUTE studies are analysed
    if settings.pairings.match == "off":
        return []
    in_all: Counter[str] = Counter()
    for shared in shared_starts(study).values():
        in_all.update(shared)
    if not in_all:
        return []
    made = sum(item.is_judged for item in read_items(study.items_path))
    what = "ranking" if settings.is_ranked else "pairing"
    return [f"Of {say_count(made, what)} of dialogues, {say_shared(in_all)}."]


def _in_arms(study: Study) -> str:
    """Whose answers the arms have."""
    if len(study.arms) == 1:
        return ""
    if study.caps.sees_each_arm:
        return " in each arm. Annotators were asked the questions of all arms, about other pairings in each"
    return " in each arm. Every annotator was asked the question of one arm"


def _never_twice(study: Study) -> str:
    """That all dialogues of an annotator differ, apart from what was asked again."""
    apart = ", apart from what was asked a second time," if study.caps.repeat else ""
    return f"never saw a dialogue twice{apart}".rstrip(",")


def _why_so_many(results: AcuteResults, study: Study) -> list[str]:
    settings = study.settings
    assert isinstance(settings, AcuteSettings)  # noqa: S101  only ACUTE studies are analysed
    gap = f"a gap of {say_points(results.gap)} between two win rates"
    plan = None if results.conduct is None else results.conduct.plan
    planned = set() if plan is None else set(_planned_of_matchups(plan).values())
    is_worked_out = False
    if planned and settings.pairings.per_matchup == "plan" and not settings.is_parallel:
        pairings = planned_pairings(study, settings.pairings, index_dialogues(study.folder))
        is_worked_out = planned == {pairings * study.caps.judgments_of_every_item}
    return why_so_many(results, of="matchup", gap=gap, is_worked_out=is_worked_out, numbers=planned)


def _planned_of_matchups(plan: ReportedPlan) -> Counter[tuple[str, ...]]:
    """The planned numbers of the matchups: a ranking of three bots counts in each of its three."""
    planned: Counter[tuple[str, ...]] = Counter()
    for one in plan.numbers:
        for two in combinations(one.group.split(VERSUS), 2):
            planned[one.arm, *sorted(two)] += one.planned
    return planned


def _ranked(study: Study, settings: AcuteSettings, questions: str, *, was: str) -> str:
    """How rankings of three were asked for."""
    caps = study.caps
    most = (
        "as often as there are threes of bots"
        if caps.max_judgments is None
        else f"{caps.max_judgments} times"
    )
    beside, ranked = "", "ranked"
    if settings.pairings.pairs_per_matchup:
        beside = " In between, annotators read pairings of two dialogues, and chose one of the two speakers."
        ranked = "ranked or chose"
    return (
        "We asked for rankings of three, with dialogues as in the ACUTE-EVAL protocol (Li et al., 2019): "
        "annotators read three whole dialogues side by side, one judged speaker highlighted in each, without "
        f"knowing which bots spoke, and put the three speakers in order by {questions} Ties were not "
        f"possible. {_REASONS[settings.reason]}. Positions were randomised and balanced.{beside} Each "
        f"ranking {was} asked of {_some(caps.judgments_per_item, 'annotator')}; one annotator {ranked} at "
        f"most {most}, and {_never_twice(study)}. A ranking counts as three judgments, one for each pair."
    )


def _chatted(study: Study, settings: AcuteSettings) -> str:
    """How parallel live chats went on; the question follows."""
    chat = study.file.chat
    least, most = chat.min_exchanges, chat.max_exchanges
    exchanges = f"{least}" if least == most else f"{least} to {most}"
    begins = {"annotator": "the annotator began", "partner": "the bots began"}.get(
        chat.first, "the annotator began half of the chats"
    )
    failure = "annotators could have it asked again or end the chat with credit"
    if settings.after_failure == "end":
        failure = "the chat ended with credit"
    return (
        "We used parallel live chats, compared as in the ACUTE-EVAL protocol (Li et al., 2019): each "
        "annotator chatted with two bots at the same time without knowing which they were. Every message "
        "went to both bots, each bot was given the history of its own chat only, and the two replies to a "
        f"message were shown at the same moment. A chat had {exchanges} "
        f"exchanges; {begins}. When a bot gave no reply, {failure}. At the end the annotator saw both chats "
        "side by side and answered"
    )


def _had_at_most(study: Study) -> str:
    most = study.file.chat.chats_per_annotator
    return f"Sides were randomised. One annotator had at most {_some(most, 'chat')} in each matchup."


def _question(settings: AcuteSettings, arm: str, *, is_alone: bool) -> str:
    question = settings.question_of(arm)
    where = "" if is_alone else f" ({'question' if settings.is_together else 'arm'} {arm})"
    tie = " and a tie" if settings.ties else ""
    if settings.is_graded:
        tie = ", each clearly or slightly"
        tie += ", and a tie (five points)" if settings.ties else " (four points)"
    other = " (the choice speaks for the other speaker)" if question.credits == "other" else ""
    first, second = question.choices
    if settings.is_ranked:
        credit = " (the last place is the best)" if question.credits == "other" else ""
        return f"“{question.text}”{where}{credit}"
    return f"“{question.text}”{where}, with the choices “{first}” and “{second}”{tie}{other}"


def _some(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _screened(study: Study, results: AcuteResults) -> str:
    caps, rules = study.caps, []
    if any(section.exclusions.onboarding for section in results.sections):
        shown = results.conduct.onboarding if results.conduct else caps.onboarding_comparisons
        asked = _some(shown, "onboarding comparison")
        rules.append(
            f"annotators first judged {asked} with a known answer, which look like any other and do not count"
        )
        if caps.block != "off":
            threshold = f"{100 * caps.onboarding_threshold:g} %"
            rules.append(f"the judgments of those with fewer than {threshold} right were excluded")
    if caps.excludes_without_reason and not study.requires_reasons:
        rules.append("judgments of annotators who never gave a reason were excluded")
    if caps.excluding_flags:
        rules.append(f"judgments flagged for {', '.join(caps.excluding_flags)} were excluded")
    if rules:
        return f"Screening: {'; '.join(rules)}."
    return "" if attention_checks(study, results) else "Annotators were not screened."


def _collected_of_all(results: AcuteResults) -> Iterator[str]:
    """What was collected, for each section; once where questions asked together share their judgments."""
    alike: defaultdict[str, list[Section]] = defaultdict(list)
    for section in results.sections:
        alike[_collected(section, "") if results.together else section.title].append(section)
    for sections in alike.values():
        titles = say_list([section.title for section in sections])
        where = f" ({'the same for ' if len(sections) > 1 else ''}{titles})" if titles else ""
        yield _collected(sections[0], where)


def _collected(section: Section, where: str) -> str:
    people = section.annotator_count
    by = "" if people is None else f" by {say_count(people, 'annotator')}"
    ties = f" ({say_count(section.ties, 'tie')} among them)" if section.ties else ""
    found = section.exclusions
    said = say_collected(
        where,
        collected=found.collected,
        onboarding=found.onboarding,
        rules=found.rules,
        counted=f"{section.n:,}{by}{ties}",
    )
    return said if section.time is None else f"{said} {section.time.sentence}"


def _tested(results: AcuteResults, *, has_ties: bool) -> str:
    fixed = _tested_at_a_fixed_number(results, has_ties=has_ties)
    return f"{_stopped(results)} {fixed}" if results.stopping == "sequential" else fixed


def _stopped(results: AcuteResults) -> str:
    return (
        "Stopping was declared to be sequential: for each matchup a mixture sequential probability ratio "
        f"test for a gap of {100 * results.gap:g} points either way, on {_bet_on(results)} in "
        f"the order in which they came, with alpha = {results.alpha:g} shared equally among the "
        "matchups of an arm (Bonferroni). The verdicts and the anytime-valid intervals rest on it and hold "
        "at any look; what follows is for a fixed number of judgments and does not."
    )


def _bet_on(results: AcuteResults) -> str:
    if any(section.graded for section in results.sections):
        return "the scores of the judgments"
    return "the judgments with a winner"


def _tested_at_a_fixed_number(results: AcuteResults, *, has_ties: bool) -> str:
    matchups = [matchup for section in results.sections for matchup in section.matchups]
    ordered = "Bots are ordered as far as verdicts separate them." if matchups else ""
    direct = _tested_directly(results, matchups, has_ties=has_ties)
    pooled = list(pooled_sentences(results))
    if any(matchup.decided_by == "pooled" for matchup in matchups):
        beside = "Beside that, and deciding nothing, each matchup was tested by its own judgments."
        said = [*pooled, results.family, ordered, beside, *direct]
    else:
        said = [*direct, results.family, ordered, *pooled]
    said += [sentence for one in results.together for sentence in one.sentences[1:]]
    said += [check.sentence for section in results.sections for check in section.drift]
    if any(section.drift for section in results.sections):
        said.append(
            "Drift was tested by the larger p-value of Fisher's exact test and of a difference of win rates "
            "clustered by annotator and dialogue (CR3), with Holm's method over the matchups asked again."
        )
    lacking = [matchup for matchup in matchups if matchup.verdict.more_for_gap]
    if lacking:
        is_pooled = lacking[0].decided_by == "pooled"
        step = (
            "comparing all pairs, clusters as so far"
            if is_pooled
            else "Holm's method, design effect included"
        )
        said.append(
            f"Judgments said to be missing are those for {100 * results.power:g} % power at the strictest "
            f"step of {step}."
        )
    unchecked = [w for section in results.sections for w in section.warnings if w.startswith("Independence")]
    return " ".join(filter(None, [*said, *unchecked[:1]]))


def _tested_directly(
    results: AcuteResults, matchups: Sequence[MatchupResult], *, has_ties: bool
) -> list[str]:
    """The test of each matchup by its own judgments."""
    if all(one.verdict.why_none and one.decided_by != "pooled" for one in matchups):
        return ["No matchup could be tested: there is no verdict on any two bots."]
    without_ties = ", ties left out" if has_ties else ""
    said = [
        f"For each matchup we tested an even split with the exact two-sided binomial test{without_ties}.",
        "Where an annotator or a dialogue occurred more than once in a matchup, the p-value is the larger of "
        "the exact one and a cluster-robust one (CR3, the jackknife over annotators and over the dialogues "
        "of each bot, combined by inclusion and exclusion; Student's t with n²/Σm² − 1 degrees of freedom).",
    ]
    if any(matchup.preference is not None for matchup in matchups):
        said = [
            "Graded answers were scored from −1 to 1 (a slight preference counts one half, a tie zero), and "
            "their mean was tested against 0 with Student's t; where an annotator or a dialogue occurred "
            "more than once in a matchup, with a cluster-robust standard error (CR3). The p-value is the "
            "larger of that one and of the exact sign-flip test, in which whole clusters are flipped. Fewer "
            f"than {FEWEST_CLUSTERS} effective clusters (n²/Σm²) were not tested."
        ]
    if any(matchup.decided_by == "without order" for matchup in matchups):
        said.append(
            "Where sides were not balanced within a matchup, p-value and interval allow for the effect of "
            "the side (Mantel and Haenszel's, from the matchups in which both orders occur, and its "
            "uncertainty after Berger and Boos)."
        )
    family = max((matchup.family for matchup in matchups), default=0)
    over = "each family of matchups" if any(one.addendum for one in matchups) else _some(family, "matchup")
    said.append(f"P-values were adjusted by Holm's method over {over} at alpha = {results.alpha:g}.")
    inverted = "Clopper–Pearson and clustered"
    if any(matchup.preference is not None for matchup in matchups):
        inverted = "Student's t and sign flips"
    said.append(
        f"Intervals are the union of those that invert these tests ({inverted}), at the "
        "level at which Holm's method decided; the unadjusted "
        f"{100 * results.level:g} % intervals are given beside them."
    )
    return said
