"""Inspect, an evaluation tool: its logs in, and logs for it out."""
