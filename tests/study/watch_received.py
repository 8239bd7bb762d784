"""Run commands on a study and write down what code they ran and where they wrote.

    python watch_received.py STUDY SEEN.json control|run|keys

Python tells an audit hook of every import, every piece of code that is run, every process and every
file that is opened to write. A hook cannot be taken off, so this is a process of its own.
"""

import json
import os
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

study, told = (os.path.realpath(one) for one in (*sys.argv, "", "")[1:3])
Schema = dict[str, Any]
Key = tuple[str, ...]
seen: list[str] = []
PROCESSES = ("os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn", "subprocess.Popen")
ASKS = ("socket.connect", "socket.getaddrinfo", "sqlite3.connect")
CHANGES = ("os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink",
           "os.truncate", "shutil.rmtree")  # fmt: skip
TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def inside(path: object) -> bool:
    if not isinstance(path, str | bytes | os.PathLike):
        return False
    return os.path.realpath(os.fsdecode(path)).startswith(f"{study}{os.sep}")


def is_file_inside(path: object) -> bool:
    """Tell a file of the study from what is run without one, such as "<string>"."""
    return isinstance(path, str) and inside(path) and Path(path).is_file()


def apart(path: object) -> bool:
    """Tell whether a path is neither the study's, nor this report of it, nor nowhere."""
    if not isinstance(path, str | bytes | os.PathLike):
        return False
    real = os.path.realpath(os.fsdecode(path))
    return real not in {study, told, os.devnull} and not inside(path)


def watch(event: str, given: tuple[object, ...]) -> None:
    if event == "exec" and is_file_inside(getattr(given[0], "co_filename", None)):
        seen.append(f"ran {given[0]}")
    elif event == "import" and inside(given[1]):
        seen.append(f"imported {given[1]}")
    elif event in PROCESSES or event in ASKS:
        seen.append(f"started {given}")
    elif event in CHANGES and any(map(apart, given[:2])):
        seen.append(f"{event} {given}")
    elif event == "open" and isinstance(given[2], int) and given[2] & TO_WRITE and apart(given[0]):
        seen.append(f"wrote {given[0]!r}")


def string_keys(schema: Schema, whole: Schema, at: Key = ()) -> list[Key]:
    """List the keys of study.toml that take words: alone, in a list, or under one's own names."""
    schema = whole["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    found = [at] if schema.get("type") == "string" and "enum" not in schema else []
    for part in schema.get("anyOf", ()):
        found += string_keys(part, whole, at)
    for name, inner in schema.get("properties", {}).items():
        found += string_keys(inner, whole, (*at, name))
    if schema.get("type") == "array":
        found += string_keys(schema.get("items", {}), whole, (*at, "[]"))
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        found += [(*at, "{}")] if more.get("type") != "string" else []
        found += string_keys(more, whole, (*at, "NAME"))
    return list(dict.fromkeys(found))


def laid(key: Key, value: str) -> Any:  # noqa: ANN401 - a value of TOML, of any kind
    """Put a value at a key."""
    if not key:
        return value
    first, rest = key[0], key[1:]
    if first == "[]":
        return [laid(rest, value)]
    if first == "{}":
        return {value: {}}
    return {value if first == "NAME" else first: laid(rest, value)}


def toml(value: object) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value)


VALUES = (
    "evil",
    "evil:run",
    "evil.py",
    "os.system",
    "__import__('evil').run()",
    "answers/../evil.py",
    "http://127.0.0.1:9/evil",
)


def main() -> None:
    # What these do when they are first loaded is not what a study makes them do.
    import_module("matplotlib.font_manager")
    tempfile.gettempdir()  # tries whether it can write there
    import typer.testing
    from typer.main import get_command
    from typer.testing import CliRunner

    from medassay.cli import app
    from medassay.errors import MedassayError
    from medassay.study.config.study_toml import StudyConfig

    # The words of the command line are gone through once, and not for each command.
    vars(typer.testing)["_get_command"] = cache(get_command)

    def medassay(*words: str) -> int:
        done = CliRunner().invoke(app, list(words))
        return 2 if isinstance(done.exception, MedassayError) else done.exit_code

    settings = Path(study, "study.toml")
    plain = settings.read_text(encoding="utf-8")
    whole = StudyConfig.model_json_schema(by_alias=True)
    keys = string_keys(whole, whole)
    codes: dict[str, int] = {}
    sys.addaudithook(watch)
    os.chdir(study)
    if sys.argv[3] == "control":
        sys.path.insert(0, study)
        import_module("evil").run()
        Path(study, "..", "written").write_text("here")
    elif sys.argv[3] == "run":
        for words in (["check"], ["run"], ["report", "--to", "latex,xlsx"]):
            codes[" ".join(words)] = medassay(words[0], ".", *words[1:])
    else:
        for key in keys:
            for value in VALUES:
                lines = [f"{json.dumps(k)} = {toml(v)}" for k, v in laid(key, value).items()]
                head = "schema = 1\n" + ("" if key == ("title",) else 'title = "t"\n')
                settings.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
                code = medassay("check", ".") or medassay("score", ".", "--only", "length")
                codes[f"{'.'.join(key)}={value}"] = code
        settings.write_text(plain, encoding="utf-8")
    found = {"seen": seen, "codes": codes, "keys": [".".join(key) for key in keys]}
    Path(told).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
