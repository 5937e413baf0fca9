"""Recall as tables: for reading, as CSV, and in the form of the paper's Table 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duologue.dialogues import Json
from duologue.nuc.analysis.recall import HumanRecall, ModelRecall, RecallResults
from duologue.protocols import say_count, say_percent
from duologue.reports import escape_latex, latex_table
from duologue.stats import Interval


def recall_rows(results: RecallResults) -> Iterator[Mapping[str, Json]]:
    """Every recall, of people and of models."""
    for one in results.people:
        yield {
            "who": one.cohort or "people",
            "is_model": False,
            "corpus": one.corpus,
            "k": one.k,
            "annotators": one.annotators,
            "n": one.n,
            "recall": one.recall,
            "chance": one.chance,
            **_limits("clustered", one.interval),
            **_limits("wilson", one.wilson),
            **_limits("normal", one.normal),
            "normal_is_poor": not one.normal.is_reliable,
        }
    for model in results.models:
        yield {
            "who": model.model,
            "is_model": True,
            "corpus": model.corpus,
            "k": model.k,
            "annotators": "",
            "n": model.n,
            "recall": model.recall,
            "chance": model.chance,
            **{f"{name}_{end}": "" for name in ("clustered", "wilson", "normal") for end in ("low", "high")},
            "normal_is_poor": "",
        }


def _limits(name: str, interval: Interval | None) -> Mapping[str, Json]:
    low, high = ("", "") if interval is None else interval.limits
    return {f"{name}_low": low, f"{name}_high": high}


def item_rows(results: RecallResults) -> Iterator[Mapping[str, Json]]:
    """Every item, the hardest first."""
    for one in sorted(results.items, key=lambda one: (one.right / one.n, one.corpus, one.item)):
        yield {
            "item": one.item,
            "corpus": one.corpus,
            "n": one.n,
            "right": one.right,
            "false_reply": "" if one.false < 0 else one.false,
            "chose_it": one.false_chosen,
            "acceptable_distractor": one.has_acceptable_distractor,
        }


def pair_rows(results: RecallResults) -> Iterator[Mapping[str, Json]]:
    """Every two cohorts of a corpus."""
    for one in results.pairs:
        yield {
            "first": one.first,
            "second": one.second,
            "corpus": one.corpus,
            "n_first": one.n[0],
            "n_second": one.n[1],
            "recall_first": one.recall[0],
            "recall_second": one.recall[1],
            **_limits("difference", one.interval),
            "level": one.interval.level,
            **_limits("unadjusted", one.unadjusted),
            "p": one.p_value,
            "p_holm": one.p_adjusted,
            "better": one.better,
            "verdict": one.sentence,
        }


def against_rows(results: RecallResults) -> Iterator[Mapping[str, Json]]:
    """People and models on the same items."""
    for one in results.against:
        yield {
            "cohort": one.cohort or "people",
            "model": one.model,
            "corpus": one.corpus,
            "n": one.n,
            "people": one.people,
            "model_recall": one.machine,
            **_limits("difference", one.interval),
            "level": one.interval.level,
            **_limits("unadjusted", one.unadjusted),
            "p": one.p_value,
            "p_holm": one.p_adjusted,
            "better": one.better,
            "verdict": one.sentence,
        }


def in_words(results: RecallResults) -> Iterator[str]:
    """The results, line by line."""
    for one in results.people:
        limits = "no interval" if one.interval is None else _percent(one.interval)
        star = "" if one.normal.is_reliable else "*"
        yield (
            f"{one.cohort or 'people'}, {one.corpus}, R@{one.k}: {say_percent(one.recall)} ({limits}); "
            f"Wilson {_percent(one.wilson)}, normal ± {100 * _half(one.normal):.1f}{star}; {one.n} "
            f"answers of {say_count(one.annotators, 'annotator')}, chance {100 * one.chance:.0f} %"
        )
    for model in results.models:
        yield (
            f"{model.model}, {model.corpus}, R@{model.k}: {say_percent(model.recall)}; "
            f"{say_count(model.n, 'item')}, chance {100 * model.chance:.0f} %"
        )
    yield from (pair.sentence for pair in results.pairs)
    yield from (pair.sentence for pair in results.against)
    for time in results.times:
        yield (
            f"{time.cohort or 'people'}: {time.seconds_in_words} seconds an item (median), "
            f"{time.minutes:.1f} minutes an annotator"
        )
    if results.alpha is not None:
        yield f"Agreement of annotators on the best reply: Krippendorff's alpha {results.alpha:.2f}"
    for item in results.items:
        if item.has_acceptable_distractor:
            chose = f"{item.false_chosen} of {item.n} chose the same false reply"
            yield f"{item.item}: {chose} (candidate {item.false + 1} of the item); it may fit as well"
    if any(not one.normal.is_reliable for one in results.people):
        yield "* fewer than five right or wrong answers: the normal approximation is poor (Brown et al. 2001)"


def _percent(interval: Interval) -> str:
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"


def _half(interval: Interval) -> float:
    return (interval.high - interval.low) / 2


def table_2(results: RecallResults) -> str:
    """Table 2 of Lowe et al. (2016): a row for each cohort and model, R@1 and R@2 of each corpus."""
    corpora = sorted({one.corpus for one in results.people} | {one.corpus for one in results.models})
    cells: dict[tuple[str, str, int], str] = {}
    rows: dict[str, str] = {}
    for one in results.people:
        rows[one.cohort or "people"] = str(max(one.annotators, int(rows.get(one.cohort or "people", 0))))
        cells[one.cohort or "people", one.corpus, one.k] = _human_cell(one)
    for model in results.models:
        rows[model.model] = "machine"
        cells[model.model, model.corpus, model.k] = _model_cell(model)
    heads = " & ".join(rf"\multicolumn{{2}}{{c}}{{{escape_latex(corpus)}}}" for corpus in corpora)
    lines = [
        rf" & Users & {heads} \\",
        " & & " + " & ".join(["R@1 & R@2"] * len(corpora)) + r" \\",
        r"\midrule",
    ]
    for who, users in rows.items():
        shown = [cells.get((who, corpus, k), "--") for corpus in corpora for k in (1, 2)]
        lines.append(" & ".join([escape_latex(who), users, *shown]) + r" \\")
    caption = (
        "Recall on each corpus with half-widths of 95\\,\\% intervals by the normal approximation, which "
        "assumes independent answers; starred where it is poor."
    )
    return latex_table("lr" + "rr" * len(corpora), lines, caption=caption, label="tab:recall")


def _human_cell(one: HumanRecall) -> str:
    star = "" if one.normal.is_reliable else "*"
    return rf"{100 * one.recall:.1f} $\pm$ {100 * _half(one.normal):.1f}\,\%{star}"


def _model_cell(one: ModelRecall) -> str:
    return rf"{100 * one.recall:.1f}\,\%"
