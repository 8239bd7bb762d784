"""Battles of arenas, and MT-Bench's questions, answers and judgements."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from medassay.exchange.declaration import Format, Reads
from medassay.exchange.glimpse import Glimpse
from medassay.exchange.outcome import Outcome
from medassay.exchange.spreadsheet.profile import listed_text
from medassay.exchange.spreadsheet.words import Metric
from medassay.exchange.tool_rows.files import first_record, records_of
from medassay.exchange.tool_rows.making import ImportOptions, Rater, Synthetic, make_study
from medassay.exchange.tool_rows.rows import (
    LEFT,
    Cells,
    Kind,
    ToolRows,
    Use,
    cells_of,
    left,
    named_id,
    number_said,
    readable,
)

__all__ = ["ARENA"]

_PEOPLE: Final = ("expert_", "author_", "arena_user_")
"""How the public files call people: MT-Bench's experts and authors, an arena's users."""
_CHOICES: Final = {"model_a": "a", "model_b": "b", "model_1": "a", "model_2": "b", "tie": "tie",
                   "tie (bothbad)": "tie", "both_bad": "tie", "bothbad": "tie", "a": "a", "b": "b",
                   "tie (both bad)": "tie"}  # fmt: skip
_WINNERS: Final = (
    "winner",
    "g1_winner",
    "g2_winner",
    "winner_model_a",
    "winner_model_b",
    "winner_tie",
)
_JUDGE: Final = ("judge", "judge_hash", "evaluation_session_id", "user_id", "annotator", "rater")
_TIMES: Final = left("when it was, or how it was shown")
_WORDS: Final = left("the judge's prompt or words")
_USES: Final[Mapping[str, Use]] = {
    "question_id": Use("case"), "id": Use("case"), "turns": Use("turns"), "prompt": Use("question"),
    "category": Use("tag", "category"), "language": Use("tag", "language"),
    "reference": Use("reference"), "model_id": Use("system"), "model": Use("system"),
    "choice": Use("said"), "answer": Use("answer"),
    "model_a": Use("system"), "model_b": Use("system"),
    "model_1": Use("system"), "model_2": Use("system"),
    **dict.fromkeys(_JUDGE, Use("rater")),
    **dict.fromkeys(("tstamp", "anony", "answer_id", "timestamp", "choices[].index"), _TIMES),
    **dict.fromkeys(("judgment", "user_prompt", "g1_judgment", "g2_judgment", "g1_user_prompt",
                     "g2_user_prompt", "reasoning"), _WORDS),
}  # fmt: skip
_PREFERRED: Final = Use("rating", "preference")


def _take(
    into: Path, files: Sequence[Path], *, rater: Rater = None, synthetic: Synthetic = False,
) -> Outcome:  # fmt: skip
    rows = ToolRows()
    whole = [
        (file, row, {n: _plain(n, v) for n, v in record.items()})
        for file in _inside(files)
        for row, record in records_of(file)
    ]
    # Questions come first, then answers: judgements name both.
    for wanted in (_is_question, _is_answer, _is_judged):
        for file, row, record in whole:
            if wanted(record):
                with readable(file.name, row, "an arena or MT-Bench"):
                    _record(rows, file.name, row, record)
    return make_study(into, files, rows, ImportOptions(rater or (), synthetic=synthetic))


def _inside(files: Sequence[Path]) -> list[Path]:
    return [own for f in files for own in (sorted(f.rglob("*.jsonl")) if f.is_dir() else [f])]


def _plain(name: str, value: object) -> object:
    """Give a list that a table holds as text as a list."""
    lists = {"prompt", "response_a", "response_b", "conversation_a", "conversation_b", "judge"}
    if name in lists and isinstance(value, str) and value[:1] == "[":
        return listed_text(value) or value
    return value


def _is_question(record: Cells) -> bool:
    return {"question_id", "turns"} <= record.keys()


def _is_answer(record: Cells) -> bool:
    return {"model_id", "choices"} <= record.keys()


def _is_judged(record: Cells) -> bool:
    return not (_is_question(record) or _is_answer(record))


def _record(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    if _is_question(record):
        _question(rows, file, row, record)
    elif _is_answer(record):
        _answers(rows, file, row, record)
    elif "score" in record:
        _scored(rows, file, row, record)
    else:
        _battle(rows, file, row, record)


def _case(record: Cells, row: int, turn: int) -> str:
    name = named_id(record.get("question_id", record.get("id", row)))
    return name if turn <= 1 else f"{name}-turn-{turn}"


def _question(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    """Take a question: where it has a second turn, that is a case of its own behind the first."""
    turns = [str(turn) for turn in record["turns"]]
    rest = [(p, v) for p, v in cells_of(record) if p not in {"turns", "question_id", "reference"}]
    for place in range(1, len(turns) + 1):
        asked = [{"role": "user", "content": turn} for turn in turns[:place]]
        cells = [("turns", asked), *rest] if place == 1 else [("turns", asked)]
        references = record.get("reference") or []
        cells += [("reference", references[place - 1])] if len(references) >= place else []
        rows.add(file, row, cells, _use, case=_case(record, row, place))


def _answers(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    """Take what a model answered to each turn."""
    rest = [(p, v) for p, v in cells_of({n: v for n, v in record.items() if n != "choices"})
            if p not in {"question_id", "model_id"}]  # fmt: skip
    for sample, choice in enumerate(record["choices"]):
        for place, text in enumerate(choice["turns"], 1):
            cells = [("answer", text), *(rest if not sample and place == 1 else [])]
            case = _case(record, row, place)
            rows.add(
                file, row, [c for c in cells if c[1] != ""], _use, case=case,
                system=str(record["model_id"]), sample=sample,
            )  # fmt: skip


def _scored(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    """Take a judge's score of one answer: a score, since a program computed it."""
    who, _ = _judge(record)
    judge = record.get("judge")
    name = named_id(" ".join(map(str, judge)) if isinstance(judge, list) else who or "score")
    turn = int(record.get("turn") or 1)
    cells = [
        (p, v)
        for p, v in cells_of(record)
        if p not in {"score", "judge", "question_id", "model", "turn"}
    ]
    model = str(record.get("model", record.get("model_id", "")))
    key = rows.add(file, row, cells, _use, case=_case(record, row, turn), system=model)
    number = number_said(record["score"])
    use = (
        Use("score", name)
        if key is not None and number not in {None, -1.0}
        else left("a judge that failed")
    )
    rows.count(file, "score", _once(use))
    if key is not None and use.role == "score":
        rows.score(key, name, number, Metric(name, 1.0, 10.0, "higher"))


