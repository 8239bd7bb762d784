"""The analyses that come with medassay: one file, or one folder, a question."""
