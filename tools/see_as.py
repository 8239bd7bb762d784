"""Show a picture as it is printed in grey, as colour-blind readers see it, and at half its size.

    python -m tools.see_as FIGURE.png FOLDER

writes `grey`, `protan`, `deutan` and `tritan` versions at full and at half size, to be looked at.
Nothing here is part of a report; the pictures are not kept.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

MATRICES: Final = {
    "grey": [[0.2126, 0.7152, 0.0722]] * 3,
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
"""On linear RGB. Grey: luminance of sRGB. The others: Machado, Oliveira & Fernandes (2009),
severity 1, doi:10.1109/TVCG.2009.113."""
_KNEE, _LINEAR_KNEE = 0.04045, 0.0031308
"""Below these sRGB is a straight line."""

Floats = NDArray[np.float64]


def seen(picture: Floats, matrix: list[list[float]]) -> Floats:
    """Simulate one way of seeing; sRGB from 0 to 1 in and out, last axis red, green, blue."""
    linear = np.where(picture <= _KNEE, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)
    mixed = np.clip(linear @ np.array(matrix).T, 0, 1)
    back: Floats = np.where(
        mixed <= _LINEAR_KNEE, 12.92 * mixed, 1.055 * mixed ** (1 / 2.4) - 0.055
    )
    return back


def half(picture: Floats) -> Floats:
    """Average blocks of two by two."""
    high, wide = (size // 2 * 2 for size in picture.shape[:2])
    even = picture[:high, :wide]
    smaller: Floats = even.reshape(high // 2, 2, wide // 2, 2, -1).mean(axis=(1, 3))
    return smaller


def main(source: Path, into: Path) -> None:
    """Write every version of one picture."""
    from matplotlib.image import imread, imsave

    picture = imread(source)[..., :3].astype(np.float64)
    into.mkdir(parents=True, exist_ok=True)
    for name, matrix in MATRICES.items():
        made = seen(picture, matrix)
        imsave(into / f"{source.stem}-{name}.png", made)
        imsave(into / f"{source.stem}-{name}-half.png", half(made))
    imsave(into / f"{source.stem}-half.png", half(picture))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
