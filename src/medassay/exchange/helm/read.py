"""HELM's run folders: what a model was asked and answered, with a score a metric."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Glimpse
from medassay.exchange.spreadsheet.headers import read_header
from medassay.exchange.spreadsheet.profile import is_blank
from medassay.exchange.tool_rows.files import json_of, records_of
from medassay.exchange.tool_rows.rows import (
    LEFT,
    ToolRows,
    Use,
    cells_of,
    left,
    named_id,
    number_said,
    readable,
    used,
)
from medassay.text import first_of

STATE: Final = "scenario_state.json"
_STATS: Final = "per_instance_stats.json"
_SHOWN: Final = "display_predictions.json"
_ASKED: Final = "instances.json"
_FILES: Final = frozenset({STATE, _STATS, _SHOWN, _ASKED})
_HOLDS: Final = {STATE: {"adapter_spec", "request_states"}, _STATS: {"instance_id", "stats"}}
"""What tells the two files of a run, whatever they are called."""
_TAKEN: Final = frozenset({"instance.input.text", "instance.split", "result.completions[].text",
                           "result.request_time"})  # fmt: skip
_ASKED_IN: Final = ("instance.references", "instance.input.messages", "output_mapping")
_BOOKS: Final = ("num_", "finish_reason", "inference_", "batch_size", "logprob", "prompt_truncated",
                 "training_", "max_prob", "perplexity", "bits_per_byte", "ece_", "platt_",
                 "selective_", "predicted_index")  # fmt: skip
"""What HELM counts of a request beside its metrics."""
_PARTS: Final = frozenset({
    "instance_id", "train_trial_index", "perturbation", "stats", "name", "split", "sub_split",
    "count", "sum", "sum_squared", "min", "max", "mean", "variance", "stddev", "output", "tags",
    "text",
})  # fmt: skip
"""Parts of one number, one name and one reference: each is one cell."""
_RUN: Final = left("how the run went")
_USES: Final[Mapping[str, Use]] = {
    "id": Use("case"), "input.text": Use("question"), "input.messages": Use("turns"),
    "reference": Use("reference"), "gold": Use("gold"),
    "completion": Use("answer"), "choice": Use("choice"),
    "request_time": Use("seconds"), "split": Use("tag", "split"), "trial": Use("sample"),
}  # fmt: skip
_MODELS: Final = ("llm_", "jury_")
_ANNOTATION: Final[Mapping[str, Use]] = {
    "dataset_name": Use("tag", "dataset_name"),
    **dict.fromkeys(("user_label", "entry_id", "specialty", "team"),
                    left("a fact of the annotation")),
}  # fmt: skip
"""What MedHELM's table of clinicians' ratings has beside them."""
_PEOPLE: Final = ("clinician", "physician", "doctor", "nurse", "expert", "human")


def runs_in(paths: Sequence[Path]) -> list[Path]:
    """List the folders of runs that are named, or lie in those named, or beside a file named."""
    runs: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found = sorted({f.parent for name in (STATE, _SHOWN) for f in path.glob(f"**/{name}")})
            runs |= dict.fromkeys(found)
        elif path.name in _FILES:
            runs[path.parent] = None
    return list(runs)


def is_ratings(names: frozenset[str]) -> bool:
    """Say whether a table's columns are those of ratings of instances by people."""
    people = any(name.startswith(_PEOPLE) for name in names) or "username" in names
    return "instance_id" in names and people


def read_helm(files: Sequence[Path], system: str) -> ToolRows:
    """Read run folders, and tables of ratings of their instances.

    Raises:
        InvalidInput: There is no run, or a file is none of HELM's.
    """
    rows = ToolRows("HELM")
    renamed = {file: _renamed(file) for file in files}
    runs = {run: (run / STATE, run / _STATS) for run in runs_in(files)} | _runs_of(renamed)
    inside = [own for file in files if file.is_dir() for own in sorted(file.glob("*.csv"))]
    tables = [
        file for file in files
        if file.is_file() and file.name not in _FILES and not renamed[file]
    ]  # fmt: skip
    tables += [table for table in inside if is_ratings(Glimpse(table).names)]
    scenarios, read = {_scenario(run) for run in runs}, [*tables]
    for run, (state, stats) in runs.items():
        prefix = f"{_scenario(run)} " if len(scenarios) > 1 else ""
        read += _Run(rows, run, prefix, system).read(state, stats)
    for table in tables:
        _ratings(rows, table, system, scenarios)
    rows.not_read(runs, read)
    scored = {own.parent for file in files if file.is_dir() for own in file.glob(f"**/{_STATS}")}
    if without := sorted(run.name for run in scored - runs.keys()):
        lacks = f"lack {STATE}, which holds questions and answers"
        rows.notes.append(f"runs that {lacks}: not read: {first_of(without, 6)}.")
    return rows


