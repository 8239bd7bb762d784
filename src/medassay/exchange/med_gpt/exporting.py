"""Write a study as a results file of the med-gpt protocol, scores filled in."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.answers import Answer
from medassay.errors import InvalidInput, Problem
from medassay.exchange.entrusted import refuse_old, refuse_unasked
from medassay.exchange.med_gpt.rows import ASPECTS, SCORES
from medassay.exchange.other_tools.declaring import WrittenFiles
from medassay.judgements import Dimension
from medassay.study import only_writer
from medassay.study.contents.cases_and_answers import refuse_none_held
from medassay.study.files.names import RATERS_KEY
from medassay.study.folder import Study
from medassay.tables import csv_bytes, write_atomically
from medassay.text import count_of

__all__ = ["export_med_gpt"]

_OWN: Final = "overall"
_LEVELS: Final = frozenset("12345")
_SAID: Final = frozenset({"yes", "no", "unclear"})
_HEAD: Final = ("question", "answer", "model", "retrieved_chunks", *SCORES)
_Cells = dict[str, object]


def export_med_gpt(study: Study, into: Path, texts: str | None) -> WrittenFiles:
    """Write a row for each answer and rater: question, answer, model, and what was said of it.

    Raters are called by their pseudonyms unless the study names them. Scores that the study does
    not hold under the source's two names stay empty: what medassay computes is not theirs.

    Args:
        study: The study, whole.
        into: The file.
        texts: `full` where texts that the study keeps may be written.

    Raises:
        InvalidInput: The file is there, the study keeps its texts, it has no answers in words, two
            cases ask the same, or no dimension is known to be the one with scores from 1 to 5.
    """
    refuse_old(into)
    refuse_unasked(study, "full", texts, [into])
    refuse_none_held(study.answers, str(study.path), "have answers in words")
    exported = study if study.pseudonyms.named else study.with_pseudonyms()
    carried = _carried(exported)
    said_of = _said(exported, carried)
    asked = _questions(exported)
    left: Counter[str] = Counter()
    rows = [
        {**_answered(exported, answer, asked[answer.case], left), **judged}
        for answer in exported.answers
        if answer.text is not None
        for judged in said_of.get((answer.system, answer.case), [{}])
    ]
    if not rows:
        raise InvalidInput(Problem(str(study.path), "have answers in words", "none"))
    filled = {name for row in rows for name, value in row.items() if value is not None}
    more = [
        name for name in ("rater", "position", *carried.values(), "rationale") if name in filled
    ]
    if "human_score" not in more:
        more.append("human_score")
    tags = sorted(filled - {*_HEAD, *more})
    columns = [*_HEAD, *more, *tags]
    if said_of:
        with only_writer(study.path):
            study.pseudonyms.write_key(study.path)
    write_atomically(
        into, csv_bytes(columns, ([row.get(name) for name in columns] for row in rows))
    )
    counts = {
        "answer": sum(other.text is not None for other in exported.answers),
        "score": sum(row.get("human_score") is not None for row in rows),
    }
    return WrittenFiles(
        counts, [str(into)], _notes(study, carried, rows, left, hidden=bool(said_of))
    )


def _carried(study: Study) -> dict[str, str]:
    """Give each dimension that the file has a column for, and the column."""
    carried = {_score(study): "human_score"}
    for column, ours in ASPECTS.items():
        if ours in study.rubric.ids and _SAID.issuperset(study.rubric.dimension(ours).names):
            carried.setdefault(ours, column)
    return carried


def _score(study: Study) -> str:
    """Choose what becomes `human_score`: the protocol's own, the only one, or the primary one."""
    could = [
        dimension.id
        for dimension in study.rubric.dimensions
        if dimension.names and _LEVELS.issuperset(_levels(dimension).values())
    ]
    if _OWN in could:
        return _OWN
    primary = [name for name in study.config.report.primary_dimensions or () if name in could]
    if primary or len(could) == 1:
        return (primary or could)[0]
    must = "have a dimension of scores from 1 to 5, and say which if there are several"
    hint = 'Write primary_dimensions = ["NAME"] under [report] of study.toml.' if could else ""
    raise InvalidInput(Problem(str(study.path), must, ", ".join(could) or "none", hint))


def _levels(dimension: Dimension) -> dict[str, str]:
    """Give label to what stands for it: its score where it has one, else itself."""
    scores = dimension.scores or [None] * len(dimension.names)
    return {
        name: name if score is None else f"{score:g}"
        for name, score in zip(dimension.names, scores, strict=True)
    }


