"""The pages that say how to add something name an entry point that medassay looks for."""

import tomllib
from pathlib import Path

import pytest
from tools.docs_blocks import blocks

from medassay.agreement.coefficient import GROUP as COEFFICIENTS
from medassay.analyses.registry import GROUP as ANALYSES
from medassay.consensus.method import GROUP as METHODS
from medassay.metrics.registry import GROUP as METRICS

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = {
    "add-a-coefficient.md": COEFFICIENTS,
    "add-a-consensus.md": METHODS,
    "add-a-metric.md": METRICS,
    "add-an-analysis.md": ANALYSES,
}


@pytest.mark.parametrize("page", PAGES)
def test_the_package_of_a_page_is_whole(page: str) -> None:
    group = PAGES[page]
    assert group.startswith("medassay.")
    files = {one.title: one.content for one in blocks((HOW_TO / page).read_text(encoding="utf-8"))}
    told = tomllib.loads(files["pyproject.toml"])
    [(of, entries)] = told["project"]["entry-points"].items()
    assert of == group
    for value in entries.values():
        module, _, held = value.partition(":")
        assert f"{module}.py" in files
        assert held in files[f"{module}.py"]
        assert module in told["tool"]["setuptools"]["py-modules"]
    code = "".join(content for name, content in files.items() if name and name.endswith(".py"))
    assert "print(" not in code
    text = (HOW_TO / page).read_text(encoding="utf-8")
    assert "from medassay.testing import check_" in text
