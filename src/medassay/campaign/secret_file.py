"""Where a campaign keeps its secret: beside its key, and nowhere else."""

from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, Secret
from medassay.tables import file_bytes

__all__ = ["KEPT_IN", "read_secret", "secret_bytes"]

KEPT_IN: Final = "secret.txt"
_HINT: Final = (
    "Take it from your backup. Importing sheets does without; to draw up anew, give another --name."
)


def secret_bytes(secret: Secret) -> bytes:
    """Write a secret as one line of hexadecimal digits."""
    return f"{secret.key.hex()}\n".encode()


def read_secret(study: Path, name: str) -> Secret:
    """Read the secret of a campaign that is there.

    Raises:
        InvalidInput: There is none, or it was damaged; what the file holds is not repeated.
    """
    shown_as = f"{FOLDER}/{name}/{KEPT_IN}"
    path = study / FOLDER / name / KEPT_IN
    if not path.is_file():
        must = "be there: the codes and orders of this campaign follow from it"
        raise InvalidInput(Problem(shown_as, must, "no such file", _HINT))
    try:
        return Secret(bytes.fromhex(file_bytes(path, shown_as).decode("ascii").strip()))
    except ValueError as error:
        must = "hold the campaign's secret, 32 hexadecimal digits or more"
        raise InvalidInput(Problem(shown_as, must, "something else", _HINT)) from error
