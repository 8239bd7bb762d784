"""Studies whose answers are known by their ids alone."""

import json
import shutil
from pathlib import Path

import numpy as np

from medassay.answers import Answer, read_answers, write_answers

_LABELS = ", ".join(f'{{ label = "{n}", score = {n} }}' for n in range(1, 6))


def write_ratings_alone(
    folder: Path,
    *,
    systems: int = 2,
    cases: int = 4,
    dimensions: tuple[str, ...] = ("accuracy", "clarity", "empathy"),
    more: str = "",
) -> Path:
    """Write a study of two raters that holds neither questions nor answers, only who was rated."""
    (folder / "answers").mkdir(parents=True)
    settings = f'schema = 1\ntitle = "Ratings"\n{more}\n[protocol]\nname = "ratings"\n'
    (folder / "study.toml").write_text(f'{settings}[[dimensions]]\nrubric = "rubric.toml"\n')
    rubric = [
        f'[[dimensions]]\nid = "{name}"\ntitle = "{name.capitalize()}"\n'
        f'question = "How good is it?"\nscale = "ordinal"\nlabels = [{_LABELS}]\n'
        for name in dimensions
    ]
    (folder / "rubric.toml").write_text("\n".join(['name = "rubric"', *rubric]))
    ids = [f"id{n}" for n in range(cases)]
    (folder / "cases.jsonl").write_text("".join(json.dumps({"case": one}) + "\n" for one in ids))
    rng = np.random.default_rng(0)
    rows = ["rater,system,case,dimension,label"]
    for number in range(systems):
        system = f"s{number}"
        answers = [Answer(system=system, case=case, held=False) for case in ids]
        write_answers(folder / "answers", answers)
        for case in ids:
            for rater in ("r1", "r2"):
                for name in dimensions:
                    label = int(np.clip(round(rng.normal(2.5 + 0.3 * number)), 1, 5))
                    rows.append(f"{rater},{system},{case},{name},{label}")
    (folder / "judgements.csv").write_text("\n".join(rows))
    return folder


def without_texts(folder: Path, *, ids_alone: bool) -> Path:
    """Take what systems wrote out of a study: all but the ids, or all but choices and the like."""
    answers = list(read_answers(folder / "answers", None))
    gone = {"text": None, "statements": None, "turns": None, "raw": None, "held": False}
    kept = [
        Answer(system=one.system, case=one.case, sample=one.sample, held=False)
        if ids_alone
        else one.model_copy(update=gone)
        for one in answers
    ]
    shutil.rmtree(folder / "answers")
    (folder / "answers").mkdir()
    write_answers(folder / "answers" / "all.jsonl", kept)
    return folder
