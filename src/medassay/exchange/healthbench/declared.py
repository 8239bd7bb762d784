"""HealthBench: conversations with criteria."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

from medassay.exchange.declaration import Format, Option, Reads
from medassay.exchange.healthbench.files import is_healthbench
from medassay.exchange.healthbench.importing import import_healthbench
from medassay.exchange.outcome import Outcome
from medassay.exchange.protocols import told

__all__ = ["HEALTHBENCH"]


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    system: Annotated[
        str | None, Option("What answered in the results; each file's name if not given.")
    ] = None,
    rater: Annotated[str, Option("The model that judged in the results.")] = "grader",
    synthetic: Annotated[bool, Option("The data are made up: every page says so.")] = False,
) -> Outcome:
    taken = import_healthbench(folder, files, system=system, grader=rater, synthetic=synthetic)
    counts = (
        (taken.cases, "conversation", "conversations"),
        (taken.criteria, "criterion", "criteria"),
        (taken.answers, "answer", "answers"),
        (taken.judgements, "judgement", "judgements"),
    )
    return told(folder, asdict(taken), counts, files=taken.files, notes=taken.notes)


HEALTHBENCH: Final = Format(
    id="healthbench",
    title="HealthBench",
    reads=Reads(
        about="HealthBench's examples, physicians' labels on criteria, and graded results.",
        files="Examples and labels as JSONL, full results of its public program as JSON.",
        is_one=is_healthbench,
        take=_take,
    ),
)
