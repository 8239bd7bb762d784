"""How the raters' workbook looks: one accent, quiet lines, colours that print in grey."""

from typing import Any, Final

__all__ = ["SheetStyles"]

_INK: Final = "#1F2933"
_QUIET: Final = "#5F6B76"
_LINE: Final = "#CBD2D9"
_ACCENT: Final = "#0B5C8A"
_BAND: Final = "#E8F0F5"
_NOT_ASKED: Final = "#EEF0F2"
_WAITING: Final = "#FFF4D6"
_WARNING: Final = "#FBE3D6"
_FONT: Final = {"font_name": "Calibri", "font_size": 10, "font_color": _INK}
_TOP: Final = {"valign": "top", "text_wrap": True}
_IN: Final = {"align": "left", "indent": 1}
_BOX: Final = {"border": 1, "border_color": _LINE}


class SheetStyles:
    """The formats of one workbook.

    Args:
        book: The workbook that they belong to.
    """

    def __init__(self, book: Any) -> None:  # noqa: ANN401 - xlsxwriter publishes no types
        def add(*parts: dict[str, Any], **more: object) -> Any:  # noqa: ANN401 - as above
            return book.add_format({**_FONT, **{k: v for p in parts for k, v in p.items()}, **more})

        self.title = add(_TOP, _IN, font_size=18, bold=True, text_wrap=False)
        self.lead = add(_TOP, _IN, font_size=11)
        self.step = add(_TOP, font_size=11, bold=True, font_color=_ACCENT, align="right")
        self.heading = add(_IN, font_size=12, bold=True, font_color=_ACCENT, valign="bottom")
        self.quiet = add(_TOP, _IN, font_color=_QUIET)
        self.warning = add(_TOP, _IN, bold=True, bg_color=_WARNING)
        self.warning_line = add(_IN, bold=True, bg_color=_WARNING, valign="vcenter")
        self.header = add(
            _TOP, _IN, bold=True, valign="vcenter", bg_color=_BAND, bottom=2, bottom_color=_ACCENT
        )
        self.header_asked = add(
            _TOP, bold=True, valign="vcenter", align="center", bg_color=_BAND, font_color=_ACCENT,
            bottom=2, bottom_color=_ACCENT,
        )  # fmt: skip
        self.band = add(_IN, bold=True, font_color=_ACCENT, bg_color=_BAND, valign="vcenter")
        self.code = add(
            _BOX, _IN, valign="top", font_name="Consolas", font_color=_QUIET, num_format="@"
        )
        self.text = add(_BOX, _TOP, _IN, num_format="@")
        self.plain_text = add(_BOX, _TOP, _IN, num_format="@", quote_prefix=True)
        self.choice = add(
            _BOX, align="center", valign="top", text_wrap=True, bold=True, locked=False
        )
        self.closed = add(_BOX, _TOP, bg_color=_NOT_ASKED)
        self.words = add(_BOX, _TOP, _IN, num_format="@", locked=False)
        self.link = add(_BOX, _TOP, _IN, font_color=_ACCENT, underline=1)
        self.waiting = book.add_format({"bg_color": _WAITING})
        self.label = add(_BOX, _TOP, _IN, bold=True)
        self.score = add(_BOX, _TOP, align="center", font_color=_QUIET)
        self.in_bold = add(bold=True, font_color=_ACCENT)
        self.in_body = add()
