"""Baselines of BERTScore, in the form of files that its authors publish them in."""

from importlib.resources import files
from pathlib import Path

from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.models.named import named_path

__all__ = ["baseline_file", "read_baseline"]


def baseline_file(language: str, model: str, purpose: str) -> Path:
    """Find a model's baselines: a file named in `[models.folders]`, or one that ships here.

    The word in `[models.folders]` is `LANGUAGE/MODEL.tsv`, as in the authors' repository.

    Raises:
        MissingBackend: There is none.
        UnusableModel: `[models.folders]` names one that is not there.

    Example:
        >>> baseline_file("en", "distilbert-base-uncased", "a test").name
        'distilbert-base-uncased.tsv'
    """
    word = f"{language}/{model}.tsv"
    path = named_path(word) or _shipped(language, model)
    if path is None:
        put = (
            f"take rescale_baseline/{word} of bert-score and name it in study.toml,"
            f' [models.folders] "{word}" = "FILE"'
        )
        raise MissingBackend(f"the baseline {word}", purpose, put)
    return path


def read_baseline(path: Path, layer: int) -> tuple[float, float, float]:
    """Read a layer's baselines of precision, recall and F1.

    Raises:
        InvalidInput: The file has another form, or not that layer.

    Example:
        >>> path = baseline_file("en", "distilbert-base-uncased", "a test")
        >>> read_baseline(path, 4)
        (0.6019937, 0.6019904, 0.6014007)
    """
    lines = path.read_text(encoding="utf-8").split()
    if not lines or lines[0] != "LAYER,P,R,F":
        got = f'"{lines[0]}"' if lines else "nothing"
        raise InvalidInput(Problem(path.name, "begin with LAYER,P,R,F", got, row=1))
    for row, line in enumerate(lines[1:], start=2):
        cells = line.split(",")
        if cells[0] != str(layer):
            continue
        try:
            _, precision, recall, f1 = map(float, cells)
        except ValueError as error:
            must = "have a layer and three numbers"
            raise InvalidInput(Problem(path.name, must, f'"{line}"', row=row)) from error
        return precision, recall, f1
    raise InvalidInput(Problem(path.name, f"have a line for layer {layer}", "none"))


def _shipped(language: str, model: str) -> Path | None:
    folder = Path(str(files("medassay") / "data" / "baselines" / language))
    known = {path.stem: path for path in folder.glob("*.tsv")} if folder.is_dir() else {}
    return known.get(model)
