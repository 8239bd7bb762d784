"""One URL of urls.toml: where something lies, and never a key to it."""

from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import quote, unquote
from urllib.request import url2pathname

from medassay.errors import InvalidInput, Problem
from medassay.tables import visible

__all__ = ["URLS_FILE", "Url"]

URLS_FILE: Final = "urls.toml"
"""Where a study says what of it lies elsewhere; no input: the same files elsewhere are one run."""

_SCHEMES: Final = ("s3", "gs", "az", "file")
_KEYS: Final = "Keys come from the environment alone, such as AWS_ACCESS_KEY_ID."
_BEGINNINGS: Final = "s3://BUCKET/, gs://BUCKET/, az://CONTAINER/ or file:///"


@dataclass(frozen=True, slots=True)
class Url:
    """Where a file or a folder of files lies.

    Attributes:
        text: The URL as it is written; one of a folder ends in `/`.
    """

    text: str

    @classmethod
    def parse(cls, text: str, column: str) -> Self:
        """Check what was written in urls.toml. What may be a key is refused, and never quoted.

        Args:
            text: What was written.
            column: Where.

        Raises:
            InvalidInput: It is none of the URLs that are known, or may hold a key.

        Example:
            >>> Url.parse("s3://ward/2026/cases.jsonl", "cases").name
            'cases.jsonl'
            >>> Url.parse("s3://AKIA1:word@ward/cases.jsonl", "cases")
            Traceback (most recent call last):
            ...
            medassay.errors.InvalidInput: urls.toml, column cases: must hold no key or name of a \
user; got s3://... with something before an @ or after a colon. Keys come from the environment \
alone, such as AWS_ACCESS_KEY_ID.
        """
        scheme, found, rest = text.partition("://")
        place = rest.partition("/")[0]
        if found and ("@" in place or ":" in place):
            # Of what is no scheme either, nothing can be quoted.
            shown = f"{scheme}://..." if scheme in _SCHEMES else "a URL"
            got = f"{shown} with something before an @ or after a colon"
            raise _refused(column, "hold no key or name of a user", got, _KEYS)
        if "?" in text or "#" in text:
            must = "hold no ? and no #: what follows may be a signature"
            got = f'"{visible(text.replace("#", "?").partition("?")[0])}" and more'
            raise _refused(column, must, got, _KEYS)
        if scheme not in _SCHEMES or not found:
            raise _refused(column, f"begin with {_BEGINNINGS}", f'"{visible(text)}"')
        if (not place) != (scheme == "file"):
            raise _refused(column, f"begin with {_BEGINNINGS}", f'"{visible(text)}"')
        if ".." in unquote(rest).split("/") or not unquote(rest).isprintable():
            must = "lead straight to what it names"
            raise _refused(column, must, f'"{visible(text)}"')
        return cls(text)

    def __str__(self) -> str:
        """Give the URL."""
        return self.text

    @property
    def scheme(self) -> str:
        """Say how it is reached."""
        return self.text.partition("://")[0]

    @property
    def is_here(self) -> bool:
        """Say whether it is a file: URL, for which no network is needed."""
        return self.scheme == "file"

    @property
    def is_folder(self) -> bool:
        """Say whether it stands for all files of a folder."""
        return self.text.endswith("/")

    @property
    def bucket(self) -> str:
        """Give the bucket or container; empty for a file: URL."""
        return self.text.partition("://")[2].partition("/")[0]

    @property
    def path(self) -> str:
        """Give the place as its store names it: bucket and key, or the path of a file: URL."""
        rest = self.text.partition("://")[2]
        return url2pathname(rest) if self.is_here else rest

    @property
    def name(self) -> str:
        """Give the last part; empty for a folder."""
        last = self.text.rpartition("/")[2]
        return unquote(last) if self.is_here else last

    def inside(self, name: str) -> "Url":
        """Give what lies under a name in this folder.

        Example:
            >>> str(Url("file:///a%20b/").inside("c d.csv"))
            'file:///a%20b/c%20d.csv'
        """
        folder = self.text if self.is_folder else f"{self.text}/"
        return Url(f"{folder}{quote(name) if self.is_here else name}")


def _refused(column: str, must: str, got: str, hint: str = "") -> InvalidInput:
    return InvalidInput(Problem(URLS_FILE, must, got, hint, None, column))
