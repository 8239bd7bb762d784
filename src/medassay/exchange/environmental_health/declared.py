"""The environmental-health panel's own files."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.declaration import Format, Option, Reads
from medassay.exchange.environmental_health.importing import import_environmental_health
from medassay.exchange.glimpse import Glimpse
from medassay.exchange.outcome import Outcome
from medassay.exchange.protocols import told

__all__ = ["ENVIRONMENTAL_HEALTH"]

_KEY: Final = "scenario_id"


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    system: Annotated[str, Option("What the system is called.")] = "framework",
    synthetic: Annotated[bool, Option("The data is made up: every page says so.")] = False,
) -> Outcome:
    taken = import_environmental_health(folder, files, system=system, synthetic=synthetic)
    counts = (
        (taken.cases, "query", "queries"),
        (taken.answers, "answer", "answers"),
        (taken.judgements, "rating", "ratings"),
        (taken.experts, "expert", "experts"),
        (taken.documents, "document returned", "documents returned"),
        (taken.labels, "label of them", "labels of them"),
        (taken.texts, "text", "texts"),
    )
    notes = [*taken.notes, *taken.findings]
    return told(folder, asdict(taken), counts, files=taken.files, notes=notes)


def _is_one(seen: Glimpse) -> bool:
    tables = seen.inside or (seen,)
    return any(glimpse.has(_KEY) or glimpse.has("expert_id", "expertise") for glimpse in tables)


ENVIRONMENTAL_HEALTH: Final = Format(
    id="environmental-health",
    title="Environmental health",
    reads=Reads(
        about="Environmental health: a panel's workbooks of scenarios, rankings, ratings, "
        "confidence.",
        files="The panel's files as they are; a folder stands for its.",
        is_one=_is_one,
        take=_take,
    ),
)
