"""Records inside records are rows, and a header is typed as it is, whatever signs are in it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.exchange.spreadsheet.test_by_cells import TEXTS

from medassay.exchange.spreadsheet.read import read_tables
from medassay.exchange.spreadsheet.wishes import Wish, read_wishes


def columns_of(file: Path, cells: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    rows = [{"prompt": f"Is {at} bad?", "completions": cells} for at in range(4)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (table,), _, _ = read_tables([file])
    return dict(table.sheet.columns)


def test_texts_with_who_wrote_them_or_with_ratings_are_answers_a_row_each(tmp_path: Path) -> None:
    told = [{"model": name, "text": text} for name, text in TEXTS.items()]
    read = columns_of(tmp_path / "a.jsonl", told)
    assert read["model"] == [*TEXTS] * 4
    assert read["text"] == [*TEXTS.values()] * 4
    assert len(read["prompt"]) == 8
    rated = [{"text": text, "ratings": {"ann": 4, "bob": 2}} for text in TEXTS.values()]
    read = columns_of(tmp_path / "b.jsonl", rated)
    assert (read["ann"], read["bob"]) == ([4] * 8, [2] * 8)


def test_passages_with_what_is_known_of_them_stay_a_list(tmp_path: Path) -> None:
    passages = [
        {"text": text, "score": 0.4, "metadata": {"source": "x"}} for text in TEXTS.values()
    ]
    read = columns_of(tmp_path / "a.jsonl", passages)
    assert [*read] == ["prompt", "completions"]
    assert len(read["prompt"]) == 4


def test_a_header_with_an_equals_sign_is_typed_as_it_is() -> None:
    name = "Better? (A = GPT-4, B = Gemini)"
    assert read_wishes([f"winner={name}"], [name]) == {name: Wish("winner")}
    assert read_wishes([f"rating.{name}={name}"], [name]) == {name: Wish("rating", name)}
    assert read_wishes([f"{name}=winner"], [name]) == {name: Wish("winner")}
