"""The environmental-health panel's own files, taken into a study, all of them or none."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

from medassay.answers import Answers
from medassay.cases import Cases, write_cases
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Option, Reads
from medassay.exchange.environmental_health.files import PanelFiles, read_environmental_health
from medassay.exchange.environmental_health.rows import (
    LaidOut,
    experts_of,
    rated_queries,
    ratings_of,
    read_rows,
    refuse_third_party,
    reshape_rows,
)
from medassay.exchange.outcome import Outcome, told
from medassay.judgements import Judgements, Rater, Raters, load_rubric
from medassay.stats import attainable_mean
from medassay.study.folder import Study
from medassay.study.intake.answers import add_answers
from medassay.study.intake.judgements import write_table
from medassay.study.new import new_study
from medassay.tables import csv_bytes, jsonl_bytes, make_folder, write_atomically
from medassay.text import count_of

_PROTOCOL: Final = "environmental-health"
STATED_MEAN: Final = "normalized_similarity_mean"
"""The group's own mean of normalised similarities, kept as scores of that name."""
_K: Final = 3
_ROUNDED: Final = 0.005
_SCORES: Final = ("system", "case", "source", "value", "reason", "detail")
_MEANING: Final = """question = "How strong is the support by the documents, as the files state it?"
unit = "mean of normalised similarities"
direction = "none"
low = 0.0
high = 1.0
"""
_SYNTHETIC: Final = "synthetic"
_EXPERTS: Final = (
    "rater", "rater_kind", "expertise", "external", "conflicts", "blinded", "status", "reason",
)  # fmt: skip


@dataclass(frozen=True)
class PanelImport:
    """What an import of a panel's files did.

    Attributes:
        cases: Queries.
        answers: Answers of the system.
        judgements: Ratings.
        experts: Who rated.
        documents: Documents that were returned, each counted for every query.
        labels: Labels that they have.
        texts: Texts of the corpus.
        files: The study's files that were written.
        notes: What was odd about the files, and was read all the same.
        findings: What the files cannot be, by the protocol's own rules.
    """

    cases: int
    answers: int
    judgements: int
    experts: int
    documents: int
    labels: int
    texts: int
    files: list[str]
    notes: list[str]
    findings: list[str]


def import_environmental_health(
    folder: Path, paths: Sequence[Path], *, system: str = "framework", synthetic: bool = False
) -> PanelImport:
    """Make a study of the protocol out of a group's files, which may be called anything.

    Everything is read and checked before anything is written.

    Args:
        folder: The study's folder, new or empty.
        paths: Scenarios, other wordings of their queries, relevance and similarity of the documents
            returned, experts' ratings, the system's confidence, its summaries, texts of the corpus;
            whichever there are. A folder stands for its files.
        system: What the system is called.
        synthetic: The data is made up: every page, figure and table of the study says so.

    Raises:
        InvalidInput: Every problem of every file, or the folder holds something already.
    """
    files = read_environmental_health(paths)
    problems: list[Problem] = []
    rows = read_rows(files, problems)
    rated = rated_queries(files["ratings"])
    laid = reshape_rows(rows, system, rated, problems)
    asked = [case.case for case in laid.cases]
    if not asked and not problems:
        hint = "Its columns are scenario_id, pollutant, outcome, query."
        problems.append(Problem("the files", "hold a table of scenarios", "none", hint))
    judged = ratings_of(files["ratings"], system, asked, load_rubric(_PROTOCOL), problems)
    experts = experts_of(files["experts"], problems)
    sheets = [*files["ratings"], *files["relevance"]]
    refuse_third_party(sheets, experts, [sheet.file for sheet in files["experts"]], problems)
    if problems:
        raise InvalidInput(problems)
    contents = _contents(laid, files.documents, experts, system)
    new_study(folder, _PROTOCOL, empty=True, synthetic=synthetic)
    write_cases(folder / "cases.jsonl", Cases.of(laid.cases))
    for name, content in contents.items():
        make_folder((folder / name).parent)
        write_atomically(folder / name, content)
    study = Study.open_whole(folder)
    answered = add_answers(study, Answers.of(laid.answers), "the files").files
    table = Judgements.from_rows([], study.rubric)
    for judgements in judged:
        table = table.append(judgements)
    if len(table):
        write_table(study, table)
    return PanelImport(
        cases=len(laid.cases),
        answers=len(laid.answers),
        judgements=len(table),
        experts=table.frame["rater"].n_unique(),
        documents=laid.documents,
        labels=laid.labels,
        texts=len(files.documents),
        files=[
            "study.toml",
            "cases.jsonl",
            *contents,
            *answered,
            *["judgements.csv"][: len(table)],
        ],
        notes=[str(note) for note in (*files.notes, *rows.notes)],
        findings=[*_findings(laid), *([] if synthetic else _made_up(files))],
    )


