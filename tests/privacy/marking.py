"""Plant a word of its own in every text, id, tag, name and comment of a study's folder."""

import csv
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Final

__all__ = [
    "KINDS",
    "MARK",
    "mark",
    "read_settings",
    "shorten",
    "texts_in",
    "write_settings",
]

KINDS: Final = (
    "text", "choice", "comment", "tagkey", "tagvalue", "case", "document", "rater", "judge",
)  # fmt: skip
MARK: Final = re.compile(rf"zq({'|'.join(KINDS)})\d+")
"""Such as zqcase7: letters and digits alone, which no form of writing escapes or breaks.

No word ends a mark: one that was cut after its number is found as well."""
_OURS: Final = frozenset({"scenario", "pollutant", "outcome"})
"""Tags that a protocol gives a meaning by their name."""
_DIGITS: Final = 918_273_640_000
_EVERY: Final = 4
"""Every fourth case is called by digits alone: an id of digits passes for a number."""
_SENTENCE: Final = re.compile(r"(?<=[.!?:;\n]) ?(?=\S)|^(?=\S)")
_TEXTS: Final = (
    "question", "narrative", "text", "title", "reasoning", "raw", "detail", "expertise",
    "conflicts", "shown", "rationale",
)  # fmt: skip
_Row = dict[str, Any]


class _Marks:
    """Gives a mark a thing, the same one whenever the thing is met.

    Args:
        known: Names that stay, since files that nobody may touch name them.
        models: Raters who are models: they keep their names.
    """

    def __init__(self, known: frozenset[str], models: frozenset[str]) -> None:
        self._of: dict[tuple[str, str], int] = {}
        self._known = known
        self._models = models

    def word(self, kind: str, thing: str) -> str:
        return f"zq{kind}{self._of.setdefault((kind, thing), len(self._of))}"

    def named(self, kind: str, thing: str) -> str:
        """Name a thing anew, in the order that the old names had."""
        if thing in self._known:
            return thing
        if kind == "rater" and thing in self._models:
            kind = "judge"
        word, number = self.word(kind, thing), self._of[kind, thing]
        if kind == "case" and number % _EVERY == 0:
            return str(_DIGITS + number)
        return f"{thing}-{word}"

    def tag(self, name: str) -> str:
        """Name a tag anew; `danger-A` stays that of choice A."""
        base, dash, letter = name.rpartition("-")
        if name in _OURS:
            return name
        if dash and len(letter) == 1:
            return f"{self.named('tagkey', base)}-{letter}"
        return self.named("tagkey", name)

    def text(self, text: str) -> str:
        """Put a mark before every sentence, so that whoever quotes one quotes the mark."""
        return _SENTENCE.sub(f" {self.word('text', text)} ", text).strip() if text.strip() else text

    @property
    def digits(self) -> frozenset[str]:
        """The cases that digits alone name."""
        numbers = [number for (kind, _), number in self._of.items() if kind == "case"]
        return frozenset(str(_DIGITS + number) for number in numbers if number % _EVERY == 0)


def mark(folder: Path) -> frozenset[str]:
    """Mark a study in place, and give the names of cases that are digits alone.

    Rules of danger and words of reasoning still find what they found: nothing is taken away. Two
    tags are planted beside the study's own, of few values, so that whatever groups by tags does;
    and whatever a study has a word about, such as blanks around an id, or two options that read
    the same, is there once.
    """
    certified = frozenset(path.stem for path in folder.glob("certificates/*.json"))
    marks = _Marks(certified, _models(folder))
    for path in _tables(folder):
        _rewrite(path, _marker(path, marks))
    for path in folder.glob("campaigns/*/plan.toml"):
        plan = tomllib.loads(path.read_text(encoding="utf-8"))
        plan["raters"] = [marks.named("rater", rater) for rater in plan["raters"]]
        _write_toml(path, plan)
    write_settings(folder, _settings(read_settings(folder), marks))
    return marks.digits


def _models(folder: Path) -> frozenset[str]:
    """Name the raters who are models."""
    rows = (row for path in _tables(folder) for row in _rows(path)[1])
    return frozenset(row["rater"] for row in rows if row.get("rater_kind") == "model")


def texts_in(folder: Path) -> Iterator[str]:
    """Give every text that a study holds."""
    for path in _tables(folder):
        for row in _rows(path)[1]:
            yield from _texts(row)


def _texts(value: object, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _texts(one, "text" if key == "options" else name)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, key)
    elif isinstance(value, str) and (key in _TEXTS or key == "comment"):
        yield value


def shorten(
    folder: Path, cases: int, systems: int | None = None, raters: int | None = None
) -> None:
    """Keep the first cases, systems and raters, and few draws: a small study of the same kind."""
    known = {"case": set(_column(next(folder.glob("cases.*")), "case")[:cases])}
    said = read_settings(folder)
    if systems is not None:
        answers = sorted((folder / "answers").iterdir())
        for path in answers[systems:]:
            path.unlink()
        known["system"] = {path.stem for path in answers[:systems]}
        titles = said.get("systems", {})
        said["systems"] = {name: titles[name] for name in titles if name in known["system"]}
    if raters is not None:
        known["rater"] = set(_column(folder / "raters.csv", "rater")[:raters])
    columns = {"case": "case", "system": "system", "rater": "rater"}
    columns |= {"system_a": "system", "system_b": "system"}

    def few(row: _Row) -> _Row | None:
        named = [(of, row[column]) for column, of in columns.items() if row.get(column)]
        return row if all(name in known.get(of, {name}) for of, name in named) else None

    for path in _tables(folder):
        _rewrite(path, few)
    said["run"] = {**said.get("run", {}), "replicates": 100}
    write_settings(folder, said)


