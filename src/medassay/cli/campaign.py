"""medassay campaign: who rates what, sheets out and in, and how far it has come."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from medassay.cli.options import AsJson, SheetTexts, StudyFolder
from medassay.cli.verb import Verb, examples
from medassay.errors import InvalidInput, Problem
from medassay.text import count_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medassay.campaign import Flag, LabelChange
    from medassay.judgements.campaign import Progress

app = typer.Typer(no_args_is_help=True, help="Collect ratings, in the browser or in sheets.")

CampaignName = Annotated[str, typer.Option("--name", help="The campaign's name.")]
DATABASE_HELP = (
    "The database of the rating room: postgresql+psycopg://USER@HOST/NAME, or a file of the "
    "campaign's folder if not given. Kept for this campaign, among your own files."
)
_FLAGS_SHOWN = 10
_CHANGES_SHOWN = 10


@app.command(cls=Verb)
@examples(
    "medassay campaign create my-study --raters 3",
    "medassay campaign create my-study --raters raters.csv --per-answer 3 --batch 12",
    "medassay campaign create my-study --raters 3 --queue 100",
)
def create(  # noqa: PLR0913 - each option is one choice of the campaign's design
    folder: StudyFolder,
    *,
    raters: Annotated[
        str | None,
        typer.Option(
            help="How many raters, their names (anna,ben), or a file with the columns rater, "
            "email, specialty, built. If not given: those of the raters table."
        ),
    ] = None,
    name: CampaignName = "main",
    rate: Annotated[
        Literal["answers", "preferences", "adjudication"],
        typer.Option(
            help="Rate single answers, prefer one of two, or settle what raters differ on."
        ),
    ] = "answers",
    per_answer: Annotated[
        int | None, typer.Option(min=1, help="How many raters rate each answer; all if not given.")
    ] = None,
    batch: Annotated[
        int, typer.Option(min=1, help="About how many answers come before each break.")
    ] = 12,
    queue: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|N",
            help="Rate only the answers of this file, which triage wrote. N draws about N "
            "answers at random: those that best show whether metrics agree with raters.",
        ),
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help=DATABASE_HELP, show_default=False)
    ] = None,
    count_calibration: Annotated[
        bool | None,
        typer.Option(
            help="Whether calibration ratings count in every number and export. It is written "
            "into study.toml. If not given, the protocol decides."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Assign answers to raters, for sheets and for the rating room.

    Rare choices, such as answers shown twice or rated by everybody first, are in
    campaigns/NAME/campaign.toml. This command writes it with every default. To change one, edit the
    file and run the same command again before the first sheet or link is out.
    """
    from dataclasses import asdict, replace
    from tempfile import TemporaryDirectory

    from medassay.campaign import Wishes, create_campaign, write_count_calibration
    from medassay.cli.output import print_json, print_table
    from medassay.judgements.campaign import Secret
    from medassay.study import Study, only_writer

    wishes = Wishes(
        raters=raters,
        name=name,
        kind="preferences" if rate == "preferences" else "answers",
        overlap=per_answer,
        batch=batch,
        queue=None if queue is None else Path(queue),
        adjudicate=rate == "adjudication",
        database=database,
    )
    wanted = _number(queue)
    if wanted is not None and rate != "answers":
        must = "come with --rate answers where it draws them"
        raise InvalidInput(Problem("--queue", must, f"--rate {rate}"))
    with only_writer(folder), TemporaryDirectory() as place:
        study = Study.open_whole(folder)
        if count_calibration not in {None, study.config.rules.count_calibration}:
            write_count_calibration(folder, counts=bool(count_calibration))
            study = Study.open_whole(folder)
        notes = []
        if wanted is not None:
            drawn = Path(place) / "draw.csv"
            notes = _draw_for_metrics(folder, wanted, drawn)
            wishes = replace(wishes, queue=drawn)
        done = create_campaign(study, wishes, Secret.new())
    done.notes.extend(notes)
    if as_json:
        print_json(asdict(done), folder)
        return
    rows = [[rater, str(load)] for rater, load in done.loads.items()]
    pairs = rate == "preferences"
    what = ("pair of answers", "pairs of answers") if pairs else ("answer", "")
    who = count_of(len(done.loads), "rater")
    typer.echo(f"Campaign {done.campaign}: {count_of(done.answers, *what)}, {who}.")
    print_table("", ["rater", "to rate"], rows)
    for line in [f"wrote {file}" for file in done.files] or _nothing_new(done.files):
        typer.echo(line)
    _print_flags(done.flags)
    for note in done.notes:
        typer.echo(f"note: {note}")


