"""Who the model judges are, what a certificate of one holds, and whether it holds for a study.

The tests that a certificate tells of are the room `judges` and its analysis.
"""
