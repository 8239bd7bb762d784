"""The arithmetic of metrics on plain texts, counts and arrays; no records, no declarations."""
