"""Write the study that a reader without fault makes: the comparison must find no difference."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from tests.front_door.drawn import Dimension, Drawn
from tests.front_door.laid_out import Laid

from medassay.tables import csv_bytes

__all__ = ["write_ideal"]

Record = Mapping[str, object]


def write_ideal(laid: Laid, folder: Path) -> None:
    """Write a study's folder of all that a table holds; raters are called by pseudonyms."""
    study = laid.shown
    (folder / "answers").mkdir(parents=True)
    rated = bool(study.dimensions)
    of_rubric = '[[dimensions]]\nrubric = "rubric.toml"\n' if rated else ""
    title = f'schema = 1\ntitle = "Drawn"\n{of_rubric}'
    (folder / "study.toml").write_text(title, encoding="utf-8")
    if rated:
        parts = ['name = "rubric"', *map(_dimension, study.dimensions)]
        (folder / "rubric.toml").write_text("\n".join(parts), encoding="utf-8")
    _write(folder / "cases.jsonl", _cases(study))
    _write(folder / "answers" / "all.jsonl", _answers(study))
    _documents(study, folder)
    _judgements(study, folder)
    (folder / "scores").mkdir()
    for metric in study.metrics:
        rows = [
            [key[1], key[0], value] for (of, key), value in study.scores.items() if of == metric
        ]
        path = folder / "scores" / f"{metric}.csv"
        path.write_bytes(csv_bytes(["system", "case", "value"], rows))
    if study.preferences:
        first, second = study.systems
        pairs = [
            [
                _alias(study, rater),
                case,
                first,
                second,
                {first: "a", second: "b"}.get(winner, "tie"),
            ]
            for (rater, case), winner in study.preferences.items()
        ]
        head = ["rater", "case", "system_a", "system_b", "choice"]
        (folder / "preferences.csv").write_bytes(csv_bytes(head, pairs))


def _write(path: Path, records: Iterable[Record]) -> None:
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text("".join(lines), encoding="utf-8")


def _alias(study: Drawn, rater: str) -> str:
    return f"p{len(study.raters) - study.raters.index(rater)}"


def _cases(study: Drawn) -> Iterable[Record]:
    for case in study.cases:
        references = [{"text": case.reference}] if case.reference else []
        yield {
            "case": case.case,
            "question": case.question,
            "references": references,
            "tags": dict(case.tags),
        }


def _answers(study: Drawn) -> Iterable[Record]:
    for (case, system, sample), given in study.answers.items():
        if given.text is None and not given.contexts and given.choice is None:
            # Answers that are known by id alone, and those never given, are not written.
            continue
        record: dict[str, object] = {"case": case, "system": system, "sample": sample}
        told = {
            "text": given.text,
            "confidence": given.confidence,
            "seconds": given.seconds,
            "choice": given.choice,
            "cost": given.cost,
        }
        record |= {name: value for name, value in told.items() if value is not None}
        ids = given.retrieved or [_passage(text) for text in given.contexts]
        if ids:
            record["retrieved"] = [{"document": one} for one in ids]
        yield record


def _passage(text: str) -> str:
    return f"passage {sha256(text.encode()).hexdigest()[:12]}"


def _documents(study: Drawn, folder: Path) -> None:
    texts = {_passage(text): text for given in study.answers.values() for text in given.contexts}
    if texts:
        _write(folder / "documents.jsonl", ({"id": id_, "text": t} for id_, t in texts.items()))


def _judgements(study: Drawn, folder: Path) -> None:
    if not study.ratings:
        return
    by_name = {dimension.name: dimension for dimension in study.dimensions}
    rows = []
    for (rater, name, key), value in study.ratings.items():
        words = by_name[name].scale.words
        label = words[by_name[name].scale.values.index(value)] if words else ""
        comment = study.comments.get((rater, key), "")
        number = "" if words else value
        rows.append([_alias(study, rater), key[1], key[0], key[2], name, label, number, comment])
    head = ["rater", "system", "case", "sample", "dimension", "label", "number", "comment"]
    (folder / "judgements.csv").write_bytes(csv_bytes(head, rows))


def _dimension(dimension: Dimension) -> str:
    scale = dimension.scale
    lines = ["", "[[dimensions]]", f"id = {json.dumps(dimension.name, ensure_ascii=False)}"]
    lines += [f"question = {json.dumps(dimension.name, ensure_ascii=False)}"]
    if scale.words:
        labels = ", ".join(
            f"{{ label = {json.dumps(word, ensure_ascii=False)}, score = {value:g} }}"
            for word, value in zip(scale.words, scale.values, strict=True)
        )
        lines += ['scale = "ordinal"', f"labels = [{labels}]"]
    else:
        low, high = scale.ends
        lines += [f"number = {{ low = {low:g}, high = {high:g} }}"]
    if scale.best_is_low or dimension.harm:
        lines += ['better = "lower"']
    if dimension.harm:
        no, yes = (json.dumps(word, ensure_ascii=False) for word in scale.words)
        lines += [f'mappings.harmful = {{ {yes} = "harmful", {no} = "not harmful" }}']
    return "\n".join(lines)
