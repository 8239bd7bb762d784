"""What study.toml names under `[models.folders]`."""

from pathlib import Path

from medassay.errors import Problem, UnusableModel
from medassay.models.setup import model_setup

__all__ = ["named_path"]


def named_path(name: str) -> Path | None:
    """Give the folder or file that `[models.folders]` names for a word; None if it names none.

    Raises:
        UnusableModel: It names one that is not there.
    """
    setup = model_setup()
    folder = setup.folders.get(name)
    if folder is None:
        return None
    path = setup.base / folder
    if not path.exists():
        # The study's own folder is not named: where it lies must change no result.
        where = "" if Path(folder).is_absolute() else " in the study's folder"
        must, got = (
            "name a folder or file that is there",
            f'"{folder}", and nothing is there{where}',
        )
        try_ = "Put the model there, or correct the path."
        raise UnusableModel(
            Problem("study.toml", must, got, try_, column=f'[models.folders] "{name}"')
        )
    return path
