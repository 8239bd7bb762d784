"""The environmental-health panel's files that are not as they must be."""

from pathlib import Path
from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make

_IMPORT: Final = "medassay import --from environmental-health panel --into new"
_SOUND: Final = {
    "scenarios.csv": "scenario_id,pollutant,outcome,query\nS1,lead,IQ,Does lead lower IQ?\n",
    "ranking.csv": "scenario_id,document_rank,document,similarity,relevance\nS1,1,d1,0.9,1\n",
    "ratings.csv": "scenario_id,expert_id,factuality,interpretability,expert_confidence\n"
    "S1,E1,2,5,High\n",
    "confidence.csv": "scenario_id,normalized_similarity_mean,system_confidence\nS1,0.5,Medium\n",
}


def _panel(**changed: str) -> Make:
    """Write a panel's four tables, some of them with another row."""

    def make(folder: Path) -> None:
        for name, text in _SOUND.items():
            path = folder / "panel" / name
            path.parent.mkdir(exist_ok=True)
            head, _ = text.split("\n", 1)
            row = changed.get(path.stem)
            path.write_text(text if row is None else f"{head}\n{row}\n", encoding="utf-8")

    return make


def _strange(folder: Path) -> None:
    _panel()(folder)
    (folder / "panel" / "costs.csv").write_text("month,euros\n1,2\n", encoding="utf-8")


PANEL_FILES: Final = [
    BadCase(
        "A rating that is no level",
        "factuality is 3, and its levels are 0 to 2",
        _panel(ratings="S1,E1,3,5,High"),
        _IMPORT,
    ),
    BadCase(
        "A word of confidence that is none",
        "expert_confidence is Certain",
        _panel(ratings="S1,E1,2,5,Certain"),
        _IMPORT,
    ),
    BadCase(
        "Ratings of a scenario that nobody asked",
        "the ratings name S9, and the scenarios have S1",
        _panel(ratings="S9,E1,2,5,High"),
        _IMPORT,
    ),
    BadCase(
        "A table of a panel that is none of its tables",
        "a table of costs lies in the folder",
        _strange,
        _IMPORT,
    ),
]
