"""Who is who, for the lead: written by every verb that takes in or tells something of raters."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput
from medassay.study.contents.private import Pseudonyms, lacks_key, people_tables
from medassay.study.files.lock import only_writer
from medassay.study.files.names import RATERS_KEY
from medassay.study.folder import Study

_HIDDEN: Final = "note: raters have pseudonyms here; "


def write_key(study: Path, pseudonyms: Pseudonyms, run: str = "") -> str:
    """Write the key, and give what to say of it; nothing where nobody has a pseudonym.

    A study that another command is writing into, or that cannot be written, is read all the same.

    Raises:
        InvalidInput: A file of the key's name is no key of ours.
    """
    if not pseudonyms.of or pseudonyms.named:
        return ""

    def write() -> None:
        with only_writer(study):
            pseudonyms.write_key(study, run)

    lost = _tried(write)
    if lost:
        return f"{_HIDDEN}who is who could not be written: {lost}"
    return f"{_HIDDEN}{RATERS_KEY} in the study says who is who."


def write_lost_key(study: Path, run: str) -> None:
    """Write the key of a finished run that has lost it, as far as that can be done."""
    if lacks_key(study, run):
        write_key(study, Study.open_whole(study).pseudonyms, run)


@contextmanager
def key_kept(study: Path) -> Iterator[list[Pseudonyms]]:
    """Write the key where the block brings in what people said: a finding may name them next.

    A study that cannot be opened yet, such as one whose cases are still to come, gets its key from
    the first verb that opens it.

    Args:
        study: The study's folder, held by the caller as its only writer.

    Yields:
        A list for the pseudonyms, where the block knows them as the study now stands; else it is
        opened for them, which of a million labels takes as long as to bring them in.

    Raises:
        InvalidInput: A file of the key's name is no key of ours.
    """
    before = people_tables(study)
    known: list[Pseudonyms] = []
    yield known
    if people_tables(study) == before:
        return
    pseudonyms = known[-1] if known else Pseudonyms()
    with suppress(InvalidInput):
        pseudonyms = pseudonyms if known else Study.open_whole(study).pseudonyms
    pseudonyms.write_key(study)


def _tried(write: Callable[[], None]) -> str:
    """Do it, and give what stood in the way; a file that is not ours is an error."""
    try:
        write()
    except InvalidInput as error:
        if any(problem.file == RATERS_KEY for problem in error.problems):
            raise
        return str(error.problems[0])
    return ""
