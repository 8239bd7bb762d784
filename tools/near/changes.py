"""What a change touches: functions of the source, tests, pages, words."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.freezing.studies import studies_of, tests_of_studies
from tools.freezing.words import quoting
from tools.functions import MODULE, functions_of
from tools.near.code_map import SOURCE

_CATALOGUES: Final = "commands_page|library_page|metrics_page|report_schema|clinical_schema"
"""The tools that write down all that is declared, and take a moment: bad input takes longer."""


@dataclass
class Changes:
    """What changed since a commit, and what that touches.

    Attributes:
        tree: The checkout.
        since: A commit; empty for the last one, or for the one before where all is committed.
        python: Files of Python that changed and are there.
        functions: Changed functions of the source (`file::function`), and those that say the name
            of a constant, a field or a file of another kind that changed.
        changed: What changed itself and is still there, to those of the functions that run it.
        tests: Files of tests that changed; tests (`file::test`) or files of them that say the name
            of what is no source, the words that are gone, or what lists a folder with a new file.
        studied: Tests that read the standard studies of a tool that changed.
        names: What a test's parameters say where it is a page's, a table's or, as
            `standard/NAME`, a frozen study's.
        rooms: Folders of the source with a file that no map knows.
        catalogues: Tests that write a page of all that is declared, and compare it; where
            declarations changed.
        words: Strings that are gone.
        alone: Whether strings alone changed.
        compared: How many files of which change these are, in words.
    """

    tree: Path
    since: str = ""
    python: list[str] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    changed: dict[str, set[str]] = field(default_factory=dict)
    tests: set[str] = field(default_factory=set)
    studied: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    rooms: set[str] = field(default_factory=set)
    catalogues: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    alone: bool = True
    compared: str = ""
    _said: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Compare.

        Raises:
            ValueError: There is no commit of the name that `since` has.
            SyntaxError: A file cannot be read as Python.
        """
        new = self._git("ls-files", "--others", "--exclude-standard").splitlines()
        base = self._git("merge-base", self.since, "HEAD").strip() if self.since else ""
        if self.since and not base:
            message = f"There is no commit or branch {self.since} here to compare with."
            raise ValueError(message)
        left = bool(new or self._git("diff", "--name-only", "HEAD"))
        base = base or ("HEAD" if left else "HEAD~1")
        paths = [*self._git("diff", "--name-only", base).splitlines(), *new]
        since = f"since {self.since}" if self.since else "since the last commit"
        alone = "in the last commit: nothing is left to commit"
        files = f"{len(paths):,} file{'s' * (len(paths) != 1)} changed"
        self.compared = f"{files} {since if self.since or left else alone}."
        for path in paths:
            file = self.tree / path
            text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
            self.python += [path] if path.endswith(".py") and text else []
            if path.startswith(SOURCE) and path.endswith(".py"):
                self._compare(path, self._git("show", f"{base}:{path}"), text)
            elif "/test_" in path:
                self.tests |= {path} if text else set()
            else:
                self._find(Path(path))
        self.words -= self._said
        for test in quoting(self.words, "tests", self.tree):
            path, _, function = test.partition("::")
            self.tests |= self._told(path, {function})

    def _compare(self, path: str, before: str, text: str) -> None:
        """Add the functions of a file that changed, and what uses a changed constant or field."""
        then, now = functions_of(before, path), functions_of(text, path)
        pairs = {name: (then.get(name), now.get(name)) for name in then.keys() | now.keys()}
        changed = {n: (a, b) for n, (a, b) in pairs.items() if not a or not b or a.text != b.text}
        inside = any(not name.startswith(MODULE) for name in changed)
        for name, (old, new) in changed.items():
            running = {f"{path}::{name}"}
            bound = name.rpartition(".")[2].rpartition(" ")[2]
            # What is new is said by nothing but what changed as well; __all__ means its file's own.
            if old and name.startswith(MODULE) and bound.isidentifier() and bound[:2] != "__":
                there = path if bound.startswith("_") and text else ""
                running |= self._that_say(bound, there)
            same = old and new and old.bare == new.bare
            # A docstring outside of functions runs nowhere, a new constant where it is used.
            if new and not (
                name.startswith(MODULE) and (inside or not (bound or (old and not same)))
            ):
                self.changed[f"{path}::{name}"] = running
            self.functions |= running
            self.alone = self.alone and bool(same)
            self.words |= set(old.words) if old else set()
            self._said |= set(new.words) if new else set()
        outside = any(name.startswith(MODULE) for name in changed)
        if not before or not text or (outside and not self.alone):
            self.catalogues = self.catalogues or self._catalogues()
        if not before or not text:
            self.rooms.add(str(Path(path).parent))
            self.tests |= self._listing(Path(path))

    def _listing(self, file: Path) -> set[str]:
        """Give the tests that say what is offered where a folder around a file is listed."""
        found: set[str] = set()
        for path in self._saying("iter_modules", SOURCE):
            if Path(path).parent in file.parents:
                module = ".".join(Path(path).with_suffix("").parts[1:]).removesuffix(".__init__")
                offered = functions_of((self.tree / path).read_text("utf-8"), path)
                for test in self._saying(module, "tests"):
                    saying = {
                        say
                        for name in offered
                        if name.isidentifier() and name[0] != "_"
                        for say in self._that_say(name, test)
                    }
                    found |= self._told(test, {say.partition("::")[2] for say in saying})
        return found

    def _told(self, path: str, functions: set[str]) -> set[str]:
        """Give these tests of a file; the whole file where what helps its tests is among them."""
        tests = {f"{path}::{name}" for name in functions if name.startswith("test_")}
        return (tests if len(tests) == len(functions) else {path}) if "/test_" in path else set()

    def _find(self, file: Path) -> None:
        """Add whatever says the name of a template, a script, a table, a page or a tool."""
        self.alone = False
        self.names |= {f"standard/{file.parent.name}" if "frozen" in file.parts else file.stem}
        name = ".".join(file.with_suffix("").parts) if file.suffix == ".py" else file.name
        makers = [path for path in self._saying(name, "tools") if path.startswith("tools/make_")]
        of_makers = {f"tools.{Path(path).stem}" for path in makers}
        for path in {test for made in of_makers for test in self._saying(made, "tests")}:
            self.tests |= {path} if "/test_" in path else set()
        for path in self._saying(name, "tests"):
            saying = {say.partition("::")[2] for say in self._that_say(name, path)}
            self.tests |= self._told(path, saying or {""})
        self.studied |= tests_of_studies(studies_of(str(file), self.tree), self.tree)
        functions = self._that_say(name)
        self.functions |= functions
        if str(file).startswith(SOURCE):
            self.changed |= {str(file): functions} if (self.tree / file).is_file() else {}
            self.rooms |= set() if functions else {str(file.parent)}

    def _that_say(self, name: str, file: str = "") -> set[str]:
        """Give the functions of a file, else of the source, that use a name or hold it."""
        return {
            f"{path}::{function}"
            for path in ([file] if file else self._saying(name, SOURCE))
            for function, of in functions_of((self.tree / path).read_text("utf-8"), path).items()
            if f"'{name}'" in of.text or any(name in word for word in of.words)
        }

    def _catalogues(self) -> set[str]:
        makers = self._git(
            "grep", "-lE", rf"^from tools\.make_({_CATALOGUES}) import", "--", "tests"
        )
        return {
            f"{path}::{name}"
            for path in makers.splitlines()
            for name, test in functions_of((self.tree / path).read_text("utf-8"), path).items()
            if name.startswith("test_") and ("'PAGE'" in test.text or "'SCHEMA'" in test.text)
        }

    def _saying(self, name: str, folder: str) -> list[str]:
        return self._git("grep", "-lwF", name, "--", f"{folder}/*.py").splitlines()

    def _git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.tree, capture_output=True, check=False)  # noqa: S603, S607 - the git of the path, in our own repository
        return done.stdout.decode("utf-8", errors="replace")
