"""Make workbook_cells.json and two .xls: cells, and what another reader takes them for.

Each cell is written into a workbook of its own and read by python-calamine, a reader in Rust that
shares nothing with ours. xlwt writes old_workbook.xls, which calamine reads too, and
old_errors.xls, whose errors calamine gives as empty. In an environment of its own, from the root of
the repository:

    pip install python-calamine xlwt && python -m tests.golden.make_workbook_cells
"""

import io
import json
from datetime import date, datetime, time, timedelta
from pathlib import Path

import xlwt
from python_calamine import CalamineWorkbook
from tools.plain_workbook import cell, excel, row

HERE = Path(__file__).parent
NUMBERS = [
    *("1", "1.0", "1.5", "1E3", "0.1", "0.30000000000000004", "1e400", "-0", "-0.0", "1E22", "abc"),
    *("1e16", "123456789012345.6", "1E-7", "-4.0"),
]
DATES = [
    *("45000", "45000.5", "0.25", "0", "1", "1.75", "59", "60", "61", "45000.123456789"),
    *("2958465", "3000000", "36526"),
]
CODES = [
    *("General", "@", "0.00", "yyyy", "mmm", "[h]:mm", "[hh]", "[mm]:ss", "[ss].00", "[Red]0"),
    *("[$-409]d", '"day"0', "\\d0", '0"m"', "_d0", "*d0", "0;dd", "dd;0", "h AM/PM", "e", "aaa"),
    *("[$-F800]dddd", "[$USD] 0", "[DBNum1]0", 'yyyy"年"m"月"', '0 "s"', "#,##0.00 [$EUR]"),
    *("[DBNum1][$-804]yyyy", "GENERAL", "0.0E+00", "gge", "b", "[<1]0", "ss", "\\-[h]", "[H]"),
    *("MM/DD/YYYY", "0_);[Red]\\(0\\)", "_-* #,##0.00\\ _d_m_-", "[m]", "[s]"),
]
TEXTS = [
    '<t xml:space="preserve"> a </t>', "<t> a </t>", "<t>a&#10;b</t>", "<t>a\r\nb</t>", "<t/>",
    '<r><t>one</t></r><r><rPr><b/></rPr><t xml:space="preserve"> two</t></r>',
    '<t>課</t><rPh sb="0" eb="1"><t>か</t></rPh><phoneticPr fontId="1"/>',
    "<t>one_x000D_&#10;two _x005F_x000D_ x005F_ _x0041_ _X0041_</t>", "<t>&lt;&amp;😀</t>",
]  # fmt: skip


def text_of(value: object) -> str:
    """Write a value as the text that a spreadsheet would save as CSV."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, datetime | date | time) else str(value)


def read(content: bytes) -> list[list[str]]:
    """Read the first sheet with calamine."""
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    grid = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
    return [[text_of(value) for value in cells] for cells in grid]


def one(attributes: str, value: str, **more: object) -> str:
    """Give the text of the only cell of a workbook, empty where there is none."""
    grid = read(excel(row(1, cell("A1", value, attributes)), **more))  # type: ignore[arg-type] # named as there
    return grid[0][0] if grid else ""


def old_workbook() -> bytes:
    """Write an .xls: dates, merges, formulas, errors, letters of three alphabets."""
    book, out = xlwt.Workbook(), io.BytesIO()
    first, _, last = (book.add_sheet(name) for name in ("Ratings", "Empty", "Other's"))
    looks = {
        code: xlwt.easyxf(num_format_str=code)
        for code in ("yyyy-mm-dd", "dd/mm/yyyy hh:mm", "[h]:mm:ss", "0.0%", "hh:mm")
    }
    rows: list[list[object]] = [
        ["Code", "Label", "Number", "When", "Truth"],
        ["AB01", "Yes", 4.0, (date(2024, 5, 1), "yyyy-mm-dd"), True],
        [" padded ", "naïve 課 😀", 0.1, (datetime(2024, 5, 1, 10, 30), "dd/mm/yyyy hh:mm"), False],  # noqa: DTZ001 - cells have no zone
        ["two\nlines", None, (0.25, "0.0%"), (timedelta(1.5) / timedelta(1), "[h]:mm:ss")],
        ["formula", None, xlwt.Formula("1+1"), (time(6), "hh:mm")],
    ]
    for number, values in enumerate(rows):
        for column, value in enumerate(values):
            if isinstance(value, tuple):
                first.write(number, column, value[0], looks[value[1]])
            elif value is not None:
                first.write(number, column, value)
    first.write_merge(5, 6, 0, 1, "over four")
    last.write(1, 1, "b2")
    last.row(2).set_cell_error(0, 0x2A)
    last.row(2).set_cell_error(1, 0x07)
    book.save(out)
    return out.getvalue()


def old_errors() -> bytes:
    """Write an .xls of answers, one of which is an error."""
    book, out = xlwt.Workbook(), io.BytesIO()
    sheet = book.add_sheet("Answers")
    for number, values in enumerate([["case", "text"], ["01", "Rest."], ["02"]]):
        for column, value in enumerate(values):
            sheet.write(number, column, value)
    sheet.row(2).set_cell_error(1, 0x2A)
    book.save(out)
    return out.getvalue()


def main() -> None:
    """Write the files."""
    old = old_workbook()
    found = {
        "numbers": [[value, one("", value)] for value in NUMBERS],
        "dates": [[value, one('s="1"', value, formats=[14])] for value in DATES],
        "dates from 1904": [
            [value, one('s="1"', value, formats=[14], from_1904=True)] for value in DATES
        ],
        "spans": [[value, one('s="1"', value, formats=[46])] for value in DATES],
        "built-in formats": [
            [number, one('s="1"', "45000.5", formats=[number])] for number in range(60)
        ],
        "own formats": [[code, one('s="1"', "1.5", formats=[code])] for code in CODES],
        "texts": [[text, one('t="s"', "0", shared=[text])] for text in TEXTS],
        "truths": [[value, one('t="b"', value)] for value in ("0", "1", "true", "false")],
        "old": read(old),
    }
    text = json.dumps(found, ensure_ascii=False, indent=1)
    (HERE / "workbook_cells.json").write_text(f"{text}\n", encoding="utf-8")
    (HERE / "old_workbook.xls").write_bytes(old)
    (HERE / "old_errors.xls").write_bytes(old_errors())


if __name__ == "__main__":
    main()
