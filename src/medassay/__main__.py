"""`python -m medassay` and the `medassay` command."""

import gc
import io
import os
import sys
from collections.abc import Sequence

from medassay.cli import app
from medassay.cli.streams import only_visible
from medassay.errors import InvalidInput, MedassayError, Problem, UnknownName

BAD_INPUT = 2
MOST_SHOWN = 50
THREADS = ("OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
YOUNG = 50_000
"""Objects made before the garbage collector looks at them; Python's 700 is a tenth of a run."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; what went wrong is said without a traceback.

    Args:
        arguments: What follows the program's name; the process's own if not given.
    """
    if arguments is None:
        _settle()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a sign gets its code instead of a crash.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    with only_visible(words):
        try:
            # `color`: click drops some orders where no terminal is; here all of them are shown, but
            # for the one message that Typer itself paints.
            app(words, prog_name="medassay", color="--install-completion" not in words)
        except MedassayError as error:
            _say(error, words)
        except OSError as error:
            _say(InvalidInput(_refusal(error)), words)
        else:
            return
        sys.exit(BAD_INPUT)


def _settle() -> None:
    """Set what only a process of our own may set, before numpy is read."""
    # Matrices and tables here are small: threads wait for each other longer than they work, and how
    # they share a sum shows in its last bit. Who wants them says so.
    for threads in THREADS:
        os.environ.setdefault(threads, "1")
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])


def _say(error: MedassayError, words: Sequence[str]) -> None:
    """Say what went wrong: as JSON on standard output where that was asked for.

    Who sits at the terminal has the files, and is told what stands there. JSON is passed on: it
    quotes only what the study lets out.
    """
    problems = error.problems if isinstance(error, InvalidInput) else ()
    if "--json" in words:
        import json

        from medassay.study.files.names import keeps_words

        text = str(error)
        if keeps_words(words):
            problems = tuple(problem.without_quotes() for problem in problems)
            text = "\n".join(map(str, problems)) or _unquoted(error)
        facts = {"error": text, "problems": [problem.as_dict() for problem in problems]}
        sys.stdout.write(f"{json.dumps(facts, ensure_ascii=False)}\n")
        return
    lines = [str(error)]
    if len(problems) > MOST_SHOWN:
        left = len(problems) - MOST_SHOWN
        more = f"... and {left:,} {'problem' if left == 1 else 'problems'} more; --json lists all."
        lines = [*map(str, problems[:MOST_SHOWN]), more]
    sys.stderr.write("\n".join([*lines, ""]))


def _unquoted(error: MedassayError) -> str:
    """Say that a name is not known without naming it or those that are."""
    if isinstance(error, UnknownName):
        return f"there is no {error.kind} of that name"
    return str(error)


def _refusal(error: OSError) -> Problem:
    """Say what the system refused, where no reader or writer of a file has said it already."""
    file = str(error.filename or "the system")
    return Problem(file, "exist and be usable", error.strerror or str(error))


if __name__ == "__main__":
    main()
