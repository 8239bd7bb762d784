"""Exports as REDCap writes them, of a project that has a data dictionary and records."""

import csv
import io
from collections.abc import Mapping, Sequence

STATUS = {"0": "Incomplete", "1": "Unverified", "2": "Complete", "": ""}
PLACES = {
    "redcap_event_name": "Event Name",
    "redcap_repeat_instrument": "Repeat Instrument",
    "redcap_repeat_instance": "Repeat Instance",
    "redcap_data_access_group": "Data Access Group",
    "redcap_survey_identifier": "Survey Identifier",
}
Table = Sequence[Mapping[str, str]]


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))


def exported(
    dictionary: bytes,
    records: Table,
    *,
    cells: str = "raw",
    header: str = "",
    separator: str = ",",
    end: str = "\n",
) -> bytes:
    """Write what "CSV / Microsoft Excel" of a project is: raw data, or labels.

    Records may hold a checkbox as `field___code`, the moment of a survey as `form_timestamp`.
    """
    labels = cells == "labels"
    in_labels = (header or cells) == "labels"
    fields = [row for row in rows_of(dictionary) if row["Field Type"] != "descriptive"]
    first = fields[0]["Variable / Field Name"]
    columns: list[tuple[str, str, Mapping[str, str]]] = [(first, fields[0]["Field Label"], {})]
    columns += [
        (name, label, {}) for name, label in PLACES.items() if any(name in row for row in records)
    ]
    forms = list(dict.fromkeys(row["Form Name"] for row in fields))
    for form in forms:
        if any(f"{form}_timestamp" in row for row in records):
            columns.append((f"{form}_timestamp", "Survey Timestamp", {}))
        for row in fields:
            name, label = row["Variable / Field Name"], " ".join(row["Field Label"].split())
            text = row["Choices, Calculations, OR Slider Labels"]
            choices = dict(one.strip().split(", ", 1) for one in text.split("|") if text)
            choices |= {"yesno": {"1": "Yes", "0": "No"}}.get(row["Field Type"], {})
            if row["Form Name"] != form or name == first:
                continue
            if row["Field Type"] == "checkbox":
                ticked = {"0": "Unchecked", "1": "Checked"}
                columns += [
                    (f"{name}___{code}", f"{label} (choice={choice})", ticked)
                    for code, choice in choices.items()
                ]
            else:
                columns.append((name, label, choices))
        columns.append((f"{form}_complete", "Complete?", STATUS))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, lineterminator=end)
    writer.writerow([label if in_labels else name for name, label, _ in columns])
    for record in records:
        line = [record.get(name, "") for name, *_ in columns]
        if labels:
            line = [
                choices.get(cell, cell) for cell, (_, _, choices) in zip(line, columns, strict=True)
            ]
            line = [
                cell.capitalize() if name == "redcap_repeat_instrument" else cell
                for cell, (name, *_) in zip(line, columns, strict=True)
            ]
        writer.writerow(line)
    return out.getvalue().encode()
