"""HealthBench's files: conversations with criteria, physicians' labels, and graded answers.

What enters: files of examples (main, hard, consensus, Professional), of physicians' labels on the
grader's work, and results of its public program, all by path: nothing is fetched. What leaves: a
study of the protocol `healthbench`, or answers and judgements added to one.
"""
