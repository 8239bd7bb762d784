"""What a study's owner has written down: study.toml, its protocol, and the files that they name.

What enters: a folder. What leaves: settings that were read and checked by themselves, before
anything of what was asked, answered or judged is known.
"""
