"""Open whatever a command wrote by its own reader, and give all that it says."""

import gzip
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from pathlib import Path
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import fromstring

import polars as pl

__all__ = ["said_in"]

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_STREAM: Final = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_LITERAL: Final = re.compile(rb"\(((?:\\.|[^\\()])*)\)", re.DOTALL)
_CODED: Final = re.compile(rb"<([0-9A-Fa-f\s]+)>")
_SHEET: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_WHOLE: Final = frozenset(f"{_SHEET}{tag}" for tag in ("si", "is", "text"))
"""A text of a cell, one that stands in the cell itself, and one of a comment."""
_JSON_IN_PAGE: Final = re.compile(r'(?s)<script[^>]*type="application/json"[^>]*>(.*?)</script>')


def said_in(path: Path) -> str:
    """Give everything that a file says: cells, metadata, comments and its own name."""
    return "\n".join([path.as_posix(), *_opened(path.name, path.read_bytes())])


def _opened(name: str, content: bytes) -> Iterator[str]:
    """Read a file as it is, and by the reader of its kind."""
    yield content.decode("utf-8", errors="replace")
    read = _READERS.get(name.rpartition(".")[2].lower())
    if read is not None:
        yield from read(content)


def _parquet(content: bytes) -> Iterator[str]:
    frame = pl.read_parquet(io.BytesIO(content))
    yield from frame.columns
    yield from (repr(row) for row in frame.rows())


def _png(content: bytes) -> Iterator[str]:
    """Read the chunks that hold words: tEXt, zTXt and iTXt."""
    assert content.startswith(_PNG)
    at = len(_PNG)
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        word, _, rest = data.partition(b"\0")
        if kind == b"zTXt":
            data = word + b"\0" + zlib.decompress(rest[1:])
        if kind in {b"tEXt", b"zTXt", b"iTXt"}:
            yield data.decode("utf-8", errors="replace")
        at += 12 + length


def _pdf(content: bytes) -> Iterator[str]:
    """Read the metadata and, by the fonts' own tables, the text of every stream."""
    streams = [_unpacked(packed) for packed in _STREAM.findall(content)]
    yield from (stream.decode("latin-1") for stream in (content, *streams))
    glyphs: dict[int, str] = {}
    for stream in streams:
        if b"beginbf" in stream:
            glyphs |= _glyphs(stream.decode("latin-1"))
    yield from (_shown(stream, glyphs) for stream in streams if b"BT" in stream)


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompress(packed)
    except zlib.error:
        return packed


def _glyphs(table: str) -> dict[int, str]:
    """Read what a font says of its glyphs: number to letter."""
    found = {}
    for block in re.findall(r"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, letter in re.findall(r"<(\w+)>\s*<(\w+)>", block):
            found[int(code, 16)] = _letters(letter)
    for block in re.findall(r"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for low, high, letter in re.findall(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
            first = _letters(letter)
            for more, code in enumerate(range(int(low, 16), int(high, 16) + 1)):
                found[code] = first[:-1] + chr(ord(first[-1]) + more)
    return found


def _letters(coded: str) -> str:
    return bytes.fromhex(coded).decode("utf-16-be")


def _shown(stream: bytes, glyphs: Mapping[int, str]) -> str:
    """Give the text that a page shows, whether it is written as letters or as numbers of glyphs."""
    # A font of many letters is written in pairs of bytes, the first of them mostly zero.
    written = (one.replace(b"\0", b"") for one in _LITERAL.findall(stream))
    said = [re.sub(rb"\\([()\\])", rb"\1", one).decode("latin-1") for one in written]
    for coded in _CODED.findall(stream):
        digits = re.sub(rb"\s", b"", coded)
        codes = (int(digits[i : i + 4], 16) for i in range(0, len(digits) - 3, 4))
        said.append("".join(glyphs.get(code, "") for code in codes))
    return "".join(said)


def _xml(content: bytes) -> Iterator[str]:
    """Read every element and attribute; the file as it is holds the comments."""
    yield "\n".join(
        text
        for element in fromstring(content).iter()  # noqa: S314 - our own commands wrote it
        for text in (element.text, element.tail, *element.attrib.values())
        if text
    )


def _page(content: bytes) -> Iterator[str]:
    """Read a page as a browser does: entities resolved, what scripts hold as JSON too."""
    text = content.decode()
    yield unescape(text)
    for script in _JSON_IN_PAGE.findall(text):
        yield _strings(json.loads(unescape(script)))


def _archive(content: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for inner in archive.namelist():
            yield inner
            yield from _opened(inner, archive.read(inner))


def _workbook(content: bytes) -> Iterator[str]:
    """Read a workbook's parts, and each text whole that several pieces of a cell make up."""
    yield from _archive(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for inner in archive.namelist():
            if inner.endswith(".xml"):
                parts = fromstring(archive.read(inner)).iter()  # noqa: S314 - as above
                texts = (part for part in parts if part.tag in _WHOLE and len(part) > 1)
                yield from ("".join(text.itertext()) for text in texts)


def _latex(content: bytes) -> Iterator[str]:
    """Read LaTeX without its escapes and places to break."""
    yield re.sub(r"\\allowbreak(?:\{\})?|\\-|\\(?=[^a-zA-Z])|[{}~]", "", content.decode())


def _json(content: bytes) -> Iterator[str]:
    yield _strings(json.loads(content))


def _json_lines(content: bytes) -> Iterator[str]:
    for line in content.splitlines():
        yield _strings(json.loads(line))


def _strings(value: object) -> str:
    into: list[str] = []
    _gather(value, into)
    return "\n".join(into)


def _gather(value: object, into: list[str]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            into.append(str(key))
            _gather(inner, into)
    elif isinstance(value, list):
        for inner in value:
            _gather(inner, into)
    elif value is not None:
        into.append(str(value))


_READERS: Final[Mapping[str, Callable[[bytes], Iterator[str]]]] = MappingProxyType(
    {
        "docx": _archive,
        "gz": lambda content: _opened("", gzip.decompress(content)),
        "html": _page,
        "json": _json,
        "jsonl": _json_lines,
        "parquet": _parquet,
        "pdf": _pdf,
        "png": _png,
        "svg": _xml,
        "tex": _latex,
        "xlsx": _workbook,
        "xml": _xml,
        "zip": _archive,
    }
)
"""Ending of a file to its reader."""
