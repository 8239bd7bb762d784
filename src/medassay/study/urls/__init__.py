"""Files of a study that lie in an object store, or in a folder elsewhere: fetched, then read here.

What enters: urls.toml beside study.toml, and the word `--fetch`. What leaves: copies in the
folder `fetched`, laid out as in a study, which every reader takes in place of the study's own; and
kept scores, taken in before a run and added after it. Nothing is fetched without that word.
"""
