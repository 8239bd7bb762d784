"""mt-metrics-eval, the WMT metrics task's files of scores: in and out."""
