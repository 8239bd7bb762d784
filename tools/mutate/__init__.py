"""Small faults put into the source, one at a time: which of them does a suite of tests catch?

    python -m tools.mutate draw --tree A --tree B --seed 16 --count 200 --out mutants.jsonl
    python -m tools.mutate record --tree A --into record-a
    python -m tools.mutate try --tree A --record record-a --mutants mutants.jsonl --out a.jsonl
    python -m tools.mutate check --tree A --out a.jsonl
    python -m tools.mutate table --mutants mutants.jsonl --suite old=a.jsonl --suite new=b.jsonl

A tree is a checkout with its own `.venv`, which nobody else uses meanwhile: `try` writes each fault
into its source, runs tests that ran that line when they were recorded, and puts it back; `check`
names those that failed with a fault and fail without one too; `try --without` leaves them out.
`record` and `try` need coverage.py on PYTHONPATH. What was found is in design/tests.md.
"""
