"""Where models run: on the processor, or on a GPU in batches of one size."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, MissingBackend, Problem, UnusableModel
from medassay.models.install import model_setup, need_package

CPU: Final = "cpu"
DEVICE: Final = r"cpu|cuda(:\d+)?"
"""What study.toml may say under [models] device."""
DEVICES: Final = "cpu, cuda (the first GPU) or cuda:N"
_OR_CPU: Final = 'or say device = "cpu", whose scores differ in their last digits'
AT_ONCE: Final = 4096
"""Pieces in a batch, padding counted: enough to keep a large GPU at work."""
_STEP: Final = 16
"""Texts whose lengths have the same next multiple of this are read together."""
_WORKSPACE: Final = "CUBLAS_WORKSPACE_CONFIG"


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


class Batch(NamedTuple):
    """Texts that are read together.

    Attributes:
        places: Which texts, at most `rows`.
        rows: How many rows the batch has, copies counted.
        length: How many pieces each row has, padding counted.
    """

    places: tuple[int, ...]
    rows: int
    length: int


def fixed_batches(lengths: Sequence[int], longest: int) -> Iterator[Batch]:
    """Cut texts into batches whose shape follows from their lengths alone, shortest first.

    Args:
        lengths: How many pieces each text has.
        longest: How many pieces the model reads at once.

    Example:
        >>> for batch in fixed_batches([15, 510, 3], 512):
        ...     print(batch)
        Batch(places=(0, 2), rows=256, length=16)
        Batch(places=(1,), rows=8, length=512)
    """
    by_length: dict[int, list[int]] = {}
    for place, pieces in enumerate(lengths):
        by_length.setdefault(min(-(-pieces // _STEP) * _STEP, longest), []).append(place)
    for length, places in sorted(by_length.items()):
        rows = max(1, AT_ONCE // length)
        for start in range(0, len(places), rows):
            yield Batch(tuple(places[start : start + rows]), rows, length)


def padded(rows: Sequence[Sequence[int]], batch: Batch, filler: int) -> list[list[int]]:
    """Fill rows up to a batch's shape: with `filler` behind them, and with copies of the first.

    Example:
        >>> padded([[7, 8], [9]], Batch((0, 1), 3, 4), 0)
        [[7, 8, 0, 0], [9, 0, 0, 0], [7, 8, 0, 0]]
    """
    whole = [[*row, *[filler] * (batch.length - len(row))] for row in rows]
    return whole + [whole[0]] * (batch.rows - len(whole))


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU that runs a model.

    Attributes:
        torch: The package.
        device: What torch calls the GPU.
        model: The model's name, for messages.
    """

    torch: Any
    device: str
    model: str

    def hold(self, module: Any) -> None:  # noqa: ANN401 - of an untyped package
        """Move a part of a model there.

        Raises:
            UnusableModel: The GPU has not memory enough.
        """
        with self._room():
            module.to(self.device)

    def tensor(self, rows: Sequence[Sequence[int]]) -> Any:  # noqa: ANN401 - as above
        """Put rows of equal length there."""
        return self.torch.tensor(rows, device=self.device)

    def rows(
        self,
        tokenizer: Any,  # noqa: ANN401 - as above
        encoded: Sequence[Mapping[str, Sequence[int]]],
        longest: int,
        run: Callable[..., Any],
    ) -> NDArray[np.float32]:
        """Run a model that gives a few numbers for each text or pair, in their order."""
        numbers: dict[int, NDArray[np.float32]] = {}
        for batch in fixed_batches([len(row["input_ids"]) for row in encoded], longest):
            rows = [encoded[place] for place in batch.places]
            rows += [rows[0]] * (batch.rows - len(rows))
            inputs = tokenizer.pad(
                rows, padding="max_length", max_length=batch.length, return_tensors="pt"
            )
            with self.exactly():
                given = run(**{name: part.to(self.device) for name, part in inputs.items()})
                values = given.float().cpu().numpy()
            numbers.update(zip(batch.places, values, strict=False))  # behind them lie copies
        return np.asarray([numbers[i] for i in range(len(encoded))], dtype=np.float32)

    @contextmanager
    def exactly(self) -> Iterator[None]:
        """Have torch compute in single precision and in one order while the block lasts.

        TF32, which rounds what is multiplied to 11 bits, is off, and so are programs that add in
        another order each time; what the process had chosen is in force again afterwards.

        Raises:
            UnusableModel: The GPU has not memory enough.
        """
        torch = self.torch
        os.environ.setdefault(_WORKSPACE, ":4096:8")  # read when a product is first made there
        precision = torch.get_float32_matmul_precision()
        strict = torch.are_deterministic_algorithms_enabled()
        only_warns = torch.is_deterministic_algorithms_warn_only_enabled()
        torch.set_float32_matmul_precision("highest")
        torch.use_deterministic_algorithms(mode=True)
        of_cudnn = {"enabled": True, "benchmark": False, "deterministic": True, "allow_tf32": False}
        try:
            with self._room(), torch.inference_mode(), torch.backends.cudnn.flags(**of_cudnn):
                yield
        finally:
            torch.set_float32_matmul_precision(precision)
            torch.use_deterministic_algorithms(mode=strict, warn_only=only_warns)

    @contextmanager
    def _room(self) -> Iterator[None]:
        try:
            yield
        except self.torch.OutOfMemoryError as error:
            raise self._too_small() from error

    def _too_small(self) -> UnusableModel:
        free, whole = (size / 2**30 for size in self.torch.cuda.mem_get_info(self.device))
        must = f"name a GPU with room for {self.model} and {AT_ONCE:,} pieces of text"
        got = f"{self.device}, {free:.1f} of whose {whole:.1f} GiB are free"
        hint = (
            "End what else uses it (nvidia-smi lists that), name another GPU, or say device ="
            ' "cpu". A smaller batch would give other last digits, so none was tried.'
        )
        return UnusableModel(Problem("study.toml", must, got, hint, column="[models] device"))


def gpu_for(device: str, model: str, purpose: str) -> Gpu | None:
    """Give the GPU that a device names; None for the processor."""
    return None if device == CPU else Gpu(need_package("torch", purpose), device, model)
