"""Writes the hundred clinical questions as a study of six reference systems, two of them a model's.

    python -m tools.six_systems FOLDER [--questions N]
    medassay answer FOLDER --system chain --system tree ...
    medassay run FOLDER

With --questions the study holds the first N alone: so many the embedded model was asked, which is
slow, and plumbing.
"""

import argparse
import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

BY_EVIDENCE: Final = ("chain", "hybrid", "structured", "tree")
BY_MODEL: Final = ("chain-smollm2", "plain-smollm2")
_MODEL: Final = (
    'by = "model"\nretrieval = "tfidf"\nreads = 1\n'
    "parameters = { temperature = 0, max_tokens = 60 }\n"
)
_PLAIN: Final = 'kind = "endpoint"\nparameters = { temperature = 0, max_tokens = 40 }\n'


def write_six(folder: Path, questions: int | None = None) -> Path:
    """Write the study; the demo's own pipeline is the seventh, and has answered."""
    with as_file(files("medassay") / "data" / "studies" / "clinical") as ours:
        shutil.copytree(ours, folder)
    settings = (folder / "study.toml").read_text(encoding="utf-8")
    for name in (*BY_EVIDENCE, *BY_MODEL):
        method = name.partition("-")[0]
        settings += f"\n[systems.{name}]\n"
        if method == "plain":
            settings += _PLAIN
            continue
        settings += f'kind = "options"\nmethod = "{method}"\n{_MODEL if name in BY_MODEL else ""}'
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    if questions is not None:
        settings = settings.replace('[systems.bm25]\ntitle = "BM25 over guidelines"\n', "")
        (folder / "study.toml").write_text(settings, encoding="utf-8")
        shutil.rmtree(folder / "answers")
        path = folder / "cases.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[:questions]
        path.write_text("".join(lines), encoding="utf-8")
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int)
    given = parser.parse_args()
    write_six(given.folder, given.questions)
