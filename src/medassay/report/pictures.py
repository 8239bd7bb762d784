"""Figures inside the page: the same drawing as the file, in the page's own colours."""

import re
from dataclasses import dataclass
from typing import Final

from medassay.exhibits.drawing import ACCENT, INK, LINE, SOFT
from medassay.exhibits.sentences import Captioned

VARIABLES: Final = {
    INK: "--ink",
    SOFT: "--soft",
    LINE: "--line",
    ACCENT: "--accent",
    "#ffffff": "--paper",
    "#d55e00": "--other",
}
"""What a figure's colours are called on the page, so that they turn with light and dark."""
_IDS: Final = re.compile(r'(id="|href="#|url\(#)')
_SIZE: Final = re.compile(r'<svg [^>]*?width="([\d.]+)pt"[^>]*?(viewBox="[^"]+")[^>]*>')
_PX_PER_POINT: Final = 96 / 72


@dataclass(frozen=True, slots=True)
class FigureOnPage(Captioned):
    """A figure as it is written.

    Attributes:
        title: A few words.
        caption: Sentences that can stand alone; empty where a table's caption says it.
        svg: The file.
        analysis: The id of the analysis that drew it; empty for none.
    """

    title: str
    caption: str
    svg: str
    analysis: str = ""


def inline(name: str, shown: FigureOnPage) -> str:
    """Make a written figure part of a page: no head, ids of its own, colours that turn.

    Its width becomes a variable of its style, so that a narrow page can let it scroll.

    Example:
        >>> svg = '<?xml ?><svg height="2pt" width="3pt" viewBox="0 0 3 2"><g id="a"/></svg>'
        >>> inline("x", FigureOnPage("T", "", svg))
        '<svg class="picture" viewBox="0 0 3 2" style="--width:4px" role="img" \
aria-labelledby="p-x"><g id="x-a"/></svg>'
    """
    body = shown.svg[shown.svg.index("<svg") :]
    body = re.sub(r"<(metadata|title)>.*?</\1>", "", body, flags=re.DOTALL)
    body = body.replace("*{", ".picture *{")
    body = _IDS.sub(rf"\g<1>{name}-", body)
    for colour, variable in VARIABLES.items():
        body = body.replace(colour, f"var({variable})")

    def head(match: re.Match[str]) -> str:
        width = round(float(match[1]) * _PX_PER_POINT)
        return (
            f'<svg class="picture" {match[2]} style="--width:{width}px" role="img" '
            f'aria-labelledby="p-{name}">'
        )

    return _SIZE.sub(head, body, count=1)
