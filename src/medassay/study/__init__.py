"""A study folder: open it, check it, plan what is stale, run it, write down what was done.

What enters: a folder with study.toml, cases, answers, judgements. What leaves: `Results`, the one
structure that the report renders.
"""
