"""Looking a study of comparisons over before anybody is paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from duologue.acute.design.numbers import MatchupMaterial, is_planned_pooled, weak_matchups
from duologue.acute.design.table import acute_settings
from duologue.acute.pairing import DialogueHead
from duologue.acute.parallel import parallel_matchups
from duologue.acute.ranking.checking import RankingCheck, compared_in, is_legal_gold, legal_gold
from duologue.dialogues import index_dialogues
from duologue.protocols import addendum_asking, chat_plan, read_items
from duologue.studies import Study, groups_added, material_of, odd_dialogues


def check_acute(study: Study) -> tuple[list[str], list[str]]:
    """What is wrong, and what is only odd, about the dialogues and pairings of a study.

    Raises:
        DuologueError: A file of dialogues or pairings is damaged.
    """
    problems: list[str] = []
    warnings: list[str] = []
    heads = {head.id: head for head in index_dialogues(study.folder)}
    is_parallel = acute_settings(study).is_parallel
    warnings += _odd_chats(study) if is_parallel else _missing_dialogues(study, heads)
    warnings += odd_dialogues(study)
    path = study.items_path
    if not path.exists():
        problems.append(f"there are no pairings yet; make them with `duologue pairings make {study.quoted}`.")
        return problems, warnings
    onboarding = compared = 0
    strangers: list[str] = []
    rankings = RankingCheck()
    used: Counter[tuple[str, str]] = Counter()
    pairs: dict[str, list[tuple[str, ...]]] = {}
    bots: dict[str, frozenset[str]] = {}
    for item in read_items(path):
        onboarding += item.is_onboarding
        compared += item.is_judged
        if item.gold is not None and not is_legal_gold(item) and len(problems) < 20:
            problems.append(f"{path.name}: pairing {item.id}: {legal_gold(item)}, and not {item.gold!r}.")
        rankings.note(item)
        if item.is_judged and not addendum_asking(item.group):
            used.update((item.group, dialogue) for dialogue in item.dialogues)
            for group, two, shown in compared_in(item):
                pairs.setdefault(group, []).append(shown)
                bots[group] = two
            if (chat_plan(item) is not None) != is_parallel:
                strangers.append(item.id)
        for dialogue in item.dialogues:
            if dialogue not in heads and len(problems) < 20:
                problems.append(
                    f"{path.name}: pairing {item.id} needs dialogue {dialogue!r}, which is not there."
                )
    if not compared:
        problems.append(f"{path.name}: there is no pairing to judge.")
    problems += _strangers(study, strangers)
    problems += rankings.problems(study)
    problems += _correlated_stopping(study, used)
    warnings += _unplanned_pooled(study, bots)
    warnings += _weak_plan(study, pairs, bots)
    warnings += _more_than_matchups(study, len(pairs))
    warnings += _asked_apart(study)
    warnings += rankings.warnings(study, len(pairs))
    wanted = study.caps.onboarding_comparisons
    if wanted and onboarding < wanted:
        warnings.append(
            f"onboarding asks for {wanted} comparison{'s' * (wanted > 1)} and there "
            f"{'is' if onboarding == 1 else 'are'} {onboarding or 'none'}: annotators "
            f"will {'hardly' if onboarding else 'not'} be screened. Set onboarding in [acute.pairings], "
            "import onboarding pairings, or set enabled = false in [onboarding]."
        )
    return problems, warnings


def _missing_dialogues(study: Study, heads: Mapping[str, DialogueHead]) -> Iterator[str]:
    bots = {head.bot for head in heads.values()}
    missing = (bot.name for bot in study.file.bots if bot.name not in bots)
    yield from (f"bot {name!r} of [[bots]] has no dialogues yet." for name in missing)
    if not heads:
        advice = f"`duologue dialogues import {study.quoted} FILE --bot NAME`"
        yield f"there are no dialogues yet; bring some in with {advice}."


def _odd_chats(study: Study) -> Iterator[str]:
    """What is odd about the parallel chats of a study.

    Raises:
        DesignError: There are no two bots to chat with.
    """
    material = material_of(study)
    parallel_matchups(material.bots, acute_settings(study).pairings)
    if study.file.annotators.repeat:
        yield (
            "[annotators] repeat: a live chat cannot be held twice, so nothing is asked a second time. Leave "
            "it out."
        )


def _strangers(study: Study, items: Sequence[str]) -> Iterator[str]:
    """Pairings of finished dialogues in a study of parallel chats, or the other way round."""
    if not items:
        return
    here, there = "parallel chats", "pairings of finished dialogues"
    if not acute_settings(study).is_parallel:
        here, there = there, here
    yield (
        f"{study.items_path.name}: the study asks for {here} (collect in [acute]), and {len(items):,} of its "
        f"items are {there}, such as {items[0]}. Make them anew with `duologue pairings make "
        f"{study.quoted} --replace`."
    )


def _more_than_matchups(study: Study, matchups: int) -> Iterator[str]:
    """A share of A/A pairings where the default cap counts their matchups as well."""
    share = acute_settings(study).pairings.same_bot_share
    if share and study.file.annotators.max_judgments is None and matchups:
        yield (
            "[acute.pairings] same_bot_share: an annotator judges as many pairings as there are matchups, "
            "A/A ones included, so that some will judge two bots twice. Set max_judgments in [annotators]; "
            f"there are {matchups} matchups without A/A."
        )


def _asked_apart(study: Study) -> Iterator[str]:
    """Questions that are asked together in a study that spreads arms over annotators."""
    settings = acute_settings(study)
    if settings.is_together and study.file.arms.per_annotator != "one":
        yield (
            f'[arms] per_annotator = "{study.file.arms.per_annotator}": questions that are asked together '
            "are one arm, and everybody answers all of them. Leave it out."
        )


def _unplanned_pooled(study: Study, bots: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Pooled verdicts on bots that do not all meet: no number is known for them."""
    if acute_settings(study).verdicts != "pooled" or not bots:
        return
    there = frozenset().union(*bots.values())
    if len(there) > 2 and not is_planned_pooled(len(there), len(bots)):
        pairs = len(there) * (len(there) - 1) // 2
        yield (
            f"[acute] verdicts: pooled verdicts compare all {pairs} pairs of the {len(there)} bots, and "
            f"{len(bots)} of them are judged. Their numbers are those of direct "
            'verdicts, with which pooled ones may have less power than stated. Set verdicts = "direct", or '
            "let every bot meet every other."
        )


