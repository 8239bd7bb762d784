"""The made-up study's files."""

from importlib.resources import files
from typing import Final

import numpy as np

from medassay.study.synthetic.raters import rater_rows
from medassay.study.synthetic.ratings import SYSTEMS, judgement_rows, make_world, system_name
from medassay.study.synthetic.texts import answer_records, case_records
from medassay.tables import csv_bytes, jsonl_bytes

__all__ = ["synthetic_files"]

SEED: Final = 2800
_FAMILIES: Final = 12


def synthetic_files() -> dict[str, bytes]:
    """Give every file of the study by its name; the same bytes at every call."""
    rng = np.random.default_rng(SEED)
    world = make_world(rng)
    cases = case_records(rng)
    contents = {"cases.jsonl": jsonl_bytes(cases)}
    source = files("medassay") / "data" / "synthetic" / "study.toml"
    settings = source.read_text(encoding="utf-8")
    for system in range(SYSTEMS):
        name = system_name(system)
        contents[f"answers/{name}.jsonl"] = jsonl_bytes(answer_records(system, cases, world, rng))
        family = f"team-{int(rng.integers(1, 1 + _FAMILIES)):02}"
        settings += f'[systems.{name}]\nfamily = "{family}"\n\n'
    rows = judgement_rows(world, rng)
    header = list(rows[0])
    contents["judgements.csv"] = csv_bytes(header, ([row[name] for name in header] for row in rows))
    raters = rater_rows()
    contents["raters.csv"] = csv_bytes(list(raters[0]), (list(row.values()) for row in raters))
    contents["study.toml"] = f"{settings.rstrip()}\n".encode()
    return contents
