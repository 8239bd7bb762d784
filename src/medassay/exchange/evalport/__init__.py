"""EvalPort, an interchange format of evaluations: suites and sets of results, as JSON."""
