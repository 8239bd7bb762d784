"""Add codes that are new to streams.json; what older codes draw is never written again."""

import json
from pathlib import Path

from medassay.stats.randomness import stream

_KEPT = Path(__file__).with_name("streams.json")


def main(last: int = 75) -> None:
    """Write the first number that each code draws."""
    known: dict[str, int] = json.loads(_KEPT.read_text(encoding="utf-8")) if _KEPT.exists() else {}
    for number in range(last + 1):
        code = f"s{number:02}"
        known.setdefault(code, int(stream(0, code, "for", 1).integers(2**53)))
    _KEPT.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
