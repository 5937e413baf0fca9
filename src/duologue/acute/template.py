"""The study.toml of a new study of acute: it works as it is, and says what can be changed."""

from __future__ import annotations

_QUESTION = """\
question = "engagingness"     # or "interestingness", "humanness", "knowledgeable", or a question's id;
                              # `duologue study questions` lists all thirteen published ones
# Wording of your own: <Speaker 1> and <Speaker 2> are shown in their colours.
# question = "Who would you rather have as a colleague?"
# s1_choice = "I would rather work with <Speaker 1>"
# s2_choice = "I would rather work with <Speaker 2>"
# credits = "chosen"          # "other" for a question such as "Who is more boring?"
reason = "encouraged"         # or "required", or "off"
answer = "choice"             # "graded": on four points; "ranking": three at a time (docs/acute.md)
ties = false                  # true offers one more answer, "no difference"
annotations_per_pairing = 1
# verdicts = "pooled"         # strengths from all matchups together decide (docs/leaderboard.md)

# Several questions over the same logs: asked together, or each an arm with annotators of its own.
# ask = "together"            # all about the same dialogues, one after the other (docs/acute.md)
# primary = "engaging"        # its verdicts count most; without it all questions share the error rate
# [[acute.questions]]
# name = "engaging"
# question = "engagingness"
# [[acute.questions]]
# name = "human"
# question = "humanness"

"""

_ANNOTATIONS = "annotations_per_pairing = 1\n"
"""A parallel chat is judged by the one who had it."""

_ONBOARDING = (
    "true                # asked first when there are onboarding pairings, and looking like any other",
    "false               # true: pairings of finished dialogues with a known answer come first",
)
"""Parallel chats have no known answer, so that there is nothing to ask first unless it is made."""

_PEOPLE = """\
[onboarding]
enabled = true                # asked first when there are onboarding pairings, and looking like any other
comparisons = 1
threshold = 1.0               # share that must be right
block_on_fail = true
block = "soft"                # they finish, but their answers are excluded; "at-once" sends them away
block_qualification = ""      # kept for crowd platforms: the name of the qualification there

[annotators]
# max_judgments = 3           # per annotator; the default is the number of matchups, as in the paper
lease_minutes = 30
open_link = false             # true: one link that anybody may use
exclude_without_reason = true # annotators who finish without any reason are excluded
# repeat = 0.05               # so much of what an annotator judged comes again, the sides swapped
# judged_twice = 0.1          # so many pairings get a second annotator too: how often two of them agree

[consent]                     # said on the consent page; what is empty is left out
institution = ""
contact = ""
duration = ""                 # for instance "about 10 minutes"
pay = ""                      # for instance "2.00 USD"

"""

_REST = """\
[stopping]
rule = "fixed"                # "sequential": results may be looked at while they come in
alpha = 0.05
gap = 0.2                     # worth finding: 60 % of the wins against 40 %
power = 0.8                   # the chance of finding it

# Questions about annotators before the first item or after the last, and cohorts of them: docs/forms.md
# [[forms]]
# name = "you"
# when = "before"
# title = "About you"
# [[forms.questions]]
# name = "age"
# kind = "number"            # or "text", "one" (with choices), "several"
# label = "How old are you?"

# Every string an annotator sees can be set here; docs/study-file.md lists them.
# [wording]
# consent = "…"
# instructions = "…"
"""

