"""What models computed, kept under the hash of weights and parameters, and of the text.

Files are like those of kept scores: written whole, never changed, named by the hash of their own
bytes, so that a run that is killed leaves only whole files and a damaged one is found. Only keys
are read at first; contents come when they are asked for.
"""

import hashlib
import io
import json
import shutil
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from medassay.models.setup import model_setup
from medassay.tables import write_atomically

__all__ = ["ResultCache", "forget_revealing", "result_cache"]

_IN_MEMORY: Final = 64_000_000  # bytes a cache holds beside its files
_REVEALING: Final = "revealing"  # apart from all else, so that it can be removed whole


class ResultCache:
    """Results of one model with one set of parameters: key to bytes.

    Without a folder they are held in memory, the latest used up to a bound.
    """

    def __init__(self, folder: Path | None, in_memory: int = _IN_MEMORY) -> None:
        self._folder = folder
        self._bound = in_memory
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._file_of: dict[str, Path] = {}
        if folder is not None and folder.is_dir():
            for path in sorted(folder.glob("*.parquet")):
                self._file_of |= dict.fromkeys(_keys(path), path)

    @staticmethod
    def key(*texts: str) -> str:
        """Give the key of what was computed from these texts, in this order.

        Example:
            >>> ResultCache.key("a", "b") == ResultCache.key("ab")
            False
        """
        return hashlib.sha256(json.dumps(texts).encode()).hexdigest()

    def get(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Give what is kept of these keys.

        Example:
            >>> cache = ResultCache(None)
            >>> cache.keep({"a": b"1"})
            >>> cache.get(["a", "b"])
            {'a': b'1'}
        """
        found: dict[str, bytes] = {}
        on_disk: dict[Path, list[str]] = {}
        for key in keys:
            if key in self._held:
                self._held.move_to_end(key)
                found[key] = self._held[key]
            elif key in self._file_of:
                on_disk.setdefault(self._file_of[key], []).append(key)
        for path, wanted in on_disk.items():
            contents = _read(path)
            if contents is None:
                self._file_of = {k: p for k, p in self._file_of.items() if p != path}
                continue
            read = {key: contents[key] for key in wanted}
            self._hold(read)
            found |= read
        return found

    def keep(self, results: Mapping[str, bytes]) -> None:
        """Keep results under their keys."""
        if not results:
            return
        self._hold(results)
        if self._folder is not None:
            content = _pack(results)
            path = self._folder / _name_of(content)
            if not path.exists():
                write_atomically(path, content)
            self._file_of |= dict.fromkeys(results, path)

    def _hold(self, results: Mapping[str, bytes]) -> None:
        for key, content in results.items():
            self._size += len(content) - len(self._held.get(key, b""))
            self._held[key] = content
            self._held.move_to_end(key)
        while self._size > self._bound and self._held:
            self._size -= len(self._held.popitem(last=False)[1])


def result_cache(what: str, facts: Mapping[str, str], *, reveals_text: bool) -> ResultCache:
    """Open the cache of one kind of result, where the setup in force allows it.

    Args:
        what: What is kept, a word: "sentence-vectors".
        facts: Hash of the weights and every parameter that the result depends on.
        reveals_text: Whether a text, or part of what it says, can be recovered from the result.
            Such results never reach the disk where texts must not.
    """
    setup = model_setup()
    facts_line = json.dumps([what, sorted(facts.items())])
    digest = hashlib.sha256(facts_line.encode()).hexdigest()[:16]
    if digest not in setup.caches:
        allowed = setup.keep_in is not None and (setup.keep_texts or not reveals_text)
        within = _REVEALING if reveals_text else "."
        folder = setup.keep_in / within / f"{what}-{digest}" if setup.keep_in and allowed else None
        setup.caches[digest] = ResultCache(folder)
    cache = setup.caches[digest]
    if not isinstance(cache, ResultCache):
        raise TypeError(cache)
    return cache


def forget_revealing(keep_in: Path) -> None:
    """Remove what reveals texts from where results are kept: texts must no longer reach the disk.

    Example:
        >>> from pathlib import Path
        >>> forget_revealing(Path("nothing is kept here"))
    """
    if (folder := keep_in / _REVEALING).is_dir():
        shutil.rmtree(folder)


def _name_of(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()[:32]}.parquet"


def _pack(results: Mapping[str, bytes]) -> bytes:
    import polars as pl

    keys = sorted(results)
    columns = {
        "key": pl.Series("key", keys, dtype=pl.String()),
        "content": pl.Series("content", [results[k] for k in keys], dtype=pl.Binary()),
    }
    out = io.BytesIO()
    pl.DataFrame(columns).write_parquet(out, statistics=False, compression="uncompressed")
    return out.getvalue()


def _keys(path: Path) -> list[str]:
    import polars as pl

    try:
        return list(pl.read_parquet(path, columns=["key"])["key"])
    except (OSError, pl.exceptions.PolarsError):
        path.unlink(missing_ok=True)  # damaged, or put together with others meanwhile
        return []


def _read(path: Path) -> dict[str, bytes] | None:
    """Read a file whole; None where it is gone or damaged, and then it is removed."""
    import polars as pl

    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    if _name_of(content) != path.name:
        path.unlink(missing_ok=True)
        return None
    return dict(pl.read_parquet(io.BytesIO(content)).iter_rows())
