"""``duologue metrics run`` and ``toy-f1``: what a bot predicts, against what people said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson, Overwrite, check_free

if TYPE_CHECKING:
    from duologue.metrics import (
        MetricMeasurements,
        MetricResult,
        MetricsResults,
        Predictions,
    )

TestOption = Annotated[
    Path | None,
    typer.Option("--test", help="The test set: dialogues in any known format (ConvAI2), or JSON lines."),
]
TrainOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--train", help="Training dialogues: the toy reply is made of their words. May be repeated."
    ),
]
Draws = Annotated[int, typer.Option("--draws", min=100, help="Bootstrap samples of dialogues.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where randomness comes from.")]


def run(
    source: Annotated[
        Path,
        typer.Argument(metavar="PREDICTIONS|STUDY", help="A file of predictions, or a study with --bot."),
    ],
    test: TestOption = None,
    revised: Annotated[
        Path | None,
        typer.Option(
            "--revised", help="Revised personas: predictions, or with --bot the test set that has them."
        ),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="The bot's name in the results.")] = None,
    bot: Annotated[str | None, typer.Option("--bot", help="Ask this bot of the study's [[bots]].")] = None,
    ask: Annotated[
        list[str] | None,
        typer.Option(
            "--ask", help="With --bot: reply, score or words; may be repeated; all it can by default."
        ),
    ] = None,
    distractors: Annotated[
        int, typer.Option("--distractors", min=1, help="With --bot: random replies beside the right one.")
    ] = 19,
    parrot: Annotated[
        bool, typer.Option("--parrot", help="With --bot: add the partner's last turn to the candidates.")
    ] = False,
    k: Annotated[list[int] | None, typer.Option("-k", min=1, help="Of hits@k; may be repeated.")] = None,
    train: TrainOption = None,
    level: Annotated[float, typer.Option("--level", min=0.5, max=0.999, help="Confidence.")] = 0.95,
    draws: Draws = 1000,
    seed: Seed = 0,
    per_example: Annotated[
        Path | None,
        typer.Option("--per-example", help="Write the scores of every example here (JSON lines)."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the results here (JSON).")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Measure what a bot predicts: F1, hits@k, perplexity, BLEU and others, with intervals by dialogue.

    Interrupted and run again, a bot is asked only what is missing. The exit code is 1 when it failed on some
    examples.
    """
    from duologue.metrics import read_predictions

    check_free(per_example, out, overwrite=overwrite)
    if bot is not None:
        asking = PredictionRequest(
            source.absolute(), bot, name, tuple(ask or ()), distractors, parrot, _absolute(train), seed
        )
        with chdir(Path.cwd()):  # a bot's own code may take the process to another folder
            given = asking.predictions(test)
            other = asking.predictions(revised.absolute()) if revised is not None else None
    elif source.is_dir():
        raise typer.BadParameter(f"{source} is a folder: name a bot of the study", param_hint="--bot")
    else:
        given = read_predictions(source, test_set=test, bot=name)
        other = read_predictions(revised, bot=name) if revised is not None else None
    measured = _measured(given, other, k or (), train or (), level, draws, seed)
    _keep(given, measured, per_example, out)
    typer.echo(measured.results.to_json().strip() if as_json else describe_metrics(measured.results))
    if bot is not None and given.failed + (other.failed if other else 0):
        again = " with --overwrite" if per_example or out else ""
        typer.echo(f"Run the same command{again} to ask for the missing ones again.", err=True)
        raise typer.Exit(1)


def _absolute(paths: Sequence[Path] | None) -> tuple[Path, ...]:
    return tuple(path.absolute() for path in paths or ())


