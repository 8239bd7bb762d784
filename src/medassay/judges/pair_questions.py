"""The questions to a judge which of two answers is better."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

from medassay.judges.menu import PAIR
from medassay.judges.prompts import TWO, filled, places_of, refuse_prompt, reply_of
from medassay.judges.questions import Question, answers_of, refuse_unknown
from medassay.judges.sources import sources_of, text_lacks, unaskable
from medassay.study.config.judges import JudgeConfig, shipped_prompt
from medassay.study.folder import Study

if TYPE_CHECKING:
    from medassay.answers import Answer

__all__ = ["pair_questions"]

_OVERALL: Final = "overall"
_WHICH: Final = "Which of the two replies would you rather give to the person who asked?"


def pair_questions(
    study: Study, name: str, config: JudgeConfig, prompt: str | None
) -> Iterator[Question]:
    """Give a question for each two systems' first answers to a case, and each dimension.

    Which stands first is drawn by the names of case and systems, so that each is first about as
    often as second; asked again, they change places. Of parts of answers no pair is asked.

    Raises:
        InvalidInput: The judge is to be asked what the rubric has not.
    """
    askable = {
        dimension.id: dimension
        for dimension in study.rubric.dimensions
        if dimension.about == "answer" and not unaskable(dimension)
    }
    refuse_unknown(name, config, [_OVERALL, *askable])
    if prompt is not None:
        asked = [askable[name] for name in config.dimensions if name in askable]
        refuse_prompt(prompt, config.prompt, TWO, asked)
    menu = replace(PAIR, rationale=config.rationale, held=config.form == "schema")
    wanted = _preferred_by_people(study) if config.of == "judged" else None
    answers: dict[str, dict[str, Answer]] = {}
    for case, answer in answers_of(study):
        answers.setdefault(case.case, {}).setdefault(answer.system, answer)
    for dimension in config.dimensions or [_OVERALL]:
        alone = askable.get(dimension)
        question = _WHICH if alone is None else f"{_WHICH} By this alone: {alone.question}"
        for case in study.cases:
            places = places_of(case, question, menu)
            replies = answers.get(case.case, {})
            read = {
                system: ({}, text_lacks(reply)) if alone is None else sources_of(alone, case, reply)
                for system, reply in replies.items()
            }
            for pair in combinations(sorted(replies), 2):
                if wanted is not None and (dimension, case.case, *pair) not in wanted:
                    continue
                first, second = _in_drawn_order(case.case, *pair)
                orders = [("main", first, second), ("repeat", second, first)]
                lacks = read[first][1] or read[second][1]
                for phase, a, b in orders if config.again and not lacks else orders[:1]:
                    shown = {
                        "reply_a": reply_of(case, replies[a]),
                        "reply_b": reply_of(case, replies[b]),
                        "sources": {"A": read[a][0], "B": read[b][0]},
                    }
                    text = filled(prompt or shipped_prompt("pair"), {**places, **shown})
                    row = {
                        "dimension": dimension, "case": case.case, "system_a": a, "system_b": b,
                        "phase": phase,
                    }  # fmt: skip
                    yield Question(row, "" if lacks else text, menu, lacks)


def _in_drawn_order(case: str, first: str, other: str) -> tuple[str, str]:
    digest = hashlib.sha256(f"{case}\n{first}\n{other}".encode()).digest()
    return (other, first) if digest[0] % 2 else (first, other)


def _preferred_by_people(study: Study) -> set[tuple[str, ...]]:
    import polars as pl

    people = study.preferences_of_all.without_raters(study.judges.raters).current()
    rows = people.filter(pl.col("phase").is_in(["main", "calibration"]))
    return set(rows.select("dimension", "case", "first", "second").iter_rows())
