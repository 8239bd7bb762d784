"""Write a new study: a commented study.toml, and every file with its columns."""

from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements import load_rubric
from medassay.study.lock import LOCK
from medassay.study.protocol import Protocol, load_protocol, protocol_names
from medassay.tables import csv_bytes, jsonl_bytes, make_folder, write_atomically

__all__ = ["new_study"]

JUDGEMENT_COLUMNS: Final = (
    "rater", "rater_kind", "system", "case", "dimension", "label", "reason", "phase", "position",
    "time", "seconds", "comment",
)  # fmt: skip
PREFERENCE_COLUMNS: Final = (
    "rater", "rater_kind", "case", "system_a", "system_b", "dimension", "choice", "reason", "phase",
    "position", "time", "seconds", "comment",
)  # fmt: skip
_RATERS: Final = ("r1", "r2")
_CASES: Final[tuple[dict[str, object], ...]] = (
    {
        "case": "sprain",
        "question": "How long should I rest my ankle after a sprain?",
        "evidence": [
            {
                "id": "1",
                "text": "Rest the ankle for one to two days, then begin gentle movement.",
                "relevance": "essential",
            },
            {
                "id": "2",
                "text": "Ice may be applied for up to twenty minutes at a time.",
                "relevance": "supplementary",
            },
        ],
        "references": [
            {"text": "Rest it for a day or two, then start to move it gently as pain allows."}
        ],
        "tags": {"specialty": "orthopaedics"},
    },
    {
        "case": "antibiotics",
        "question": "Will antibiotics help against my cold?",
        "evidence": [
            {
                "id": "1",
                "text": "Colds are caused by viruses, and antibiotics do not act on viruses.",
                "relevance": "essential",
            }
        ],
        "references": [
            {"text": "No. A cold is caused by a virus, and antibiotics do not act on viruses."}
        ],
        "tags": {"specialty": "general practice"},
    },
)
_ANSWERS: Final[dict[str, tuple[dict[str, object], ...]]] = {
    "system-a": (
        {
            "case": "sprain",
            "statements": [
                {"text": "Rest the ankle for one or two days.", "citations": ["1"]},
                {"text": "Then move it gently as pain allows.", "citations": ["1"]},
            ],
        },
        {"case": "antibiotics", "text": "No, antibiotics do not act on the virus behind a cold."},
    ),
    "system-b": (
        {"case": "sprain", "text": "Keep the ankle still for six weeks."},
        {"case": "antibiotics", "text": "A cold is caused by a virus, so antibiotics do not help."},
    ),
}


def new_study(
    folder: Path, protocol: str, *, empty: bool = False, synthetic: bool = False
) -> list[Path]:
    """Write a study's files into a new or empty folder.

    Args:
        folder: Where to.
        protocol: The protocol's name.
        empty: Write headers only. Otherwise two invented cases show the form of every file, and
            the study is marked synthetic, so that no page can be mistaken for a result.
        synthetic: Mark an empty study so too: what will be put in is made up.

    Returns:
        The files that were written.

    Raises:
        InvalidInput: The folder holds something already.
        UnknownName: There is no such protocol.
    """
    rules = load_protocol(protocol)
    if folder.exists() and not _is_empty(folder):
        raise InvalidInput(
            Problem(str(folder), "be a new or empty folder", "one that holds files already")
        )
    readme = (files("medassay") / "data" / "templates" / "README.md").read_bytes()
    contents = {
        "study.toml": _settings(
            rules, folder.resolve().name, empty=empty, synthetic=synthetic
        ).encode(),
        "README.md": readme,
        "cases.jsonl": b"" if empty else jsonl_bytes(_CASES),
        "judgements.csv": csv_bytes(JUDGEMENT_COLUMNS, [] if empty else _judgements(rules.rubric)),
        "preferences.csv": csv_bytes(PREFERENCE_COLUMNS, []),
    }
    for system, answers in _ANSWERS.items():
        if not empty:
            contents[f"answers/{system}.jsonl"] = jsonl_bytes(answers)
    make_folder(folder / "answers")
    for name, content in contents.items():
        write_atomically(folder / name, content)
    return [folder / name for name in contents]


def _is_empty(folder: Path) -> bool:
    """Say whether nothing is in a folder but the lock of whoever is about to write."""
    results = folder / "results"
    if not folder.is_dir() or set(folder.iterdir()) - {results}:
        return False
    return not results.exists() or set(results.iterdir()) <= {results / LOCK}


def _settings(rules: Protocol, title: str, *, empty: bool, synthetic: bool) -> str:
    def listed(words: list[str]) -> str:
        return ", ".join(f'"{word}"' for word in words)

    metrics = "".join(f'# [[metrics]]\n# name = "{name}"\n' for name in rules.metrics)
    note = (
        "# synthetic = true           # prints a banner on every page and figure\n"
        if empty
        else "# The two cases here are invented. Put yours in their place and remove this line.\n"
        "synthetic = true\n"
    )
    if empty and synthetic:
        note = "# The data is made up: every page and figure says so.\nsynthetic = true\n"
    template = (files("medassay") / "data" / "templates" / "study.toml").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=title.replace("\\", "").replace('"', "'"),
        synthetic=note,
        protocols=", ".join(protocol_names()),
        protocol=rules.name,
        rubric=rules.rubric,
        dimensions=listed([dimension.id for dimension in load_rubric(rules.rubric).dimensions]),
        metrics=metrics,
        agreement=listed(rules.agreement),
        consensus=listed(rules.consensus),
        rank_by=rules.rank_by,
        rank_cases=rules.rank_cases,
    )


def _judgements(rubric: str) -> list[list[str]]:
    """Give every answer a label by every rater, walking through the labels of each scale."""
    rows = []
    dimensions = load_rubric(rubric).dimensions
    answered = [(system, str(answer["case"])) for system in _ANSWERS for answer in _ANSWERS[system]]
    for turn, rater in enumerate(_RATERS):
        for place, (system, case) in enumerate(answered):
            for dimension in dimensions:
                label = dimension.labels[(place + turn * (place % 2)) % len(dimension.labels)].label
                filled = {
                    "rater": rater,
                    "rater_kind": "person",
                    "system": system,
                    "case": case,
                    "dimension": dimension.id,
                    "label": label,
                    "phase": "main",
                    "position": str(place + 1),
                }
                rows.append([filled.get(column, "") for column in JUDGEMENT_COLUMNS])
    return rows
