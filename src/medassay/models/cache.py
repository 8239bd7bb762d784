"""What models computed, kept under the hash of weights, parameters and versions, and of the text.

Files are like those of kept scores: written whole, never changed, named by the hash of their own
bytes, so that a run that is killed leaves only whole files and a damaged one is found. Only keys
are read at first; contents come when they are asked for. As with kept scores, a name that fits is
no proof: whoever asks says what a result can be, and what cannot be is removed with a word.
"""

import hashlib
import io
import json
import shutil
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from medassay.__about__ import __version__
from medassay.errors import Problem
from medassay.models.install import model_setup
from medassay.tables import name_by_content, write_by_content

_IN_MEMORY: Final = 64_000_000  # bytes a cache holds beside its files
_REVEALING: Final = "revealing"  # apart from all else, so that it can be removed whole


class ResultCache:
    """Results of one model with one set of parameters: key to bytes.

    Without a folder they are held in memory, the latest used up to a bound.

    Attributes:
        damaged: Files that could not be believed, and were removed.
    """

    def __init__(
        self,
        folder: Path | None,
        in_memory: int = _IN_MEMORY,
        *,
        damaged: list[Problem] | None = None,
        fresh: bool = False,
    ) -> None:
        self._folder = folder
        self._bound = in_memory
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._file_of: dict[str, Path] = {}
        self.damaged: list[Problem] = [] if damaged is None else damaged
        if folder is not None and folder.is_dir():
            if fresh:
                shutil.rmtree(folder)  # or what was there would be believed the next time
            for path in sorted(folder.glob("*.parquet")):
                self._file_of |= dict.fromkeys(self._keys(path), path)

    @staticmethod
    def key(*texts: str) -> str:
        """Give the key of what was computed from these texts, in this order.

        Example:
            >>> ResultCache.key("a", "b") == ResultCache.key("ab")
            False
        """
        return hashlib.sha256(json.dumps(texts).encode()).hexdigest()

    def get(
        self, keys: Iterable[str], sound: Callable[[str, bytes], bool] | None = None
    ) -> dict[str, bytes]:
        """Give what is kept of these keys.

        Args:
            keys: The keys.
            sound: Tells whether a content can be the result under its key. A file that holds one
                which cannot is removed, and nothing of it is given.

        Example:
            >>> cache = ResultCache(None)
            >>> cache.keep({"a": b"1"})
            >>> cache.get(["a", "b"])
            {'a': b'1'}
        """
        contents: dict[str, bytes] = {}
        on_disk: dict[Path, list[str]] = {}
        for key in keys:
            if key in self._held:
                self._held.move_to_end(key)
                contents[key] = self._held[key]
            elif key in self._file_of:
                on_disk.setdefault(self._file_of[key], []).append(key)
        for path, wanted in on_disk.items():
            read = self._read(path, wanted, sound)
            if read is None:
                self._file_of = {k: p for k, p in self._file_of.items() if p != path}
                continue
            self._hold(read)
            contents |= read
        return contents

    def keep(self, results: Mapping[str, bytes]) -> None:
        """Keep results under their keys."""
        if not results:
            return
        self._hold(results)
        if self._folder is not None:
            path = write_by_content(self._folder, _pack(results))
            self._file_of |= dict.fromkeys(results, path)

    def _keys(self, path: Path) -> list[str]:
        import polars as pl

        try:
            return list(pl.read_parquet(path, columns=["key"])["key"])
        except FileNotFoundError:
            return []  # put together with others meanwhile
        except (OSError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
            self._remove(path, "no Parquet file with a column key")
            return []

    def _read(
        self, path: Path, keys: Iterable[str], sound: Callable[[str, bytes], bool] | None
    ) -> dict[str, bytes] | None:
        """Read some results of a file; None where it is gone or not believed, and then removed."""
        import polars as pl

        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        got = "" if name_by_content(content) == path.name else "bytes that its name does not fit"
        contents: dict[str, bytes] = {}
        if not got:
            try:
                frame = pl.read_parquet(io.BytesIO(content))
                same = dict(frame.schema) == {"key": pl.String(), "content": pl.Binary()}
                contents = dict(frame.drop_nulls().iter_rows()) if same else {}
            except (ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
                same = False
            got = "" if same else "no Parquet file with the columns key and content"
        results = {key: contents[key] for key in keys if key in contents}
        if not got and any(not sound(*result) for result in results.items() if sound is not None):
            got = "a result that its model cannot have given"
        if got:
            self._remove(path, got)
            return None
        return results

    def _remove(self, path: Path, got: str) -> None:
        path.unlink(missing_ok=True)
        again = "It was removed, and is computed again where it is needed."
        self.damaged.append(Problem(str(path), "hold what a model computed", got, again))

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
        facts: Hash of the weights, every parameter that the result depends on, and the versions of
            the packages that compute it; medassay's own is added.
        reveals_text: Whether a text, or part of what it says, can be recovered from the result.
            Such results never reach the disk where texts must not.
    """
    setup = model_setup()
    facts_line = json.dumps([what, sorted(facts.items()), __version__])
    digest = hashlib.sha256(facts_line.encode()).hexdigest()[:16]
    if digest not in setup.caches:
        allowed = setup.keep_in is not None and (setup.keep_texts or not reveals_text)
        within = _REVEALING if reveals_text else "."
        folder = setup.keep_in / within / f"{what}-{digest}" if setup.keep_in and allowed else None
        setup.caches[digest] = ResultCache(folder, damaged=setup.damaged, fresh=setup.fresh)
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
