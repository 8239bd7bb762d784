"""Very many records: outside memory where it is too small, made without looking for garbage."""

import gc
import io
import os
import pickle
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Generic, Self, TypeVar, overload

Record = TypeVar("Record")
_IN_MEMORY: Final = 150_000
"""So many records are held as they are: to make one anew at each reading takes its time."""
_AT_ONCE: Final = 512


class Shared:
    """Objects that many records hold, such as documents: in memory, once.

    Attributes:
        part: Gives the object at a place.

    Example:
        >>> shared = Shared()
        >>> shared.add("guideline") is shared.add("guideline")
        True
    """

    def __init__(self) -> None:
        self._parts: list[object] = []
        self._places: dict[int, int] = {}
        # Asked for each object of each record: the list's own method, without a call between.
        self.part: Callable[[int], object] = self._parts.__getitem__

    def add(self, part: Record) -> Record:
        """Take an object in, and give it."""
        if id(part) not in self._places:
            self._places[id(part)] = len(self._parts)
            self._parts.append(part)
        return part

    def place(self, part: object) -> int | None:
        """Give the place of an object; None for what is not shared."""
        return self._places.get(id(part))


class Gathering(Generic[Record]):
    """Records that come one after the other: in memory, or set aside where they are very many.

    Example:
        >>> letters = Gathering()
        >>> for letter in "abc":
        ...     letters.add(letter)
        >>> letters.back_to(2)
        >>> letters.all()
        ('a', 'b')
    """

    def __init__(self, shared: Shared | None = None) -> None:
        """Begin with none.

        Args:
            shared: What many of the records hold.
        """
        self._shared = shared
        self._first: list[Record] = []
        self._apart: SetAside[Record] | None = None

    def __len__(self) -> int:
        """Count those that came."""
        return len(self._first if self._apart is None else self._apart)

    def add(self, record: Record) -> None:
        """Take the next one."""
        if self._apart is not None:
            self._apart.add(record)
            return
        self._first.append(record)
        if len(self._first) > _IN_MEMORY:
            self._apart = SetAside(self._first, self._shared)
            self._first = []

    def back_to(self, count: int) -> None:
        """Keep the first so many alone."""
        if self._apart is not None:
            self._apart.back_to(count)
        else:
            del self._first[count:]

    def all(self) -> Sequence[Record]:
        """Give all that came; no more are taken."""
        return tuple(self._first) if self._apart is None else self._apart.written()


def gathered(records: Iterable[Record], shared: Shared | None = None) -> Sequence[Record]:
    """Hold records in their order: as a tuple, or set aside where they are very many.

    Args:
        records: The records; they are taken one after the other.
        shared: What many of them hold.

    Example:
        >>> gathered(iter("abc"))
        ('a', 'b', 'c')
    """
    gathering: Gathering[Record] = Gathering(shared)
    for record in records:
        gathering.add(record)
    return gathering.all()


def changed(change: Callable[[Record], Record], records: Sequence[Record]) -> Sequence[Record]:
    """Change each record; what the records share, those that were changed share too."""
    shared = records.shared if isinstance(records, SetAside) else None
    return gathered(map(change, records), shared)


class SetAside(Sequence[Record]):
    """Records that lie in a file of their own; each is made anew when it is read.

    The file has no name, so that nobody else can open it, and is gone when the records are. It
    lies where the system keeps temporary files; the environment variable TMPDIR says otherwise.

    Attributes:
        shared: What many of them hold.

    Example:
        >>> apart = SetAside([("a", 1), ("b", 2)])
        >>> len(apart), apart[1], list(apart)
        (2, ('b', 2), [('a', 1), ('b', 2)])
    """

    def __init__(self, records: Iterable[Record], shared: Shared | None = None) -> None:
        self.shared = shared
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lasts as long as the records
        weakref.finalize(self, self._file.close)
        self._ends = array("q", [0])
        self._packing = _Packing(shared)
        for record in records:
            self.add(record)
        self.written()

    def add(self, record: Record) -> None:
        """Put a record behind the others; it can be read once all are `written`."""
        packed = self._packing.pack(record)
        self._file.write(packed)
        self._ends.append(self._ends[-1] + len(packed))

    def back_to(self, count: int) -> None:
        """Keep the first so many alone."""
        del self._ends[count + 1 :]
        self._file.seek(self._ends[-1])
        self._file.truncate()

    def written(self) -> Self:
        """Write what waits to be written."""
        self._file.flush()
        return self

    def __len__(self) -> int:
        """Count the records."""
        return len(self._ends) - 1

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Record]: ...
    def __getitem__(self, place: int | slice) -> Record | Sequence[Record]:
        """Read one record, or those of a slice."""
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        start = range(len(self))[place]
        return next(self._between(start, start + 1))

    def __iter__(self) -> Iterator[Record]:
        """Read the records one after the other."""
        for start in range(0, len(self), _AT_ONCE):
            yield from self._between(start, min(start + _AT_ONCE, len(self)))

    def _between(self, start: int, stop: int) -> Iterator[Record]:
        begin = self._ends[start]
        # No position is moved: copies of this process read the same file.
        packed = os.pread(self._file.fileno(), self._ends[stop] - begin, begin)
        for place in range(start, stop):
            own = packed[self._ends[place] - begin : self._ends[place + 1] - begin]
            yield _Unpacking(own, self.shared).load()


class _Packing(pickle.Pickler):
    """Packs one record after the other; of what is shared it writes the place alone."""

    def __init__(self, shared: Shared | None) -> None:
        self._out = io.BytesIO()
        super().__init__(self._out, pickle.HIGHEST_PROTOCOL)
        if shared is not None:
            self.persistent_id = shared.place  # type: ignore[method-assign]  # without a call between

    def pack(self, record: object) -> bytes:
        self._out.seek(0)
        self._out.truncate()
        self.clear_memo()
        self.dump(record)
        return self._out.getvalue()


class _Unpacking(pickle.Unpickler):
    """Makes a record anew: this process wrote it, into a file that no other can open."""

    def __init__(self, packed: bytes, shared: Shared | None) -> None:
        super().__init__(io.BytesIO(packed))
        if shared is not None:
            self.persistent_load = shared.part  # type: ignore[method-assign]  # without a call between


@contextmanager
def gc_paused() -> Iterator[None]:
    """Let Python's collector of cycles rest while the block makes records.

    Records hold no cycles. Python looks for some in all that it has, again and again, as objects
    grow more: of the time that a hundred thousand answers take to read, that is half.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            with gc_leaving_be():
                pass  # what was made counts as old, or the collector would look at it three times
            gc.enable()


@contextmanager
def gc_leaving_be() -> Iterator[None]:
    """Let the collector leave be what there is when the block begins, such as the records of a run.

    Whoever uses this process may have said the same before; then nothing changes.

    Example:
        >>> with gc_leaving_be():
        ...     gc.get_freeze_count() > 0
        True
    """
    ours = gc.get_freeze_count() == 0
    if ours:
        gc.freeze()
    try:
        yield
    finally:
        if ours:
            gc.unfreeze()
