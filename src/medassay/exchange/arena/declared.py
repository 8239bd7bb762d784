"""Battles of arenas, and MT-Bench's questions, answers and judgements."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from medassay.exchange.declaration import Format, Glimpse, Reads
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
_JUDGE: Final = (
    "judge",
    "judge_id",
    "judge_hash",
    "evaluation_session_id",
    "user_id",
    "annotator",
    "rater",
)
_REFERENCES: Final = "reference_answer"
_HARD: Final = {"uid", "category", "prompt"}
"""What a question of Arena-Hard has."""
_BASELINE: Final = "gpt-4-0314"
"""Whom Arena-Hard 0.1 compares with where its files do not say so."""
_GAME: Final = {"model": "model_1", "baseline": "model_2", "judge": "judge",
                "question_id": "question_id"}  # fmt: skip
_VERDICTS: Final = {"A>B": "a", "A>>B": "a", "B<A": "a", "B<<A": "a", "B>A": "b", "B>>A": "b",
                    "A<B": "b", "A<<B": "b", "A=B": "tie", "B=A": "tie"}  # fmt: skip
_LOOKED_AT: Final = 50
_CHANGED: Final = "The judge changed with the order."
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
    "subcategory": Use("tag", "subcategory"), "cluster": Use("tag", "cluster"),
    **dict.fromkeys(("tstamp", "anony", "answer_id", "ans_id", "timestamp", "choices[].index",
                     "winner_ab", "winner_ba"), _TIMES),
    **dict.fromkeys(("judgment", "judgment_ab", "judgment_ba", "judgment_turn1",
                     "judgment_turn2", "user_prompt", "g1_judgment", "g2_judgment",
                     "g1_user_prompt", "g2_user_prompt", "reasoning"), _WORDS),
}  # fmt: skip
_PREFERRED: Final = Use("rating", "preference")


def _take(
    into: Path, files: Sequence[Path], *, rater: Rater = None, synthetic: Synthetic = False,
) -> Outcome:  # fmt: skip
    rows = ToolRows("MT-Bench")
    rows.not_read(files, _inside(files))
    whole = [
        (file, row, {n: _plain(n, v) for n, v in record.items()})
        for file in _inside(files)
        for row, record in records_of(file, rows.beside)
    ]
    _by_files_names(whole)
    # Questions come first, then answers: judgements name both.
    for wanted in (_is_question, _is_answer, _is_judged):
        for file, row, record in whole:
            if wanted(record):
                with readable(file.name, row, "an arena or MT-Bench"):
                    if wanted is _is_answer and file.parent.name == _REFERENCES:
                        _references(rows, file.name, row, record)
                    else:
                        _record(rows, file.name, row, record)
    for file, _, record in whole:
        if not (_is_question(record) or _is_answer(record) or _is_judged(record)):
            rows.leave(file.name, list(cells_of(record)), "neither asked, answered nor judged")
    return make_study(into, files, rows, ImportOptions(rater or (), synthetic=synthetic))


def _by_files_names(whole: Sequence[tuple[Path, int, dict[str, Any]]]) -> None:
    """Call a model as judgements do where they go by the name of the file of its answers."""
    names = ("model", "model_1", "model_2", "model_a", "model_b")
    judged = {str(own[n]) for _, _, own in whole if _is_judged(own) for n in names if n in own}
    for file, _, record in whole:
        if _is_answer(record) and file.stem in judged and _model(record) not in judged:
            record["model_id"] = file.stem


def _inside(files: Sequence[Path]) -> list[Path]:
    return [own for f in files for own in (sorted(f.rglob("*.jsonl")) if f.is_dir() else [f])]


def _plain(name: str, value: object) -> object:
    """Give a list that a table holds as text as a list."""
    lists = {"prompt", "response_a", "response_b", "conversation_a", "conversation_b", "judge"}
    if name in lists and isinstance(value, str) and value[:1] == "[":
        return listed_text(value) or value
    return value


def _is_question(record: Cells) -> bool:
    return {"question_id", "turns"} <= record.keys() or record.keys() >= _HARD


def _is_answer(record: Cells) -> bool:
    return "choices" in record or {"uid", "model", "messages"} <= record.keys()


def _is_judged(record: Cells) -> bool:
    pair = {"model_a", "model_b"} <= record.keys() or {"model_1", "model_2"} <= record.keys()
    return pair or bool(_scores(record)) or {"model", "judge", "games"} <= record.keys()


def _scores(record: Cells) -> list[tuple[str, int]]:
    """Name the cells with a judge's score of an answer, each with the turn that it is of."""
    turn = int(record.get("turn") or 1)
    turns = [(f"score_turn{at}", at) for at in (1, 2) if f"score_turn{at}" in record]
    return [("score", turn)] if "score" in record and not _is_question(record) else turns


