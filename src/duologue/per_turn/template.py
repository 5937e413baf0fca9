"""The study.toml of new per-turn studies: they work as they are, and say what can be changed."""

from __future__ import annotations

TEMPLATE = """\
# Annotators chat with several bots at once and select replies at every turn. This file works as it is; every
# line is explained in docs/study-file.md. Check it with `duologue study check`, read what will happen with
# `duologue study show`, and see how many turns it needs with `duologue study plan`.

[study]
name = {name}
protocol = "per-turn"         # replies are judged as the chat goes on
seed = {seed}               # every random choice comes from it
# title = "…"                 # title and description follow from the settings below; set your own if you like
# description = "…"
keywords = ["chat", "evaluation", "conversation"]    # kept for crowd platforms
lang = "en"
dir = "ltr"                   # "rtl" for languages written from right to left
# database = "postgresql://user@host/database"    # the default is the file study.db in this folder

# Who answers. These three are built in; docs/bots.md shows how to bring your own.
[[bots]]
name = "parrot"
kind = "builtin"

[[bots]]
name = "small-talk"
kind = "builtin"

[[bots]]
name = "companion"
kind = "builtin"

[chat]
min_exchanges = 10            # an exchange is one message and the reply to it; the paper asks for 10
max_exchanges = 12
chats_per_bot = 134           # chats of an arm; what `duologue study plan` says for one arm of two bots
chats_per_annotator = 1       # of every arm
first = "annotator"

[per-turn]
ask = "appropriate"           # or "engaging", "human", "interesting"; question = "…" for your own words
dimensions = []               # further questions about the same replies: ["engaging"]
gap = 0.1                     # the difference between two win rates that is worth finding
null = 0.8                    # the standard of an arm with a single bot
after_failure = "retry"       # when a bot gives no reply; or "go-on" without it, or "end" with credit
min_written = 10              # characters of a reply that an annotator writes (sata-user)
rules = ["study"]             # rules of screening that are applied; docs/per-turn.md lists them
# primary = "pairs"           # the arm that decides by itself; otherwise all arms share the error rate

# Arms run side by side, and annotators have as many chats of each as chats_per_annotator says. One bot is
# selected or not; with two and more: "soba" (one best), "sata-random" (all that apply, else a random one goes
# on), "sata-user" (all that apply, else the annotator writes).
[[per-turn.arms]]
name = "pairs"
bots = ["companion", "small-talk"]
setting = "sata-user"

# [[per-turn.arms]]
# name = "all"
# bots = ["companion", "parrot", "small-talk"]
# setting = "sata-random"
# chats = 129

# [[per-turn.questions]]      # about the whole conversation, after it
# name = "enjoyment"
# text = "How much did you enjoy the conversation?"
# labels = ["Not at all", "A little", "Somewhat", "A lot"]

[screening]
min_words = 10                # of the annotator in a whole chat; fewer are flagged

[onboarding]
enabled = false               # nothing here has a known answer

[annotators]
lease_minutes = 30
open_link = false             # true: one link that anybody may use
exclude_without_reason = false

[pay]
per_judgment = 0.0            # a chat; the paper paid 0.60 to 1.00
currency = "USD"
seconds_per_judgment = 300

[stopping]
rule = "fixed"
alpha = 0.05

# Every string an annotator sees can be set here; docs/study-file.md lists them.
# [wording]
# consent = "…"
# instructions = "…"
"""

READING_TEMPLATE = """\
# Annotators read chats that others had, {what}. The chats are in the file turns.jsonl; they were sampled by
# `duologue turns reread`. Every line is explained in docs/study-file.md.

[study]
name = {{name}}
protocol = "per-turn"
seed = {{seed}}               # every random choice comes from it
# title = "…"                 # title and description follow from the settings below; set your own if you like
# description = "…"
keywords = ["chat", "evaluation", "conversation"]
lang = "en"
dir = "ltr"                   # "rtl" for languages written from right to left
# database = "postgresql://user@host/database"    # the default is the file study.db in this folder

[per-turn]
collect = "{collect}"
annotations_per_chat = {readers}      # how many judge each of them
ask = "{ask}"           # as those were asked who had the chats; question = "…" for your own words
dimensions = []               # further questions about the same replies: ["engaging"]
rules = ["study"]             # rules of screening that are applied; docs/per-turn.md lists them

[onboarding]
enabled = false               # nothing here has a known answer

[annotators]
lease_minutes = 30
max_judgments = 10            # chats of one annotator
open_link = false             # true: one link that anybody may use
exclude_without_reason = false

[pay]
per_judgment = 0.0            # a chat
currency = "USD"
seconds_per_judgment = 180

[stopping]
rule = "fixed"
alpha = 0.05
"""
"""Of a study that reads finished chats; it is filled in twice, by the command and as a study file."""
