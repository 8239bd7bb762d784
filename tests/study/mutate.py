"""A study changed at one place in a way that nobody thought of, the same for the same number."""

import csv
import io
import json
import os
import random
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tools.plain_workbook import cell, excel, row

from medassay.study import new_study
from medassay.tables import cell_name

PROTOCOLS: Final = ("ratings", "clinical-mcq", "environmental-health", "archehr", "med-gpt")
LONG: Final = "9" * 5000
JSON_WORDS: Final = [
    *(
        '"\\ud83d"',
        "[" * 5000,
        '{"text": "a\\ud83d"}',
        '["\\udc00"]',
        f"[{LONG}]",
        "NaN",
        '{"a":1,"a":2}',
    ),
    *("[" * 400 + "]" * 400, '{"a":' * 150 + "1" + "}" * 150, '[{"text": "a\\u001b[31m"}]', "[{}]"),
    *(f'[{{"text": "a", "citations": ["{LONG}"]}}]', '[{"text": "a", "citations": [1e400]}]'),
]
WORDS: Final = [
    *("", " ", "\t", "0", "-1", "1e999", "-0.0", "nan", "Infinity", "9" * 400, LONG, "1,5", "85%"),
    *("0x1F", "１２", "true", "null", "None", "\x1b[31mred\x1b]0;title\x07", "anna\u202ebob"),
    *("a" * 300, "CON", "nul.txt", "../../x", "a/b", "=1+1", "-A1", "line\nline", "\u2028"),
    *("\u200b", "\ufeff", "😀", "e\u0301", "{", "[1", '"', "'", "a,b", "a(b)", "x=y", "%s", "{0}"),
    *("<script>alert(1)</script>", "\\input{x}", "$x^2$", "2025-13-45", "0000-01-01T00:00:00Z"),
    *("\u2066x", "\x9b2J", "\x00", "." * 3000),
    *JSON_WORDS,
]
VALUES: Final[list[object]] = [
    *(None, True, False, 0, -1, 2**53 + 1, 10**400, 1.5, -1e308),
    *([], {}, [None], [[]], {"": ""}, [1, "a"], {"id": 1}),
    *WORDS,
]
RAW: Final = [
    *("NaN", "-Infinity", LONG, "[" * 3000, '"\\ud83d"', '{"a":1,"a":2}', "0x1f", "1e400", "tru"),
    *('"\\u0000"', "-"),
]
CELLS: Final = [
    *('<c r="{}" t="e"><v>#N/A</v></c>', '<c r="{}"><v>45000.5</v></c>', '<c r="{}"><f>A1</f></c>'),
    *('<c r="{}" t="b"><v>1</v></c>', '<c r="{}" t="s"><v>5</v></c>', '<c r="{}"><v>nan</v></c>'),
    *('<c r="{}" s="9"><v>1e999</v></c>', '<c r="{}" t="str"><v>_xD83D_ _x001B_[31m</v></c>'),
    *("<c><v/></c>", '<c r="XFD1048576"><v>1</v></c>'),
    '<c r="{}" t="inlineStr"><is><r><t>a</t></r></is></c>',
]
SETTINGS: Final = [
    *(LONG, "0x" + "f" * 5000, "nan", "inf", "-1", "1e400", "[" * 3000, "true", "[]", "{}"),
    *("[" * 400 + "]" * 400, '{"a.b" = 1}', f"{{{'a.' * 3000}b = 1}}"),
    *('"\\u001b[31m"', '"\\ud83d"', '"CON"', "1979-05-27", "'''a\nb'''", f'"{"a" * 300}"'),
]


NAMES: Final = [
    *("a\x1b[31m", "a\u202eb", "a\nb", "CON", "a" * 240, "a.", " a", "=1+1", "a(b)", "😀", "a\\b"),
    os.fsdecode(b"caf\xe9"),
]

_NAMED: Final = b'title = "%s"'


def write_base(folder: Path, rng: random.Random) -> Path:
    """Write the starter of a protocol, one of its tables as CSV where it was JSONL."""
    for name, content in _starter(rng.choice(PROTOCOLS)).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.replace(_NAMED % b"starter", _NAMED % folder.name.encode()))
    lines = [folder / "cases.jsonl", *sorted((folder / "answers").iterdir())]
    path = rng.choice(lines)
    if path.suffix == ".jsonl" and rng.random() < 0.6:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        names = list(dict.fromkeys(name for one in rows for name in one))
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        for one in rows:
            cells = [one.get(name, "") for name in names]
            writer.writerow([_as_cell(value) for value in cells])
        path.with_suffix(".csv").write_text(out.getvalue(), encoding="utf-8")
        path.unlink()
    return folder


@cache
def _starter(protocol: str) -> dict[str, bytes]:
    with TemporaryDirectory() as made:
        folder = Path(made) / "starter"
        written = new_study(folder, protocol)
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in written}


