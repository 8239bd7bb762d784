"""What many ask at once, done at once, by one thread."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

from medassay.campaign.room.sql import Sql

__all__ = ["Together"]

_P = TypeVar("_P")
_T = TypeVar("_T")
_MOST_AT_ONCE: Final = 256


class _Work(Generic[_P, _T]):
    def __init__(self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P) -> None:
        self.do, self.given = do, given
        self.done: Future[_T] = Future()


class Together:
    """One thread that does what waits for it, all of it over one connection.

    A hundred raters who press a key at once wait for one transaction and not for a hundred; and a
    hundred threads that take turns at one processor would wait for each other instead.

    Args:
        name: What the thread is called.
        opened: Opens a connection; what was done with it holds once it is closed.
    """

    def __init__(self, name: str, opened: Callable[[], AbstractContextManager[Sql]]) -> None:
        self._name, self._opened = name, opened
        self._queue: SimpleQueue[_Work[Sql, Sql] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def submit(self, do: Callable[[Sql, list[_P]], Sequence[_T]], given: _P) -> "Future[_T]":
        """Do something with all that waits for the same; the future is done when it holds.

        Args:
            do: Is given the connection and all that waits for it, in order, and gives a result for
                each. It may be called twice, where others' work beside it has failed.
            given: What it is to be done with.
        """
        work = _Work(do, given)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._queue.put(work)
        return work.done

    def close(self) -> None:
        """Do what still waits, and end the thread."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        going = True
        while going:
            waiting = [self._queue.get()]
            while len(waiting) < _MOST_AT_ONCE and waiting[-1] and not self._queue.empty():
                waiting.append(self._queue.get())
            going = waiting[-1] is not None
            # Whoever gave up waiting before it began is not kept from asking again.
            works = [work for work in waiting if work and work.done.set_running_or_notify_cancel()]
            if works:
                self._do(works)

    def _do(self, works: "list[_Work[Sql, Sql]]") -> None:
        """Do all over one connection; where that fails, each over one of its own."""
        done: list[tuple[_Work[Sql, Sql], Sql]] = []
        try:
            with self._opened() as connection:
                for do in dict.fromkeys(work.do for work in works):
                    mine = [work for work in works if work.do == do]
                    results = do(connection, [work.given for work in mine])
                    done += zip(mine, results, strict=True)
        except Exception as error:  # noqa: BLE001 - whatever failed is told to whoever asked
            if len(works) == 1:
                works[0].done.set_exception(error)
                return
            for work in works:
                self._do([work])
            return
        for work, result in done:
            work.done.set_result(result)
