"""The trust table as a file of its own."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from medassay.analyses.builtin.trust.tables import trust_table
from medassay.analyses.trust import TrustOn
from medassay.errors import InvalidInput, Problem
from medassay.exhibits import Names
from medassay.report.tables import table_csv, table_markdown
from medassay.tables import json_bytes, write_atomically

__all__ = ["export_trust"]


def export_trust(trusts: Sequence[TrustOn], names: Names, path: Path) -> None:
    """Write the trust table, in the form that the ending of the file names.

    Raises:
        InvalidInput: The ending is none of .csv, .md and .json, or the file cannot be written.
    """
    form = path.suffix.lower()
    table = replace(trust_table(trusts, names), synthetic=names.synthetic)
    if form == ".csv":
        content = table_csv(table)
    elif form == ".md":
        content = table_markdown(table)
    elif form == ".json":
        lines = TypeAdapter(tuple[TrustOn, ...]).dump_python(tuple(trusts), mode="json")
        content = json_bytes({"synthetic": names.synthetic, "trust": lines})
    else:
        raise InvalidInput(Problem("--export", "end in .csv, .md or .json", str(path)))
    write_atomically(path, content)