def _tables(folder: Path) -> list[Path]:
    """List what a study is read from, but for study.toml."""
    inner = ("*.*", "answers/*.*", "scores/*.*", "campaigns/*/*.*")
    found = [path for pattern in inner for path in folder.glob(pattern)]
    return sorted(path for path in found if path.suffix in {".csv", ".jsonl"})


def _rows(path: Path) -> tuple[list[str], list[_Row]]:
    """Read a table's columns and rows; those of JSON lines need no names."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [], [json.loads(line) for line in text.splitlines() if line.strip()]
    table = csv.DictReader(StringIO(text))
    rows: list[_Row] = list(table)
    return list(table.fieldnames or ()), rows


def _column(path: Path, name: str) -> list[str]:
    return [str(row[name]) for row in _rows(path)[1]]


def _rewrite(path: Path, change: Callable[[_Row], _Row | None]) -> None:
    """Read a table's rows and write what becomes of each."""
    named, given = _rows(path)
    rows = [made for row in given if (made := change(row)) is not None]
    if path.suffix == ".jsonl":
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return
    out = StringIO()
    header = list(dict.fromkeys([*named, *(name for row in rows for name in row)]))
    writer = csv.DictWriter(out, header, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8")


def _marker(path: Path, marks: _Marks) -> Callable[[_Row], _Row]:
    """Say how a row of a table is marked."""
    places = iter(range(1_000_000))

    def change(row: _Row) -> _Row:
        made, place = _marked(row, marks), next(places)
        if path.stem == "cases":
            return _case(made, place, marks)
        if path.parent.name == "answers":
            return _answer(made, place, marks)
        if path.stem in {"judgements", "preferences"}:
            made["comment"] = f"{row.get('comment') or ''} {marks.word('comment', str(row))}"
            made["case"] = f" {made['case']}" if place == 0 else made["case"]
            kind, _, name = (row.get("about") or "").partition(":")
            if name and kind in {"criterion", "document"}:
                made["about"] = f"{kind}:{marks.named('document', name)}"
        if path.stem == "raters" and row.get("reason"):
            made["reason"] = marks.text(row["reason"])
        return made

    return change


def _marked(row: Mapping[str, Any], marks: _Marks) -> _Row:
    """Mark what a key says of its value, however deep it stands."""
    return {key: value if not value else _value(key, value, marks) for key, value in row.items()}


def _value(key: str, value: Any, marks: _Marks) -> Any:  # noqa: ANN401 - whatever a table holds
    known: dict[str, Callable[[Any], Any]] = {
        "case": partial(marks.named, "case"),
        "rater": partial(marks.named, "rater"),
        "document": partial(marks.named, "document"),
        "id": partial(marks.named, "document"),
        "citations": lambda cited: [marks.named("document", one) for one in cited],
        "tags": lambda tags: (
            {marks.tag(name): marks.named("tagvalue", one) for name, one in tags.items()}
            if isinstance(tags, dict)
            else [marks.named("tagvalue", one) for one in tags]
        ),
        "options": lambda options: {name: marks.text(text) for name, text in options.items()},
    }
    if key in known:
        return known[key](value)
    if key in _TEXTS and isinstance(value, str):
        return marks.text(value)
    if isinstance(value, list):
        return [_marked(one, marks) if isinstance(one, dict) else one for one in value]
    return value


def _case(case: _Row, place: int, marks: _Marks) -> _Row:
    """Plant two tags more, and let the options of one case read the same."""
    if place == 0 and case.get("options"):
        options = dict(case["options"])
        options[max(options)] = options[min(options)]
        case = {**case, "options": options}
    more = {
        marks.named("tagkey", "ward"): marks.named("tagvalue", f"ward {place % 2}"),
        marks.named("tagkey", "stay"): marks.named("tagvalue", f"stay {place % 3}"),
    }
    return {**case, "tags": {**case.get("tags", {}), **more}}


def _answer(answer: _Row, place: int, marks: _Marks) -> _Row:
    """Let some choices be words, or dressed letters, and one ranking stand the wrong way round."""
    made = {**answer, "raw": marks.text(f"Submitted as answer {place}.")}
    said, turn = answer.get("choice"), place % 5
    if said and turn == 0:
        made["choice"] = f"{said} {marks.word('choice', said)}"
    elif said and turn == 1:
        made["choice"] = f"({said})"
    if place == 1 and answer.get("retrieved"):
        made["retrieved"] = answer["retrieved"][::-1]
    return made


def _settings(said: _Row, marks: _Marks) -> _Row:
    """Name in study.toml what the tables name anew."""
    made = dict(said)
    if "judges" in made:
        made["judges"] = {marks.named("rater", name): one for name, one in made["judges"].items()}
    if "clusters" in made.get("ranking", {}):
        made["ranking"] = {**made["ranking"], "clusters": marks.tag(made["ranking"]["clusters"])}
    if "tags" in made.get("domain", {}):
        made["domain"] = {**made["domain"], "tags": list(map(marks.tag, made["domain"]["tags"]))}
    for one in made.get("consensus", {}).get("controls", []):
        one["case"] = marks.named("case", one["case"])
    safety = made.get("safety", {})
    made["safety"] = {**safety, "tag": marks.tag(safety.get("tag", "danger"))}
    return made


def read_settings(folder: Path) -> _Row:
    """Read study.toml."""
    return tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))


def write_settings(folder: Path, said: Mapping[str, Any]) -> None:
    """Write study.toml, a section a line."""
    _write_toml(folder / "study.toml", said)


def _write_toml(path: Path, said: Mapping[str, Any]) -> None:
    lines = [f"{json.dumps(key)} = {_toml(value)}\n" for key, value in said.items()]
    path.write_text("".join(lines), encoding="utf-8")


def _toml(value: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
