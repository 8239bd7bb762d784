"""A judge that asks an NLI model about each sentence of the evidence.

What the classes of an NLI model mean, whatever they are called and in whatever order.

A model that reads two texts at once and gives a number for each of its classes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.models.cache import result_cache
from medassay.models.device import CPU, device_facts, device_of, gpu_for, no_gpu_for_onnx
from medassay.models.files import longest_of, numbers_in, read_json_object, read_model, unusable
from medassay.models.find import FoundModel, find_model, named_path
from medassay.models.install import (
    ONLY_DATA,
    ONLY_WEIGHTS,
    installs_first,
    model_setup,
    need_package,
    need_transformers,
    running,
)
from medassay.models.nli.finding import (
    Judge,
    Question,
    SupportFinding,
    SupportVerdict,
    encode_pairs,
)
from medassay.models.onnx_file import OnnxFile

MEANINGS: Final = ("entailment", "neutral", "contradiction", "other")
"""`other` is the class of a two-class model for all that is not entailment."""

_OPENINGS: Final = {
    "entail": "entailment",
    "support": "entailment",
    "consistent": "entailment",
    "neutral": "neutral",
    "not enough": "neutral",
    "nei": "neutral",
    "contradict": "contradiction",
    "refute": "contradiction",
    "not entail": "other",
    "non entail": "other",
    "unsupport": "other",
    "not support": "other",
    "inconsistent": "other",
    "hallucinat": "other",
}


def read_labels(stated: str, names: Sequence[str], model: str) -> tuple[str, ...]:
    """Give the meaning of each class, in the order of the model's outputs.

    Args:
        stated: `config` to read the model's own names, or meanings between strokes:
            `contradiction/neutral/entailment`, or `other/entailment` for two classes.
        names: What the model's configuration calls its classes; empty where it says nothing.
        model: The model's name, for the message.

    Raises:
        InvalidInput: A class has no known meaning, or there is not one class of entailment, or more
            or fewer meanings are stated than the model has classes.

    Example:
        >>> read_labels("config", ["CONTRADICTION", "Entailment", "neutral"], "m")
        ('contradiction', 'entailment', 'neutral')
        >>> read_labels("other/entailment", ["LABEL_0", "LABEL_1"], "m")
        ('other', 'entailment')
    """
    if stated == "config":
        meanings = tuple(_meaning(name) for name in names)
        got = ", ".join(names) or "no names"
    else:
        meanings = tuple(part.strip().lower() for part in stated.split("/"))
        got = stated
    fits = (
        set(meanings) <= set(MEANINGS)
        and meanings.count("entailment") == 1
        and len(set(meanings)) == len(meanings) > 1
        and (not names or len(names) == len(meanings))
    )
    if not fits:
        many = f" for {len(names)} classes" if names else ""
        must = f"say what each class means: {', '.join(MEANINGS)}, each once{many}"
        try_ = "State them in order, as in labels=contradiction/neutral/entailment."
        raise InvalidInput(Problem(f"model {model}", must, f'"{got}"', try_, None, "labels"))
    return meanings


def _meaning(name: str) -> str:
    plain = name.lower().replace("_", " ").replace("-", " ").strip()
    meanings = [meaning for opening, meaning in _OPENINGS.items() if plain.startswith(opening)]
    return meanings[0] if meanings else ""


_BATCH: Final = 32
_LONGEST: Final = 512  # what models are trained on, whatever they say of their limit
_GIVES: Final = ("pairs", "classes")
_TAKES: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
Logits = NDArray[np.float64]


class PairLogits(NamedTuple):
    """What a model says of pairs.

    Attributes:
        logits: A number for each class, shape (pairs, classes), in the pairs' order.
        cut: For each pair whether it is longer than the model reads, so that an end was left out.
    """

    logits: Logits
    cut: NDArray[np.bool_]


class PairModel(Protocol):
    """Two texts in, one number a class out."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> PairLogits:
        """Give what the model says of each pair."""

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""


def open_pairs(path: Path, device: str = CPU) -> PairModel:
    """Open a model: an ONNX file, a folder with one, or a folder as transformers saves it.

    Raises:
        MissingBackend: A package that reads it is not installed.
        UnusableModel: It is damaged, or of another kind.
    """
    onnx = _onnx_of(path)
    return TorchPairs(path, device) if onnx is None else OnnxPairs(onnx)


def runtime_of(path: Path, device: str = CPU) -> Mapping[str, str]:
    """Say which packages, of which versions, run a model, and on which GPU; nothing is loaded.

    Raises:
        NoSuchDevice: The GPU is not there, or the model is none that torch runs.
    """
    onnx = _onnx_of(path)
    if onnx is None:
        return {"runtime": running("torch", "transformers"), **device_facts(device, _PURPOSE)}
    if device != CPU:
        raise no_gpu_for_onnx(f"{onnx.parent.name}/{onnx.name}")
    return {"runtime": running("onnxruntime", "tokenizers")}


