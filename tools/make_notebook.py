"""Run every cell of examples/notebook.ipynb anew and keep what it shows.

    python -m tools.make_notebook

A test runs the cells too and compares. It needs no Jupyter: a cell is Python, and what its last
line gives is shown by `repr`, `_repr_html_` or `_repr_svg_`, as a notebook would.
"""

import ast
import io
import json
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

NOTEBOOK: Final = Path(__file__).parents[1] / "examples" / "notebook.ipynb"
_SHOWN_AS: Final = {
    "text/plain": "__repr__",
    "text/html": "_repr_html_",
    "image/svg+xml": "_repr_svg_",
}


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Give the notebook with the outputs that its cells have now, run in order in a new folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    with TemporaryDirectory() as folder, chdir(folder):
        for number, cell in enumerate(notebook["cells"], start=1):
            if cell["cell_type"] != "code":
                cells.append(cell)
                continue
            outputs = [*_run("".join(cell["source"]), names)]
            cells.append({**cell, "execution_count": number, "outputs": outputs})
            for output in outputs:
                output.update({"execution_count": number} if "data" in output else {})
    return {**notebook, "cells": cells}


def written(notebook: dict[str, Any]) -> str:
    """Write a notebook as Jupyter does."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _run(source: str, names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Run one cell; give what it printed and what its last line shows."""
    parsed = ast.parse(source)
    last = parsed.body[-1].value if isinstance(parsed.body[-1], ast.Expr) else None
    parsed.body = parsed.body if last is None else parsed.body[:-1]
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(parsed, "cell", "exec"), names)  # noqa: S102 - the repository's own notebook
        shown = eval(compile(ast.Expression(last), "cell", "eval"), names) if last else None  # noqa: S307
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        yield {"output_type": "stream", "name": "stdout", "text": text}
    if shown is not None:
        data = {
            kind: getattr(shown, method)().splitlines(keepends=True)
            for kind, method in _SHOWN_AS.items()
            if hasattr(shown, method)
        }
        yield {"output_type": "execute_result", "metadata": {}, "data": data}


if __name__ == "__main__":
    before = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    NOTEBOOK.write_text(written(executed(before)), encoding="utf-8")
    print(f"wrote {NOTEBOOK.name}")
