"""The study.toml of a new study of nuc: the survey of Lowe et al. (2016), and what can be changed."""

from __future__ import annotations

TEMPLATE = """\
# Annotators read the beginning of a conversation and choose the best and the second-best of some replies,
# one of which was really given (Lowe et al. 2016). Make the items first:
#     duologue nuc build CORPUS… --out FOLDER/task
# Every line is explained in docs/nuc.md and docs/study-file.md.

[study]
name = {name}
protocol = "nuc"              # next utterance classification
seed = {seed}               # every random choice comes from it
# title = "…"                 # title and description follow from the settings below; set your own if you like
# description = "…"
keywords = ["conversation", "reading", "survey"]    # kept for crowd platforms
lang = "en"
dir = "ltr"                   # "rtl" for languages written from right to left
# database = "postgresql://user@host/database"    # the default is the file study.db in this folder

[nuc]
items = "task/test.jsonl"     # as `nuc build` writes them
versions = 4                  # of the questionnaire, each with other questions
per_annotator = 30            # questions of a version; the paper had 30 or 40
annotations_per_item = 36     # annotators for each version: 145 in all in the paper
attention_items = 4           # made by mixing up the words of false replies
# attention_file = "checks.jsonl"    # or attention checks of your own, as a file of items
question = "Which of these replies comes next in the conversation?"
best_label = "Best"
second_label = "Second best"
# show_background = true      # annotators read the persona lines of the corpus too, and whose they are
scores = []                   # what models say about the same items, such as ["task/tf-idf.jsonl"]; any time
# models = ["tf-idf", "random"]     # declared before anybody answers: they share one error rate
# shares = {{ movies = 1, tweets = 1, ubuntu = 1 }}          # questions of each corpus; the same by default
# pool = {{ movies = ["novice", "expert"] }}                # cohorts that are counted as one in a corpus

# A cohort with questions in other proportions, as the paper's lab experts had:
# [nuc.cohorts.lab-expert]
# per_annotator = 40
# shares = {{ movies = 1, tweets = 1, ubuntu = 2 }}

[attention]                   # only annotators who pass all of them count
per_sitting = 2
threshold = 1.0
on_fail = "exclude"

[onboarding]
enabled = false

[annotators]
sitting_minutes = 40          # then the sitting ends with thanks, and its place is open again
countdown = true              # the page shows the minutes and seconds that are left
lease_minutes = 30
open_link = false             # true: one link that anybody may use
cohort_from = "you.knowledge" # who is an expert says so on the form below
exclude_without_reason = false

[[cohorts]]
name = "novice"
answers = ["I have never used it", "Basic"]

[[cohorts]]
name = "expert"
answers = ["Intermediate", "Expert"]

# [[cohorts]]                 # by link: duologue annotators invite STUDY --cohort lab-expert
# name = "lab-expert"
# annotations_per_item = 2    # of each version

[[forms]]
name = "you"
when = "before"
title = "About you"
text = "These answers are kept apart from the others."

[[forms.questions]]
name = "gender"
kind = "one"
label = "What is your gender?"
choices = ["Female", "Male", "Another", "I prefer not to say"]

[[forms.questions]]
name = "age"
kind = "one"
label = "What is your age?"
choices = ["18-20", "21-30", "31-40", "41-55", "56 or more"]

[[forms.questions]]
name = "english"
kind = "one"
label = "How would you rate your fluency in English?"
choices = ["Beginner", "Intermediate", "Advanced", "Fluent"]

[[forms.questions]]
name = "education"
kind = "one"
label = "What is your current level of education?"
choices = ["High school or less", "Bachelor's", "Master's", "Doctorate or higher"]

[[forms.questions]]
name = "knowledge"
kind = "one"
label = "How would you rate your knowledge of Ubuntu?"    # the domain of your corpus
choices = ["I have never used it", "Basic", "Intermediate", "Expert"]
required = true

[consent]                     # said on the consent page; what is empty is left out
institution = ""
contact = ""
duration = ""                 # the default is "At most 40 minutes", from sitting_minutes
pay = ""                      # for instance "4.00 USD"

[pay]
per_judgment = 0.0            # a question with its answer
currency = "USD"
seconds_per_judgment = 30

[stopping]
rule = "fixed"
alpha = 0.05
gap = 0.1                     # the difference in Recall@1 that is worth finding

# Every string an annotator sees can be set here; docs/study-file.md lists them.
# [wording]
# consent = "…"
# instructions = "…"
"""
