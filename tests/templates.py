"""Templates compiled once for all tests: every application and every report has an environment of its own."""

from functools import partialmethod

from jinja2 import Environment, FileSystemBytecodeCache


def keep_compiled(folder: str) -> None:
    """Let every environment of this process look into a folder for its compiled templates.

    The folder must not outlive the run: what is kept there is checked against the template only, and not
    against the environment that compiled it.
    """
    kept = FileSystemBytecodeCache(folder)
    kept_by_default = partialmethod(Environment.__init__, bytecode_cache=kept)
    setattr(Environment, "__init__", kept_by_default)  # noqa: B010  mypy refuses to have a method assigned
