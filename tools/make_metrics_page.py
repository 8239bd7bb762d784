"""Write docs/metrics.md: every metric, from what each declares of itself.

    python -m tools.make_metrics_page

The facts are those that `medassay metrics explain` prints. A test writes the page again and
compares.
"""

import re
from pathlib import Path
from typing import Final

from medassay.cli.metrics import facts_of
from medassay.metrics import declarations

PAGE: Final = Path(__file__).parents[1] / "docs" / "metrics.md"
_HEAD: Final = """\
# Metrics

Every metric that comes with medassay, as it declares itself: `medassay metrics explain NAME` \
prints the same. The page is written by `python -m tools.make_metrics_page`, and a test compares it.

A metric that runs on a model which is not installed leaves its answers unscored, with the line \
that installs it; everything else goes on. Nothing is fetched unless study.toml says so.
"""


def page() -> str:
    """Write down what every metric declares."""
    facts = [facts_of(one) for one in declarations()]
    listed = [f"| [{one['title']}](#{_anchor(one)}) | {one['question']} |" for one in facts]
    table = ["", "| metric | question |", "| --- | --- |", *listed]
    return "\n".join([_HEAD.rstrip("\n"), *table, "", *map(_section, facts)])


def _anchor(one: dict[str, object]) -> str:
    return re.sub(r"[^a-z0-9 -]", "", str(one["title"]).lower()).replace(" ", "-")


def _section(one: dict[str, object]) -> str:
    lines = [f"## {one['title']}", "", f"`{one['name']}`: {one['question']}", ""]
    for key, value in one.items():
        if key in {"name", "question", "title"} or value in ("", [], None):
            continue
        said = value if isinstance(value, list) else [value]
        label = key.replace("_", " ")
        if len(said) == 1:
            lines.append(f"- **{label}**: {said[0]}")
        else:
            lines += [f"- **{label}**:", *(f"  - {words}" for words in said)]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}, {len(declarations())} metrics")
