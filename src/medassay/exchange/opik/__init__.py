"""Opik, a tool that traces and evaluates: exported experiments and traces, as JSON."""
