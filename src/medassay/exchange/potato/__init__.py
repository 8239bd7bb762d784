"""Potato, an annotation tool: blinded items out, what annotators said in."""
