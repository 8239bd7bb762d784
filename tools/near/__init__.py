"""What is near a change: its style and types, the tests whose code ran it, pages that print it."""