TEMPLATE = f"""\
# A study compares bots by asking people. This file works as it is; every line is explained in
# docs/study-file.md. Check it with `duologue study check`, read what will happen with `duologue study show`.

[study]
name = {{name}}
protocol = "acute"            # two whole dialogues side by side (ACUTE-EVAL, Li, Weston and Roller 2019)
seed = {{seed}}               # every random choice comes from it
# title = "…"                 # title and description follow from the settings below; set your own if you like
# description = "…"
keywords = ["chat", "evaluation", "comparison", "conversation"]    # kept for crowd platforms
lang = "en"
dir = "ltr"                   # "rtl" for languages written from right to left
# database = "postgresql://user@host/database"    # the default is the file study.db in this folder

[acute]
{_QUESTION}[acute.pairings]
per_matchup = "plan"          # pairings for each matchup: what the gap and power below need; or a number
matchups = "all"              # or [["bot-a", "bot-b"], …]
# against = ["new-bot"]       # compare a new bot with all others, and the others not again
# same_bot = ["bot-a"]        # an A/A matchup: a check that should come out near 50-50
# same_bot_share = 0.05       # A/A pairings of all bots (or of same_bot) are so much of all pairings
# leave_out = ["weak-bot"]    # bots that are not compared
# onboarding = ["human", "weak-bot"]    # comparisons with a known answer: the first is the better one
# attention_count = 10        # more of them, as attention checks among the others ([attention])
# kind = "self-chat"          # use only dialogues of this kind
dialogue_once = "matchup"     # or "study": show each dialogue once in the whole study
file = "pairings.jsonl"

{_PEOPLE}[pay]
per_judgment = 0.0
currency = "USD"
# seconds_per_judgment = 60  # unless stated: as long as it takes to read, and then as long as it took

{_REST}"""
"""Finished dialogues, side by side."""

PARALLEL_TEMPLATE = f"""\
# Annotators chat with two bots at the same time and then say which was better. This file works as it is;
# every line is explained in docs/study-file.md, and parallel chats in docs/parallel.md. Check it with
# `duologue study check`, read what will happen with `duologue study show`.

[study]
name = {{name}}
protocol = "acute"            # two whole dialogues side by side (ACUTE-EVAL, Li, Weston and Roller 2019)
seed = {{seed}}               # every random choice comes from it
# title = "…"                 # title and description follow from the settings below; set your own if you like
# description = "…"
keywords = ["chat", "evaluation", "comparison", "conversation"]    # kept for crowd platforms
lang = "en"
dir = "ltr"                   # "rtl" for languages written from right to left
# database = "postgresql://user@host/database"    # the default is the file study.db in this folder

# Whom annotators talk to. These two are built in; docs/bots.md shows how to bring your own.
[[bots]]
name = "parrot"
kind = "builtin"

[[bots]]
name = "companion"
kind = "builtin"

[chat]
chats_per_annotator = 1       # in each matchup
min_exchanges = 4             # an exchange is a message of the annotator and the replies to it
max_exchanges = 6
first = "annotator"           # who begins; or "partner", or "balanced"
# personas = "personas.jsonl" # who the speakers are to be, or a topic, for each chat: docs/live-chat.md
# bots = ["companion", "parrot"]    # whom to talk to; the default is every bot above that answers

[acute]
collect = "parallel"          # annotators chat with two bots at once; each bot knows its own chat only
after_failure = "retry"       # a bot that gives no reply: the annotator may try again; "end": end with credit
{_QUESTION.replace(_ANNOTATIONS, "")}[acute.pairings]
per_matchup = "plan"          # chats for each matchup: what the gap and power below need; or a number
matchups = "all"              # or [["bot-a", "bot-b"], …]
# against = ["new-bot"]       # compare a new bot with all others, and the others not again
# same_bot = ["bot-a"]        # an A/A matchup: a check that should come out near 50-50
# same_bot_share = 0.05       # A/A pairings of all bots (or of same_bot) are so much of all pairings
# leave_out = ["weak-bot"]    # bots that are not compared
# onboarding = ["human", "weak-bot"]    # finished dialogues with a known answer: the first is the better one
file = "pairings.jsonl"

{_PEOPLE.replace(*_ONBOARDING)}[screening]
min_words = 10                # of the annotator in a whole chat; fewer are flagged
exclude = []                  # flags that exclude a judgment by themselves; the others are only shown

[pay]
per_judgment = 0.0            # a chat with two bots, and its comparison
currency = "USD"
seconds_per_judgment = 300

{_REST}"""
"""Two live chats at once, compared at their end."""

_COMPARED = 'matchups = "all"              # or [["bot-a", "bot-b"], …]\n'
_CHECKED = '# same_bot = ["bot-a"]        # an A/A matchup: a check that should come out near 50-50\n'

_NOTHING = "matchups = []                 # no two bots are compared\n"
_NAMED = 'same_bot = ["bot-a"]          # the bots to compare with themselves: name yours\n'

SAME_BOT_TEMPLATE = TEMPLATE.replace(_COMPARED, _NOTHING).replace(_CHECKED, _NAMED)
"""An A/A test: bots compared with themselves, and nothing else."""
