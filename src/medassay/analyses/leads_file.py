"""What a run found of each rater, with their names: for the lead alone.

What goes round calls people by pseudonyms. Whoever leads the panel must know whom to talk to.
"""

from collections.abc import Iterator
from pathlib import Path

from medassay.analyses.builtin.quality import qualities_in
from medassay.analyses.builtin.rater_effects import effects_in
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.results import Results
from medassay.study.contents.pseudonyms import Pseudonyms
from medassay.study.files.names import RATERS_NAMED
from medassay.tables import csv_bytes, write_atomically

__all__ = ["write_leads_file"]

_COLUMNS = ("rater", "pseudonym", "dimension", "effect", "about", "value", "low", "high", "labels",
            "reason")  # fmt: skip


def write_leads_file(study: Path, pseudonyms: Pseudonyms, results: Results) -> None:
    """Write competence, severity and all else that is told of single people, by name.

    Owner-only, beside the key, and replaced by each run. Where people are named anyway, or nobody
    rated, there is none.
    """
    names = {text: name for name, text in pseudonyms.of.items()}
    if pseudonyms.named or not names:
        return
    known = [row for row in sorted(_rows(results), key=str) if row[0] in names]
    rows = [(names[str(row[0])], *row) for row in known]
    write_atomically(study / RATERS_NAMED, csv_bytes(_COLUMNS, rows), owner_only=True)


def _rows(results: Results) -> Iterator[tuple[object, ...]]:
    for row in qualities_in(results.analyses):
        yield (row.rater, row.dimension, f"quality by {row.title}", row.method, row.quality, None,
               None, row.n, "")  # fmt: skip
    for effect in effects_in(results.analyses):
        span = effect.interval
        yield (effect.rater, effect.dimension, effect.kind, effect.about, effect.effect,
               span and span.low, span and span.high, effect.n, effect.reason)  # fmt: skip
    flow = results.analyses.of(rater_flow)
    for count in flow.raters if flow else ():
        yield (count.rater.rater, "", "judgements", "", count.judgements, None, None, None, "")
