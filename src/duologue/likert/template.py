"""The study.toml of a new study of likert: it works as it is, and says what can be changed."""

from __future__ import annotations

TEMPLATE = """\
# Annotators chat with one bot at a time and then rate the conversation. This file works as it is; every line
# is explained in docs/study-file.md. Check it with `duologue study check`, read what will happen with
# `duologue study show`.

[study]
name = {name}
protocol = "likert"           # a live chat, then ratings (the human evaluation of ConvAI2, Dinan et al. 2019)
seed = {seed}               # every random choice comes from it
# title = "…"                 # title and description follow from the settings below; set your own if you like
# description = "…"
keywords = ["chat", "evaluation", "conversation"]    # kept for crowd platforms
lang = "en"
dir = "ltr"                   # "rtl" for languages written from right to left
# database = "postgresql://user@host/database"    # the default is the file study.db in this folder

# Whom annotators talk to. These three are built in; docs/bots.md shows how to bring your own.
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
chats_per_bot = 235           # what `duologue study plan` says for three bots; ConvAI2 had 100
chats_per_annotator = 1       # with each bot
min_exchanges = 4             # an exchange is one turn of each
max_exchanges = 6
first = "annotator"           # who begins; or "partner", or "balanced"
human_partner = false         # true: annotators also chat with each other, as a bot called "human"
waiting_minutes = 5           # how long to wait for a human partner
# personas = "personas.jsonl" # who the two are to be, for each chat; docs/likert.md has an example
# bots = ["companion"]        # whom to talk to; the default is every bot above that answers

[likert]
source = "live"               # "dialogues": rate finished dialogues of this study instead; then [[bots]] and
                              # [chat] above are not needed, and these keys are:
# annotations_per_dialogue = 1    # how many annotators rate each dialogue
# per_bot = 50                # how many dialogues of each bot; the default is all
# leave_out = ["human"]       # bots whose dialogues are not rated
reason = "optional"           # or "required", or "off"
persona_detection = false     # true: then tell the partner's persona from another one (needs personas)

# Annotators are asked how much they enjoyed it (readers: would enjoy it), from 1 to 4. Or, of your own,
# as many as you like, one a screen:
# [[likert.questions]]
# name = "sense"
# text = "How much sense did the answers make?"
# labels = ["None", "Some", "A lot"]    # from 1 up; low = 0 begins with 0

[screening]
min_words = 10                # of the annotator in a whole chat; fewer are flagged
# offensive_words = "words.txt"    # one a line
exclude = []                  # flags that exclude a rating by themselves; the others are only shown

[onboarding]
enabled = false               # nothing here has a known answer

[annotators]
# max_judgments = 3           # chats per annotator; the default is chats_per_annotator with each bot
lease_minutes = 30
open_link = false             # true: one link that anybody may use
exclude_without_reason = false

[consent]                     # said on the consent page; what is empty is left out
institution = ""
contact = ""
duration = ""                 # for instance "about 10 minutes"
pay = ""                      # for instance "2.00 USD"

[pay]
per_judgment = 0.0            # a chat with its ratings
currency = "USD"
# seconds_per_judgment = 300  # unless stated: a guess, or as long as it takes to read; then as it took

[stopping]
rule = "fixed"
alpha = 0.05

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
