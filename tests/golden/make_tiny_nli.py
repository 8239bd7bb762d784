"""Makes tests/data/models/tiny-nli: an NLI model small enough to do by hand, as an ONNX file.

Run in an environment of its own, with onnx 1.2x, numpy and tokenizers:

    python tests/golden/make_tiny_nli.py

A piece's row holds what it says of each class; the logits are the mean over the pieces that are no
padding. Classes, in order: contradiction, neutral, entailment.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[1] / "data" / "models" / "tiny-nli"
ROWS = {
    "[PAD]": (9, 9, 9),  # whoever forgets the mask sees it
    "[UNK]": (0, 0, 0),
    "[SEP]": (0, 0, 0),
    "yes": (0, 0, 8),
    "no": (8, 0, 0),
    "perhaps": (0, 8, 0),
    "pain": (0, 1, 0),
    "fever": (0, 1, 0),
}


def main() -> None:
    """Write the model, its tokenizer and its configuration."""
    onnx: Any = import_module("onnx")
    tokenizers: Any = import_module("tokenizers")
    FOLDER.mkdir(parents=True, exist_ok=True)
    make, types = onnx.helper, onnx.TensorProto
    rows = np.asarray(list(ROWS.values()), dtype=np.float32)
    nodes = [
        make.make_node("Gather", ["rows", "input_ids"], ["said"]),
        make.make_node("Cast", ["attention_mask"], ["mask"], to=types.FLOAT),
        make.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
        make.make_node("Mul", ["said", "wide"], ["kept"]),
        make.make_node("ReduceSum", ["kept", "second"], ["sum"], keepdims=0),
        make.make_node("ReduceSum", ["mask", "second"], ["count"], keepdims=1),
        make.make_node("Div", ["sum", "count"], ["logits"]),
    ]
    ids = [make.make_tensor_value_info(n, types.INT64, ["batch", "pieces"])
           for n in ("input_ids", "attention_mask")]  # fmt: skip
    constants = [
        onnx.numpy_helper.from_array(rows, "rows"),
        onnx.numpy_helper.from_array(np.asarray([2]), "last"),
        onnx.numpy_helper.from_array(np.asarray([1]), "second"),
    ]
    out = [make.make_tensor_value_info("logits", types.FLOAT, ["batch", 3])]
    graph = make.make_graph(nodes, "tiny-nli", ids, out, constants)
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    (FOLDER / "model.onnx").write_bytes(model.SerializeToString())

    vocabulary = {word: i for i, word in enumerate(ROWS)}
    core = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106 - no password
    core.normalizer = tokenizers.normalizers.Lowercase()
    core.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    core.post_processor = tokenizers.processors.TemplateProcessing(
        single="$A", pair="$A [SEP] $B", special_tokens=[("[SEP]", vocabulary["[SEP]"])]
    )
    core.save(str(FOLDER / "tokenizer.json"))
    names = {"0": "CONTRADICTION", "1": "Neutral", "2": "entailment"}
    (FOLDER / "config.json").write_text(json.dumps({"id2label": names}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
