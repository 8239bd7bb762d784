"""AlignScore read literally and slowly: one pair at a time, padded to 512, in plain numpy."""

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

HEADS, PAD, LONGEST, EPSILON = 4, 1, 512, 1e-12


class Oracle:
    """Reads the same file as the metric, and shares no code with it."""

    def __init__(self, checkpoint: Path, folder: Path) -> None:
        torch: Any = import_module("torch")
        transformers: Any = import_module("transformers")
        state = torch.load(checkpoint, weights_only=True)["state_dict"]
        self.weights = {key: tensor.double().numpy() for key, tensor in state.items()}
        self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)

    def nlg_eval(
        self, mode: str, context: str, claim: str, split: Callable[[str], list[str]]
    ) -> float:
        """Score one claim against one context, sentence by sentence where the mode says so."""
        if not mode.endswith("_sp"):
            return self.one(mode, context, claim)
        head = mode.removesuffix("_sp")
        sentences = split(context) or [""]
        count = len(context.strip().split()) // 350 + 1
        size = max(len(sentences) // count, 1)
        premises = [" ".join(sentences[i : i + size]) for i in range(0, len(sentences), size)]
        table = [[self.one(head, p, h) for h in split(claim)] for p in premises]
        return float(np.mean(np.max(np.asarray(table), axis=0)))

    def one(self, head: str, premise: str, hypothesis: str) -> float:
        """Give one head's value for one pair."""
        ids = self.tokenizer(
            premise,
            hypothesis,
            truncation="only_first",
            padding="max_length",
            max_length=LONGEST,
        )["input_ids"]
        pooled = self.pooled(ids)
        if head == "reg":
            return float(self.dense("reg_layer", pooled)[0])
        layer, place = {"nli": ("tri_layer", 0), "bin": ("bin_layer", 1)}[head]
        logits = self.dense(layer, pooled)
        return float(np.exp(logits)[place] / np.exp(logits).sum())

    def dense(self, name: str, x: Array) -> Array:
        """Apply a linear layer."""
        found: Array = x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return found

    def norm(self, name: str, x: Array) -> Array:
        """Apply a layer normalisation."""
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
        found: Array = scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return found

    def pooled(self, ids: Sequence[int]) -> Array:
        """Run the encoder on one row of pieces, padding and all."""
        kept = np.asarray(ids) != PAD
        positions = np.where(kept, np.cumsum(kept) + PAD, PAD)
        at = "base_model.embeddings"
        x = self.norm(
            f"{at}.LayerNorm",
            self.weights[f"{at}.word_embeddings.weight"][list(ids)]
            + self.weights[f"{at}.position_embeddings.weight"][positions]
            + self.weights[f"{at}.token_type_embeddings.weight"][0],
        )
        for layer in range(2):
            at = f"base_model.encoder.layer.{layer}"
            x = self.norm(f"{at}.attention.output.LayerNorm", x + self.attend(at, x, kept))
            inner = self.dense(f"{at}.intermediate.dense", x)
            erf = np.vectorize(math.erf)(inner / math.sqrt(2))
            outer = self.dense(f"{at}.output.dense", inner * (1 + erf) / 2)
            x = self.norm(f"{at}.output.LayerNorm", x + outer)
        found: Array = np.tanh(self.dense("base_model.pooler.dense", x[0]))
        return found

    def attend(self, at: str, x: Array, kept: NDArray[np.bool_]) -> Array:
        """Attend with every head, to what is no padding."""
        width = x.shape[1] // HEADS
        query, key, value = (
            self.dense(f"{at}.attention.self.{name}", x) for name in ("query", "key", "value")
        )
        mixed = np.empty_like(x)
        for head in range(HEADS):
            part = slice(head * width, (head + 1) * width)
            scores = query[:, part] @ key[:, part].T / math.sqrt(width)
            scores[:, ~kept] = -np.inf
            scores = np.exp(scores - scores.max(axis=1, keepdims=True))
            mixed[:, part] = scores / scores.sum(axis=1, keepdims=True) @ value[:, part]
        return self.dense(f"{at}.attention.output.dense", mixed)
