"""What in a report's files goes beyond the data at hand, as machines and as people read it."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tools.freezing.page_text import visible_text

__all__ = ["INFERS", "inferences_in", "leaves"]

INFERS: Final = {
    "interval", "p", "p_adjusted", "p_lead", "p_method", "letters", "tau",
    "minimal_detectable_effect", "rank_low", "rank_high", "reliability_metric",
    "reliability_consensus", "over_cases", "over_systems", "over_both", "difference",
    "log_likelihood", "competence",
}  # fmt: skip
"""Names under which report.json and files hold inferences."""
_ENDS: Final = ("_low", "_high", " low", " high", "_p")
_WORDS: Final = re.compile(
    r"\d\s?%\s(?:CI|interval|confidence)|\b95\s?%|\bbootstrap|\bresampl|\bcredible|"
    r"\bconfidence intervals?|\bp\s?[=<>≤]|\bHolm|\bKendall|\btau\b|τ|"
    r"\bsignificant(?:ly)? (?:differ|better|worse|at)|"
    r"\b(?:is|are) undecided|"
    r"\bWilson|\bsign-flip|\bpermutation|\bintervals?\b|\bhypothes[ie]s|\btested\b",
    re.IGNORECASE,
)
_DENIED: Final = (
    "no interval, no test, no ranking", "nothing is tested: the protocol only describes",
    "nothing here was tested or estimated for other queries", "no tests, no intervals",
    "Counts of this study, without an interval.", "(not tested)", "an amount, interval or duration",
    "(level interval)", "(level=interval)", "alpha: interval for numbers", "α, interval",
    r"$\alpha$, \\ interval",
)  # fmt: skip
"""Where the words stand to say that there is none of it, where a rubric asks about doses, and the
name of a scale."""
_EMBEDDED: Final = re.compile(r'(?s)<script type="application/json" id="csv-data">(.*?)</script>')


def inferences_in(folder: Path) -> dict[str, list[str]]:
    """Give the files of a finished run that infer, and by what it shows."""
    files = [one for one in sorted(folder.rglob("*")) if one.is_file()]
    assert folder / "report.json" in files
    found = {str(one.relative_to(folder)): _inferences(one) for one in files}
    return {name: said for name, said in found.items() if said}


def leaves(value: object, name: str = "") -> Iterator[tuple[str, Any]]:
    """Walk through JSON: the values with their keys, and intervals whole."""
    if isinstance(value, dict):
        if {"low", "high"} <= set(value) and "signature" not in value:
            yield "interval", value
        for key, inner in value.items():
            yield from leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


def _inferences(file: Path) -> list[str]:
    if file.suffix not in {".json", ".csv", ".html", ".md", ".tex", ".svg", ".txt"}:
        return []
    text = file.read_text(encoding="utf-8")
    found: list[str] = []
    if file.name == "report.json":
        told = json.loads(text)
        found += [name for name, one in leaves(told) if name in INFERS and one not in (None, "")]
        found += sorted({"interval", "test", "reliability"} & set(told["statistics"]))
        return found
    if file.suffix == ".csv":
        found += _columns(text)
    if file.suffix == ".html":
        for embedded in _EMBEDDED.findall(text):
            for table in json.loads(embedded).values():
                found += _columns(table)
        text = visible_text(text)
    if file.suffix != ".json":
        for denied in _DENIED:
            text = text.replace(denied, "")
        found += [text[max(0, m.start() - 40) : m.end() + 40] for m in _WORDS.finditer(text)]
    return found


def _columns(table: str) -> list[str]:
    header = next(csv.reader(table.splitlines()), [])
    return [one for one in header if one in INFERS or one.endswith(_ENDS)]
