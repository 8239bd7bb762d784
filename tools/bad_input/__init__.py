"""Every kind of bad input, as one list."""
