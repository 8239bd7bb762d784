"""Write docs/assets/report.png: the first screen of the report that `make demo` writes.

    python -m tools.make_readme_picture demo/results/RUN/report.html

Needs a browser (CHROMIUM names one); README.md and the start of the documentation show it.
"""

import io
import os
import sys
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import sync_playwright

PAGE: Final = Path(__file__).parents[1] / "docs" / "assets" / "report.png"
_WIDTH: Final = 1040
_HEIGHT: Final = 720
_SCALE: Final = 1.5
_COLOURS: Final = 200


def picture(report: Path) -> bytes:
    """Give the page's first screen as a PNG of few colours."""
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(
            viewport={"width": _WIDTH, "height": _HEIGHT},
            device_scale_factor=_SCALE,
            color_scheme="light",
        )
        page.goto(report.resolve().as_uri())
        shot = page.screenshot()
        browser.close()
    file = io.BytesIO()
    with Image.open(io.BytesIO(shot)) as image:
        image.convert("RGB").quantize(_COLOURS).save(file, "PNG", optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    PAGE.write_bytes(picture(Path(sys.argv[1])))
