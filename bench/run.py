"""Every comparison with a peer, one after the other, as ratios.

make bench            all of them
python bench/run.py tau lexical
"""

import importlib
import json
import platform
import sys
from pathlib import Path

HERE = Path(__file__).parent
BENCHES = (
    "lexical",
    "archehr",
    "tau",
    "startup",
    "agreement",
    "mace",
    "validity",
    "concepts",
    "bertscore",
    "alignscore",
    "calibration",
    "retrieval",
    "clinical",
    "trec",
    "import_table",
    "import_ragas",
    "import_formats",
    "passages",
    "asking",
    "on_ray",
    "urls",
    "trust_table",
)


def main(names: list[str]) -> None:
    """Run the named benches and write what they measured to bench/out/."""
    sys.path[:0] = [str(HERE), str(HERE.parent)]  # the benches, and what they share with the tests
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    for name in names or BENCHES:
        print(f"\n== {name}")
        measured = importlib.import_module(name).main()
        out = HERE / "out" / f"{name}.json"
        out.parent.mkdir(exist_ok=True)
        out.write_text(json.dumps(measured, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
