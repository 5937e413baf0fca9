"""Options that installed protocols add to a command: shown in its help, kept where it finds them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from duologue.protocols import ProtocolOptions

GIVEN = "duologue.given"
"""Where a command keeps what was given to the options of protocols."""

NEEDED = "duologue.needs-protocols"
"""Whether the options of protocols are needed to read what was typed."""


@dataclass(frozen=True, slots=True)
class ProtocolOption:
    """One option: its name with dashes, its help, and the type that Typer reads it as."""

    name: str
    help: str
    type: Any
    metavar: str | None = None


class ProtocolOptionsCommand(TyperCommand, ABC):
    """A command with options of its own and those of the protocols, which come after the first few."""

    own_first: int = 3

    @abstractmethod
    def protocol_options(self) -> Iterable[ProtocolOption]:
        """The options of the protocols."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; the protocols are loaded only where one is an option that is not our own."""
        mine = super().get_params(ctx)
        own = {flag for param in mine for flag in (*param.opts, *param.secondary_opts)} - {"--help"}
        given = {arg.partition("=")[0] for arg in args if arg.startswith("--")}
        ctx.meta[NEEDED] = not given <= own
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:  # Typer has no public name for their classes
        """The options of the command, those of the protocols among them."""
        own = super().get_params(ctx)
        if not ctx.meta.get(NEEDED, True):
            return own
        return [*own[: self.own_first], *_parameters(self.protocol_options()), *own[self.own_first :]]


class AnalysisCommand(ProtocolOptionsCommand):
    """``analyse`` or ``report`` with what only some protocols can be asked for."""

    own_first = -1

    def protocol_options(self) -> Iterable[ProtocolOption]:
        """A field of the protocols' options is an option each; what several have is taken once."""
        from duologue.protocols import analysis_options

        found = {}
        for kind in analysis_options():
            found.update({one.name: one for one in options_of(kind)})
        return found.values()


class PlanCommand(ProtocolOptionsCommand):
    """``study plan`` with the protocols that can be planned, and what only plans of some can be asked for."""

    own_first = -1

    def protocol_options(self) -> Iterable[ProtocolOption]:
        """Which protocol; then each field of their options, with the protocols that have it."""
        from duologue.protocols import DEFAULT_PROTOCOL
        from duologue.studies import plan_options, planner_names

        names = planner_names()
        about = f"How judgments are asked for; {DEFAULT_PROTOCOL} by default, or that of the study."
        yield ProtocolOption("protocol", about, str, f"<{'|'.join(names)}>")
        yield from merged({name: options_of(plan_options(name)) for name in names})


def merged(by_protocol: Mapping[str, Iterable[ProtocolOption]]) -> Iterable[ProtocolOption]:
    """The options of several protocols, each once, with the protocols that have it and what it means there.

    What is not of the same type for all of them is read as text, and checked by the protocol's model.
    """
    owners: dict[str, dict[str, ProtocolOption]] = {}
    for protocol, options in by_protocol.items():
        for option in options:
            owners.setdefault(option.name, {})[protocol] = option
    for name, had in owners.items():
        said: dict[str, list[str]] = {}
        for protocol, option in had.items():
            said.setdefault(option.help, []).append(protocol)
        text = " ".join(f"Of {' and '.join(names)}: {about}" for about, names in said.items())
        kinds = {(str(one.type), one.metavar): one for one in had.values()}
        first = next(iter(kinds.values()))
        is_same = len(kinds) == 1
        yield ProtocolOption(name, text, first.type if is_same else str, first.metavar if is_same else None)


def options_of(kind: type[ProtocolOptions]) -> Iterable[ProtocolOption]:
    """The options that the fields of a model are."""
    for name, field in kind.option_fields().items():
        read_as, metavar = _read_as(field.annotation)
        yield ProtocolOption(name.replace("_", "-"), field.description or "", read_as, metavar)


def _read_as(annotation: Any) -> tuple[Any, str | None]:
    """The type of an option for a field: Typer checks simple ones, the model all others."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return _read_as(next(one for one in inner if one is not type(None)))
    if origin is Literal:
        return str, f"<{'|'.join(inner)}>"
    if origin in (tuple, list):
        return list[str], None
    if annotation in (bool, int, float, str, Path):
        return annotation, None
    return str, None


def given_options(context: typer.Context) -> Mapping[str, Any]:
    """What was given to the options of protocols, by their names with underscores."""
    found: Mapping[str, Any] = context.meta.get(GIVEN, {})
    return found


def _keep(context: typer.Context, option: typer.CallbackParam, value: Any) -> None:
    if value is not None and value is not False and value != []:
        context.meta.setdefault(GIVEN, {})[str(option.name)] = value


def _parameters(options: Iterable[ProtocolOption]) -> Sequence[Any]:
    """The options as Typer makes them of the parameters of a function."""

    def taking() -> None:
        """Take the options."""

    parameters = [_parameter(option) for option in options]
    taking.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what `inspect` looks for
    taking.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    app = typer.Typer(add_completion=False)
    app.command()(taking)
    return tuple(param for param in typer.main.get_command(app).params if param.name != "help")


def _parameter(option: ProtocolOption) -> Parameter:
    is_flag = option.type is bool
    about = typer.Option(
        f"--{option.name}",
        help=option.help,
        callback=_keep,
        expose_value=False,
        show_default=False,
        metavar=option.metavar,
    )
    return Parameter(
        option.name.replace("-", "_"),
        Parameter.KEYWORD_ONLY,
        default=False if is_flag else None,
        annotation=Annotated[bool if is_flag else option.type | None, about],
    )
