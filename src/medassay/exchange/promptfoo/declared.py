"""promptfoo's results."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.outcome import Outcome
from medassay.exchange.promptfoo.read import (
    OUTPUT,
    has_none,
    header_of,
    read_promptfoo,
    results_of,
)
from medassay.exchange.tool_rows.files import first_record
from medassay.exchange.tool_rows.making import ImportOptions, Scale, Synthetic, make_study


def _take(
    into: Path, files: Sequence[Path], *, scale: Scale = None, synthetic: Synthetic = False
) -> Outcome:
    rows = read_promptfoo(files)
    return make_study(into, files, rows, ImportOptions(scales=scale or (), synthetic=synthetic))


def _is_one(seen: Glimpse) -> bool:
    if seen.path.suffix.lower() == ".csv":
        header = header_of(seen.path)
        outputs = [name for name in header if OUTPUT.match(name)]
        return bool(outputs) and len(outputs) < len(header)
    first = first_record(seen)
    result = results_of(first) or results_of(seen.json) or [first]
    if has_none(first):
        return True
    return {"vars", "provider"} <= result[0].keys() and not {"raters", "label"} & result[0].keys()


PROMPTFOO: Final = Format(
    id="promptfoo",
    title="promptfoo",
    reads=Reads(
        about="promptfoo: results of each provider and prompt, with a score an assertion.",
        files="Results as .json (versions 2 and 3), .jsonl or .csv.",
        is_one=_is_one,
        take=_take,
    ),
)
