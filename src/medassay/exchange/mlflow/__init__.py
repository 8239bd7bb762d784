"""MLflow, an experiment tracker: its tables of evaluation results, and its traces."""
