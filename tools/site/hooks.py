"""What the site does beyond its pages: files of the repository that pages link to come along.

Pages are written for two readers, of the repository and of the site, so a link such as
`../examples/add_a_metric.py` must lead somewhere in both. Each file so named becomes a page of the
site that shows it; decisions in `design/` and rates in `simulations/` become pages as they are, and
are found after the pages for users. Sentences that a command prints break over lines as prose does;
its tables do not.
"""

import html
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

_ROOT: Final = Path(__file__).parents[2]
_LINK: Final = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
# In a row of a table a pipe within code is escaped for other readers; here it would show as such.
_ROW: Final = re.compile(r"^\|.*`.*$", re.MULTILINE)
_CODE: Final = re.compile(r"`[^`]+`")
_LANGUAGES: Final = {".py": "python", ".toml": "toml", ".json": "json", ".yml": "yaml"}
_TERMINAL: Final = re.compile(
    r'<div class="language-(?:console|text) highlight">.*?</pre>', re.DOTALL
)
_LINE: Final = re.compile(r'<span id="(line-[\d-]+)">([^\n]*)\n</span>')
_TABLE: Final = re.compile(r" {3,}|─{3,}")
# Pages of the site that lie outside docs/: their place in the repository by that on the site.
_PAGES: Final = {
    "project/changes.md": "CHANGELOG.md",
    "project/contributing.md": "CONTRIBUTING.md",
    "project/notice.md": "NOTICE",
    **{
        place: place
        for folder in ("design", "simulations")
        for path in (_ROOT / folder).glob("*.md")
        for place in [f"{folder}/{path.name}"]
    },
}


_PICTURES = {".png", ".webp", ".svg", ".jpg"}
"""Shown where a page shows them, and no page of their own."""


def on_files(files: Files, *, config: "MkDocsConfig") -> Files:
    """Add the pages that lie outside docs/, and a page for each other file that one links to."""
    for uri, place in _PAGES.items():
        content = (_ROOT / place).read_text(encoding="utf-8")
        files.append(File.generated(config, uri, content=content))
    told = {target for file in files.documentation_pages() for target in _targets(file)}
    for place in sorted(told):
        path = _ROOT / place
        files.append(
            File.generated(config, _uri(place), abs_src_path=str(path))
            if path.suffix in _PICTURES
            else File.generated(config, _uri(place), content=_shown(path))
        )
    return files


def on_page_markdown(markdown: str, *, page: "Page", config: "MkDocsConfig", files: Files) -> str:
    """Turn links out of docs/ into links to the pages made for them, and show pipes as they are."""
    del config, files
    uri = page.file.src_uri

    def turned(link: re.Match[str]) -> str:
        goal = posixpath.relpath(_uri(_place(uri, link[2])), posixpath.dirname(uri) or ".")
        return link[1] + goal + link[3] if (_ROOT / _place(uri, link[2])).exists() else link[0]

    markdown = _ROW.sub(
        lambda row: _CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), markdown
    )
    if uri.startswith(("design/", "simulations/", "project/", "source/")):
        page.meta["search"] = {"boost": 0.25}
    return markdown if uri.startswith("source/") else _LINK.sub(turned, markdown)


def on_page_content(content: str, *, page: "Page", config: "MkDocsConfig", files: Files) -> str:
    """Tell the lines of a terminal apart: sentences and commands may break, rows of tables not."""
    del page, config, files

    def marked(line: re.Match[str]) -> str:
        text = html.unescape(re.sub(r"<[^>]*>", "", line[2])).strip()
        kind = "row" if _TABLE.search(text) else "sentence"
        return f'<span id="{line[1]}" class="{kind}">{line[2]}\n</span>'

    return _TERMINAL.sub(lambda block: _LINE.sub(marked, block[0]), content)


def _place(uri: str, target: str) -> str:
    """Say where in the repository a link of a page leads."""
    here = posixpath.dirname(_PAGES.get(uri, f"docs/{uri}"))
    return posixpath.normpath(posixpath.join(here, target))


def _uri(place: str) -> str:
    """Say where on the site a file of the repository is."""
    if place.startswith("docs/"):
        return place.removeprefix("docs/")
    if Path(place).suffix in _PICTURES:
        return f"source/{place}"
    made = {there: uri for uri, there in _PAGES.items()}
    return made.get(place, "index.md" if place == "README.md" else f"source/{place}.md")


def _targets(page: File) -> set[str]:
    """List the files of the repository that a page links to and that are no pages themselves."""
    places = {_place(page.src_uri, link[2]) for link in _LINK.finditer(page.content_string)}
    return {p for p in places if (_ROOT / p).exists() and _uri(p).startswith("source/")}


def _shown(path: Path) -> str:
    """Show a file as a page: a folder as a list, code as code."""
    title = f"# {path.relative_to(_ROOT)}\n\n"
    if path.is_dir():
        return title + "\n".join(f"- `{one.name}`" for one in sorted(path.iterdir())) + "\n"
    language = _LANGUAGES.get(path.suffix, "text")
    return f"{title}````{language}\n{path.read_text(encoding='utf-8')}\n````\n"
