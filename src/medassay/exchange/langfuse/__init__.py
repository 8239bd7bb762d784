"""Langfuse, a tracing tool: its exports of traces, observations and scores."""
