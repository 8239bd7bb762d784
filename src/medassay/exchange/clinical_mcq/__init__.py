"""The clinical framework's JSON report of multiple-choice questions, out of a run."""
