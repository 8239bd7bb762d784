"""Making very many records without looking for garbage among them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["gc_leaving_be", "gc_paused"]


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
