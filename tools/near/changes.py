"""What a change touches: functions of the source, tests, pages, words."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tools.near.code_map import SOURCE
from tools.near.functions import MODULE, functions_of


@dataclass
class Changes:
    """What changed since a commit, and what that touches.

    Attributes:
        tree: The checkout.
        since: A commit; empty for the last one, or for the one before where all is committed.
        python: Files of Python that changed and are there.
        functions: Changed functions of the source (`file::function`), and those that say the name
            of a constant, a field or a file of another kind that changed.
        tests: Files of tests that changed, or that say the name of what is no source.
        names: What a test's own name says where it is a page's, a table's or a frozen study's.
        rooms: Folders of the source with a file that no map knows.
        words: Strings that are gone, where strings alone changed; None where more did.
    """

    tree: Path
    since: str = ""
    python: list[str] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    tests: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    rooms: set[str] = field(default_factory=set)
    words: set[str] | None = field(default_factory=set)

    def __post_init__(self) -> None:
        """Compare."""
        new = self._git("ls-files", "--others", "--exclude-standard").splitlines()
        base = self._git("merge-base", self.since, "HEAD").strip() if self.since else ""
        base = base or ("HEAD" if new or self._git("diff", "--name-only", "HEAD") else "HEAD~1")
        for path in [*self._git("diff", "--name-only", base).splitlines(), *new]:
            file = self.tree / path
            text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
            self.python += [path] if path.endswith(".py") and text else []
            if path.startswith(SOURCE) and path.endswith(".py"):
                self._compare(path, self._git("show", f"{base}:{path}"), text)
            elif "/test_" in path:
                self.tests |= {path} if text else set()
            else:
                self._find(Path(path))
        self.words = self.words if self.functions else None

    def _compare(self, path: str, before: str, text: str) -> None:
        """Add the functions of a file that changed, and what uses a changed constant or field."""
        then, now = functions_of(before), functions_of(text)
        gone: set[str] = set()
        for name in then.keys() | now.keys():
            old, new = then.get(name), now.get(name)
            if old and new and old.text == new.text:
                continue
            self.functions.add(f"{path}::{name}")
            bound = name.rpartition(".")[2].rpartition(" ")[2]
            if name.startswith(MODULE) and bound.isidentifier():
                self.functions |= self._that_say(bound)
            if self.words is None or not old or not new or old.bare != new.bare:
                self.words = None
            else:
                gone |= set(old.words) - set(new.words)
        self.words = None if self.words is None else self.words | gone
        self.rooms |= set() if before else {str(Path(path).parent)}

    def _find(self, file: Path) -> None:
        """Add whatever says the name of a template, a script, a table, a page or a tool."""
        self.words = None
        self.names |= {file.parent.name if "frozen" in file.parts else file.stem}
        name = ".".join(file.with_suffix("").parts) if file.suffix == ".py" else file.name
        self.tests |= {path for path in self._saying(name, "tests") if "/test_" in path}
        functions = self._that_say(name)
        self.functions |= functions
        if str(file).startswith(SOURCE) and not functions:
            self.rooms.add(str(file.parent))

    def _that_say(self, name: str) -> set[str]:
        """Give the functions of the source that use a name, or hold it in a string."""
        return {
            f"{path}::{function}"
            for path in self._saying(name, SOURCE)
            for function, of in functions_of((self.tree / path).read_text("utf-8")).items()
            if f"'{name}'" in of.text or any(name in word for word in of.words)
        }

    def _saying(self, name: str, folder: str) -> list[str]:
        return self._git("grep", "-lwF", name, "--", f"{folder}/*.py").splitlines()

    def _git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.tree, capture_output=True, check=False)  # noqa: S603, S607 - the git of the path, in our own repository
        return done.stdout.decode("utf-8", errors="replace")
