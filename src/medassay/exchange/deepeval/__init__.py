"""DeepEval, an evaluation library: its test runs, as JSON."""
