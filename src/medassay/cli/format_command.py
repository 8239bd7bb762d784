"""A verb whose options are its format's: which one is named, or known by what the files hold."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from medassay.cli.verb import Verb

if TYPE_CHECKING:
    from medassay.errors import Problem
    from medassay.exchange import Format, Outcome

_HELP = frozenset({"-h", "--help", "--help-all"})
_TABLES = frozenset({".csv", ".tsv", ".xlsx", ".xls", ".ods", ".json", ".jsonl", ".parquet"})
_PAGES = frozenset({".pdf", ".doc", ".docx", ".odt", ".rtf", ".pages", ".ppt", ".pptx"})
_PACKED = (".gz", ".zip", ".tgz", ".tar", ".zst", ".bz2", ".xz", ".7z")
_UNPACK = dict.fromkeys(_PACKED, "Unpack it, and import what is in it.")
_WITH_VALUE = frozenset({"--into"})


class FormatCommand(Verb):
    """A verb that hands over to the command of one format, which parses what was typed.

    By itself it only says how it is called, and which formats there are.
    """

    way: ClassVar[Literal["--from", "--to"]]
    long = True

    def command_of(self, known: "Format") -> Any:  # noqa: ANN401 - of typer's own click
        """Make the command of one format."""
        raise NotImplementedError  # each verb has its own

    def commands(self) -> dict[str, Any]:
        """Make the command of every format, by its id."""
        from medassay.exchange.registry import formats

        return {known.id: self.command_of(known) for known in formats(self.way)}

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: Any = None,  # noqa: ANN401 - of typer's own click
        **extra: Any,  # noqa: ANN401 - of typer's own click
    ) -> Any:  # noqa: ANN401 - of typer's own click
        """Parse what was typed as the format's own command does."""
        named, rest = self._named(args)
        asks_help = not _HELP.isdisjoint(args)
        if not args or (asks_help and named is None):
            return super().make_context(info_name, args or ["--help"], parent, **extra)
        known = self._found(named, rest)
        called = f"{info_name} {self.way} {known.id}"
        command = self.command_of(known)
        rest = _fitting(rest, {name for one in command.params for name in one.opts}, known)
        return command.make_context(called, rest, parent, **extra)

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of typer's own click
        """List the formats below the options."""
        from medassay.exchange.registry import broken_formats, formats

        super().format_options(ctx, formatter)
        with formatter.section("Formats"):
            if self.is_short(ctx):
                names = ", ".join(known.id for known in formats(self.way))
                formatter.write(indent(fill(names, 76, break_on_hyphens=False), "  ") + "\n")
            else:
                abouts = [(known.id, _about(known, self.way)) for known in formats(self.way)]
                formatter.write_dl(abouts)
        for problem in broken_formats():
            formatter.write_paragraph()
            formatter.write_text(f"left out: {problem}")

    def _named(self, args: Sequence[str]) -> tuple[str | None, list[str]]:
        """Take the format's name out of what was typed; the last one counts, as of any option."""
        named, rest, words = None, [], iter(args)
        for word in words:
            if word == "--":
                rest += [word, *words]
            elif word == self.way:
                named = next(words, "")
            elif word.startswith(f"{self.way}="):
                named = word.partition("=")[2]
            else:
                rest.append(word)
        return named, rest

    def _found(self, named: str | None, rest: Sequence[str]) -> "Format":
        """Find the format that is named, or that the files are of.

        Raises:
            InvalidInput: None is named, and the files are of none or may be of several.
        """
        from medassay.errors import InvalidInput, Problem
        from medassay.exchange.registry import find_format, formats, recognise

        if named is not None:
            return find_format(named, self.way)
        listed = ", ".join(known.id for known in formats(self.way))
        if self.way == "--to":
            raise InvalidInput(Problem(self.way, "name a format", "none", f"One of: {listed}."))
        files = [Path(word) for word in self._files(rest)]
        file_formats = recognise(files)
        if len(file_formats) == 1:
            return file_formats[0]
        shown = ", ".join(map(str, files)) or "medassay import"
        if file_formats:
            must = "be of one format"
            got = f"files that may be {' or '.join(known.id for known in file_formats)}"
            hint = f"Say which: {' or '.join(f'--from {known.id}' for known in file_formats)}."
            raise InvalidInput(Problem(shown, must, got, hint))
        lost = [file for file in files if not file.exists()]
        if lost:
            raise InvalidInput(
                [Problem(str(file), "be a file that exists", "nothing there") for file in lost]
            )
        plain = find_format("spreadsheet", self.way)
        own = {file: recognise([file]) for file in files}
        unknown = [file for file in files if not own[file]]
        _refuse_unread(unknown)
        if files and all(_is_table(file) and {plain}.issuperset(own[file]) for file in files):
            return plain  # whose reader names the row and the column that keep it from being one
        must = "be of a format that medassay knows by what files hold"
        hint = f"Say which: --from {listed}."
        pages = [file for file in files if file.suffix.lower() in _PAGES]
        if pages:
            save = "Copy its table into a spreadsheet, and save that as .xlsx or .csv."
            must_be = "be a spreadsheet, or another tool's file"
            raise InvalidInput(
                [Problem(str(file), must_be, f"a {file.suffix} document", save) for file in pages]
            )
        if unknown:
            raise InvalidInput(
                problem
                for file in unknown
                for problem in (
                    _broken(file)
                    or [Problem(str(file), must, "another", _UNPACK.get(file.suffix.lower(), hint))]
                )
            )
        if files:
            seen = ", ".join(
                f"{file.name} as {' or '.join(known.id for known in own[file])}" for file in files
            )
            hint = f"Import them one after the other, or say which for all: --from {listed}."
            raise InvalidInput(Problem(shown, "be of one format together", seen, hint))
        raise InvalidInput(Problem(shown, must, "no files", hint))

    def _files(self, rest: Sequence[str]) -> Iterator[str]:
        """Give the words that are neither an option nor its value."""
        from medassay.exchange.registry import takes_value

        words = iter(rest)
        for word in words:
            if word == "--":
                yield from words
            elif not word.startswith("-") or word == "-":
                yield word
            elif "=" not in word and (word in _WITH_VALUE or takes_value(word, self.way)):
                next(words, None)


