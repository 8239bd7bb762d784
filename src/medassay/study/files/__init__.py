"""A study's files, whatever they say: which name holds what, where they lie, and who may write.

What enters: a folder, and where urls.toml stands beside study.toml, the word `--fetch`. What
leaves: tables as they stand, and copies in the folder `fetched`, laid out as in a study, which
every reader takes in place of the study's own. Nothing is fetched without that word.
"""
