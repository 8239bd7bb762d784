"""Other tools' files, into a study and out of it.

What enters: an open study, and the files of Potato, Label Studio, REDCap, Inspect or
mt-metrics-eval. What leaves: judgements, scores and answers added to the study, each import with a
list of what it left; and tasks, projects, logs and score files for these tools.
"""
