"""Where imported scores come from, in a sentence for captions."""

from collections.abc import Iterable
from typing import Final

from medassay.analyses.results import Results
from medassay.report.names import Names

_MOST_NAMED: Final = 8


def imported_words(results: Results, sources: Iterable[str]) -> str:
    """Name the files of those scores that were imported, and what is said of how they came about.

    Of very many it says how many they are, and where the rest is said.

    Returns:
        A sentence with a blank before it; empty where none was imported.
    """
    names, asked = Names(results), set(sources)
    lines = [
        f"{names.of_source(source.name)} from {source.file}"
        + (f" (“{source.origin}”)" if source.origin else " (nobody says how)")
        for source in results.sources
        if source.kind == "imported" and source.file and source.name in asked
    ]
    if len(lines) > _MOST_NAMED:
        return (
            f" {len(lines)} of them were computed elsewhere and imported: sources.csv names the "
            "file of each."
        )
    return f" Computed elsewhere and imported: {'; '.join(lines)}." if lines else ""
