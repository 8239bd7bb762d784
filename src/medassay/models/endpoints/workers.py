"""Many questions, some at a time, until all are done or somebody stops it."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import TypeVar

from medassay.models.endpoints.asker import Stopped

__all__ = ["run_all"]

_Job = TypeVar("_Job")


async def run_all(
    jobs: Iterable[_Job],
    work: Callable[[_Job], Awaitable[None]],
    concurrency: int,
    stop: Callable[[str], None],
) -> None:
    """Do every job, a fixed number at a time; `Stopped` in one ends the giving out.

    Ctrl-C once: no new question, and those under way, which cost already, come to their end. Twice:
    they are dropped.

    Args:
        jobs: What is to be done; taken one by one, so that there may be any number.
        work: Does one.
        concurrency: How many at a time.
        stop: Is told why, when the user stops.
    """
    waiting = iter(jobs)
    async with _heeding_the_user(stop), asyncio.TaskGroup() as group:
        for _ in range(concurrency):
            group.create_task(_worker(waiting, work))


async def _worker(waiting: Iterator[_Job], work: Callable[[_Job], Awaitable[None]]) -> None:
    for job in waiting:
        try:
            await work(job)
        except Stopped:
            return


@asynccontextmanager
async def _heeding_the_user(stop: Callable[[str], None]) -> AsyncIterator[None]:
    loop, whole = asyncio.get_running_loop(), asyncio.current_task()
    pressed = 0

    def press() -> None:
        nonlocal pressed
        pressed += 1
        if pressed == 1:
            stop("you stopped it")
        elif pressed == 2 and whole is not None:  # noqa: PLR2004 - Ctrl-C twice
            whole.cancel()

    try:
        loop.add_signal_handler(signal.SIGINT, press)
    except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
        yield
        return
    try:
        yield
    except asyncio.CancelledError:
        if not pressed or whole is None:
            raise
        whole.uncancel()
    finally:
        loop.remove_signal_handler(signal.SIGINT)
