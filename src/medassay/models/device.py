"""Where torch runs a model: on the processor, or on a GPU where the study asks for one.

A GPU adds in another order than a processor, so its last digits are others: what it computed is
another score, with the GPU's name in its signature, and lies beside what a processor computed.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from medassay.errors import InvalidInput, MissingBackend, Problem, UnusableModel
from medassay.models.install import need_package
from medassay.models.setup import model_setup

__all__ = [
    "CPU",
    "DEVICE",
    "DEVICES",
    "NoSuchDevice",
    "asks_for_gpu",
    "device_facts",
    "device_of",
    "no_gpu_for_onnx",
    "refuse_missing_gpu",
]

CPU: Final = "cpu"
DEVICE: Final = r"cpu|cuda(:\d+)?"
"""What study.toml may say under [models] device."""
DEVICES: Final = "cpu, cuda (the first GPU) or cuda:N"

_OR_CPU: Final = 'or say device = "cpu", whose scores differ in their last digits'


class NoSuchDevice(UnusableModel):
    """A GPU is asked for, and torch can use none here, or not for this model."""


def device_of(name: str) -> str:
    """Give the device that the setup in force names for a model: `cpu` unless it says otherwise.

    Raises:
        InvalidInput: It names something else than cpu, cuda or cuda:N.

    Example:
        >>> device_of("roberta-large")
        'cpu'
    """
    wish = model_setup().device
    device = wish if isinstance(wish, str) else wish.get(name, CPU)
    if not re.fullmatch(DEVICE, device):
        raise InvalidInput(
            Problem("study.toml", f"be {DEVICES}", f'"{device}"', column="[models] device")
        )
    return device


def asks_for_gpu(device: str | Mapping[str, str]) -> bool:
    """Say whether a setup names a GPU for any model.

    Example:
        >>> asks_for_gpu("cpu"), asks_for_gpu({"roberta-large": "cuda:1"})
        (False, True)
    """
    return any(word != CPU for word in ([device] if isinstance(device, str) else device.values()))


def device_facts(device: str, purpose: str) -> Mapping[str, str]:
    """Give what a score depends on beside weights and versions: nothing on the processor.

    On a GPU that is its name and the CUDA that torch was built for, not its number: which of two
    of one kind is taken changes nothing.

    Raises:
        MissingBackend: torch is not installed.
        NoSuchDevice: There is no such GPU that torch can use.

    Example:
        >>> device_facts("cpu", "a test")
        {}
    """
    if device == CPU:
        return {}
    torch: Any = need_package("torch", purpose)
    return {"device": _gpu(torch, device)}


def no_gpu_for_onnx(file: str) -> NoSuchDevice:
    """Make the error for a model in ONNX form, which is run on the processor alone."""
    must = "name a GPU only for models that torch runs"
    hint = (
        "Put its model.safetensors beside it, or name a device for each of the others:"
        ' [models.device] "MODEL" = "cuda".'
    )
    return NoSuchDevice(_problem(must, f"a model in ONNX form ({file})", hint))


def refuse_missing_gpu(missing: Iterable[MissingBackend | None]) -> None:
    """Refuse to go on where a GPU is asked for that cannot be had: nothing else stands in for it.

    Args:
        missing: What metrics lack.

    Raises:
        InvalidInput: Among it is a GPU.
    """
    problems = {str(lack): lack.problem for lack in missing if isinstance(lack, NoSuchDevice)}
    if problems:
        raise InvalidInput(problems.values())


@cache
def _gpu(torch: Any, device: str) -> str:  # noqa: ANN401 - its types are there on some machines only
    must = f"name a GPU that torch can use here ({device})"
    built_for = torch.version.cuda
    if not built_for:
        got = f"torch {torch.__version__}, which is built for processors alone"
        raise NoSuchDevice(
            _problem(must, got, f"Install a torch that is built for CUDA, {_OR_CPU}.")
        )
    if not torch.cuda.is_available():
        got = f"no GPU that torch {torch.__version__} (CUDA {built_for}) can use"
        hint = f"See what nvidia-smi says of GPU and driver, {_OR_CPU}."
        raise NoSuchDevice(_problem(must, got, hint))
    number = int(device.partition(":")[2] or 0)
    count = torch.cuda.device_count()
    if number >= count:
        last = f"cuda:{count - 1}"
        got = f"{count} of them, " + ("cuda:0" if count == 1 else f"cuda:0 to {last}")
        raise NoSuchDevice(_problem(must, got, "Name one that is there."))
    return f"{torch.cuda.get_device_name(number)}, CUDA {built_for}"


def _problem(must: str, got: str, hint: str) -> Problem:
    return Problem("study.toml", must, got, hint, column="[models] device")
