"""The questions to a judge which of two answers is better."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from medassay.judges.menu import PAIR
from medassay.judges.prompts import TWO, filled, places_of, refuse_prompt
from medassay.judges.questions import Question, answers_of, refuse_unknown
from medassay.study.folder import Study
from medassay.study.judge_config import JudgeConfig, shipped_prompt

__all__ = ["pair_questions"]

_OVERALL: Final = "overall"
_WHICH: Final = "Which of the two replies would you rather give to the person who asked?"


def pair_questions(
    study: Study, name: str, config: JudgeConfig, prompt: str | None
) -> Iterator[Question]:
    """Give a question for each two systems' first answers to a case, and each dimension.

    Which stands first is drawn by the names of case and systems, so that each is first about as
    often as second; asked again, they change places.

    Raises:
        InvalidInput: The judge is to be asked what the rubric has not.
    """
    if prompt is not None:
        refuse_prompt(prompt, config.prompt, TWO)
    asked = {_OVERALL: _WHICH}
    asked |= {
        of_rubric.id: f"{_WHICH} By this alone: {of_rubric.question}"
        for of_rubric in study.rubric.dimensions
    }
    refuse_unknown(name, config, list(asked))
    menu = replace(PAIR, rationale=config.rationale, held=config.form == "schema")
    wanted = _preferred_by_people(study) if config.of == "judged" else None
    answers: dict[str, dict[str, str]] = {}
    for case, answer in answers_of(study):
        answers.setdefault(case.case, {}).setdefault(answer.system, answer.text or "")
    for dimension in config.dimensions or [_OVERALL]:
        for case in study.cases:
            places = places_of(case, asked[dimension], menu)
            replies = answers.get(case.case, {})
            for pair in combinations(sorted(replies), 2):
                if wanted is not None and (dimension, case.case, *pair) not in wanted:
                    continue
                first, second = _in_drawn_order(case.case, *pair)
                orders = [("main", first, second), ("repeat", second, first)]
                for phase, a, b in orders if config.again else orders[:1]:
                    shown = {"reply_a": replies[a], "reply_b": replies[b]}
                    yield Question(
                        {
                            "dimension": dimension, "case": case.case, "system_a": a,
                            "system_b": b, "phase": phase,
                        },
                        filled(prompt or shipped_prompt("pair"), {**places, **shown}),
                        menu,
                    )  # fmt: skip


def _in_drawn_order(case: str, first: str, other: str) -> tuple[str, str]:
    digest = hashlib.sha256(f"{case}\n{first}\n{other}".encode()).digest()
    return (other, first) if digest[0] % 2 else (first, other)


def _preferred_by_people(study: Study) -> set[tuple[str, ...]]:
    import polars as pl

    people = study.preferences_of_all.without_raters(study.judges.raters).current()
    rows = people.filter(pl.col("phase").is_in(["main", "calibration"]))
    return set(rows.select("dimension", "case", "first", "second").iter_rows())
