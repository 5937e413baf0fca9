"""The study.toml of a new study of phrasings: it works as it is, and says what can be changed."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.acute.questions import AXES, PUBLISHED
from duologue.acute.template import TEMPLATE
from duologue.errors import DesignError
from duologue.expected import did_you_mean

ANNOTATORS = 20
"""For each phrasing, about as many as in the paper."""

_SETTINGS = """\
[acute]
compare = "phrasings"         # phrasings of questions, by how far annotators agree (docs/questions.md)
reason = "encouraged"         # or "required", or "off"
annotations_per_pairing = {annotators}  # annotators for each phrasing and pair

# One table for each phrasing: a published question by its id, or wording of your own.
{arms}# [[acute.questions]]
# name = "colleague"
# axis = "engagingness"       # what it is a phrasing of
# question = "Who would you rather have as a colleague?"
# s1_choice = "I would rather work with <Speaker 1>"
# credits = "chosen"          # "other" for a question such as "Who is more boring?"

[arms]
per_annotator = "one-per-factor"    # one phrasing of each axis; "one": one phrasing in all

[acute.pairings]
per_matchup = 1               # pairs; better: pick them yourself with `duologue phrasings pair`
# leave_out = ["weak-bot"]    # bots that are not compared
# onboarding = ["human", "weak-bot"]    # comparisons with a known answer: the first is the better one
file = "pairings.jsonl"

"""

_CHANGES = (
    (
        "enabled = true                # asked first when there are onboarding pairings, and looking",
        "enabled = false               # true: asked first when there are onboarding pairings, and looking",
    ),
    (
        "# per annotator; the default is the number of matchups, as in the paper",
        "# pairs of an annotator on each axis; the default is one of each two bots",
    ),
    (
        'rule = "fixed"                # "sequential": results may be looked at while they come in',
        'rule = "fixed"',
    ),
    (
        "gap = 0.2                     # worth finding: 60 % of the wins against 40 %",
        "gap = 0.3                     # worth finding: 90 % agreement against 60 %",
    ),
)


def phrasings_template(axes: Sequence[str], *, annotators: int = ANNOTATORS) -> str:
    """A study file that compares the published phrasings of some axes.

    Args:
        axes: The axes, by their names.
        annotators: For each phrasing and pair.

    Raises:
        DesignError: There are no published phrasings of an axis, or one is named twice.
    """
    for axis in axes:
        if axis not in AXES:
            known = ", ".join(AXES)
            raise DesignError(
                f"--axis {axis}: there are published phrasings of {known}; add your own to the file."
                + did_you_mean(axis, AXES)
            )
        if list(axes).count(axis) > 1:
            raise DesignError(f"--axis {axis} is given twice.")
    arms = "".join(
        f'[[acute.questions]]\nname = "{question.id}"\nquestion = "{question.id}"{_shown(question.text)}\n\n'
        for axis in axes
        for question in PUBLISHED.values()
        if question.axis == axis
    )
    head, people = TEMPLATE[: TEMPLATE.index("[acute]\n")], TEMPLATE[TEMPLATE.index("[onboarding]\n") :]
    for old, new in _CHANGES:
        people = people.replace(old, new)
    return head + _SETTINGS.format(annotators=annotators, arms=arms) + people


def _shown(text: str) -> str:
    """A question as the comment of a line."""
    return f"    # {text}"


PHRASINGS_TEMPLATE = phrasings_template(("engagingness",))
"""The three published phrasings of engagingness."""
