"""Workbooks made of the tags that a test wants, well-formed or not.

Spreadsheets and libraries write one sheet in many ways; a library that writes workbooks has one.
"""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Final

TRANSITIONAL: Final = "http://schemas.openxmlformats.org"
STRICT: Final = "http://purl.oclc.org/ooxml"
_MAIN: Final = {
    TRANSITIONAL: "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    STRICT: "http://purl.oclc.org/ooxml/spreadsheetml/main",
}
_LINKS: Final = {
    TRANSITIONAL: "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    STRICT: "http://purl.oclc.org/ooxml/officeDocument/relationships",
}
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_KIND: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_ODF: Final = "urn:oasis:names:tc:opendocument:xmlns"
_OWN_FORMATS: Final = 164


def cell(name: str, value: str, attributes: str = "", formula: str = "") -> str:
    """Write a cell with a value."""
    computed = f"<f>{formula}</f>" if formula else ""
    return f'<c r="{name}" {attributes}>{computed}<v>{value}</v></c>'


def row(number: int, *cells: str) -> str:
    """Write a row of cells."""
    return f'<row r="{number}">{"".join(cells)}</row>'


def excel(  # noqa: PLR0913 - each is one way in which makers differ
    rows: str,
    *,
    shared: Sequence[str] = (),
    formats: Sequence[str | int] = (),
    after: str = "",
    dimension: str = "A1",
    from_1904: bool = False,
    prefix: str = "",
    flavour: str = TRANSITIONAL,
    parts: Mapping[str, str] | None = None,
) -> bytes:
    """Make an .xlsx of one sheet.

    Args:
        rows: What stands between the tags of the sheet's data.
        shared: What stands between the tags of each shared text.
        formats: The number formats of the styles 1, 2, ...: built-in ones by number.
        after: What follows the data, such as merges.
        dimension: How large the sheet says that it is.
        from_1904: Whether days count from 1904.
        prefix: The prefix of all tags.
        flavour: Whose names the tags have: transitional as Excel saves them, or strict.
        parts: Other parts, or others in place of these.
    """
    main, links = _MAIN[flavour], _LINKS[flavour]
    mark = f"{prefix}:" if prefix else ""
    names = f'xmlns{":" if prefix else ""}{prefix}="{main}" xmlns:r="{links}"'
    own = [code for code in formats if isinstance(code, str)]
    identities = [
        _OWN_FORMATS + own.index(code) if isinstance(code, str) else code for code in formats
    ]

    def tagged(name: str, inner: str) -> str:
        whole = f"<{name} {names}>{inner}</{name}>"
        if mark:
            whole = re.sub(r"<(/?)(?=\w)", rf"<\1{mark}", whole)
        return f'<?xml version="1.0" encoding="UTF-8"?>{whole}'

    def linked(*pairs: tuple[str, str]) -> str:
        inner = "".join(
            f'<Relationship Id="rId{n}" Type="{links}/{kind}" Target="{target}"/>'
            for n, (kind, target) in enumerate(pairs, start=1)
        )
        return f'<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'

    codes = "".join(
        f'<numFmt numFmtId="{_OWN_FORMATS + n}" formatCode="{_quoted(code)}"/>'
        for n, code in enumerate(own)
    )
    styles = "".join(f'<xf numFmtId="{identity}"/>' for identity in (0, *identities))
    content = {
        "[Content_Types].xml": _types(),
        "_rels/.rels": linked(("officeDocument", "xl/workbook.xml")),
        "xl/_rels/workbook.xml.rels": linked(
            ("worksheet", "worksheets/sheet1.xml"),
            ("sharedStrings", "sharedStrings.xml"),
            ("styles", "styles.xml"),
        ),
        "xl/workbook.xml": tagged(
            "workbook",
            f'<workbookPr date1904="{int(from_1904)}"/><sheets>'
            '<sheet name="One" sheetId="1" r:id="rId1"/></sheets>',
        ),
        "xl/styles.xml": tagged(
            "styleSheet",
            f"<numFmts>{codes}</numFmts><fonts><font/></fonts>"
            "<fills><fill><patternFill/></fill></fills><borders><border/></borders>"
            f"<cellStyleXfs><xf/></cellStyleXfs><cellXfs>{styles}</cellXfs>",
        ),
        "xl/sharedStrings.xml": tagged("sst", "".join(f"<si>{text}</si>" for text in shared)),
        "xl/worksheets/sheet1.xml": tagged(
            "worksheet", f'<dimension ref="{dimension}"/><sheetData>{rows}</sheetData>{after}'
        ),
    }
    return _zipped({**content, **(parts or {})})


def open_document(rows: str, *, name: str = "One", after: str = "") -> bytes:
    """Make an .ods of one sheet, of what stands between the tags of its table."""
    spaces = {
        "office": f"{_ODF}:office:1.0",
        "table": f"{_ODF}:table:1.0",
        "text": f"{_ODF}:text:1.0",
        "draw": f"{_ODF}:drawing:1.0",
        "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
    }
    names = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in spaces.items())
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    listed = f'<m:file-entry m:full-path="/" m:media-type="{kind}"/>'
    return _zipped(
        {
            "mimetype": kind,
            "content.xml": '<?xml version="1.0" encoding="UTF-8"?>'
            f"<office:document-content {names}><office:body><office:spreadsheet>"
            f'<table:table table:name="{name}">{rows}</table:table>{after}'
            "</office:spreadsheet></office:body></office:document-content>",
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{_ODF}:manifest:1.0">{listed}'
            "</m:manifest>",
        }
    )


def _types() -> str:
    parts = {"workbook": "sheet.main", "worksheets/sheet1": "worksheet", "styles": "styles"}
    parts["sharedStrings"] = "sharedStrings"
    inner = "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="{_KIND}.{kind}+xml"/>'
        for part, kind in parts.items()
    )
    inner += (
        '<Default Extension="rels" ContentType="application/'
        'vnd.openxmlformats-package.relationships+xml"/>'
    )
    return f'<Types xmlns="{_PACKAGE}/content-types">{inner}</Types>'


def _quoted(code: str) -> str:
    return code.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _zipped(parts: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            part = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            part.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(part, text)
    return out.getvalue()