def _made_up(files: PanelFiles) -> list[str]:
    """Name files that call themselves synthetic: by their name, or where their text begins."""
    begins = {sheet.file: "" for sheets in files.tables.values() for sheet in sheets}
    begins |= {
        sheet.file: str(next(iter(sheet.columns["answer"]), "")) for sheet in files["answers"]
    }
    begins |= {f"{n}.txt": text.strip().split("\n")[0] for n, text in files.documents.items()}
    named = [n for n, text in begins.items() if _SYNTHETIC in f"{n} {text}".casefold()]
    if not named:
        return []
    more = f" and {len(named) - 1} more call themselves" if named[1:] else " calls itself"
    where = "With --synthetic, or synthetic = true in study.toml,"
    return [f"{named[0]}{more} synthetic. {where} every page, figure and table says so."]


def _contents(
    laid: LaidOut, documents: Mapping[str, str], experts: Sequence[Raters], system: str
) -> dict[str, bytes]:
    """Lay out the files that only some panels have."""
    contents = {}
    if documents:
        contents["documents.jsonl"] = jsonl_bytes(
            {"id": name, "text": text} for name, text in documents.items()
        )
    if experts:
        who = sorted((rater for table in experts for rater in table), key=lambda rater: rater.rater)
        contents["raters.csv"] = csv_bytes(_EXPERTS, [_expert(rater) for rater in who])
    if laid.relevance:
        contents["relevance.csv"] = csv_bytes(
            ("rater", "case", "document", "relevance"), laid.relevance
        )
    if laid.means:
        rows = [(system, case, STATED_MEAN, mean, None, None) for case, mean in laid.means.items()]
        contents[f"scores/{STATED_MEAN}.toml"] = _MEANING.encode()
        contents[f"scores/{STATED_MEAN}.csv"] = csv_bytes(_SCORES, rows)
    return contents


def _expert(rater: Rater) -> tuple[str | None, ...]:
    said = {True: "yes", False: "no", None: None}
    status = "excluded" if rater.excluded else "qualified"
    facts = (
        rater.rater,
        rater.kind,
        rater.expertise,
        said[rater.external],
        rater.conflicts,
        said[rater.blinded],
        status,
        rater.reason,
    )
    return tuple(cell or None for cell in facts)


def _findings(laid: LaidOut) -> list[str]:
    """Say what the files cannot be by the protocol's own rules, and what they leave open."""
    rankings = {answer.case: answer.retrieved for answer in laid.answers if answer.retrieved}
    findings = []
    for case, mean in laid.means.items():
        k = len(rankings.get(case, ())) or _K
        low, high = attainable_mean(k) if k > 1 else (0.0, 0.0)
        if mean and not low - _ROUNDED <= mean <= high + _ROUNDED:
            findings.append(
                f"The mean of {case}, {mean:g}, cannot come from the published rule: min-max "
                f"within one query puts one of {k} scores at 0 and one at 1, so their mean lies "
                f"from {low:.2f} to {high:.2f}, or is 0 where all are equal."
            )
    if laid.means and not any(
        r.score is not None for ranking in rankings.values() for r in ranking
    ):
        findings.append(
            "No file holds the similarities themselves, so no confidence rule can be recomputed. "
            "Add a table with scenario_id, document_rank, similarity."
        )
    if laid.not_asked:
        count = sum(laid.not_asked.values())
        are = "is" if count == 1 else "are"
        them = "it: it is no case" if count == 1 else "them: they are no cases"
        findings.append(
            f"{count_of(count, 'other wording')} of {count_of(len(laid.not_asked), 'scenario')} "
            f"{are} in the files, and nothing is known of what the system returned for {them}. "
            "Rows that name their query_instance_id make cases of them, clustered by scenario."
        )
    return findings


_KEY: Final = "scenario_id"


def _take(
    folder: Path,
    files: Sequence[Path],
    *,
    system: Annotated[str, Option("What the system is called.")] = "framework",
    synthetic: Annotated[bool, Option("The data is made up: every page says so.")] = False,
) -> Outcome:
    taken = import_environmental_health(folder, files, system=system, synthetic=synthetic)
    counts = (
        (taken.cases, "query", "queries"),
        (taken.answers, "answer", "answers"),
        (taken.judgements, "rating", "ratings"),
        (taken.experts, "expert", "experts"),
        (taken.documents, "document returned", "documents returned"),
        (taken.labels, "label of them", "labels of them"),
        (taken.texts, "text", "texts"),
    )
    notes = [*taken.notes, *taken.findings]
    return told(folder, asdict(taken), counts, files=taken.files, notes=notes)


def _is_one(seen: Glimpse) -> bool:
    tables = seen.inside or (seen,)
    return any(glimpse.has(_KEY) or glimpse.has("expert_id", "expertise") for glimpse in tables)


ENVIRONMENTAL_HEALTH: Final = Format(
    id="environmental-health",
    title="Environmental health",
    reads=Reads(
        about="Environmental health: a panel's workbooks of scenarios, rankings, ratings, "
        "confidence.",
        files="The panel's files as they are; a folder stands for its.",
        is_one=_is_one,
        take=_take,
    ),
)
