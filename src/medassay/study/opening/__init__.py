"""What is held against each other when a study is opened, and what is said of it then.

What enters: settings, and what the tables say. What leaves: problems, warnings, and what the names
in study.toml stand for.
"""
