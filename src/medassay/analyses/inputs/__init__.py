"""What questions read of a study; each file's name begins with whom it speaks of.

What enters: a study and its scores. What leaves: parts by their type (`readable`), each computed
once for all that ask for it.
"""