def _onnx_of(path: Path) -> Path | None:
    """Give the ONNX file that is run; None where transformers reads the folder."""
    if path.is_file():
        return path
    inside = (path / name for name in ("model.onnx", "onnx/model.onnx"))
    there = next((file for file in inside if file.exists()), None)
    return None if any(path.glob("*.safetensors")) else there


def class_names(path: Path) -> list[str]:
    """Give what the model's configuration calls its classes, in order; empty if nothing."""
    for folder in (path, *path.parents[:2]):
        config = folder / "config.json"
        if config.is_file():
            names = read_json_object(config).get("id2label") or {}
            return read_model(config, "number the classes in id2label", partial(_in_order, names))
    return []


def _in_order(names: Mapping[str, str]) -> list[str]:
    return [str(names[key]) for key in sorted(names, key=int)]


def _in_batches(lengths: Sequence[int], run: Callable[[list[int]], NDArray[np.float32]]) -> Logits:
    """Run batches of like length, so that little is padded; give the rows in the old order."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    rows: dict[int, NDArray[np.float32]] = {}
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        rows.update(zip(batch, run(batch), strict=True))
    return np.asarray([rows[i] for i in range(len(lengths))], dtype=np.float64)


class TorchPairs:
    """A folder that transformers reads."""

    def __init__(self, path: Path, device: str = CPU) -> None:
        transformers: Any = need_transformers(_PURPOSE)
        self._torch: Any = need_package("torch", _PURPOSE)
        must = "hold a whole model that tells classes apart, and its tokenizer"
        tokenizer = transformers.AutoTokenizer
        self._tokenizer = read_model(
            path, must, lambda: tokenizer.from_pretrained(path, **ONLY_DATA)
        )
        kind = transformers.AutoModelForSequenceClassification
        model = read_model(path, must, lambda: kind.from_pretrained(path, **ONLY_WEIGHTS))
        # Weights saved in 16 bits would be run in 16 bits.
        self._model = model.float().eval()
        limit = longest_of(int(self._tokenizer.model_max_length), self._model.config)
        self._limit = min(limit, _LONGEST)
        self._gpu = gpu_for(device, path.name, _PURPOSE)
        if self._gpu is not None:
            self._gpu.hold(self._model)

    def read(self, pairs: Sequence[tuple[str, str]]) -> PairLogits:
        """Give what the model says of each pair."""
        lines = encode_pairs(self._tokenizer, pairs, limit=self._limit)
        encoded = [line for line, _ in lines]

        def run(batch: list[int]) -> NDArray[np.float32]:
            rows = self._tokenizer.pad([encoded[i] for i in batch], return_tensors="pt")
            with self._torch.inference_mode():
                batch_logits: NDArray[np.float32] = self._logits(**rows).float().numpy()
            return batch_logits

        if self._gpu is None:
            logits = _in_batches([len(row["input_ids"]) for row in encoded], run)
        else:
            by_gpu = self._gpu.rows(self._tokenizer, encoded, self._limit, self._logits)
            logits = by_gpu.astype(np.float64)
        return PairLogits(logits, np.array([cut for _, cut in lines], dtype=np.bool_))

    def _logits(self, **rows: Any) -> Any:  # noqa: ANN401 - tensors of an untyped package
        return self._model(**rows).logits

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""
        pieces = self._tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)
        ids = pieces["input_ids"]
        return ids.count(self._tokenizer.unk_token_id) / len(ids) if ids else 0.0


class OnnxPairs:
    """An ONNX file with a tokenizer.json beside it or in the folder above."""

    def __init__(self, path: Path) -> None:
        tokenizers: Any = need_package("tokenizers", _PURPOSE)
        beside = [folder / "tokenizer.json" for folder in path.parents[:2]]
        file_found = next((file for file in beside if file.is_file()), beside[0])
        if not file_found.is_file():
            must = "have the tokenizer.json that it was trained with beside it"
            raise unusable(path, must, "none", "Put it there.")
        read = partial(tokenizers.Tokenizer.from_file, str(file_found))
        self._tokenizer = read_model(file_found, "be a whole tokenizer.json", read)
        self._tokenizer.no_padding()
        self._file = OnnxFile(path, _GIVES, _TAKES, _PURPOSE)
        self._limit = self._file.length or _LONGEST

    def read(self, pairs: Sequence[tuple[str, str]]) -> PairLogits:
        """Give what the model says of each pair."""
        lines = [self._encode(*pair) for pair in pairs]
        encoded = [line for line, _ in lines]

        def run(batch: list[int]) -> NDArray[np.float32]:
            longest = self._file.length or max(len(encoded[i].ids) for i in batch)
            names = self._file.inputs
            rows = {name: np.zeros((len(batch), longest), dtype=np.int64) for name in names}
            for row, i in enumerate(batch):
                parts = {
                    "input_ids": encoded[i].ids,
                    "attention_mask": encoded[i].attention_mask,
                    "token_type_ids": encoded[i].type_ids,
                }
                for name in names:
                    rows[name][row, : len(encoded[i].ids)] = parts[name]
            return self._file.run(rows)

        logits = _in_batches([len(row.ids) for row in encoded], run)
        return PairLogits(logits, np.array([cut for _, cut in lines], dtype=np.bool_))

    def unknown(self, text: str) -> float:
        """Give the share of a text's pieces that the model's vocabulary does not have."""
        self._tokenizer.no_truncation()
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        names = ("[UNK]", "<unk>")
        unknown = {i for name in names if (i := self._tokenizer.token_to_id(name)) is not None}
        return sum(i in unknown for i in ids) / len(ids) if ids else 0.0

    def _encode(self, premise: str, hypothesis: str) -> tuple[Any, bool]:
        """Give a pair's pieces, and whether it had to be cut, as `encode_pairs` cuts it."""
        self._tokenizer.no_truncation()
        whole = self._tokenizer.encode(premise, hypothesis)
        if len(whole.ids) <= self._limit:
            return whole, False
        alone = len(self._tokenizer.encode(hypothesis, add_special_tokens=False).ids)
        marks = self._tokenizer.num_special_tokens_to_add(is_pair=True)
        cut = "only_first" if alone + marks < self._limit else "longest_first"
        self._tokenizer.enable_truncation(self._limit, strategy=cut)
        return self._tokenizer.encode(premise, hypothesis), True


