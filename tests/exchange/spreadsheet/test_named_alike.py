"""What stands alike before an answer and before what was rated is a system, whatever it is."""

from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import TEXT, came_in

from medassay.study import Study

PAIRS = (
    ("Model A", "Model B"), ("System 1", "System 2"), ("Bot A", "Bot B"), ("Chatbot", "ChatGPT"),
    ("AI", "Doctor"), ("NHS bot", "Copilot"), ("Expert panel", "GPT-4"), ("LLM", "Expert"),
)  # fmt: skip


@pytest.mark.parametrize("shape", ["{} answer", "Answer {}", "{}"])
@pytest.mark.parametrize("pair", PAIRS)
def test_a_system_is_known_by_what_was_rated_of_it(
    shape: str, pair: tuple[str, str], tmp_path: Path
) -> None:
    rated = [
        f"{system} {what} (1-5) {who}"
        for system in pair
        for what in ("accuracy", "empathy")
        for who in ("E1", "E2")
    ]
    rows = [
        ",".join([f"q{n},q{n}?", *(f"{TEXT} {system}{n}" for system in pair), "3,4,5,4,2,3,4,5"])
        for n in range(1, 5)
    ]
    heads = ",".join(["id,question", *map(shape.format, pair), *rated])
    code, said, into = came_in(tmp_path, heads, *rows)
    assert code == 0, said
    study = Study.open_whole(into)
    assert set(study.systems) == set(pair)
    frame = study.judgements_on_file.frame
    assert set(frame["rater"]) == {"E1", "E2"}
    assert set(frame["dimension"]) == {"accuracy", "empathy"}
    assert frame.height == 4 * len(rated)