def _said(study: Study, carried: Mapping[str, str]) -> dict[tuple[str, str], list[_Cells]]:
    """Give what each rater said of each answer, raters in the order of their names."""
    rows = study.judgements.in_phases().sort("rater", "system", "case", "dimension")
    by_rater: dict[tuple[str, str], dict[str, _Cells]] = {}
    for row in rows.iter_rows(named=True):
        column = carried.get(row["dimension"])
        if column is None or row["label"] is None:
            continue
        levels = _levels(study.rubric.dimension(row["dimension"]))
        of = by_rater.setdefault((row["system"], row["case"]), {})
        cells = of.setdefault(row["rater"], {"rater": row["rater"]})
        cells[column] = levels[row["label"]] if column == "human_score" else row["label"]
        if column == "human_score":
            cells["position"] = row["position"]
            cells["rationale"] = row["comment"]
    return {key: list(of.values()) for key, of in by_rater.items()}


def _questions(study: Study) -> dict[str, str]:
    asked = {case.case: (case.asked or case.narrative or "").strip() for case in study.cases}
    first: dict[str, str] = {}
    problems = []
    for case, question in asked.items():
        if not question:
            problems.append(Problem("cases", "ask something", f"nothing in {case}"))
        elif first.setdefault(question, case) != case:
            must = "ask each question once, for rows are told apart by it"
            problems.append(Problem("cases", must, f"that of {first[question]} in {case} again"))
    if problems:
        raise InvalidInput(problems)
    return asked


def _answered(study: Study, answer: Answer, question: str, left: Counter[str]) -> _Cells:
    case = study.cases[answer.case]
    texts = {document.id: document.text for document in case.documents}
    chunks = None
    if answer.retrieved is not None:
        known = [retrieved for retrieved in answer.retrieved if texts.get(retrieved.document)]
        left["texts retrieved that the study does not hold"] += len(answer.retrieved) - len(known)
        chunks = json.dumps(
            [
                {"id": retrieved.document, "text": texts[retrieved.document]}
                | ({} if retrieved.score is None else {"score": retrieved.score})
                for retrieved in known
            ],
            ensure_ascii=False,
        )
    left["answers' own citations, reasoning and further columns"] += bool(
        answer.citations or answer.reasoning or answer.raw
    )
    taken = {*_HEAD, "rater", "position", "human_score", "rationale", *ASPECTS}
    return {
        **{name: value for name, value in case.tags.items() if name not in taken},
        "question": question,
        "answer": answer.text,
        "model": answer.system,
        "retrieved_chunks": chunks,
        **_scores(study, answer),
    }


def _scores(study: Study, answer: Answer) -> _Cells:
    """Give the study's scores under the source's two names, as far as it holds any."""
    scores: _Cells = {}
    for imported in study.imported:
        if not set(SCORES) & set(imported.table.sources):
            continue
        frame = imported.table.frame.filter(system=answer.system, case=answer.case)
        for source, value in frame.select("source", "value").iter_rows():
            if source in SCORES:
                scores[source] = value
    return scores


def _notes(
    study: Study,
    carried: Mapping[str, str],
    rows: Sequence[_Cells],
    left: Counter[str],
    *,
    hidden: bool,
) -> list[str]:
    notes = [f"not carried over: {what} ({n})." for what, n in left.items() if n]
    unread = study.answers.tally.not_held.total()
    if unread:
        notes.append(
            f"not carried over: {count_of(unread, 'answer')} with a text that is not held."
        )
    wordless = sum(answer.text is None for answer in study.answers) - unread
    if wordless:
        notes.append(f"not carried over: {count_of(wordless, 'answer')} without words.")
    frame = study.judgements.frame
    others = sorted(set(frame["dimension"].unique().to_list()) - carried.keys())
    if others:
        notes.append(f"not carried over: what was said of {', '.join(others)}.")
    phases = frame.filter(~frame["phase"].is_in(study.judgements.counts)).height
    if phases:
        notes.append(
            f"not carried over: {count_of(phases, 'judgement')} of phases that do not count."
        )
    reasons = frame.filter(frame["label"].is_null()).height
    if reasons:
        text = count_of(reasons, "judgement")
        notes.append(f"{text} without a label, such as cannot judge: an empty cell.")
    notes += [
        f"{name} is empty: the study holds no scores of that name."
        for name in SCORES
        if all(row.get(name) is None for row in rows)
    ]
    if hidden and study.pseudonyms.of and not study.pseudonyms.named:
        notes.append(f"Raters are called by their pseudonyms, as in {RATERS_KEY}.")
    if study.config.synthetic:
        notes.append("The study is made up. The file has no place to say so: say it yourself.")
    return notes
