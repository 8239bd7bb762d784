"""Guidelines, called by the number in their file's name, as the questions call them."""

from pathlib import Path
from typing import Final

from medassay.tables import decode, file_bytes

__all__ = ["GUIDELINE", "guideline_number", "guideline_of"]

GUIDELINE: Final = "guideline_"


def guideline_number(name: str) -> str:
    """Give the number in the name of a guideline's file, with three digits; nothing of another.

    Example:
        >>> guideline_number("guideline_05_asthma.txt"), guideline_number("glossary_acs.txt")
        ('005', '')
    """
    path = Path(name)
    number = path.name.removeprefix(GUIDELINE).split("_")[0].removesuffix(".txt")
    ours = path.name.startswith(GUIDELINE) and path.suffix == ".txt" and number.isdecimal()
    return number.zfill(3) if ours and number.isascii() else ""


def guideline_of(path: Path) -> dict[str, str]:
    """Read a guideline.

    Raises:
        InvalidInput: It cannot be read.
    """
    text = decode(file_bytes(path, path.name), path.name)[0].strip()
    title = text.splitlines()[0].removeprefix("# ") if text else ""
    return {"id": f"GL_{guideline_number(path.name)}", "title": title, "text": text}