def _battle(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    """Take a choice between two systems, and what both said where the file has it."""
    pair = tuple(
        named_id(record.get(f"model_{a}", record.get(f"model_{b}", ""))) for a, b in ("a1", "b2")
    )
    turn = int(record.get("turn") or 1)
    case = _case(record, row, turn)
    names = {"conversation_a", "conversation_b", "response_a", "response_b", "prompt", "turn",
             "model_a", "model_b", "model_1", "model_2", "question_id", "id", *_WINNERS,
             *_JUDGE}  # fmt: skip
    rest = [(p, v) for p, v in cells_of({n: v for n, v in record.items() if n not in names})]
    asked = False
    for system, side in zip(pair, "ab", strict=True):
        said = _said(record, side, turn)
        users = [t for t in said if t.get("role") == "user"]
        cells: list[tuple[str, Any]] = []
        if users:
            cells += [("turns", users)] if not asked else []
            own = [t for t in said if t.get("role") == "assistant"]
            cells += (
                [("choice", said)]
                if len(users) > 1
                else [("answer", own[-1]["content"])]
                if own
                else []
            )
        cells += rest if not asked else []
        asked = True
        if cells or case not in rows.asked:
            rows.add(file, row, [c for c in cells if c[1] not in ("", [])], _use, case=case,
                     system=system, sample=0)  # fmt: skip
    choice, why = _winner(record)
    who, kind = _judge(record)
    use = _PREFERRED
    if not choice or pair[0] == pair[1] or not all(pair):
        use = _once(left(why if pair[0] != pair[1] else "a system against itself"))
    for name in [*_WINNERS, *_JUDGE, "model_a", "model_b", "model_1", "model_2"]:
        if record.get(name) not in {None, ""} if not isinstance(record.get(name), list) else True:
            rows.count(file, name, use if name in _WINNERS else _use(name))
    if use is _PREFERRED:
        rows.prefer((file, row, "winner"), who, kind, case, pair, choice, why)  # type: ignore[arg-type] # two


def _said(record: Cells, side: str, turn: int) -> list[dict[str, str]]:
    """Give the conversation with one side, up to the turn that was judged."""
    held = record.get(f"conversation_{side}")
    if not isinstance(held, list):
        prompts, answers = record.get("prompt"), record.get(f"response_{side}")
        prompts = prompts if isinstance(prompts, list) else [prompts] if prompts else []
        answers = answers if isinstance(answers, list) else [answers] if answers else []
        held = []
        for at, prompt in enumerate(prompts):
            held.append({"role": "user", "content": prompt})
            held += [{"role": "assistant", "content": answers[at]}] if at < len(answers) else []
    whole = [{"role": str(t.get("role")), "content": _content(t.get("content"))} for t in held]
    if record.get("turn"):
        ends = [at for at, t in enumerate(whole) if t["role"] == "assistant"]
        whole = whole[: ends[turn - 1] + 1] if len(ends) >= turn else whole
    return whole


def _content(held: object) -> str:
    if isinstance(held, list):
        return "\n".join(str(p.get("text", "")) if isinstance(p, Mapping) else str(p) for p in held)
    return "" if held is None else str(held)


def _winner(record: Cells) -> tuple[str, str]:
    """Say which side won, and what is said beside it; of two games the one that both name."""
    if "g1_winner" in record:
        games = [
            _CHOICES.get(str(record.get(n)).strip(), "")
            for n in ("g1_winner", "g2_winner")
            if n in record
        ]
        if not all(games):
            return "", "a judge that failed"
        return (
            (games[0], "") if len(set(games)) == 1 else ("tie", "The judge changed with the order.")
        )
    for side in ("model_a", "model_b", "tie"):
        if number_said(record.get(f"winner_{side}", "")) == 1:
            return _CHOICES[side], ""
    word = str(record.get("winner", "")).strip().casefold()
    choice = _CHOICES.get(word, "")
    bad = "bad" in word
    return choice, "Both are bad." if bad and choice else "" if choice else "no side is named"


def _judge(record: Cells) -> tuple[str, Kind]:
    """Say who judged, and what that is where the file says so: a list names a model."""
    held = next((record[name] for name in _JUDGE if record.get(name)), "")
    if isinstance(held, list):
        return named_id(held[0]), "model"
    who = named_id(held)
    return who, "person" if who.startswith(_PEOPLE) else ""


def _use(path: str) -> Use:
    return _USES.get(path) or (_WORDS if path.startswith(("g1_", "g2_")) else LEFT)


def _once(use: Use) -> Use:
    return _USED.setdefault((use.role, use.of), use)


_USED: Final[dict[tuple[str, str], Use]] = {}


def _is_one(seen: Glimpse) -> bool:
    if seen.path.is_dir():
        return any(seen.path.glob("*model_judgment/*.jsonl")) or any(
            seen.path.glob("*judgment*.jsonl")
        )
    names = seen.names or frozenset(first_record(seen))
    pair = {"model_a", "model_b"} <= names or {"model_1", "model_2"} <= names
    battle = pair and not names.isdisjoint(_WINNERS)
    judged = {"question_id", "model", "judge", "score"} <= names
    asked = {"question_id", "turns"} <= names or {"question_id", "model_id", "choices"} <= names
    return battle or judged or asked


ARENA: Final = Format(
    id="arena",
    title="Arena and MT-Bench",
    reads=Reads(
        about="Arena and MT-Bench: which of two systems was preferred, with both answers.",
        files="Battles (.json, .jsonl, .csv, .parquet); MT-Bench's files or their folder.",
        is_one=_is_one,
        take=_take,
    ),
)
