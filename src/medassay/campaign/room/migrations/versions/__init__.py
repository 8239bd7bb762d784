"""The steps, one a file; none is ever changed once a room was made with it."""