def _renamed(file: Path) -> str:
    """Give HELM's name of a file that is called otherwise, by what it holds; empty for others."""
    if not file.is_file() or file.name in _FILES:
        return ""
    held = Glimpse(file).first.keys()
    return next((name for name, parts in _HOLDS.items() if parts <= held), "")


def _runs_of(renamed: Mapping[Path, str]) -> dict[Path, tuple[Path, Path]]:
    """Give the run of each file of answers that is called otherwise, and of the scores beside it.

    Raises:
        InvalidInput: Nothing says of which answers scores are.
    """
    states, stats = (
        [file for file, name in renamed.items() if name == known] for known in (STATE, _STATS)
    )
    if stats and len(stats) + len(states) != 2:  # noqa: PLR2004 - one of each
        must = "come with the one file of its answers"
        got = f"{len(states)} files of answers and {len(stats)} of scores"
        hint = f"Name them {STATE} and {_STATS} in the folder of their run."
        raise InvalidInput(Problem(stats[0].name, must, got, hint))
    runs = {state.with_suffix(""): state for state in states}
    return {run: (state, (stats or [run / _STATS])[0]) for run, state in runs.items()}


def _scenario(run: Path) -> str:
    return run.resolve().name.split(":")[0].split(",")[0]


class _Run:
    """One run while it is read."""

    def __init__(self, rows: ToolRows, run: Path, prefix: str, system: str) -> None:
        self.rows, self.run, self.prefix, self.system = rows, run, prefix, system
        self.trials: dict[str, int] = {}
        self.keys: dict[tuple[str, int], tuple[str, str, int]] = {}

    def read(self, state: Path, stats: Path) -> list[Path]:
        """Read what was asked and answered, then the scores; give the files that were read."""
        if state.is_file():
            held = json_of(state)
            if not isinstance(held, dict) or not isinstance(held.get("request_states"), list):
                raise InvalidInput(Problem(str(state), "hold request_states", "none"))
            spec = held.get("adapter_spec") or {}
            self.system = self.system or str(
                spec.get("model") or spec.get("model_deployment") or self._named()
            )
            self.rows.beside(state.name, held, "adapter_spec", "request_states")
            for path, _ in cells_of(spec, "adapter_spec."):
                self.rows.count(
                    state.name, path, used("system") if path == "adapter_spec.model" else _RUN
                )
            for row, request in enumerate(held["request_states"], 1):
                with readable(state.name, row, "HELM"):
                    self._request(state.name, row, request)
        else:
            self._shown()
        if stats.is_file():
            for row, held in records_of(stats, self.rows.beside):
                with readable(stats.name, row, "HELM"):
                    self._stats(stats.name, held)
        return [stats, *([state] if state.is_file() else [self.run / _SHOWN, self.run / _ASKED])]

    def _named(self) -> str:
        _, found, model = self.run.resolve().name.partition("model=")
        return model.split(",")[0].replace("_", "/", 1) if found else self.run.resolve().name

    def _request(self, file: str, row: int, request: Mapping[str, Any]) -> None:
        instance, result = request["instance"], request.get("result") or {}
        name = self.prefix + str(instance.get("id", row))
        cells = list(cells_of(dict(request)))
        if instance.get("perturbation") or request.get("reference_index") is not None:
            why = (
                "a perturbed copy" if instance.get("perturbation") else "asked for one option alone"
            )
            self.rows.leave(file, cells, why)
            return
        own = self._asked(instance, request.get("output_mapping") or {})
        completions = result.get("completions") or []
        trial = int(request.get("train_trial_index") or 0)
        letters = dict(request.get("output_mapping") or {})
        failed = result.get("success") is False or not completions
        for place, completion in enumerate(completions or [{}]):
            text = str(completion.get("text", ""))
            told = [*own] if not place else []
            if not failed:
                told.append(("completion", text))
                if letters and text.strip()[:1] in letters:
                    told.append(("choice", text.strip()[:1]))
                if result.get("request_time") is not None and not place:
                    told.append(("request_time", result["request_time"]))
            sample = trial * max(len(completions), 1) + place
            key = self.rows.add(
                file,
                row,
                told,
                _use,
                case=name,
                system="" if failed else self.system,
                sample=sample,
            )
            if key is not None and not place:
                self.keys[str(instance.get("id", row)), trial] = key
        key = self.keys.get((str(instance.get("id", row)), trial))
        self._beside_references(file, instance)
        for path, value in cells:
            if path in _TAKEN or path.startswith(_ASKED_IN):
                continue
            use = _jury(path) if key is not None else None
            if use is not None and number_said(value) is not None:
                self.rows.score(key, use.of, value)  # type: ignore[arg-type] # as was just seen
            self.rows.count(file, path, use or (used("case") if path == "instance.id" else _RUN))

    def _asked(
        self, instance: Mapping[str, Any], letters: Mapping[str, str]
    ) -> list[tuple[str, Any]]:
        right = [
            ref["output"]["text"]
            for ref in instance.get("references") or []
            if "correct" in (ref.get("tags") or [])
        ]
        messages = instance["input"].get("messages")
        cells = [("input.messages", messages)] if messages \
            else [("input.text", instance["input"]["text"])]  # fmt: skip
        cells += [
            (f"option.{letter}", text) for letter, text in letters.items() if len(letters) > 1
        ]
        gold = next((letter for letter, text in letters.items() if text in right), None)
        cells += [("gold", gold)] if gold and len(letters) > 1 else []
        cells += [("reference", text) for text in right if str(text).strip()]
        cells += [("split", instance["split"])] if instance.get("split") else []
        return cells

    def _beside(self, file: str, start: str, held: Mapping[str, Any]) -> None:
        """Count what stands beside the parts of a number, a name, a reference that are known."""
        if rest := held.keys() - _PARTS:
            for path, _ in cells_of({name: held[name] for name in rest}, start):
                self.rows.count(file, path, LEFT)

    def _beside_references(self, file: str, instance: Mapping[str, Any]) -> None:
        for reference in instance.get("references") or []:
            self._beside(file, "instance.references[].", reference)
            self._beside(file, "instance.references[].output.", reference.get("output") or {})

    def _stats(self, file: str, held: Mapping[str, Any]) -> None:
        self._beside(file, "", held)
        trial = int(held.get("train_trial_index") or 0)
        key = self.keys.get((str(held["instance_id"]), trial))
        perturbed = held.get("perturbation")
        for stat in held.get("stats") or []:
            name = stat["name"]["name"] if isinstance(stat["name"], dict) else stat["name"]
            path = f"stats[].{name}"
            self._beside(file, "stats[].", stat)
            if isinstance(stat["name"], dict):
                self._beside(file, "stats[].name.", stat["name"])
            if (
                key is None
                or perturbed
                or (isinstance(stat["name"], dict) and stat["name"].get("perturbation"))
            ):
                use = left("of a perturbed copy or of no answer")
            elif name.startswith(_BOOKS):
                use = left("a count of the request")
            else:
                use = _score(named_id(name))
                mean = stat.get("mean", stat["sum"] / stat["count"] if stat.get("count") else None)
                self.rows.score(key, use.of, mean)
            self.rows.count(file, path, use)

    def _shown(self) -> None:
        """Read what the site shows of a run, where its state is not there."""
        file = self.run / _ASKED
        records = records_of(file, self.rows.beside) if file.is_file() else ()
        asked = {str(held["id"]): held for _, held in records}
        self.system = self.system or self._named()
        for row, held in records_of(self.run / _SHOWN, self.rows.beside):
            with readable(_SHOWN, row, "HELM"):
                name, trial = str(held["instance_id"]), int(held.get("train_trial_index") or 0)
                if held.get("perturbation") or held.get("reference_index") is not None:
                    self.rows.leave(_SHOWN, list(cells_of(held)), "a perturbed copy or one option")
                    continue
                own = self._asked(asked[name], {}) if name in asked else []
                own.append(("completion", held.get("predicted_text", "")))
                key = self.rows.add(
                    _SHOWN, row, own, _use, case=self.prefix + name, system=self.system,
                    sample=trial,
                )  # fmt: skip
                if key is not None:
                    self.keys[name, trial] = key
                    for metric, value in (held.get("stats") or {}).items():
                        use = (
                            left("a count of the request")
                            if metric.startswith(_BOOKS)
                            else _score(named_id(metric))
                        )
                        self.rows.count(_SHOWN, f"stats.{metric}", use)
                        if use.role == "score":
                            self.rows.score(key, use.of, value)


