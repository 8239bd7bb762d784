"""Models small enough to be worked out by hand: an encoder, and one that judges statements."""

import shutil
from pathlib import Path
from typing import Final

from tools.standard.making import write_study

_MODELS: Final = Path(__file__).parents[2] / "tests" / "data" / "models"
_SETTINGS: Final = """title = "Scores by a tiny encoder"
synthetic = true
[protocol]
name = "ratings"
[[metrics]]
name = "bertscore_f1(ref=human,model=tiny,layer=3)"
[[metrics]]
name = "bertscore_f1(ref=human,model=absent,layer=3)"
[[metrics]]
name = "length"
[[metrics]]
name = "faithfulness(against=reference)"
[models.folders]
tiny = "tiny"
nli = "nli"
"""
_TEXTS: Final = {
    "one": "rest home",
    "two": "sleep home rest home sleep rest home sleep rest home",
    "three": "Yes yes yes. No no no. Perhaps perhaps perhaps.",
}


def write_encoder(folder: Path) -> Path:
    """Write the study with two models inside and one nowhere; no person has judged anything."""
    cases = [
        {"case": f"c{place}", "question": "What helps?", "references": [{"text": text}]}
        for place, text in enumerate(("rest", "home", "sleep rest"))
    ]
    answers = {
        system: [{"case": case["case"], "text": text} for case in cases]
        for system, text in _TEXTS.items()
    }
    write_study(folder, _SETTINGS, cases, answers)
    shutil.copytree(_MODELS / "tiny-encoder", folder / "tiny")
    shutil.copytree(_MODELS / "tiny-nli", folder / "nli")
    return folder