_LEAST: Final = 0.5
_HALF: Final = 0.5
_CUT: Final = 3  # the column behind those of the three meanings
_ENDS: Final = ((0, 1),) * (_CUT + 1)
_PURPOSE: Final = "judging statements with an NLI model"


class ModelJudge:
    """Judges by an NLI model: premise is one sentence of the evidence, hypothesis the statement.

    The sentence with the highest probability of entailment, or of contradiction, decides; a verdict
    needs a probability of at least one half, and the larger of the two wins. A model of two classes
    contradicts nothing.
    """

    def __init__(self, found_model: FoundModel, labels: tuple[str, ...]) -> None:
        self._found, self._labels = found_model, labels

    @classmethod
    def find(cls, name: str, labels: str = "config") -> "ModelJudge":
        """Find a model by folder or hub id; nothing is loaded yet.

        Raises:
            MissingBackend: The model is not on this machine and may not be fetched.
            InvalidInput: It is not clear what its classes mean.
        """
        found_model = find_model(name, _PURPOSE)
        meanings = read_labels(labels, class_names(found_model.path), name)
        return cls(found_model, meanings)

    @property
    def name(self) -> str:
        """Give the word that stands in a metric's name."""
        return self._found.name

    @property
    def settings(self) -> Mapping[str, str]:
        """Give all that the verdicts depend on: the weights, what runs them, what classes mean.

        Raises:
            NoSuchDevice: A GPU is asked for that torch cannot use here.
        """
        return {
            "nli": self._found.digest[:12],
            "classes": "/".join(self._labels),
            **runtime_of(self._found.path, device_of(self.name)),
        }

    def reads(self, text: str) -> str:
        """Say why the model cannot read a text; empty if it can."""
        if self._model.unknown(text) > _HALF:
            return "the model's vocabulary does not know more than half of the answer"
        return ""

    def judge(self, questions: Sequence[Question]) -> list[SupportFinding]:
        """Judge statements, as many findings as questions and in their order."""
        pairs = [
            (sentence, statement)
            for statement, evidence_of in questions
            for sentence in evidence_of
        ]
        numbers = self._read(pairs)
        findings, start = [], 0
        for _, evidence in questions:
            rows = numbers[start : start + len(evidence)]
            finding = judge_by_probability(rows[:, :_CUT])
            findings.append(replace(finding, cut=int(rows[:, _CUT].sum())))
            start += len(evidence)
        return findings

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Give entailment, neutral and contradiction of each pair, shape (pairs, 3).

        The `other` of a model of two classes stands under neutral.
        """
        return self._read(pairs)[:, :_CUT]

    def _read(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Give the same, and 1 where a pair was cut, shape (pairs, 4); each pair is asked once."""
        cache = result_cache("nli-pairs", self.settings, reveals_text=False)
        keys = {pair: cache.key(*pair) for pair in pairs}
        contents = cache.get(keys.values(), lambda _, row: numbers_in(row, _ENDS))
        todo = sorted(pair for pair, key in keys.items() if key not in contents)
        if todo:
            logits, cut = self._model.read(todo)
            rows = np.column_stack([self._by_meaning(logits), cut])
            fresh = {keys[pair]: row.tobytes() for pair, row in zip(todo, rows, strict=True)}
            cache.keep(fresh)
            contents |= fresh
        row_values = [np.frombuffer(contents[keys[pair]], dtype=np.float64) for pair in pairs]
        return np.asarray(row_values, dtype=np.float64).reshape(-1, _CUT + 1)

    @cached_property
    def _model(self) -> PairModel:
        return _opened(self._found.path, self._found.digest, device_of(self.name))

    def _by_meaning(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        if logits.shape[1] == 1 and len(self._labels) > 1:  # one number: how far it is entailed
            logits = np.hstack([np.zeros_like(logits), logits])
            logits = logits if self._labels.index("entailment") else logits[:, ::-1]
        if logits.shape[1] != len(self._labels):
            must = f"have as many classes as labels, {len(self._labels)}"
            raise InvalidInput(Problem(f"model {self.name}", must, str(logits.shape[1])))
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        by_meaning = np.zeros((len(logits), 3))
        for column, meaning in enumerate(self._labels):
            place = {"entailment": 0, "contradiction": 2}.get(meaning, 1)
            by_meaning[:, place] += shares[:, column]
        return by_meaning


@lru_cache(maxsize=1)
def _opened(path: Path, digest: str, device: str) -> PairModel:  # noqa: ARG001 - other weights, another model
    """Open a model once, however many batches it judges."""
    return open_pairs(path, device)


def judge_by_probability(numbers: NDArray[np.float64]) -> SupportFinding:
    """Give the verdict for one statement.

    Args:
        numbers: Probability of entailment, neutral and contradiction for each sentence of the
            evidence, shape (sentences, 3).

    Example:
        >>> rows = np.array([[0.2, 0.7, 0.1], [0.1, 0.2, 0.7]])
        >>> finding = judge_by_probability(rows)
        >>> print(finding.verdict, finding.decided_by, finding.strength)
        contradicted 1 0.7
    """
    if not len(numbers):
        return SupportFinding(SupportVerdict.NOT_FOUND, None, 0.0, "nothing to hold it against")
    supports, contradicts = int(numbers[:, 0].argmax()), int(numbers[:, 2].argmax())
    support, contradiction = float(numbers[supports, 0]), float(numbers[contradicts, 2])
    if support >= _LEAST and support >= contradiction:
        return SupportFinding(
            SupportVerdict.SUPPORTED, supports, support, f"entailment {support:.2f}"
        )
    if contradiction >= _LEAST:
        why = f"contradiction {contradiction:.2f}"
        return SupportFinding(SupportVerdict.CONTRADICTED, contradicts, contradiction, why)
    strength = 1 - max(support, contradiction)
    why = f"entailment {support:.2f}, contradiction {contradiction:.2f}"
    return SupportFinding(SupportVerdict.NOT_FOUND, supports, strength, why)


NLI: Final = "nli"
"""The word under which a study names its entailment model; it is no model of any hub."""
_NAME_ONE: Final = (
    'name the folder of one in study.toml, [models.folders] nli = "FOLDER"; docs/support.md says'
    " which fit"
)


def find_judge(name: str, labels: str = "config") -> Judge:
    """Find a judge: one handed in by the caller, or an NLI model by folder or hub id.

    Args:
        name: `nli`, the model that the study names so, a name of `ModelSetup.given`, or a model's
            name for `find_model`.
        labels: For a model, what its classes mean; see `read_labels`.

    Raises:
        MissingBackend: The model, or a package that it needs, is not on this machine.
        InvalidInput: What was handed in under the name is no judge, or the labels do not fit.
    """
    handed_in = model_setup().given.get(name)
    if handed_in is not None:
        if not callable(getattr(handed_in, "judge", None)):
            must = "have the methods of medassay.models.nli.Judge"
            raise InvalidInput(Problem(f"model {name}", must, type(handed_in).__name__))
        return cast("Judge", handed_in)
    if name == NLI and named_path(NLI) is None:
        need = "an entailment (NLI) model"
        raise MissingBackend(need, "judging statements", installs_first("tokenizers", _NAME_ONE))
    from medassay.models.nli.model_judge import ModelJudge

    return ModelJudge.find(name, labels)


def judge_facts(name: str, labels: str = "config") -> Mapping[str, str]:
    """Give what a judge's verdicts depend on, for the signature, without loading a model."""
    return find_judge(name, labels).settings
