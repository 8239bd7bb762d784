"""promptfoo, an evaluation tool: its results, as JSON, a result a line, or a table."""
