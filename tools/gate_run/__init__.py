"""A CI run of examples/ci/medassay-gate.yml on this machine, for the docs and the tests."""
