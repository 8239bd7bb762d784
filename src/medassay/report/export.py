"""The trust table as a file of its own."""

from collections.abc import Sequence
from pathlib import Path

from medassay.analyses.results import TrustResult
from medassay.errors import InvalidInput, Problem
from medassay.report.tables import table_csv, table_markdown, trust
from medassay.tables import json_bytes, write_atomically

__all__ = ["export_trust"]


def export_trust(trusts: Sequence[TrustResult], path: Path, *, synthetic: bool) -> None:
    """Write the trust table, in the form that the ending of the file names.

    Raises:
        InvalidInput: The ending is none of .csv, .md and .json, or the file cannot be written.
    """
    form = path.suffix.lower()
    table = trust(trusts, synthetic=synthetic)
    if form == ".csv":
        content = table_csv(table)
    elif form == ".md":
        content = table_markdown(table)
    elif form == ".json":
        lines = [trust_result.model_dump(mode="json") for trust_result in trusts]
        content = json_bytes({"synthetic": synthetic, "trust": lines})
    else:
        raise InvalidInput(Problem("--export", "end in .csv, .md or .json", str(path)))
    write_atomically(path, content)
