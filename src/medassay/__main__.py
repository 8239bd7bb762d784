"""`python -m medassay` and the `medassay` command."""

import sys

from medassay.cli import app
from medassay.errors import InvalidInput, MedassayError

BAD_INPUT = 2


def main() -> None:
    """Run the command line; what went wrong is said without a traceback."""
    try:
        app(prog_name="medassay")
    except MedassayError as error:
        if "--json" in sys.argv:
            import json

            problems = (
                [problem.as_dict() for problem in error.problems]
                if isinstance(error, InvalidInput)
                else []
            )
            facts = {"error": str(error), "problems": problems}
            sys.stdout.write(f"{json.dumps(facts, ensure_ascii=False)}\n")
        else:
            sys.stderr.write(f"{error}\n")
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main()
