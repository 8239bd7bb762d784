"""A CI run of the workflows in examples/ci on this machine, for the docs and the tests."""