def _record(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    if _is_question(record):
        _question(rows, file, row, record)
    elif _is_answer(record):
        _answers(rows, file, row, record)
    elif _scores(record):
        for name, turn in _scores(record):
            _scored(rows, file, row, record, name, turn)
    elif "games" in record:
        _games(rows, file, row, record)
    else:
        for name in ("conversation_a", "conversation_b"):
            rows.beside_words(file, name, record.get(name))
        _battle(rows, file, row, record)


def _case(record: Cells, row: int, turn: int) -> str:
    name = named_id(record.get("question_id", record.get("uid", record.get("id", row))))
    return name if turn <= 1 else f"{name}-turn-{turn}"


def _question(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    """Take a question: where it has a second turn, that is a case of its own behind the first."""
    asked = record["turns"] if "turns" in record else [record["prompt"]]
    turns = list(map(_content, asked))
    ours = {"turns", "turns[].content", "question_id", "uid", "reference"}
    ours |= set() if "turns" in record else {"prompt"}
    rest = [(p, v) for p, v in cells_of(record) if p not in ours]
    for place in range(1, len(turns) + 1):
        asked = [{"role": "user", "content": turn} for turn in turns[:place]]
        cells = [("turns", asked), *rest] if place == 1 else [("turns", asked)]
        references = record.get("reference") or []
        cells += [("reference", references[place - 1])] if len(references) >= place else []
        rows.add(file, row, cells, _use, case=_case(record, row, place))


def _answers(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    """Take what a model answered to each turn."""
    names = {"choices", "messages", "metadata"}
    rest = [(p, v) for p, v in cells_of({n: v for n, v in record.items() if n not in names})
            if p not in {"question_id", "uid", "model_id", "model"}]  # fmt: skip
    rows.leave(file, list(cells_of({"metadata": record.get("metadata")})), "counts of the text")
    choices = record["choices"] if "choices" in record else [{"turns": [
        _content(m.get("content")) for m in record["messages"] if m.get("role") == "assistant"
    ]}]  # fmt: skip
    for sample, choice in enumerate(choices):
        for path, _ in cells_of({n: v for n, v in choice.items() if n != "turns"}, "choices[]."):
            rows.count(file, path, _use(path))
        for place, text in enumerate(choice["turns"], 1):
            cells = [("answer", text), *(rest if not sample and place == 1 else [])]
            case = _case(record, row, place)
            rows.add(
                file, row, [c for c in cells if c[1] != ""], _use, case=case,
                system=_model(record), sample=sample,
            )  # fmt: skip


def _model(record: Cells) -> str:
    return str(record.get("model_id", record.get("model", "")))


def _references(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    """Take what judges compare with: answers in the folder of references are no system's."""
    for place, text in enumerate(record["choices"][0]["turns"], 1):
        rows.add(file, row, [("reference", text)] if text else [], _use,
                 case=_case(record, row, place))  # fmt: skip
    kept = {"choices", "question_id"}
    rows.leave(file, list(cells_of({n: v for n, v in record.items() if n not in kept})), _TIMES.of)


def _games(rows: ToolRows, file: str, row: int, record: Cells) -> None:
    """Take Arena-Hard's two games: in the first the baseline is A, in the second the model is."""
    base = named_id(record.get("baseline") or _BASELINE)
    pair = (base, named_id(record["model"]))
    won = []
    for at, game in enumerate(record["games"][:2]):
        side = _VERDICTS.get(str((game or {}).get("score") or "").strip(), "")
        won.append(side if not at or side in {"", "tie"} else {"a": "b", "b": "a"}[side])
    case = _case(record, row, 1)
    if case not in rows.asked:
        told = [("category", record["category"])] if record.get("category") else []
        rows.add(file, row, told, _use, case=case)
    judged = len(won) == 2 and all(won)  # noqa: PLR2004 - two games
    use = _PREFERRED if judged else _once(left("a judge that failed"))
    for path, _ in cells_of({n: v for n, v in record.items() if n not in {"uid", "category"}}):
        score = path == "games[].score"
        known = _GAME.get(path)
        rows.count(file, path, use if score else _use(known) if known else _WORDS)
    if judged:
        choice = won[0] if won[0] == won[1] else "tie"
        why = "" if won[0] == won[1] else _CHANGED
        rows.prefer(
            (file, row, "games"), named_id(record["judge"]), "model", case, pair, choice, why
        )


def _scored(rows: ToolRows, file: str, row: int, record: Cells, path: str, turn: int) -> None:
    """Take a judge's score of one answer: a score, since a program computed it."""
    who, _ = _judge(record)
    judge = record.get("judge")
    name = named_id(" ".join(map(str, judge)) if isinstance(judge, list) else who or "score")
    ours = {"judge", "judge_id", "question_id", "model", "model_id", "turn", "avg_score",
            *(own for own, _ in _scores(record))}  # fmt: skip
    first = path == _scores(record)[0][0]
    cells = [(p, v) for p, v in cells_of(record) if p not in ours] if first else []
    if first and "avg_score" in record:
        rows.leave(file, {"avg_score": record["avg_score"]}, "a mean of scores that are taken")
    key = rows.add(file, row, cells, _use, case=_case(record, row, turn), system=_model(record))
    number = number_said(record[path])
    use = (
        Use("score", name)
        if key is not None and number not in {None, -1.0}
        else left("a judge that failed")
    )
    rows.count(file, path, _once(use))
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
    who, kind = _judge(record)
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
    choice, why = _winner(record, pair)
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
    if isinstance(held, dict):
        named = next((n for n in ("answer", "text", "content") if n in held), "")
        return _content(held.get(named))
    if isinstance(held, list):
        return "\n".join(str(p.get("text", "")) if isinstance(p, dict) else str(p) for p in held)
    return "" if held is None else str(held)


def _winner(record: Cells, pair: tuple[str, ...]) -> tuple[str, str]:
    """Say which side won, and what is said beside it; of two games the one that both name."""
    named = named_id(record.get("winner", ""))
    if named in pair:  # the winner's own name
        return ("a" if named == pair[0] else "b"), ""
    if "g1_winner" in record:
        games = [
            _CHOICES.get(str(record.get(n)).strip(), "")
            for n in ("g1_winner", "g2_winner")
            if n in record
        ]
        if not all(games):
            return "", "a judge that failed"
        return (games[0], "") if len(set(games)) == 1 else ("tie", _CHANGED)
    for side in ("model_a", "model_b", "tie"):
        if number_said(record.get(f"winner_{side}", "")) == 1:
            return _CHOICES[side], ""
    word = str(record.get("winner", "")).strip().casefold()
    if word in {"inconsistent", "error"}:  # of two games with the answers' places changed
        return ("tie", _CHANGED) if word == "inconsistent" else ("", "a judge that failed")
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
        inside = sorted(seen.path.rglob("*.jsonl"))[:_LOOKED_AT]
        return any(_are_ours(frozenset(first_record(Glimpse(own)))) for own in inside)
    return _are_ours(seen.names or frozenset(first_record(seen)))


def _are_ours(names: frozenset[str]) -> bool:
    pair = {"model_a", "model_b"} <= names or {"model_1", "model_2"} <= names
    battle = pair and not names.isdisjoint(_WINNERS)
    judged = {"question_id", "model", "judge", "score"} <= names \
        or {"question_id", "model_id", "judge_id", "score_turn1"} <= names  # fmt: skip
    asked = {"question_id", "turns"} <= names or {"question_id", "choices"} <= names
    hard = names >= _HARD or {"uid", "model", "messages"} <= names or {"judge", "games"} <= names
    return battle or judged or asked or hard


ARENA: Final = Format(
    id="arena",
    title="Arena and MT-Bench",
    reads=Reads(
        about="Arena, Arena-Hard and MT-Bench: which of two systems was preferred, with answers.",
        files="Battles (.json, .jsonl, .csv, .parquet); MT-Bench's files or their folder.",
        is_one=_is_one,
        take=_take,
    ),
)
