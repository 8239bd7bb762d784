"""Make studies from four public sets of ratings, to try the panel's numbers on.

    python -m tools.make_rating_studies DATA INTO

DATA holds pubmedqa_pqal, kqa, openqa_nq301 and mslr_cochrane as tests/data does: labels without any
text, each with its SOURCE.txt and LICENCE.txt. INTO gets one study a set; then

    medassay agree INTO/kqa
    medassay consensus INTO/kqa
"""

import csv
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from medassay.tables import csv_bytes, jsonl_bytes, write_atomically

Row = dict[str, str]
SETS: Final = ("pubmedqa_pqal", "kqa", "openqa_nq301", "mslr_cochrane")
_HEAD: Final = ("rater", "system", "case", "dimension", "label", "phase")
_RATERS: Final = ("rater", "expertise", "shown")

_CONFIG: Final = """\
schema = 1
title = "{title}"
description = "{description}"
licence = "{licence}"

[protocol]
name = "{protocol}"

[[dimensions]]
rubric = "{rubric}"
{only}
[agreement]
coefficients = ["unanimous", "mean_pairwise", "{kappa}", "fleiss", "krippendorff", \
"gwet", "brennan_prediger"]

[consensus]
methods = ["majority", "majority(ties=lower)", "dawid_skene", "mace"]

[ranking]
by = "majority(dimension={by})"
{clusters}
# Published as codes already: nobody can be told by them.
[privacy]
raters = "named"
"""

_RUBRIC: Final = """\
name = "{name}"
title = "{title}"
source = "{source}"

[[dimensions]]
id = "{dimension}"
title = "{title}"
question = "{question}"
scale = "{scale}"
labels = [
{labels}
]
"""


def make_studies(data: Path, into: Path, sets: Iterable[str] = SETS) -> list[Path]:
    """Write a study for each of the sets; give their folders."""
    makers = dict(zip(SETS, (_pubmedqa, _kqa, _openqa, _cochrane), strict=True))
    for name in sets:
        makers[name](data / name, into / name)
    return [into / name for name in sets]


def _pubmedqa(data: Path, into: Path) -> None:
    rows = _read(data / "labels.csv")
    readers = {"reasoning-required": "reasoning_required", "reasoning-free": "reasoning_free"}
    said = [
        (reader, "abstract", row["pmid"], "conclusion", row[column], "main")
        for row in rows
        for reader, column in readers.items()
    ]
    # What the two settled on is no third opinion: adjudication, which no coefficient reads.
    final = ("conclusion", "adjudication")
    said += [("both", "abstract", row["pmid"], final[0], row["final"], final[1]) for row in rows]
    shown = {
        "reasoning-required": "the abstract without its conclusion",
        "reasoning-free": "the abstract with its conclusion",
        "both": "the abstract with its conclusion, and both labels",
    }
    _write(into, [{"case": row["pmid"]} for row in rows], said, shown)
    _rubric(
        into,
        "conclusion",
        "What the abstract concludes",
        "Does the abstract answer its question with yes, maybe or no?",
        "ordinal",
        {"yes": 2, "maybe": 1, "no": 0},
        "PubMedQA, doi:10.18653/v1/D19-1259",
    )
    _config(into, "PubMedQA: two readers of 1,000 abstracts", "MIT", by="conclusion")


def _kqa(data: Path, into: Path) -> None:
    rows = _read(data / "labels.csv")
    cases = [{"case": r["claim"], "tags": {"question": f"q{r['question']}"}} for r in rows]
    said = [
        (f"physician-{n + 1}", r["model"], r["claim"], "follows", r[f"label_{n}"], "main")
        for r in rows
        for n in range(3)
    ]
    _write(into, cases, said, {})
    _rubric(
        into,
        "follows",
        "Whether the claim follows",
        "Does the claim follow from the answer?",
        "nominal",
        {"Entailment": 1, "Neutral": 0, "Contradiction": -1},
        "K-QA, doi:10.18653/v1/2024.bionlp-1.22",
    )
    clusters = 'clusters = "question"\n'
    _config(
        into,
        "K-QA: three physicians on 399 claims",
        "MIT",
        by="follows",
        clusters=clusters,
        kappa="mean_cohen",
    )


