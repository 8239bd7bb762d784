"""Bytes of a file, text out of bytes, and JSON and TOML that say one thing, whoever wrote them."""

import codecs
import json
import os
import re
import stat
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from medassay.errors import InvalidInput, Problem
from medassay.tables.characters import holds_halves

_LOST: Final = "Fetch what it points to (git annex get, datalad get), or put the thing itself here."


def is_there(path: Path) -> bool:
    """Tell whether anything bears this name, even if it cannot be read."""
    return os.path.lexists(path)


def file_bytes(path: Path, file: str) -> bytes:
    """Read a file whole.

    Args:
        path: The file.
        file: What messages call it.

    Raises:
        InvalidInput: It is not there, is no ordinary file, or may not be read.
    """
    problem = file_problem(path, file)
    if problem is not None:
        raise InvalidInput(problem)
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(_refused(path, file, error)) from error


def file_problem(path: Path, file: str) -> Problem | None:
    """Say why a file cannot be read, if it cannot: a link to nothing, a folder, a pipe, no right.

    A name in another encoding cannot become a system's name, nor stand in any other file.

    Args:
        path: The file.
        file: What messages call it.
    """
    if holds_halves(path.name):
        return Problem(file, "have a name in UTF-8", ascii(path.name), "Rename the file.")
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return Problem(file, "be a file", "a folder")
        # A pipe or a device may never end, and opening one may wait for ever.
        if not stat.S_ISREG(mode):
            hint = "Save what comes out of it as a file first."
            return Problem(file, "be a file", "a pipe or a device", hint)
        path.open("rb").close()
    except OSError as error:
        return _refused(path, file, error)
    return None


def folder_problem(path: Path, file: str) -> Problem | None:
    """Say why what lies in a folder cannot be listed, if it cannot.

    Args:
        path: The folder.
        file: What messages call it.
    """
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            got = "a file" if path.is_file() else "a pipe or a device"
            return Problem(file, "be a folder", got)
        os.scandir(path).close()
    except OSError as error:
        return _refused(path, file, error)
    return None


def _refused(path: Path, file: str, error: OSError) -> Problem:
    if isinstance(error, FileNotFoundError):
        if path.is_symlink():
            return Problem(file, "be there", "a link to nothing", _LOST)
        return Problem(file, "be a file that exists", "nothing there")
    if isinstance(error, PermissionError):
        hint = f"Give yourself the right to read it: chmod u+r {path}"
        return Problem(file, "be readable", "no permission to read it", hint)
    return Problem(file, "be readable", error.strerror or str(error))


# The longer marks first: that of UTF-16 opens that of UTF-32.
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE: Final = 4096
_MOSTLY: Final = 0.3
"""Text of Western letters in UTF-16 is zeros by half; UTF-8 text has none at all."""
_SAVE: Final = "Save the file as UTF-8 (in a spreadsheet: 'CSV UTF-8')."
_MOST: Final = 10_000_000


def decode(content: bytes, file: str) -> tuple[str, tuple[Problem, ...]]:
    r"""Decode UTF-8, UTF-16, UTF-32 or, where it can be nothing else, Windows-1252.

    Returns:
        The text without a byte-order mark or blank lines at its end, and a note where it was not
        UTF-8.

    Raises:
        InvalidInput: The bytes are no text in any of these, text in two of them, or blanks without
            end.

    Example:
        >>> text, (note,) = decode("name\ncafé\n".encode("cp1252"), "a.csv")
        >>> print(note)
        a.csv: must be text in UTF-8; got Windows-1252. It was read as that; check "é" in line 2.
    """
    text, notes = _decoded(content, file)
    return _without_blank_end(text, file), notes


def _decoded(content: bytes, file: str) -> tuple[str, tuple[Problem, ...]]:
    encoding = _wide(content)
    if encoding:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            got = f"{encoding.upper()} that breaks off at byte {error.start + 1}"
            raise InvalidInput(Problem(file, "be text in UTF-8", got, _SAVE)) from error
        text = text.removeprefix("\ufeff")
        name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        return text, (_note(file, name, "It was read as that."),)
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        return _windows(content, file, error)


