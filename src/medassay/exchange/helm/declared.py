"""HELM's and MedHELM's runs."""

from typing import Final

from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.helm.read import STATE, is_ratings, read_helm
from medassay.exchange.tool_rows.payload import taker


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
        take=taker(read_helm),
    ),
)