def _use(path: str) -> Use:
    return _option(path[-1]) if path.startswith("option.") else _USES[path]


@cache
def _option(letter: str) -> Use:
    return Use("option", letter)


@cache
def _score(name: str) -> Use:
    return Use("score", name)


@cache
def _jury(path: str) -> Use | None:
    """Say which judge's score of what a cell of an annotation is: models judge there."""
    parts = path.split(".")
    if parts[0] != "annotations" or parts[-1] not in {"score", "rating"}:
        return None
    return _score(named_id("_".join(reversed(parts[2:-1])) or parts[1]))


def _ratings(rows: ToolRows, table: Path, system: str, scenarios: AbstractSet[str]) -> None:
    """Read a table of what people rated of instances: a row an instance, or one a rater."""
    systems = {key[0] for key in rows.answers}
    alone = system or (next(iter(systems)) if len(systems) == 1 else "")
    known = {_plain(name): name for name in systems}  # a table has _ for the / of a run
    for row, held in records_of(table, rows.beside):
        cells = {name: value for name, value in held.items() if not is_blank(str(value).strip())
                 and value is not None}  # fmt: skip
        uses = {name: _column(name) for name in cells}
        for name, use in uses.items():
            if use.role == "system":
                cells[name] = known.get(_plain(cells[name]), cells[name])
        data = str(cells.get("dataset_name", ""))
        case = str(cells["instance_id"]) if "instance_id" in cells else ""
        if data and scenarios != {data}:  # ids of several data sets may be the same
            cells["instance_id"] = f"{data} {case}"
        told = [
            (n, v) for n, v in cells.items() if uses[n].role not in {"rating", "rater", "comment"}
        ]
        key = rows.add(table.name, row, told, _column, system=alone)
        if key is None:
            rows.problem(
                table.name,
                "say whose answer was rated",
                "none",
                "Add a column model, or --system NAME.",
                row,
            )
            continue
        named = {name: value for name, value in cells.items() if uses[name].role == "rater"}
        comment = " ".join(str(v) for n, v in cells.items() if uses[n].role == "comment")
        for name, value in cells.items():
            use = uses[name]
            if use.role not in {"rating", "rater", "comment"}:
                continue
            rows.count(table.name, name, use)
            if use.role == "rating":
                header = read_header(name)
                who = next(iter(header.people), "") or named_id(next(iter(named.values()), ""))
                column = next(iter(named), "") or who
                # No model has a specialty.
                person = column.casefold().startswith(_PEOPLE) or cells.get("specialty")
                kind = "person" if person else ""
                rows.rate((table.name, row, name), who, kind, key, use.of, value, comment)  # type: ignore[arg-type] # as above


def _plain(name: object) -> str:
    return str(name).replace("/", "_").casefold()


@cache
def _column(name: str) -> Use:
    header = read_header(name)
    if name in _ANNOTATION or name.startswith(_MODELS):
        return _ANNOTATION.get(name) or Use("score", name)
    known = {"instance_id": "case", "model": "system", "model_key": "system",
             "username": "rater", "question": "question", "input": "question",
             "prompt": "question", "response": "answer", "output": "answer", "answer": "answer",
             "completion": "answer", "reference": "reference"}  # fmt: skip
    if name in known:
        return Use(known[name])  # type: ignore[arg-type] # as listed
    if header.dimension and not header.metric:
        return Use("rating", header.dimension)
    if "rater" in header.roles or name.startswith(_PEOPLE):
        return Use("rater")
    if header.comment or "comment" in header.roles:
        return Use("comment")
    return LEFT