def _wide(content: bytes) -> str:
    """Name the encoding of two or four bytes a letter that the bytes are in, if they are."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    sample = content[:_SAMPLE]
    enough = _MOSTLY * len(sample)
    if sample[1::2].count(0) > enough and not sample[0::2].count(0):
        return "utf-16-le"
    if sample[0::2].count(0) > enough and not sample[1::2].count(0):
        return "utf-16-be"
    return ""


def _windows(
    content: bytes, file: str, broken: UnicodeDecodeError
) -> tuple[str, tuple[Problem, ...]]:
    """Read Windows-1252, unless other letters of the file are in UTF-8: then it is damaged."""
    line = content[: broken.start].count(b"\n") + 1
    rest = content.decode("utf-8-sig", "ignore")
    try:
        if not rest.isascii():
            raise broken
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        got = f"byte 0x{content[broken.start]:02x}, which no letter of UTF-8 has there"
        raise InvalidInput(Problem(file, "be text in UTF-8", got, _SAVE, row=line)) from error
    letter = next(sign for sign in text if not sign.isascii())
    hint = f'It was read as that; check "{letter}" in line {line}.'
    return text, (_note(file, "Windows-1252", hint),)


def _note(file: str, encoding: str, hint: str) -> Problem:
    return Problem(file, "be text in UTF-8", encoding, hint)


def _without_blank_end(text: str, file: str) -> str:
    r"""Leave out blank lines at the end, however many: spreadsheets save rows that were formatted.

    Raises:
        InvalidInput: Elsewhere more blanks follow one another than any table has; the line is
            named.

    Example:
        >>> _without_blank_end("case,text\n1, a \n \n\n", "a.csv")
        'case,text\n1, a \n'
    """
    end = text.find("\n", len(text.rstrip()))
    whole = text if end < 0 else text[: end + 1]
    # Of a piece that is not all blanks only its first sign is looked at, or as many as are blank.
    for start in range(0, len(whole) - _MOST + 1, _MOST):
        if whole[start].isspace() and whole[start : start + _MOST].isspace():
            line = whole.count("\n", 0, len(whole[:start].rstrip())) + 1
            must, got = "hold text between its blanks", f"more than {_MOST:,} blanks in a row"
            raise InvalidInput(Problem(file, must, got, "Delete them, or save it again.", row=line))
    return whole


LARGEST_TOML: Final = 10_000_000
"""What people write by hand is far smaller; Python reads about a million characters a second."""
_PART: Final = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_PARTS: Final = re.compile(rf"({_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)([ \t]*+[=\]])?+")
_DEEPEST: Final = 100
"""Python reads some hundred levels and fails at fewer where it writes, compares or names them."""
_CONTAINERS: Final = frozenset({dict, list})
"""What parsers make lists and objects of: nothing else of their kinds."""
_MAY_BE_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]")
"""How JSON writes half of a character; most of what it writes so is no half."""
TOO_DEEP: Final = "lists or objects nested too deep"


class Refused(ValueError):
    """JSON that Python takes and that does not say one thing."""


def parse_strictly(text: str, *, halves: bool = False) -> object:
    """Parse JSON that says one thing: no key twice, no NaN, no half of a character.

    Args:
        text: The JSON.
        halves: Half of a character is let through, for who shows it as its code.

    Raises:
        ValueError: It is no such JSON.
        RecursionError: Lists or objects are nested too deep.
    """
    value: object = json.loads(text, object_pairs_hook=_once, parse_constant=_constant)
    return _as_python_can_use_it(value, text, halves=halves)


def parse_widely(text: str) -> object:
    """Parse JSON as other tools write it: NaN is one of their numbers, and the last key holds.

    Raises:
        ValueError: It is no JSON, or holds half of a character.
        RecursionError: Lists or objects are nested too deep.
    """
    return _as_python_can_use_it(json.loads(text), text)


def json_fault(error: ValueError | RecursionError) -> str:
    """Say why something is no JSON, in words that need no programming language."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.removesuffix(' at')} at character {error.pos + 1}"
    if isinstance(error, UnicodeDecodeError):
        return f"no text in UTF-8: byte 0x{error.object[error.start]:02x}"
    if isinstance(error, UnicodeEncodeError):
        return "half of a surrogate pair, which is no character"
    if isinstance(error, RecursionError):
        return TOO_DEEP
    # Of what else is wrong Python speaks of its own settings: a number of thousands of digits.
    return str(error) if isinstance(error, Refused) else "a number too long to read"


def _as_python_can_use_it(value: object, text: str, *, halves: bool = False) -> object:
    if text.count("[") + text.count("{") > _DEEPEST and _is_too_deep(value):
        raise RecursionError(TOO_DEEP)
    if not halves and _MAY_BE_HALF.search(text):
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f'the key "{twice}" twice'
        raise Refused(message)
    return mapping


def _constant(word: str) -> NoReturn:
    message = f"{word}, which is no JSON number"
    raise Refused(message)


def parse_toml(text: str) -> dict[str, object]:
    """Parse TOML.

    Raises:
        ValueError: It is none, or larger than any that somebody wrote.
        RecursionError: Tables or lists are nested too deep.
    """
    if len(text) > LARGEST_TOML:
        message = f"more than {LARGEST_TOML:,} characters"
        raise ValueError(message)
    if _has_long_key(text):
        raise RecursionError(TOO_DEEP)
    values = tomllib.loads(text)
    if _is_too_deep(values):
        raise RecursionError(TOO_DEEP)
    return values


def _has_long_key(text: str) -> bool:
    """Look for a key of many parts: Python takes the square of their number to read it.

    Ten thousand are read in a second; a million would take hours.
    """
    return any(
        line.count(".") >= _DEEPEST
        and any(
            end and len(re.findall(_PART, parts)) > _DEEPEST for parts, end in _PARTS.findall(line)
        )
        for line in text.splitlines()
    )


def _is_too_deep(value: object) -> bool:
    """Tell whether lists and objects stand within each other deeper than anyone means.

    Example:
        >>> deep = []
        >>> for _ in range(_DEEPEST):
        ...     deep = [deep]
        >>> _is_too_deep(deep), _is_too_deep(deep[0])
        (True, False)
    """
    level = [value] if type(value) in _CONTAINERS else []
    for _ in range(_DEEPEST):
        if not level:
            return False
        level = [
            inner
            for container in level
            for inner in (container.values() if isinstance(container, dict) else container)  # type: ignore[attr-defined] # a list
            if type(inner) in _CONTAINERS
        ]
    return bool(level)
