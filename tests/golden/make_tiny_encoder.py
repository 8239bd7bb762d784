"""Makes tests/data/models/tiny-encoder: an fp32 encoder as an ONNX file, done by hand.

Run in an environment of its own, with onnx 1.2x, numpy and tokenizers:

    python tests/golden/make_tiny_encoder.py

A piece's state is its own row, and half the row of its place: (row of piece) + (row of place) / 2.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[1] / "data" / "models" / "tiny-encoder"
ROWS = {
    "[UNK]": (0, 0, 0, 1),
    "[CLS]": (1, 1, 1, 1),
    "[SEP]": (1, 1, 1, -1),
    "rest": (4, 0, 0, 0),
    "sleep": (3, 1, 0, 0),
    "water": (0, 4, 0, 0),
    "home": (0, 0, 4, 0),
}
PLACES, LAYERS = 8, 3


def main() -> None:
    """Write the model, its tokenizer and its configuration."""
    onnx: Any = import_module("onnx")
    tokenizers: Any = import_module("tokenizers")
    FOLDER.mkdir(parents=True, exist_ok=True)
    make, types = onnx.helper, onnx.TensorProto
    nodes = [
        make.make_node("Gather", ["rows", "input_ids"], ["own"]),
        make.make_node("Gather", ["places", "position_ids"], ["place"]),
        make.make_node("Mul", ["place", "half"], ["shifted"]),
        make.make_node("Add", ["own", "shifted"], ["last_hidden_state"]),
    ]
    names = ("input_ids", "attention_mask", "position_ids")
    ids = [make.make_tensor_value_info(n, types.INT64, ["batch", "pieces"]) for n in names]
    rows = np.asarray(list(ROWS.values()), dtype=np.float32)
    places = np.zeros((PLACES, 4), dtype=np.float32)
    places[:, 3] = np.arange(PLACES)
    constants = [
        onnx.numpy_helper.from_array(rows, "rows"),
        onnx.numpy_helper.from_array(places, "places"),
        onnx.numpy_helper.from_array(np.asarray(0.5, dtype=np.float32), "half"),
    ]
    shape = ["batch", "pieces", 4]
    out = [make.make_tensor_value_info("last_hidden_state", types.FLOAT, shape)]
    graph = make.make_graph(nodes, "tiny-encoder", ids, out, constants)
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    (FOLDER / "model.onnx").write_bytes(model.SerializeToString())

    vocabulary = {word: i for i, word in enumerate(ROWS)}
    core = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106 - no password
    core.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    core.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    core.save(str(FOLDER / "tokenizer.json"))
    said = {"num_hidden_layers": LAYERS, "max_position_embeddings": PLACES}
    (FOLDER / "config.json").write_text(json.dumps(said) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