def _as_cell(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def mutate(folder: Path, rng: random.Random) -> str:
    """Change one file at one place, and say what was done."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md")
    # Settings, and tables whose cells hold JSON, have more places to go wrong at than others.
    weights = [1 + 3 * (one.suffix == ".toml" or _is_converted(one)) for one in files]
    [path] = rng.choices(files, weights)
    ways = [_bytes, _lines, *([_renamed] if path.parent != folder else [])]
    own = {".jsonl": _in_jsonl, ".csv": _in_csv, ".toml": _in_toml}.get(path.suffix)
    if own is not None:
        ways += [own] * 5
    if path.suffix == ".csv":
        ways += [_as_workbook] * 2
    said = rng.choice(ways)(path, rng)
    return f"{path.relative_to(folder)}: {said}"


def _is_converted(path: Path) -> bool:
    """Tell whether a table that starters hold as lines of JSON was written as CSV."""
    return path.suffix == ".csv" and (path.stem == "cases" or path.parent.name == "answers")


def _bytes(path: Path, rng: random.Random) -> str:
    content = bytearray(path.read_bytes())
    place = rng.randrange(len(content) + 1)
    kind = rng.choice(["put", "drop", "cut", "encode"])
    if kind == "put":
        content[place:place] = rng.choice([rng.randbytes(3), b"\x00", b"\xff\xfe", b'"', b"\r"])
    elif kind == "drop":
        del content[place : place + rng.randint(1, 40)]
    elif kind == "cut":
        del content[place:]
    else:
        encoding = rng.choice(["utf-16", "cp1252", "utf-8-sig", "utf-32"])
        content = bytearray(bytes(content).decode().encode(encoding, "replace"))
    path.write_bytes(content)
    return f"{kind} at {place}"


def _renamed(path: Path, rng: random.Random) -> str:
    name = rng.choice(NAMES)
    try:
        path.rename(path.with_name(f"{name}{path.suffix}"))
    except OSError:
        return f"called {name!r}, which this system lets no file be"
    return f"called {name[:30]!r}"


def _lines(path: Path, rng: random.Random) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.choice(["twice", "swapped", "left out", "joined"])
    if kind == "twice":
        lines.insert(other, lines[place])
    elif kind == "swapped":
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == "left out":
        del lines[place]
    else:
        lines[place : place + 2] = [" ".join(lines[place : place + 2])]
    path.write_text("\n".join(lines), encoding="utf-8")
    return f"line {place} {kind}"


def _in_jsonl(path: Path, rng: random.Random) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    place = rng.randrange(len(lines))
    try:
        record = json.loads(lines[place])
    except ValueError:
        return "left as it is"
    holder: Any = record
    key: Any = rng.choice(list(record) or [""])
    while rng.random() < 0.6 and isinstance(record, dict):
        inner = holder[key] if isinstance(holder, dict | list) and holder else None
        if not isinstance(inner, dict | list) or not inner:
            break
        holder = inner
        key = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
    if rng.random() < 0.2:
        marked = "@@@"
        holder[key] = marked
        raw = rng.choice(RAW)
        lines[place] = json.dumps(record, ensure_ascii=False).replace(f'"{marked}"', raw)
        said = raw[:30]
    elif rng.random() < 0.15 and isinstance(holder, dict):
        name = rng.choice(WORDS)
        holder[name] = holder.pop(key)
        lines[place], said = json.dumps(record), f"the key {name[:30]!r}"
    else:
        value = rng.choice(VALUES)
        holder[key] = value
        lines[place], said = json.dumps(record), repr(value)[:30]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"line {place}, {key!r}: {said}"


def _grid(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def _in_csv(path: Path, rng: random.Random) -> str:
    rows = _grid(path)
    place = rng.randrange(len(rows))
    column = rng.randrange(len(rows[place]) or 1)
    there = rows[place][column] if rows[place] else ""
    word = rng.choice(JSON_WORDS if there.startswith(("[", "{")) else WORDS)
    if rng.random() < 0.3 and len(rows) > 1:
        for cells in rows[1:]:
            cells[column : column + 1] = [word]
    else:
        rows[place][column : column + 1] = [word]
    out = io.StringIO(newline="")
    separator = rng.choice([",", ",", ",", ";", "\t"])
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8")
    return f"row {place}, column {column}: {word[:30]!r}"


def _as_workbook(path: Path, rng: random.Random) -> str:
    rows = _grid(path)
    strange = rng.choice(CELLS)
    at = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    text = ""
    for number, cells in enumerate(rows):
        written = [
            strange.format(cell_name(number, column))
            if (number, column) == at
            else cell(cell_name(number, column), _escaped(value), 't="str"')
            for column, value in enumerate(cells)
        ]
        text += row(number + 1, *written)
    path.with_suffix(".xlsx").write_bytes(excel(text, prefix=rng.choice(["", "x"])))
    path.unlink()
    return f"as a workbook with {strange} in {cell_name(*at)}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _in_toml(path: Path, rng: random.Random) -> str:
    text = path.read_text(encoding="utf-8")
    value = rng.choice(SETTINGS)
    keys = list(re.finditer(r"^(# )?([\w.]+) = (.+)$", text, re.MULTILINE))
    one = rng.choice(keys)
    path.write_text(f"{text[: one.start()]}{one[2]} = {value}{text[one.end() :]}", encoding="utf-8")
    return f"{one[2]} = {value[:30]}"
