"""What is asked before files are written that consist of texts or ids."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

from medassay.campaign.apart import refuse_where_reports_go
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Option
from medassay.study import Study

Full = Annotated[
    Literal["full"] | None,
    Option(
        "Write texts and ids though study.toml keeps them: these files consist of them.",
        metavar="full",
    ),
]
SheetTexts = Annotated[
    Literal["full", "ids", "none"] | None,
    Option(
        "What raters are given to read: full texts, ids of cases, or neither; as [privacy] says "
        "if not given. full is for raters who may read what no report may show."
    ),
]
_LEFT: Final = "Give another name; it was left as it is."


def refuse_unasked(
    study: Study, needs: Literal["full", "ids"], texts: str | None, files: Sequence[Path]
) -> None:
    """Refuse to write what a study keeps, unless that is asked for; never into its results.

    The files of a shared task consist of texts, those of TREC of ids: they are nothing without.

    Raises:
        InvalidInput: The study keeps what the files need, and nobody asked for it; or they would
            lie where the report does.
    """
    privacy = study.config.privacy
    if privacy.allows(needs):
        return
    if texts is None:
        must = "come with --texts full: its files hold the texts that study.toml keeps private"
        got = f'[privacy] texts = "{privacy.texts}"'
        hint = "Add it, and give the files only to people who may read the texts."
        raise InvalidInput(Problem("medassay export", must, got, hint))
    refuse_where_reports_go(study.path, [path.parent for path in files], "--into")


def refuse_old(path: Path, what: str = "file") -> None:
    """Refuse to write over what is there.

    Raises:
        InvalidInput: It is there.
    """
    if path.exists():
        raise InvalidInput(Problem("--into", f"be a new {what}", f"{path}, which exists", _LEFT))
