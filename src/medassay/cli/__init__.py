"""The command line: one file a verb, no logic.

Every verb calls the study room, then the report room, and prints. Verbs import what they need when
they run: `medassay --help` loads nothing heavy.
"""

from medassay.cli.app import app

__all__ = ["app"]
