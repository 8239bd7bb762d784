"""Write the JSON Schema of report.json from the records that fill it.

python -m tools.make_report_schema
"""

from pathlib import Path
from typing import Final

from medassay.report.store import report_schema
from medassay.tables import json_bytes, write_atomically

__all__ = ["SCHEMA", "schema"]

SCHEMA: Final = Path(__file__).parents[1] / "docs/reference/report.schema.json"


def schema() -> bytes:
    """Give the file's bytes."""
    return json_bytes(report_schema())


if __name__ == "__main__":
    write_atomically(SCHEMA, schema())