def _openqa(data: Path, into: Path) -> None:
    rows = _read(data / "labels.csv")
    said = [
        (name, f"answer-{int(r['answer']):02}", r["question"], "acceptable", r[name], "main")
        for r in rows
        for name in ("annotator1", "annotator2", "annotator3")
        if r[name]
    ]
    _write(into, [{"case": q} for q in dict.fromkeys(r["question"] for r in rows)], said, {})
    _rubric(
        into,
        "acceptable",
        "Whether the answer is acceptable",
        "Is the answer acceptable?",
        "ordinal",
        {"Yes": 1, "No": 0},
        "Kamalloo et al. (2023), doi:10.18653/v1/2023.acl-long.307",
    )
    _config(
        into,
        "NQ-open: answers to 301 questions",
        "MIT",
        by="acceptable",
        kappa="mean_cohen",
    )


def _cochrane(data: Path, into: Path) -> None:
    labels = {name: _labels_of(name) for name in ("fluency", "outcome")}
    rows = _read(data / "facets.csv")
    said = [
        (row["annotator"], row["system"], row["review_id"], name, words[row[name]], "main")
        for row in rows
        for name, words in labels.items()
        if row[name]
    ]
    pairs = _read(data / "pairwise.csv")
    reviews = sorted({row["review_id"] for row in [*rows, *pairs]})
    _write(into, [{"case": review} for review in reviews], said, {})
    columns = ("annotator", "review_id", "system_a", "system_b")
    chosen = [(*(row[name] for name in columns), "overall", row["choice"].lower()) for row in pairs]
    head = ("rater", "case", "system_a", "system_b", "dimension", "choice")
    write_atomically(into / "preferences.csv", csv_bytes(head, chosen))
    _config(
        into,
        "Cochrane summaries: two annotators, two facets",
        "Apache-2.0",
        by="outcome",
        protocol="summaries",
        rubric="cochrane",
        only='only = ["fluency", "outcome"]\n',
    )


def _labels_of(dimension: str) -> dict[str, str]:
    """Give the code of each label of a facet, as the shipped rubric scores it."""
    from medassay.judgements import load_rubric

    labels = load_rubric("cochrane").dimension(dimension).labels
    return {f"{label.score:.0f}": label.label for label in labels if label.score is not None}


def _read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(
    into: Path,
    cases: Iterable[Mapping[str, object]],
    said: Iterable[tuple[str, ...]],
    shown: dict[str, str],
) -> None:
    write_atomically(into / "cases.jsonl", jsonl_bytes(cases))
    write_atomically(into / "judgements.csv", csv_bytes(_HEAD, sorted(said)))
    if shown:
        rows = [(rater, "", text) for rater, text in shown.items()]
        write_atomically(into / "raters.csv", csv_bytes(_RATERS, rows))


def _rubric(
    into: Path,
    dimension: str,
    title: str,
    question: str,
    scale: str,
    scores: dict[str, int],
    source: str,
) -> None:
    labels = "\n".join(f'  {{ label = "{one}", score = {n} }},' for one, n in scores.items())
    text = _RUBRIC.format(
        name=into.name,
        dimension=dimension,
        title=title,
        question=question,
        scale=scale,
        labels=labels,
        source=source,
    )
    write_atomically(into / "rubric.toml", text.encode())


def _config(  # noqa: PLR0913 - each is a line of study.toml
    into: Path,
    title: str,
    licence: str,
    *,
    by: str,
    protocol: str = "ratings",
    rubric: str = "rubric.toml",
    only: str = "",
    clusters: str = "",
    kappa: str = "cohen",
) -> None:
    text = _CONFIG.format(
        title=title,
        description="Public ratings, labels only.",
        licence=licence,
        protocol=protocol,
        rubric=rubric,
        only=only,
        by=by,
        clusters=clusters,
        kappa=kappa,
    )
    write_atomically(into / "study.toml", text.encode())


if __name__ == "__main__":
    make_studies(Path(sys.argv[1]), Path(sys.argv[2]))
