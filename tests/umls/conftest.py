"""A tiny UMLS of invented terms, and in place of the trained pipeline one of a few rules.

QuickUMLS asks for spaCy's en_core_web_sm and NLTK's stop words by name. The first is no package of
the index, and both are large for what is read of them: which words are prepositions and articles.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TERMS = (
    ("C9000001", "Glimmer fever", "Y", "T047"),
    ("C9000001", "glimmer sickness", "N", "T047"),
    ("C9000002", "Tolvane", "Y", "T121"),
    ("C9000003", "Tolvane", "N", "T047"),
    ("C9000004", "knee ache", "Y", "T184"),
    ("C9000005", "Upper lake", "Y", "T083"),
)
"""Concept, name, whether preferred, semantic type; T083 is a place, which is not read."""

_METADATA = "Metadata-Version: 2.1\nName: en-core-web-sm\nVersion: 3.8.0\n"
_LOAD = """from pathlib import Path
from spacy.util import load_model_from_init_py

__version__ = "3.8.0"


def load(**overrides):
    return load_model_from_init_py(__file__, **overrides)
"""


def _write_pipeline(into: Path) -> None:
    import spacy

    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("attribute_ruler")
    for words, kind in ((("the", "a", "an"), "DET"), (("of", "in", "with"), "ADP")):
        ruler.add([[{"LOWER": {"IN": list(words)}}]], {"POS": kind})
    pipeline.meta |= {"name": "core_web_sm", "version": "3.8.0"}
    package = into / "en_core_web_sm"
    package.mkdir()
    pipeline.to_disk(package / "en_core_web_sm-3.8.0")
    (package / "meta.json").write_bytes(
        (package / "en_core_web_sm-3.8.0" / "meta.json").read_bytes()
    )
    (package / "__init__.py").write_text(_LOAD, encoding="utf-8")
    about = into / "en_core_web_sm-3.8.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(_METADATA, encoding="utf-8")


def _write_release(into: Path) -> None:
    into.mkdir()
    names = [
        f"{cui}|ENG|P|L1|PF|S1|{preferred}|A1||||MINI|PT|1|{name}|0|N||"
        for cui, name, preferred, _ in TERMS
    ]
    names.append("C9000004|FRE|P|L1|PF|S1|Y|A1||||MINI|PT|1|mal au genou|0|N||")
    types = dict.fromkeys(f"{cui}|{kind}|A1|x|AT1||" for cui, _, _, kind in TERMS)
    (into / "MRCONSO.RRF").write_text("\n".join(names) + "\n", encoding="utf-8")
    (into / "MRSTY.RRF").write_text("\n".join(types) + "\n", encoding="utf-8")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Put the small pipeline and a list of stop words where Python and NLTK look for them."""
    import nltk

    folder = tmp_path_factory.mktemp("site")
    _write_pipeline(folder)
    stopwords = folder / "corpora" / "stopwords"
    stopwords.mkdir(parents=True)
    (stopwords / "english").write_text("the\na\nan\nof\nin\nwith\nis\n", encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(folder)
    patch.setattr(nltk.data, "path", [str(folder), *nltk.data.path])
    yield folder
    patch.undo()


@pytest.fixture(scope="session")
def index(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build an index by the command that docs/concepts.md names."""
    release, folder = site / "release", tmp_path_factory.mktemp("index")
    _write_release(release)
    # Without -L an index keeps capitals: "tolvane" would not be "Tolvane".
    command = [sys.executable, "-m", "quickumls.install", "-L", str(release), str(folder)]
    subprocess.run(command, check=True, env={"PYTHONPATH": str(site)})  # noqa: S603 - our own words
    return folder