@dataclass(frozen=True, slots=True)
class PredictionRequest:
    """How a bot of a study is asked for predictions."""

    study: Path
    bot: str
    name: str | None
    """What it is called in the results, if not by its name in the study."""
    ask: tuple[str, ...]
    distractors: int
    parrot: bool
    train: tuple[Path, ...]
    seed: int

    def predictions(self, test: Path | None) -> Predictions:
        """What it answers on a test set."""
        from duologue.bots import Questions, answering_bots, collect_predictions, open_bot
        from duologue.cli.self_chat import INTERRUPTED, progress_bar
        from duologue.metrics import WordDictionary, read_test_set, with_distractors
        from duologue.studies import load_study

        if test is None:
            raise typer.BadParameter("a bot is asked about a test set", param_hint="--test")
        if unknown := sorted(set(self.ask) - {"reply", "score", "words"}):
            raise typer.BadParameter(f"{unknown[0]!r} is none of reply, score, words", param_hint="--ask")
        study = load_study(self.study)
        (settings,) = answering_bots(study.file.bots, [self.bot])
        examples = read_test_set(test)
        asked = open_bot(settings, folder=study.folder)
        abilities = self.ask or asked.abilities
        if "score" in abilities:
            examples = with_distractors(examples, number=self.distractors, seed=self.seed)
        dictionary = None
        if "words" in abilities:
            said = (text for one in examples for text in (*one.context, *one.references))
            dictionary = WordDictionary.of(chain(said, _replies(self.train)))
        questions = Questions(abilities, self.parrot, self.seed, dictionary)  # type: ignore[arg-type]  # checked above
        try:
            with progress_bar("Predictions") as on_progress:
                found = collect_predictions(
                    study.folder, asked, examples, questions, test_set=test.name, on_progress=on_progress
                )
        except KeyboardInterrupt:
            typer.echo("Interrupted. What is finished is kept; run the same command to go on.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        return replace(found, bot=self.name or found.bot)


def toy_f1(
    train: Annotated[list[Path], typer.Argument(metavar="TRAIN…", help="Training dialogues.")],
    test: TestOption = None,
    as_json: AsJson = False,
) -> None:
    """Make the constant reply of frequent words that has the highest F1, and try it on a test set."""
    from duologue.metrics import read_test_set, toy_reply

    made = toy_reply(_replies(train))
    facts: dict[str, object] = {"reply": made.reply, "training_f1": made.training_f1, "replies": made.replies}
    if test is not None:
        from duologue.metrics import f1

        examples = read_test_set(test)
        facts["test_f1"] = sum(f1(made.reply, one.references) for one in examples) / len(examples)
        facts["test_examples"] = len(examples)
    if as_json:
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    typer.echo(made.reply)
    typer.echo(f"  F1 {made.training_f1:.4f} on the {made.replies:,} replies it was made from")
    if test is not None:
        typer.echo(f"  F1 {facts['test_f1']:.4f} on the {facts['test_examples']:,} examples of {test.name}")


def _replies(files: Sequence[Path]) -> list[str]:
    from duologue.metrics import read_test_set

    return [text for path in files for one in read_test_set(path) for text in one.references]


def _measured(
    given: Predictions,
    revised: Predictions | None,
    cutoffs: Sequence[int],
    train: Sequence[Path],
    level: float,
    draws: int,
    seed: int,
) -> MetricMeasurements:
    from duologue.metrics import CUTOFFS, PUBLISHED_REPLY, run_metrics, toy_reply

    toy, source = PUBLISHED_REPLY, "published (ConvAI2)"
    if train:
        toy = toy_reply(_replies(train)).reply
        source = "frequent words of " + ", ".join(path.name for path in train)
    return run_metrics(
        given,
        revised=revised,
        cutoffs=sorted(set(cutoffs)) or CUTOFFS,
        toy=toy,
        toy_source=source,
        level=level,
        draws=draws,
        seed=seed,
    )


def _keep(
    given: Predictions, measured: MetricMeasurements, per_example: Path | None, out: Path | None
) -> None:
    from duologue.files import replacing

    if per_example is not None:
        with replacing(per_example) as file:
            for line in _example_lines(given, measured):
                file.write(f"{line}\n".encode())
    if out is not None:
        with replacing(out) as file:
            file.write(measured.results.to_json().encode())


def _example_lines(given: Predictions, measured: MetricMeasurements) -> list[str]:
    """The scores of each example; its texts stay in the files they came from."""
    columns = {name: values.tolist() for name, values in measured.per_example.items()}
    lines = []
    for place, (example, answer) in enumerate(given.pairs):
        scores = {name: values[place] for name, values in columns.items() if values[place] == values[place]}
        facts = {"bot": given.bot, "id": example.id, "dialogue": example.dialogue} | scores
        lines.append(json.dumps(facts | ({"failure": answer.failure} if answer.failure else {})))
    return lines


def describe_metrics(results: MetricsResults) -> str:
    """The results for a person."""
    about = results.test_set
    lines = [
        f"{results.bot} on {about.name}: {about.examples:,} examples of {about.dialogues:,} dialogues "
        f"(test set {about.sha256[:12]})",
        "",
        *(_line(one) for one in results.metrics),
    ]
    if results.toy is not None:
        toy = results.toy
        lines += ["", f"Toy baseline: always {toy.reply!r} ({toy.source}) has F1 {toy.value:.4f};"]
        lines += [f"  the bot's lead is {_signed(toy.lead.value, toy.lead.low, toy.lead.high)}"]
    for one in results.attacks:
        change = _signed(one.change.value, one.change.low, one.change.high)
        lines += [
            "",
            f"Attack {one.attack}: {one.metric} {one.before:.4f} -> {one.after:.4f}, change {change}",
        ]
    return "\n".join([*lines, *(f"\nwarning: {text}" for text in results.warnings)])


def _line(one: MetricResult) -> str:
    spread = "" if one.low is None or one.high is None else f"[{one.low:.4f}, {one.high:.4f}]"
    gain = (
        "" if one.gain is None else f"; {_signed(one.gain.value, one.gain.low, one.gain.high)} over the first"
    )
    signature = f"; {one.details['signature']}" if "signature" in one.details else ""
    return f"{one.metric:<18} {one.value:>9.4f}  {spread:<21} n = {one.n:,}  {one.label}{gain}{signature}"


def _signed(value: float, low: float, high: float) -> str:
    return f"{value:+.4f} [{low:+.4f}, {high:+.4f}]"