def _number(queue: str | None) -> int | None:
    """Read how many answers to draw; None where a file is named."""
    if queue is None or not queue.isdecimal():  # a table has an ending
        return None
    if not int(queue):
        raise InvalidInput(Problem("--queue", "draw 1 answer or more, or name a file", "0"))
    return int(queue)


def _draw_for_metrics(folder: Path, count: int, into: Path) -> list[str]:
    """Draw answers that tell metrics from answer length, and write them as a queue."""
    from medassay.analyses import queue_bytes, refuse_to_infer, triage_study
    from medassay.cli.output import progress
    from medassay.judgements.campaign import Secret
    from medassay.study import open_run

    run = open_run(folder)
    refuse_to_infer(run.study, "estimated from a part of its answers")
    with progress() as tell:
        report = triage_study(
            run.study, run.metrics, count=count, aim="metrics", secret=Secret.new(), progress=tell
        )
    into.write_bytes(queue_bytes(report, run.study.numbering))
    return report.notes


@app.command(cls=Verb)
@examples(
    "medassay campaign sheets my-study",
    "medassay campaign sheets my-study --format csv",
)
def sheets(
    folder: StudyFolder,
    *,
    name: CampaignName = "main",
    form: Annotated[
        Literal["xlsx", "csv"] | None,
        typer.Option("--format", help="The form of the sheets; workbooks if not given."),
    ] = None,
    texts: SheetTexts = None,
    as_json: AsJson = False,
) -> None:
    """Write one blinded sheet for each rater of a campaign."""
    from medassay.campaign import write_sheets
    from medassay.study import Study, only_writer

    with only_writer(folder):
        done = write_sheets(Study.open_whole(folder), name, form, texts)
    tell(done, folder, *_nothing_new(done.files), as_json=as_json)


@app.command(cls=Verb)
@examples(
    "medassay campaign documents my-study --raters anna,ben",
    "medassay campaign documents my-study --raters anna,ben --format html",
    "medassay campaign documents my-study anna.xlsx ben.xlsx",
)
def documents(
    folder: StudyFolder,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILES]...", help="What experts sent back.")
    ] = None,
    *,
    raters: Annotated[
        str | None,
        typer.Option(help="Who labels (anna,ben); those of the raters table if not given."),
    ] = None,
    form: Annotated[
        Literal["xlsx", "csv", "html"],
        typer.Option("--format", help="The form of the sheets; html opens in any browser."),
    ] = "xlsx",
    texts: SheetTexts = None,
    as_json: AsJson = False,
) -> None:
    """Write sheets on which experts label each query's documents 0 or 1, or import them.

    Each document of a query is labelled once by an expert. The labels go into relevance.csv, which
    precision at k reads. Ranks, similarities and systems are on no sheet.
    """
    from medassay.campaign import collect_document_labels, write_document_sheets
    from medassay.study import Study, only_writer
    from medassay.study.runs.raters_key import key_kept

    with only_writer(folder), key_kept(folder):
        study = Study.open_whole(folder)
        if files:
            taken = collect_document_labels(study, files)
            were = "was" if taken.known == 1 else "were"
            line = (
                f"{count_of(taken.added, 'label')} added; {taken.known} {were} there already; "
                f"{count_of(taken.open, 'document')} still open."
            )
            tell(taken, folder, line, as_json=as_json)
            return
        named = [name.strip() for name in (raters or "").split(",") if name.strip()]
        done = write_document_sheets(study, named, form, texts)
    line = f"{count_of(done.experts, 'expert')}, {count_of(done.documents, 'document')} each."
    tell(done, folder, line, *_nothing_new(done.files), as_json=as_json)