def _fitting(rest: Sequence[str], options: Collection[str], known: "Format") -> list[str]:
    """Give what was typed without --yes where nothing is asked.

    Raises:
        InvalidInput: A rubric is named for files that go into a study, which has its own.
    """
    from medassay.errors import InvalidInput, Problem

    end = rest.index("--") if "--" in rest else len(rest)
    words = [word.partition("=")[0] for word in rest[:end]]
    if "--rubric" in words and "--rubric" not in options:
        must, got = "be given for a new study", f"{known.id}, which go into a study with a rubric"
        hint = "The study has its rubric: leave --rubric out. To change it: rubric.toml there."
        raise InvalidInput(Problem("--rubric", must, got, hint))
    return [w for at, w in enumerate(rest) if at >= end or w != "--yes" or "--yes" in options]


def _is_table(file: Path) -> bool:
    return file.is_file() and file.suffix.lower() in _TABLES


def _refuse_unread(files: Sequence[Path]) -> None:
    """Name the broken line of a table that no format knows for that reason alone."""
    from medassay.errors import InvalidInput, Problem
    from medassay.tables import FORMS, read_sheet

    for file in files:
        if file.suffix.lower() in FORMS and not read_sheet(file).columns:
            raise InvalidInput(Problem(str(file), "hold rows", "an empty file"))


def _broken(file: Path) -> "Collection[Problem]":
    """Say what keeps a file of JSON from being any; nothing of others."""
    from medassay.errors import InvalidInput, Problem
    from medassay.tables import read_json

    if file.suffix.lower() != ".json":
        return ()
    try:
        held = read_json(file, str(file))
    except InvalidInput as error:
        return error.problems
    hint = "Export it again: does the tool show answers there, and are all of them chosen?"
    got = "an empty list" if isinstance(held, list) else "an empty object"
    return () if held else [Problem(str(file), "hold records", got, hint)]


def _about(known: "Format", way: str) -> str:
    of = known.reads if way == "--from" else known.writes
    return "" if of is None else re.split(r"[.]\s", of.about)[0].removesuffix(".")


def done(
    known: "Format",
    call: "Callable[[], Outcome]",
    study: Path,
    files: Collection[Path] = (),
    *,
    as_json: bool,
) -> "Outcome":
    """Let a format do its work; one of another package is held to what it may say."""
    from medassay.exchange.held import held
    from medassay.exchange.registry import is_ours, provided_by
    from medassay.study.files.names import texts_of

    if is_ours(known):
        return call()
    quoted = not as_json or texts_of(study) == "full"
    return held(known, provided_by(known), call, files=files, quoted=quoted)
