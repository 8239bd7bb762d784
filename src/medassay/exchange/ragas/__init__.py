"""RAGAS, an evaluation library: what `EvaluationResult.to_pandas` holds, saved as a table."""