@app.command(cls=Verb)
@examples(
    "medassay campaign collect my-study returned/*.xlsx",
    "medassay campaign collect my-study anna.xlsx --dry-run",
)
def collect(
    folder: StudyFolder,
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="What raters sent back.")],
    *,
    again: Annotated[
        bool, typer.Option("--again", help="Read files again that were imported before.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; write nothing.")
    ] = False,
    good_rows: Annotated[
        bool,
        typer.Option(
            "--good-rows", help="List and leave out rows with a wrong cell; import the rest."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Import sheets that raters sent back, finished or not; importing twice is harmless."""
    from dataclasses import asdict, replace

    from medassay.campaign import collect_sheets
    from medassay.cli.output import print_json
    from medassay.exchange.outcome import folded
    from medassay.study import Study, only_writer
    from medassay.study.runs.raters_key import key_kept

    with only_writer(folder), key_kept(folder):
        try:
            taken = collect_sheets(
                Study.open_whole(folder), files, again=again, dry_run=dry_run, good_rows=good_rows
            )
        except InvalidInput as error:
            problems = list(error.problems) if as_json else folded(error.problems)
            if good_rows or not _has_good_rows(folder, files, again=again):
                raise InvalidInput(problems) from error
            *others, last = problems
            hint = f"{last.try_} To take the other rows now, add --good-rows.".lstrip()
            raise InvalidInput([*others, replace(last, try_=hint)]) from error
    if as_json:
        left_out = [str(problem) for problem in taken.left_out]
        print_json({**asdict(taken), "left_out": left_out}, folder)
        return
    corrected = f", {taken.corrected} of them corrections" if taken.corrected else ""
    were = "was" if taken.known == 1 else "were"
    known = f"; {taken.known} {were} there already" if taken.known else ""
    would = " would be" if dry_run else ""
    labels = count_of(taken.added, "label")
    typer.echo(f"{labels}{would} added{corrected}{known}.")
    _print_changes(taken.changes)
    for file in taken.files:
        typer.echo(f"wrote {file}")
    _print_progress(taken.progress)
    for note in taken.notes:
        typer.echo(f"note: {note}")
    if taken.left_out:
        typer.echo("These rows were left out. Correct them and collect the file again:")
    for problem in folded(taken.left_out):
        typer.echo(f"  {problem}")


def _has_good_rows(folder: Path, files: "Sequence[Path]", *, again: bool) -> bool:
    """Say whether refused sheets could be taken without the rows that are wrong."""
    from medassay.campaign import collect_sheets
    from medassay.study import Study

    study = Study.open_whole(folder)
    try:
        taken = collect_sheets(study, files, again=again, dry_run=True, good_rows=True)
    except InvalidInput:
        return False  # what is wrong is wrong with a whole file
    return taken.added + taken.known > 0


@app.command(cls=Verb)
@examples(
    "medassay campaign status my-study",
    "medassay campaign status my-study --watch 30",
    "medassay campaign status my-study --agreement",
)
def status(
    folder: StudyFolder,
    *,
    watch: Annotated[
        float | None,
        typer.Option(min=1, help="Print it again every S seconds, until Ctrl+C.", metavar="S"),
    ] = None,
    agreement: Annotated[
        bool,
        typer.Option(
            "--agreement",
            help="Show how raters in the room agree so far; the audit trail records this look.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show how far each rater has come, and who has stalled.

    A rater has stalled if answers are left and none was rated for seven days.
    """
    import time

    if watch is not None and as_json:
        raise InvalidInput(Problem("--watch", "come without --json", "both"))
    try:
        while True:
            _status(folder, agreement=agreement, as_json=as_json)
            if watch is None:
                return
            typer.echo(f"{time.strftime('%H:%M:%S')}, again in {watch:g} s. Ctrl+C ends it.\n")
            time.sleep(watch)
    except KeyboardInterrupt:
        if watch is None:
            raise


def _status(folder: Path, *, agreement: bool, as_json: bool) -> None:
    from dataclasses import asdict

    from medassay.campaign.plans import making
    from medassay.campaign.room import status_with_rooms
    from medassay.cli.output import print_json
    from medassay.study import Study

    done = status_with_rooms(Study.open_whole(folder))
    if as_json and done.problems:
        raise InvalidInput(done.problems)
    if as_json:
        print_json(
            {
                campaign_name: [asdict(rater) for rater in raters]
                for campaign_name, raters in done.raters.items()
            }
        )
    else:
        if not done.raters and not done.problems:
            typer.echo(f"The study has no campaign yet. {making(folder)}")
        _print_progress(done.raters)
    for note in done.notes:
        typer.echo(f"note: {note}", err=as_json)
    if agreement:
        _print_agreement(folder, list(done.raters))
    if done.problems:
        raise InvalidInput(done.problems)


def _print_agreement(folder: Path, campaigns: "Sequence[str]") -> None:
    """Show how raters agree so far in each room; the look is logged there."""
    from medassay.campaign.create import DESIGN
    from medassay.campaign.room import open_room
    from medassay.cli.output import print_table
    from medassay.judgements.campaign import FOLDER
    from medassay.study import Study, only_writer

    rooms = [name for name in campaigns if (folder / FOLDER / name / DESIGN).is_file()]
    if not rooms:
        must = "come with a campaign that has a rating room"
        hint = "Sheets are compared in the report: medassay run."
        raise InvalidInput(Problem("--agreement", must, "none", hint))
    for name in rooms:
        with only_writer(folder), open_room(Study.open_whole(folder), name) as room:
            lines = room.lead.agreement("lead")
        header = ["question", "rated twice or more", "pairs alike", "alpha"]
        rows = [
            [
                line.title,
                str(line.units),
                "" if line.same is None else f"{line.same:.0%}",
                "" if line.alpha is None else f"{line.alpha:.2f}",
            ]
            for line in lines
        ]
        print_table(f"Agreement so far in {name} (logged; no result)", header, rows)


def tell(done: Any, folder: Path, *lines: str, as_json: bool) -> None:  # noqa: ANN401 - any record
    """Print what was done: as JSON, or in lines with the files that it names and its notes."""
    from dataclasses import asdict

    from medassay.cli.output import print_json

    if as_json:
        print_json(asdict(done), folder)
        return
    wrote = [f"wrote {file}" for file in getattr(done, "files", ())]
    notes = [f"note: {note}" for note in getattr(done, "notes", ())]
    for line in (*lines, *wrote, *notes):
        typer.echo(line)


def _print_progress(progress: "Mapping[str, Sequence[Progress]]") -> None:
    from medassay.cli.output import print_table

    header = ["rater", "to rate", "done", "begun", "goes on at", "labels missing"]
    for campaign, raters in progress.items():
        rows = [
            [
                rater.rater,
                str(rater.asked),
                str(rater.done),
                str(rater.begun),
                "" if rater.next_position is None else str(rater.next_position),
                ", ".join(f"{name} {count}" for name, count in rater.missing.items() if count),
            ]
            for rater in raters
        ]
        print_table(f"Campaign {campaign}", header, rows)


def _print_changes(changes: "Sequence[LabelChange]") -> None:
    """Show what differs from what the study held; all of it is in the campaign's changes.csv."""
    words = {
        "changed": "Labels changed",
        "comment": "Comments changed",
        "kept": "Empty cells where the study has a label, which stays",
    }
    for outcome, what in words.items():
        own = [change for change in changes if change.outcome == outcome]
        if not own:
            continue
        typer.echo(f"{what}: {len(own)}.")
        for shown_change in own[:_CHANGES_SHOWN]:
            typer.echo(f"  {shown_change}")
        if len(own) > _CHANGES_SHOWN:
            more = len(own) - _CHANGES_SHOWN
            typer.echo(f"  and {more} more; --json and changes.csv list them all.")


def _nothing_new(files: "Sequence[str]") -> list[str]:
    return [] if files else ["Everything was there already, word for word."]


def _print_flags(flags: "Sequence[Flag]") -> None:
    """Show what gives systems away to the organiser, who can still do something about it."""
    from medassay.cli.output import print_table

    sure = [flag for flag in flags if flag.certain]
    rows = [[flag.system, flag.case, flag.why, flag.around] for flag in sure]
    answers = len({(flag.system, flag.case) for flag in sure if flag.case})
    if sure:
        typer.echo(f"Answers whose words give their system away: {answers}. Raters would see them.")
    if any(not flag.case for flag in sure):
        typer.echo("The study's title names a system, and is on every sheet's first page.")
    if sure:
        print_table("", ["system", "case", "it ...", "where"], rows[:_FLAGS_SHOWN])
        _print_rest(len(rows), "more place")
    by_word: dict[str, list[Flag]] = {}
    for flag in flags:
        if not flag.certain:
            by_word.setdefault(flag.words.casefold(), []).append(flag)
    if by_word:
        typer.echo(
            "Words that may name a system, or be everyday words: read the sentence and decide. "
            "They are not counted above."
        )
        rows = [
            [
                flags_of_word[0].words or "(private)",
                str(len({(flag.system, flag.case) for flag in flags_of_word})),
                flags_of_word[0].system,
                flags_of_word[0].case,
                flags_of_word[0].around,
            ]
            for flags_of_word in by_word.values()
        ]
        header = ["word", "answers", "first in", "case", "sentence"]
        print_table("", header, rows[:_FLAGS_SHOWN])
        _print_rest(len(rows), "more word")


def _print_rest(count: int, what: str) -> None:
    if count > _FLAGS_SHOWN:
        typer.echo(f"and {count_of(count - _FLAGS_SHOWN, what)}; --json lists all.")
