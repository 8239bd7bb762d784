"""How does the reader of tables read drawn tables? Shares by layout and verdict.

    python -m tests.front_door.survey N [SEED]

Draws N studies by the seeds from SEED on, imports each, and prints how many came out equal, asked,
silent and crashed, by layout; which questions were asked of tables that settle their reading; then,
of each that was read wrong in silence or crashed, the seed and its first differences.
`python -m tests.front_door.survey --keep FOLDER SEED` writes one table.
"""

import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.front_door.compared import Verdict, judge
from tests.front_door.laid_out import Laid, laid_by_seed

__all__ = ["Surveyed", "kinds_of", "questions_of", "shares_by", "survey", "told"]

ASKED = re.compile(
    r"(?:^[^:\n]+: |\(\d+\) )(.*?)\? (?:[^?\n]*?Type one of: \S+ '?)?(\w+)", re.MULTILINE
)
TOGETHER = re.compile(r"Is all of this right\? \(1\) ")
NAMED = re.compile(r'".*"(?: and \d+ more)?')
REFUSED = re.compile(r": must (?!be answered)(.*?); got ")
VERDICTS = ("equal", "asked", "silent", "crashed")


@dataclass(frozen=True)
class Surveyed:
    """One table and how its import ended; the table's bytes are not kept."""

    seed: int
    layout: str
    file: str
    words: str
    settled: bool
    verdict: Verdict


def survey(seeds: Sequence[int]) -> Iterator[Surveyed]:
    """Draw, import and compare, seed by seed."""
    for seed in seeds:
        laid = laid_by_seed(seed)
        folder = Path(tempfile.mkdtemp())
        try:
            verdict = judge(laid, folder)
        finally:
            shutil.rmtree(folder)
        yield Surveyed(
            seed, laid.plan.layout, laid.plan.file, laid.plan.words, laid.settled, verdict
        )


def shares_by(of: str, rows: Sequence[Surveyed]) -> str:
    """Write a table of verdicts by layout, file or words."""
    groups = sorted({getattr(row, of) for row in rows})
    heads = "".join(f"{word:>9}" for word in VERDICTS)
    lines = [f"{of:17}{'tables':>7}{'settled':>8}{heads}{'equal of settled':>18}"]
    for group in [*groups, "all"]:
        own = [row for row in rows if group in {"all", getattr(row, of)}]
        counts = Counter(row.verdict.word for row in own)
        settled = [row for row in own if row.settled]
        right = sum(row.verdict.word == "equal" for row in settled)
        share = f"{right} of {len(settled)} ({right / len(settled):.0%})" if settled else "-"
        cells = "".join(f"{counts[word]:>9}" for word in VERDICTS)
        lines.append(f"{group:17}{len(own):>7}{len(settled):>8}{cells}{share:>18}")
    return "\n".join(lines)


def told(rows: Sequence[Surveyed], words: Sequence[str] = ("silent", "crashed")) -> str:
    """Name each table that went wrong, with its first differences."""
    lines = []
    for row in rows:
        if row.verdict.word in words:
            what = "; ".join(line[:160] for line in row.verdict.differences[:3])
            lines.append(f"{row.seed} {row.layout} {row.file} {row.verdict.word}: {what}")
    return "\n".join(lines)


def kinds_of(said: str) -> list[str]:
    """Give the kinds of what a refusal asks or names, each once: its words without names.

    Example:
        >>> kinds_of('a.csv: What is in "X"? Type one of: --column tag=X (a tag).')
        ['What is in ...? tag']
        >>> kinds_of('a.csv: Is all of this right? (1) Is it "X"? Yes. (2) Is it "Y"? No.')
        ['Is it ...? Yes', 'Is it ...? No']
    """
    asked = [
        f"{NAMED.sub('...', ask).partition('. ')[0]}? {first}"
        for ask, first in ASKED.findall(TOGETHER.sub("", said))
    ]
    return list(dict.fromkeys(asked or [f"refused: {must}" for must in REFUSED.findall(said)]))


def questions_of(rows: Sequence[Surveyed]) -> str:
    """Count the kinds of questions that were asked of tables that settle their reading.

    Behind how many tables a kind was asked of stands of how many nothing else was asked, and seeds.
    """
    asked: dict[str, list[int]] = {}
    alone: Counter[str] = Counter()
    for row in rows:
        if row.settled and row.verdict.word == "asked":
            kinds = kinds_of(row.verdict.differences[0])
            for kind in kinds:
                asked.setdefault(kind, []).append(row.seed)
            alone.update(kinds if len(kinds) == 1 else ())
    often = sorted(asked.items(), key=lambda item: -len(item[1]))
    return "\n".join(
        f"{len(seeds):>6} {alone[kind]:>6} alone  {kind[:90]}  {seeds[:6]}" for kind, seeds in often
    )


def _keep(laid: Laid, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in laid.files.items():
        (folder / name).write_bytes(content)


def _main(words: Sequence[str]) -> None:
    if words[0] == "--keep":
        laid = laid_by_seed(int(words[2]))
        _keep(laid, Path(words[1]))
        reasons = "; ".join(laid.unsettled) or "settled"
        print(laid.plan, laid.arguments, reasons, sep="\n")  # noqa: T201 - its whole purpose
        return
    first = int(words[1]) if len(words) > 1 else 0
    rows = list(survey(range(first, first + int(words[0]))))
    kinds = Counter(kind for row in rows if row.verdict.word == "silent"
                    for kind in row.verdict.kinds)  # fmt: skip
    parts = [shares_by(of, rows) for of in ("layout", "file", "words")]
    parts.append("\n".join(f"{count:>6}  {kind}" for kind, count in kinds.most_common()))
    lines = Counter(row.verdict.typed for row in rows if row.verdict.word == "asked")
    parts.append("\n".join(f"{count:>6}  asked, then {end}" for end, count in lines.most_common()))
    parts.append(questions_of(rows))
    print("\n\n".join([*parts, told(rows)]))  # noqa: T201


if __name__ == "__main__":
    _main(sys.argv[1:])
