"""What the tables of a study say: what was asked, answered, judged and imported, and by whom.

What enters: tables as they stand, and settings. What leaves: cases, answers, judgements and scores
that are about each other; and each without what a reader may not see.
"""
