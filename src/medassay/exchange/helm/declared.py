"""HELM's and MedHELM's runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.helm.read import STATE, is_ratings, read_helm
from medassay.exchange.outcome import Outcome
from medassay.exchange.tool_rows.making import (
    ImportOptions,
    LabelWords,
    Rater,
    Scale,
    Synthetic,
    System,
    make_study,
)

__all__ = ["HELM"]


def _take(
    into: Path,
    files: Sequence[Path],
    *,
    system: System = None,
    rater: Rater = None,
    scale: Scale = None,
    label: LabelWords = None,
    synthetic: Synthetic = False,
) -> Outcome:
    rows = read_helm(files, system or "")
    said = ImportOptions(rater or (), scale or (), label or (), synthetic)
    return make_study(into, files, rows, said)


def _is_one(seen: Glimpse) -> bool:
    if seen.path.is_dir():
        return seen.holds(STATE) or seen.holds("display_predictions.json")
    if {"adapter_spec", "request_states"} <= seen.first.keys():
        return True
    return {"instance_id", "stats"} <= seen.first.keys() or is_ratings(seen.names)


HELM: Final = Format(
    id="helm",
    title="HELM",
    reads=Reads(
        about="HELM and MedHELM: runs with a score a metric, and tables of clinicians' ratings.",
        files="Folders of runs, a folder that holds some, or files of one; tables of ratings.",
        is_one=_is_one,
        take=_take,
    ),
)
