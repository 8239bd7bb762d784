"""A protocol of one's own: a file of the study."""

from pathlib import Path, PurePosixPath
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.study.own_files import outside_problem
from medassay.study.protocol import Protocol, shipped_protocols
from medassay.tables import file_bytes, read_toml

__all__ = ["own_protocol"]

_COLUMN: Final = "protocol.name"


def own_protocol(folder: Path, name: str) -> Protocol:
    """Read a protocol from a file of a study; the rubric that it names as a file lies beside it.

    Args:
        folder: The study's folder.
        name: The file, from there.

    Returns:
        The protocol, with its rubric's place from the study's folder where that is a file.

    Raises:
        InvalidInput: It leads out of the study, is not there, is no TOML, or has keys or values
            that cannot be; each is named.
    """
    outside = outside_problem(folder, name, _COLUMN)
    if outside is not None:
        raise InvalidInput(outside)
    protocol = read_toml(Protocol, file_bytes(folder / name, name), name)
    if protocol.name in shipped_protocols():
        must = "have a name of its own: a changed copy of a protocol is another protocol"
        raise InvalidInput(Problem(name, must, f'"{protocol.name}"', "", None, "name"))
    if not protocol.rubric.endswith(".toml"):
        return protocol
    beside = PurePosixPath(name).parent / protocol.rubric
    outside = outside_problem(folder, str(beside), "rubric", name)
    if outside is not None:
        raise InvalidInput(outside)
    return protocol.model_copy(update={"rubric": str(beside)})
