"""How long a user waits for the first word: importing, `--help`, and running a demo again.

The peer of `--help` is a bare typer app with as many commands and groups and no imports at all.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPEATS = 7
BARE = '''
import typer

app = typer.Typer(add_completion=False)


@app.callback()
def bare() -> None:
    """A bare app."""


{commands}

app()
'''
COMMAND = '''
@app.command()
def command_{number}(argument: str) -> None:
    """Do one thing."""
'''


def seconds(command: list[str]) -> float:
    """Time one process."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own commands
    return time.perf_counter() - start


def median_of(command: list[str]) -> tuple[float, float, float]:
    """Time a command several times after one warm-up: median, least, most."""
    seconds(command)
    times = [seconds(command) for _ in range(REPEATS)]
    return statistics.median(times), min(times), max(times)


def main() -> dict[str, float]:
    """Print and return the ratios."""
    python = sys.executable
    from medassay.cli import app

    count = len(app.registered_commands) + len(app.registered_groups)
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        commands = "".join(COMMAND.format(number=number) for number in range(count))
        bare.write_text(BARE.format(commands=commands), encoding="utf-8")
        peer = median_of([python, str(bare), "--help"])
        ours = median_of([python, "-m", "medassay", "--help"])
        light = median_of([python, "-c", "import medassay"])
        nothing = median_of([python, "-c", "pass"])
        demo = [python, "-m", "medassay", "demo", str(Path(folder) / "demo")]
        first = seconds(demo)
        again = median_of(demo)

    def show(name: str, times: tuple[float, float, float]) -> None:
        print(f"{name:<42}{times[0]:7.3f} s   ({times[1]:.3f} to {times[2]:.3f})")

    print(f"medians of {REPEATS} runs after a warm-up, one process each")
    show("python -c pass", nothing)
    show("import medassay", light)
    show(f"bare typer app, {count} commands, --help", peer)
    show("medassay --help", ours)
    print(f"{'medassay demo, the first time':<42}{first:7.3f} s")
    show("medassay demo, again", again)
    ratios = {"help over bare typer": ours[0] / peer[0], "demo again over first": again[0] / first}
    for name, ratio in ratios.items():
        print(f"{name}: {ratio:.2f}")
    return ratios


if __name__ == "__main__":
    main()
