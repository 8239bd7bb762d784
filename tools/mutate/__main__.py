"""Draw faults, record suites, try the faults, and make the table."""

import argparse
import sys
from pathlib import Path
from random import Random

from tools.mutate import __doc__ as how
from tools.mutate.drawing import drawn
from tools.mutate.files import add_trial, read_mutants, read_trials, write_mutants
from tools.mutate.finding import mutants_of_tree
from tools.mutate.record import Record
from tools.mutate.recorded_run import QUICK, record_suite
from tools.mutate.table import table
from tools.mutate.trying import Limits, failing, try_again, try_mutant


def main() -> int:
    """Do what the first word says."""
    words = argparse.ArgumentParser(
        prog="python -m tools.mutate",
        description=how,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = words.add_subparsers(dest="verb", required=True)
    _draw_words(verbs.add_parser("draw", help="draw faults that every tree can have"))
    _record_words(verbs.add_parser("record", help="run a suite and note which test runs what"))
    _try_words(verbs.add_parser("try", help="put each fault in and run the tests of its line"))
    _like_words(verbs.add_parser("like", help="try the tests that caught a fault in another tree"))
    _check_words(verbs.add_parser("check", help="name tests that fail without any fault, too"))
    _table_words(verbs.add_parser("table", help="say what each suite caught"))
    told = words.parse_args()
    code: int = told.do(told)
    return code


def _draw_words(words: argparse.ArgumentParser) -> None:
    words.add_argument("--tree", type=Path, action="append", required=True)
    words.add_argument("--seed", type=int, required=True)
    words.add_argument("--count", type=int, default=200)
    words.add_argument("--out", type=Path, required=True)
    words.add_argument("--under", action="append", help="a folder or file to draw from, not all")
    words.set_defaults(do=_draw)


def _draw(told: argparse.Namespace) -> int:
    everywhere = set.intersection(*(set(mutants_of_tree(tree.resolve())) for tree in told.tree))
    if told.under:
        everywhere = {one for one in everywhere if one.path.startswith(tuple(told.under))}
    chosen = drawn(everywhere, told.count, told.seed)
    write_mutants(chosen, told.out)
    print(f"{len(chosen)} of {len(everywhere)} faults that every tree can have.")
    return 0


def _record_words(words: argparse.ArgumentParser) -> None:
    words.add_argument("--tree", type=Path, required=True)
    words.add_argument("--into", type=Path, required=True)
    words.add_argument("--marks", default=QUICK, help="which tests, as pytest's -m takes them")
    words.add_argument("--place", default=".venv", help="the environment that runs them")
    words.set_defaults(
        do=lambda told: record_suite(
            told.tree.resolve(), told.into.resolve(), told.marks, told.place
        )
    )


def _try_words(words: argparse.ArgumentParser) -> None:
    words.add_argument("--tree", type=Path, required=True)
    words.add_argument("--record", type=Path, action="append", required=True)
    words.add_argument("--recorded-in", type=Path, help="the checkout, where it is another")
    words.add_argument("--mutants", type=Path, required=True)
    words.add_argument("--out", type=Path, required=True, help="what is in it is not tried again")
    words.add_argument("--seconds", type=float, default=60, help="of tests, as recorded, a fault")
    words.add_argument("--again", action="append", default=[], help="an outcome to try again")
    words.add_argument("--without", type=Path, help="tests, one a line, that fail without a fault")
    words.set_defaults(do=_try)


def _try(told: argparse.Namespace) -> int:
    tree = told.tree.resolve()
    mutants = read_mutants(told.mutants)
    known = read_trials(told.out)
    left = [one for one in mutants if one not in known or known[one].outcome in told.again]
    without = frozenset(told.without.read_text().splitlines()) if told.without else frozenset()
    # In no order of files, so that a run that is stopped has tried a fair sample.
    Random(len(mutants)).shuffle(left)  # noqa: S311 - an order, no secret
    recorded_in = (told.recorded_in or tree).resolve()
    record = Record.read(told.record, recorded_in, {one.path for one in left})
    for place, one in enumerate(left, start=1):
        trial = try_mutant(one, tree, record, Limits(tests=told.seconds), without)
        add_trial(one, trial, told.out)
        print(f"{place}/{len(left)} {trial.outcome}: {one.path} {one.function}", flush=True)
    return 0


def _run_words(words: argparse.ArgumentParser, out: str, seconds: int) -> None:
    words.add_argument("--tree", type=Path, required=True)
    words.add_argument("--out", type=Path, required=True, help=out)
    words.add_argument("--seconds", type=int, default=seconds, help="of processor time a run")


def _like_words(words: argparse.ArgumentParser) -> None:
    _run_words(words, "gets what is caught here too", 120)
    words.add_argument("--other", type=Path, required=True, help="what `try` wrote there")
    words.set_defaults(do=_like)


def _like(told: argparse.Namespace) -> int:
    known = read_trials(told.out)
    for one, there in read_trials(told.other).items():
        if one not in known and "::" in there.by:
            trial = try_again(one, there.by, told.tree.resolve(), told.seconds)
            if trial is not None:
                add_trial(one, trial, told.out)
            print(f"{trial.outcome if trial else 'let by'}: {one.path} {one.function}", flush=True)
    return 0


def _check_words(words: argparse.ArgumentParser) -> None:
    _run_words(words, "what `try` wrote", 1800)
    words.set_defaults(do=_check)


def _check(told: argparse.Namespace) -> int:
    tests = sorted({one.by for one in read_trials(told.out).values() if "::" in one.by})
    wrong = failing(tests, told.tree.resolve(), told.seconds)
    print("\n".join(wrong))
    return 1 if wrong else 0


def _table_words(words: argparse.ArgumentParser) -> None:
    words.add_argument("--mutants", type=Path, required=True)
    words.add_argument("--suite", action="append", required=True, help="NAME=FILE of `try --out`")
    words.set_defaults(do=_table)


def _table(told: argparse.Namespace) -> int:
    suites = dict(one.split("=", 1) for one in told.suite)
    found = {name: read_trials(Path(file)) for name, file in suites.items()}
    print(table(read_mutants(told.mutants), found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
