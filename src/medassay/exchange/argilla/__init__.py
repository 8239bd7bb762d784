"""Argilla, an annotation tool: exported records with their responses and suggestions."""
