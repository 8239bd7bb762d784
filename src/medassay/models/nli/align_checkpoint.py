"""Read an AlignScore checkpoint as its authors publish it, without running any of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from medassay.models.files import read_model, unusable
from medassay.models.install import ONLY_DATA, need_package

__all__ = ["PURPOSE", "AlignModel", "find_checkpoint", "open_checkpoint"]

PURPOSE: Final = "AlignScore"
_HEADS: Final = {"bin_layer": 2, "tri_layer": 3, "reg_layer": 1}
_UNUSED: Final = ("mlm_head.",)  # only its training needs it
_OLD: Final = "embeddings.position_ids"  # older transformers saved what newer ones count


class AlignModel:
    """A text encoder with AlignScore's three heads on its pooled first state.

    Attributes:
        encoder: The encoder, as transformers builds it from its configuration.
        heads: `bin_layer` (2), `tri_layer` (3) and `reg_layer` (1).
    """

    def __init__(self, encoder: Any, heads: Mapping[str, Any]) -> None:  # noqa: ANN401 - untyped
        self.encoder, self.heads = encoder, heads

    def numbers(self, **inputs: Any) -> Any:  # noqa: ANN401 - tensors of an untyped package
        """Give P(aligned) of the three classes, P(aligned) of the two, and the regression.

        Shape (pairs, 3). Class 0 of three and class 1 of two are those of what is aligned.
        """
        torch: Any = need_package("torch", PURPOSE)
        with torch.inference_mode():
            pooled = self.encoder(**inputs).pooler_output
            three = self.heads["tri_layer"](pooled).softmax(dim=-1)[:, 0]
            two = self.heads["bin_layer"](pooled).softmax(dim=-1)[:, 1]
            return torch.stack([three, two, self.heads["reg_layer"](pooled)[:, 0]], dim=1)


def find_checkpoint(path: Path, name: str) -> Path:
    """Give the checkpoint: the file itself, or the one in a folder that bears the name.

    Raises:
        UnusableModel: There is none, or more than one.
    """
    if path.is_file():
        return path
    paths = sorted(path.glob("*.ckpt"))
    named = [file for file in paths if file.stem == name.rpartition("/")[2]] or paths
    if len(named) != 1:
        got = ", ".join(file.name for file in paths) or "none"
        must = f"hold one .ckpt file, or {name.rpartition('/')[2]}.ckpt"
        raise unusable(path, must, got, "Name the file itself.")
    return named[0]


def open_checkpoint(path: Path, backbone: Path, name: str) -> AlignModel:
    """Load a checkpoint of PyTorch Lightning: `state_dict` of encoder and heads.

    Only tensors and plain data are read (`weights_only`): nothing in the file is run.

    Args:
        path: The .ckpt file.
        backbone: A folder with the encoder's config.json.
        name: The encoder's name, for messages.

    Raises:
        UnusableModel: The file is no such checkpoint, or not one of this encoder.
    """
    torch: Any = need_package("torch", PURPOSE)
    transformers: Any = need_package("transformers", PURPOSE)
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    # A file that holds more than tensors, is cut short, or is none of torch's: each has its error.
    except Exception as error:
        try_ = "Take the file as its authors publish it."
        text = (str(error).strip() or type(error).__name__).partition("\n")[0]
        got = f"what torch refuses: {text}"
        raise unusable(path, "be whole, and hold tensors and plain data only", got, try_) from error
    state = checkpoint.get("state_dict") if isinstance(checkpoint, dict) else None
    if not isinstance(state, dict):
        raise unusable(path, "be a checkpoint with a state_dict", type(checkpoint).__name__)
    config = read_model(
        backbone / "config.json",
        "say what encoder it is, as published",
        lambda: transformers.AutoConfig.from_pretrained(backbone, **ONLY_DATA),
    )
    encoder = transformers.AutoModel.from_config(config, trust_remote_code=False).float().eval()
    heads = {head: torch.nn.Linear(config.hidden_size, classes) for head, classes in _HEADS.items()}
    parts = {"base_model": encoder, **heads}
    _check_names(path, state, parts)
    for part, module in parts.items():
        own = {
            key.removeprefix(f"{part}."): tensor
            for key, tensor in state.items()
            if key.startswith(f"{part}.") and not key.endswith(_OLD)
        }
        try:
            module.load_state_dict(own, strict=True)
        except RuntimeError as error:
            trained = checkpoint.get("hyper_parameters", {}).get("model", "another")
            try_ = f"The file was trained on {trained}: say backbone={trained}."
            must = f"fit the encoder {name}"
            raise unusable(path, must, str(error).splitlines()[-1].strip(), try_) from error
    return AlignModel(encoder, heads)


def _check_names(path: Path, state: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
    """Refuse what belongs to no known part: it would be lost without a word."""
    known = tuple(f"{part}." for part in parts) + _UNUSED
    foreign = sorted(key for key in state if not key.startswith(known))
    if foreign:
        must = "hold base_model, bin_layer, tri_layer, reg_layer and mlm_head only"
        raise unusable(path, must, f'"{foreign[0]}"')
