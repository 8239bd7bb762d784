"""What each part of the tests costs, and which tests are dearest.

    python -m tools.costs --tree . --into costs quick style slow test-web
    python -m tools.costs --into costs --against costs-before

What enters: a checkout, older ones too, and words of its Makefile. What leaves: `parts.tsv` with
clock and processor time of each word, and a line for each test in `WORD.jsonl`.
"""
