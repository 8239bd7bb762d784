"""Share plain work among several processes, and what any other place of work must offer."""

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Final, Generic, Protocol, TypeVar

from medassay.metrics import Pair
from medassay.metrics.statements import Tallies
from medassay.models import ModelSetup
from medassay.scores import ScoreColumns


@dataclass(frozen=True, slots=True)
class Job:
    """Some answers for one metric; cut by the study, never by who does the work.

    Attributes:
        metric: The metric's canonical name: it is looked up where the work is done.
        made_by: The hash of all that a value depends on, as this process has it.
        pairs: Cases and answers.
    """

    metric: str
    made_by: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """What a job found.

    Attributes:
        columns: A score a pair, in the order of the pairs.
        tallies: What was said of statements on the way.
    """

    columns: ScoreColumns
    tallies: Tallies


class Elsewhere(Protocol):
    """Where jobs are done."""

    def score(self, jobs: Sequence[Job], setup: ModelSetup) -> Iterator[tuple[int, Scores]]:
        """Do jobs; give the place of each with what it found, as they are done, in any order.

        A job whose worker dies is done again, by another.

        Args:
            jobs: The jobs.
            setup: Where models are; what is kept stays in this process.

        Raises:
            InvalidInput: The work cannot be done there, such as by workers of another version.
        """


_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_TELL_OF_PARENTS_DEATH: Final = 1  # the number of this request in <sys/prctl.h>
_MOST: Final = 8  # what the parent does with the results soon takes longer than making them


def usable_processes() -> int:
    """Give how many processes at once are worth starting; 1 where work cannot be shared.

    A process that is to know what was read must be a copy of this one, and only Linux makes such
    copies safely.
    """
    if sys.platform != "linux":
        return 1
    return min(_MOST, len(os.sched_getaffinity(0)))


def parallel_map(
    work: Callable[[_Task], _Result], tasks: Iterable[_Task], processes: int
) -> Iterator[_Result]:
    """Do tasks, several at once; give their results in the order of the tasks.

    Each task is done by a copy of this process that ends with it, so that nothing need be handed
    over but the result, and what a task takes of memory is given back. Tasks are taken as
    processes become free. What a copy could not do, because it failed or was killed, is done here:
    an error is raised as if nothing had been shared.

    Args:
        work: What to do; what it changes is lost, its result alone comes back.
        tasks: Each is handed to `work`; taken one after the other as there is room.
        processes: How many at once; with 1 all is done here.

    Example:
        >>> list(parallel_map(lambda word: word.upper(), ["a", "b", "c"], processes=2))
        ['A', 'B', 'C']
    """
    waiting = iter(tasks)
    if processes == 1:
        yield from map(work, waiting)
        return
    begun: deque[_Begun[_Task, _Result]] = deque()
    try:
        while True:
            for task in islice(waiting, processes - len(begun)):
                begun.append(_Begun.start(work, task))
            if not begun:
                return
            yield begun.popleft().result()
    finally:
        for process in begun:
            process.stop()


@contextmanager
def begun(
    works: Mapping[str, Callable[[], _Result]], processes: int
) -> Iterator[Callable[[str], _Result]]:
    """Begin works in copies of this process, a copy each, while the block does something else.

    What holds of `parallel_map` holds here; a copy that nobody has asked for its result when the
    block ends is ended too.

    Args:
        works: What to do, by name.
        processes: How many processes there may be at once; with 1 each is done when asked for.

    Yields:
        Gives the result of a work, by its name; waits for it.

    Example:
        >>> with begun({"sum": lambda: sum(range(4))}, processes=2) as result_of:
        ...     result_of("sum")
        6
    """
    if processes == 1:
        yield lambda name: works[name]()
        return
    copies = {name: _Begun.start(_call, work) for name, work in works.items()}
    try:
        yield lambda name: copies.pop(name).result()
    finally:
        for process in copies.values():
            process.stop()


def _call(work: Callable[[], _Result]) -> _Result:
    return work()


def parallel_batches(
    work: Callable[[_Task], _Result], tasks: Sequence[_Task], processes: int, *, turns: int = 1
) -> list[_Result]:
    """Do many short tasks as `parallel_map` does, several in each copy of this process.

    Args:
        work: What to do.
        tasks: A batch takes some from everywhere, since long ones often stand together.
        processes: How many at once; with 1 all is done here.
        turns: How many batches each process gets; more of them even out tasks of unequal length.

    Example:
        >>> parallel_batches(lambda word: word.upper(), ["a", "b", "c"], processes=2)
        ['A', 'B', 'C']
    """
    if processes == 1 or len(tasks) < 2:  # noqa: PLR2004 - one task has nobody to share with
        return [work(task) for task in tasks]
    many = min(len(tasks), processes * turns)
    batches = [tasks[first::many] for first in range(many)]
    done = list(parallel_map(lambda batch: [work(task) for task in batch], batches, processes))
    return [done[at % many][at // many] for at in range(len(tasks))]


@dataclass(frozen=True, slots=True)
class _Begun(Generic[_Task, _Result]):
    """A task that a copy of this process is doing."""

    work: Callable[[_Task], _Result]
    task: _Task
    process: ForkProcess
    receiver: Connection

    @classmethod
    def start(cls, work: Callable[[_Task], _Result], task: _Task) -> "_Begun[_Task, _Result]":
        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        doing = (work, task, sender, os.getpid())
        process = context.Process(target=_do, args=doing, daemon=True)
        with warnings.catch_warnings():
            # Python warns that a copy may wait for ever for what another thread holds; `work` is
            # plain Python, and waits for none.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        sender.close()  # so that the end of the other process ends the pipe
        return cls(work, task, process, receiver)

    def result(self) -> _Result:
        try:
            result: _Result = self.receiver.recv()
        except (EOFError, OSError):
            return self.work(self.task)
        finally:
            self.stop()
        return result

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.process.close()
        self.receiver.close()


def _do(work: Callable[[_Task], _Result], task: _Task, sender: Connection, parent: int) -> None:
    """Do a task in a copy of the process; say nothing if it cannot be done."""
    _end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started this ends it
    gc.disable()  # looking at everything that was inherited would copy it
    with suppress(Exception):  # it is raised where the task is done again
        sender.send(work(task))


def _end_with(parent: int) -> None:
    """End when the process ends that asked, however it ends: nobody is left to take the result."""
    ctypes.CDLL(None).prctl(_TELL_OF_PARENTS_DEATH, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # it has ended already
