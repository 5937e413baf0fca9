"""Forms about annotators and cohorts of them, as a study file has them: one text for all tests."""

FORMS = """
[[forms]]
name = "you"
when = "before"
title = "About you"

[[forms.questions]]
name = "work"
kind = "one"
label = "Have you worked with dialogue systems?"
choices = ["Never", "For years"]
required = true

[[forms.questions]]
name = "langs"
kind = "several"
label = "Languages"
choices = ["en", "de", "fa"]

[[forms]]
name = "end"
when = "after"
title = "Afterwards"

[[forms.questions]]
name = "notes"
kind = "text"
label = "Notes"
"""

BY_ANSWER = {"expert": 'answers = ["For years"]\n', "novice": 'answers = ["Never"]\n'}
"""What puts annotators into a cohort by what they say of their work, with ``cohort_from = "you.work"``."""


def forms_and_cohorts(*, expert: str = "", novice: str = "") -> str:
    """Forms before and after the items, and experts and novices with these lines in their tables."""
    return f'{FORMS}\n[[cohorts]]\nname = "expert"\n{expert}\n[[cohorts]]\nname = "novice"\n{novice}'
