"""`python -m medassay` and the `medassay` command."""

import io
import sys
from typing import TYPE_CHECKING

from medassay.cli import app
from medassay.errors import InvalidInput, MedassayError

if TYPE_CHECKING:
    from medassay.errors import Problem

BAD_INPUT = 2


def main() -> None:
    """Run the command line; what went wrong is said without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a sign gets its code instead of a crash.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="medassay")
    except MedassayError as error:
        _say(str(error), error.problems if isinstance(error, InvalidInput) else ())
        sys.exit(BAD_INPUT)


def _say(error: str, problems: "tuple[Problem, ...]") -> None:
    """Say what went wrong: as JSON on standard output where that was asked for."""
    if "--json" not in sys.argv:
        sys.stderr.write(f"{error}\n")
        return
    import json

    facts = {"error": error, "problems": [problem.as_dict() for problem in problems]}
    sys.stdout.write(f"{json.dumps(facts, ensure_ascii=False)}\n")


if __name__ == "__main__":
    main()
