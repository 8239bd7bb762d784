"""medassay campaign: the rating room, from its links to what comes home."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.campaign import CampaignName, app, tell
from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import Verb, examples
from medassay.text import count_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medassay.campaign.room import RoomStatus

__all__ = ["app"]


@app.command(cls=Verb)
@examples(
    "medassay campaign invite my-study --url https://rate.ward.example",
    "medassay campaign invite my-study anna",
)
def invite(
    folder: StudyFolder,
    rater: Annotated[
        list[str] | None,
        typer.Argument(metavar="RATER...", help="Raters who get a new link; all if not given."),
    ] = None,
    *,
    url: Annotated[str, typer.Option(help="Where the room is served.")] = "http://127.0.0.1:8000",
    name: CampaignName = "main",
    as_json: AsJson = False,
) -> None:
    """Write each rater's link and what to send with it; nothing is sent.

    invitations.csv has a row for each address, for a mail merge. A new link ends that person's
    earlier ones; invitations of others whose links still work stay in the file, below the new ones.
    The lead's and the reviewer's are printed by `campaign serve`.
    """
    from medassay.campaign.room import invite as write_invitations
    from medassay.campaign.room import open_room
    from medassay.study import Study, only_writer

    with only_writer(folder):
        study = Study.open_whole(folder)
        with open_room(study, name) as room:
            done = write_invitations(study, room, url, rater or ())
    tell(
        done, folder, *(f"{person}: {link}" for person, link in done.links.items()), as_json=as_json
    )
    if as_json:
        return
    typer.echo("note: A link is shown this once, and is its rater's alone.")
    if done.kept:
        typer.echo(
            f"note: Below the new invitations the file still has those of: {', '.join(done.kept)}."
        )
    if done.ended:
        typer.echo(
            f"note: Earlier links no longer work, and sessions ended: {', '.join(done.ended)}."
        )


@app.command(cls=Verb)
@examples(
    'medassay campaign raters my-study --drop anna --why "on leave until June"',
    "medassay campaign raters my-study --drop anna --add dora",
    "medassay campaign raters my-study --give XMTK-HZCC=ben",
)
def raters(
    folder: StudyFolder,
    *,
    add: Annotated[
        str,
        typer.Option(help="Who comes: names, or a file as `campaign create --raters` reads it."),
    ] = "",
    drop: Annotated[list[str] | None, typer.Option(help="Who leaves. May be given again.")] = None,
    give: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODE[=RATER]",
            help="An answer that passes to RATER, or to whoever has least. May be given again.",
        ),
    ] = None,
    why: Annotated[str, typer.Option(help="Why, for the audit trail.")] = "",
    name: CampaignName = "main",
    as_json: AsJson = False,
) -> None:
    """Add or remove raters midway, and pass their answers to others.

    What a rater judged stays theirs. The rest goes evenly to others who may rate it and never had
    it. Import returned sheets first: what is not in the study counts as not judged.
    """
    from dataclasses import asdict

    from medassay.campaign import RaterWishes
    from medassay.campaign.room import change_raters_midway
    from medassay.cli.output import print_json, print_table
    from medassay.study import Study, only_writer

    wishes = RaterWishes(add, tuple(drop or ()), tuple(give or ()), why)
    with only_writer(folder):
        done = change_raters_midway(Study.open_whole(folder), name, wishes)
    if as_json:
        print_json(asdict(done), folder)
        return
    for rater, count in done.stay.items():
        typer.echo(f"{rater} leaves; {count_of(count, 'judged answer')} stay.")
    print_table("", ["rater", "more to rate"], [[one, str(n)] for one, n in done.more.items()])
    for file in done.files:
        typer.echo(f"wrote {file}")
    for note in done.notes:
        typer.echo(f"note: {note}")


@app.command(cls=Verb)
@examples(
    'medassay campaign pause my-study --why "a question was worded wrongly"',
)
def pause(
    folder: StudyFolder,
    *,
    why: Annotated[str, typer.Option(help="Why, for the audit trail.")] = "",
    name: CampaignName = "main",
) -> None:
    """Pause raters; their ratings are kept."""
    _set_status(folder, name, "paused", why)
    typer.echo("Raters wait; what they said is kept.")


@app.command(cls=Verb)
@examples(
    "medassay campaign resume my-study",
)
def resume(
    folder: StudyFolder,
    *,
    why: Annotated[str, typer.Option(help="Why, for the audit trail.")] = "",
    name: CampaignName = "main",
) -> None:
    """Let raters continue after a pause, or reopen a closed room."""
    _set_status(folder, name, "open", why)
    typer.echo("Raters go on.")


@app.command(cls=Verb)
@examples(
    "medassay campaign close my-study",
)
def close(
    folder: StudyFolder,
    *,
    why: Annotated[str, typer.Option(help="Why, for the audit trail.")] = "",
    name: CampaignName = "main",
) -> None:
    """Close the room: it takes no more ratings."""
    for rater, count in _set_status(folder, name, "closed", why).items():
        typer.echo(
            f"note: {count_of(count, 'judged answer')} of {rater} not signed, or changed since. To "
            f"let {rater} sign: medassay campaign resume {folder}"
        )
    typer.echo(f"Closed. Next: medassay campaign export {folder}")


@app.command(cls=Verb)
@examples(
    "medassay campaign export my-study",
)
def export(
    folder: StudyFolder,
    *,
    name: CampaignName = "main",
    as_json: AsJson = False,
) -> None:
    """Add the room's ratings to the study's judgements, with their history.

    The campaign's folder then holds the audit trail, the answers marked dangerous, the guesses of
    systems and the signatures.
    """
    from medassay.campaign.room import export_room, open_room
    from medassay.study import Study, only_writer
    from medassay.study.runs.raters_key import key_kept

    with only_writer(folder), key_kept(folder):
        study = Study.open_whole(folder)
        with open_room(study, name) as room:
            done = export_room(study, room)
    known = f"; {done.known} were there already" if done.known else ""
    tell(done, folder, f"{count_of(done.added, 'row')} added{known}.", as_json=as_json)


@app.command(cls=Verb)
@examples(
    "medassay campaign backup my-study room-monday.db",
)
def backup(
    folder: StudyFolder,
    file: Annotated[Path, typer.Argument(help="The copy: a new file.")],
    *,
    name: CampaignName = "main",
    as_json: AsJson = False,
) -> None:
    """Back up the room while raters continue."""
    from medassay.campaign.room import copy_room, place_of_room
    from medassay.study import only_writer

    with only_writer(folder):
        counts = copy_room(place_of_room(folder, name), file)
    _tell_copied(counts, folder, as_json=as_json)


@app.command(cls=Verb)
@examples(
    "medassay campaign restore my-study room-monday.db",
)
def restore(
    folder: StudyFolder,
    file: Annotated[Path, typer.Argument(help="The copy that `backup` wrote.")],
    *,
    name: CampaignName = "main",
    as_json: AsJson = False,
) -> None:
    """Restore the room from a backup.

    A backup never replaces a room. First move the damaged database away: campaigns/NAME/room.db, if
    it is a file.
    """
    from medassay.campaign.room import restore_room
    from medassay.study import only_writer

    with only_writer(folder):
        counts = restore_room(folder, name, file)
    _tell_copied(counts, folder, as_json=as_json)


@app.command(cls=Verb)
@examples(
    "medassay campaign erase my-study anna",
    "medassay campaign erase my-study anna --labels",
)
def erase(
    folder: StudyFolder,
    rater: Annotated[str, typer.Argument(help="The rater.")],
    *,
    labels: Annotated[bool, typer.Option("--labels", help="Erase their ratings too.")] = False,
    name: CampaignName = "main",
    as_json: AsJson = False,
) -> None:
    """Erase a rater's addresses, links, sessions and passphrase; with --labels also the ratings.

    A rater whom you gave a name gets a code in its place, in every file of the study. Files of the
    campaign lose only that rater's rows. The audit trail keeps that it was done, and the codes of
    the answers.
    """
    from medassay.campaign.room import erase as erase_rater
    from medassay.campaign.room import open_room
    from medassay.judgements.campaign import Secret
    from medassay.study import Study, only_writer

    with only_writer(folder):
        study = Study.open_whole(folder)
        with open_room(study, name) as room:
            done = erase_rater(study, room, rater, Secret.new(), labels=labels)
    gone = ", ".join(f"{table} {count}" for table, count in done.rows.items() if count)
    lines = [f"Erased: {gone or 'nothing was kept'}."]
    if done.called != rater:
        lines.append(f"From now on every file of the study calls {rater} {done.called}.")
    lines += [f"removed {file}: nobody else had a row in it" for file in done.removed]
    tell(done, folder, *lines, as_json=as_json)


def _tell_copied(counts: "Mapping[str, int]", folder: Path, *, as_json: bool) -> None:
    from medassay.cli.output import print_json

    if as_json:
        print_json({"rows": counts}, folder)
        return
    typer.echo(f"{count_of(counts['judgements'], 'judgement')} copied, and all else.")


def _set_status(folder: Path, name: str, status: "RoomStatus", why: str) -> dict[str, int]:
    """Set it; give how many judged answers of each rater no signature covers."""
    from medassay.campaign.room import open_room
    from medassay.study import Study, only_writer

    with only_writer(folder), open_room(Study.open_whole(folder), name) as room:
        room.lead.set_status("lead", status, why)
        if not room.signing.asked:
            return {}
        signed, _ = room.signing.signatures("lead")
        return {line.rater: line.unsigned for line in signed if line.unsigned}
