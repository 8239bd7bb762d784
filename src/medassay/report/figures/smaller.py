"""An SVG in fewer bytes that draws the same."""

import re
from typing import Final

_PATH: Final = re.compile(r'(?<= d=")[^"]*')
_PLACE: Final = re.compile(r'(?<= [xy]=")[^"]*|(?<=translate\()[^)]*')
_NUMBER: Final = re.compile(r"-?\d+\.\d+")
_COMMAND: Final = re.compile(r"\s*([A-Za-z])\s*")
_INDENT: Final = re.compile(r"\n\s+(?=<)")
_STYLE: Final = re.compile(r'(?<= style=")[^"]*')
_GLYPH: Final = re.compile(r'(id="|href="#)DejaVuSans-(?:([A-Z][A-Za-z]*)-)?')
_LESS: Final = re.compile(r"[^A-Z]")
"""What the name of a face is left without: BoldOblique becomes BO."""
_SHIFTED: Final = re.compile(r'(<use [^>]*)transform="translate\((\S+) 0\)"')
_COUNTED: Final = re.compile(r' id="[A-Za-z0-9.]+_\d+"')
"""What matplotlib numbers for its own book-keeping, such as line2d_7: nothing refers to it."""


def smaller_svg(svg: str) -> str:
    r"""Round places to a hundredth of a point, which no print shows; leave out indents and counts.

    Scales and widths of lines stay as they are: they count more than a place.

    Example:
        >>> smaller_svg('<g>\n  <path d="M 31.862115 168.0 \nL 31.3 0 \nz\n"/>\n</g>')
        '<g>\n<path d="M31.86 168L31.3 0z"/>\n</g>'
        >>> smaller_svg('<g x="-0.004" transform="translate(33.131867 0) scale(0.015625)"/>')
        '<g x="0" transform="translate(33.13 0) scale(0.015625)"/>'
        >>> smaller_svg('<use href="#DejaVuSans-Bold-48" transform="translate(196.143 0)"/>')
        '<use href="#gB-48" x="196.14"/>'
    """
    svg = _PATH.sub(lambda path: _COMMAND.sub(r"\1", _rounded(path[0])).strip(), svg)
    svg = _PLACE.sub(lambda place: _rounded(place[0]), svg)
    svg = _STYLE.sub(lambda style: style[0].replace(": ", ":").replace("; ", ";"), svg)
    svg = _COUNTED.sub("", svg)
    svg = _GLYPH.sub(lambda glyph: f"{glyph[1]}g{_LESS.sub('', glyph[2] or '')}-", svg)
    svg = _SHIFTED.sub(r'\1x="\2"', svg)
    return _INDENT.sub("\n", svg)


def _rounded(text: str) -> str:
    return _NUMBER.sub(lambda number: f"{round(float(number[0]), 2) + 0.0:g}", text)
