"""Write the JSON schema of the clinical framework's report from its definition.

python -m tools.make_clinical_schema
"""

from pathlib import Path
from typing import Final

from medassay.report.clinical_report import ClinicalReport
from medassay.tables import json_bytes, write_atomically

SCHEMA: Final = Path(__file__).parents[1] / "src/medassay/data/schemas/new_dataset_eval.schema.json"


def schema() -> bytes:
    """Give the file's bytes."""
    made = ClinicalReport.model_json_schema(mode="serialization")
    return json_bytes({"$schema": "https://json-schema.org/draft/2020-12/schema", **made})


if __name__ == "__main__":
    write_atomically(SCHEMA, schema())
