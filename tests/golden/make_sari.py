"""Make sari_evaluate.json: SARI of the official metric on made-up texts.

Needs the metric's script from the repository of evaluate, and sacrebleu, which this project has.
Only its functions are taken out; the libraries it loads at import are not needed.

    python tests/golden/make_sari.py evaluate/metrics/sari/sari.py
"""

import ast
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import sacrebleu
from packaging import version

WORDS = ["the", "The", "pain", "eased", "eased.", "3.5", "mg", "(twice)", "naïve", "a", "a"]


def functions(path: Path) -> dict[str, Any]:
    """Execute the functions of a script, without its imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kept: list[ast.stmt] = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    space: dict[str, Any] = {"Counter": Counter, "sacrebleu": sacrebleu, "version": version}
    exec(compile(ast.Module(kept, []), str(path), "exec"), space)  # noqa: S102 - the public script that the caller names
    return space


def main() -> None:
    """Draw, run, write."""
    metric = functions(Path(sys.argv[1]))
    draw = random.Random(20160101)  # noqa: S311 - made-up data, no secret

    def text() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(1, 20)))

    rows = []
    for _ in range(80):
        source, answer = text(), text()
        references = [text() for _ in range(draw.randint(1, 3))]
        value = metric["SARIsent"](
            metric["normalize"](source),
            metric["normalize"](answer),
            [metric["normalize"](one) for one in references],
        )
        rows.append({"source": source, "answer": answer, "references": references, "sari": value})
    file = Path(__file__).with_name("sari_evaluate.json")
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
