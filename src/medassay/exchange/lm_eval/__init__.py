"""lm-evaluation-harness: samples of a task with a score a metric, and the results beside them."""