def _weak_plan(
    study: Study, pairs: Mapping[str, Sequence[tuple[str, ...]]], bots: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    """Matchups of two bots whose planned number has less power than the study states."""
    added = groups_added(study.folder)
    for number in sorted({added.get(group, 0) for group in pairs}):
        own = {group: shown for group, shown in pairs.items() if added.get(group, 0) == number}
        material = {
            group: MatchupMaterial(len({pair[0] for pair in shown}), len({pair[-1] for pair in shown}))
            for group, shown in own.items()
        }
        theirs = frozenset().union(*(bots[group] for group in own if not number))  # added ones are direct
        counts = {group: len(shown) for group, shown in own.items()}
        weak = weak_matchups(study, counts, material, bots=len(theirs))
        yield from (f"addendum {number}: {said}" if number else said for said in weak)


def _correlated_stopping(study: Study, used: Mapping[tuple[str, str], int]) -> Iterator[str]:
    """Sequential stopping where dialogues repeat within a matchup: its error rate would not hold."""
    if study.file.stopping.rule != "sequential":
        return
    if acute_settings(study).verdicts == "pooled":
        yield (
            '[acute] verdicts: pooled verdicts need a fixed number of judgments. Set rule = "fixed" in '
            '[stopping], or verdicts = "direct".'
        )
    if acute_settings(study).is_together and acute_settings(study).primary is None:
        yield (
            "[acute] primary: matchups stop one by one when the sequential test decides, and with several "
            "questions it must be known by which. Name one of [[acute.questions]] as primary, or set rule = "
            '"fixed" in [stopping].'
        )
    each = study.caps.judgments_per_item
    repeated = sorted(key for key, times in used.items() if times * each > 1)
    if repeated:
        group, dialogue = repeated[0]
        how = "" if each == 1 else f" (each pairing is judged {each} times)"
        yield (
            "[stopping] rule: sequential stopping needs dialogues that occur once in a matchup, and "
            f"{len(repeated):,} occur more often{how}, such as {dialogue!r} in {group}. Make fewer pairings "
            'or more dialogues, or set rule = "fixed".'
        )
