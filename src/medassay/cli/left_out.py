"""What packages bring of every kind and cannot be used."""

from pkgutil import resolve_name
from typing import Final

import typer

KINDS: Final = {
    "medassay.analyses": "medassay.analyses.registry:broken_analyses",
    "medassay.coefficients": "medassay.agreement:coefficient_plugin_problems",
    "medassay.consensus": "medassay.consensus:consensus_plugin_problems",
    "medassay.formats": "medassay.exchange.registry:broken_formats",
    "medassay.metrics": "medassay.metrics:plugin_problems",
    "medassay.protocols": "medassay.study:protocol_plugin_problems",
    "medassay.rubrics": "medassay.judgements:rubric_plugin_problems",
}
"""Each group of entry points, and the function that says what is wrong with what it holds."""


def say_left_out() -> None:
    """Name what packages bring and cannot be used, of whatever kind, in the stream of errors.

    A kind of which no package brings anything is not loaded for it.
    """
    from medassay.plugins import offers

    for group, problems in KINDS.items():
        for problem in resolve_name(problems)() if offers(group, "plug-in") else ():
            typer.echo(f"left out: {problem}", err=True)
