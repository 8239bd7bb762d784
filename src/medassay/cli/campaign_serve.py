"""medassay campaign serve and demo: the rating room in the browser."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from medassay.cli.campaign import DATABASE_HELP, CampaignName
from medassay.cli.campaign_room import app
from medassay.cli.options import StudyFolder
from medassay.cli.verb import Verb, examples

if TYPE_CHECKING:
    from collections.abc import Collection

    from medassay.campaign.catalogues import Catalogues
    from medassay.campaign.room import Role, Room
    from medassay.web import Served, Setup

__all__ = ["app", "signing_on"]


@app.command(cls=Verb)
@examples(
    "medassay campaign serve my-study",
    "medassay campaign serve my-study --port 8100 --url https://rate.ward.example/ratings",
)
def serve(
    folder: StudyFolder,
    *,
    name: CampaignName = "main",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.")] = 8000,
    url: Annotated[
        str, typer.Option(help="What raters type, where a reverse proxy stands before the room.")
    ] = "",
    sign_on: Annotated[
        str,
        typer.Option(
            metavar="HEADER@PROXY,...",
            help="The header in which a proxy says who asks, and the addresses of proxies that are "
            "believed, such as X-Remote-User@127.0.0.1.",
        ),
    ] = "",
    database: Annotated[
        str, typer.Option(metavar="ADDRESS", help=DATABASE_HELP, show_default=False)
    ] = "",
) -> None:
    """Serve the rating room; only this machine can open it, unless --host says otherwise.

    It prints new links for the lead and the reviewer, but not into a log of systemd. `campaign
    invite` writes those of raters. /health says whether the database reads and writes. Each file of
    campaigns/NAME/languages, such as fr.toml, adds a language.
    """
    from medassay.campaign.catalogues import catalogues_of
    from medassay.campaign.options import read_options, refuse_placeholders
    from medassay.campaign.room import address_of, open_room, unheeded_options
    from medassay.study import Study, only_writer
    from medassay.web import LOOPBACK, Served, Setup

    header, proxies = signing_on(sign_on)
    served = Served(host, port)
    reached = address_of(url) if url else f"http://{host}:{port}"
    if url and not proxies:
        proxies = LOOPBACK  # the proxy of this machine says for whom it asks
    catalogues, notes = catalogues_of(folder, name)
    for note in notes:
        typer.echo(f"note: {note}", err=True)
    refuse_placeholders(name, read_options(folder, name).room.information)
    with only_writer(folder):
        room = open_room(Study.open_whole(folder), name, database=database)
    with room:
        if unheeded := unheeded_options(folder, name, room):
            typer.echo(
                "note: campaign.toml was frozen when the room was first opened; what it now says "
                f"of {', '.join(unheeded)} is not heeded. Put it back, or make a new campaign with "
                "another --name.",
                err=True,
            )
        setup = Setup(reached, proxies, header, room.design.options.session_hours)
        # systemd names the journal that it writes to: others read it, and a link lets them in.
        logged = "JOURNAL_STREAM" in os.environ
        _serve(room, setup, served, () if logged else ("lead", "reviewer"), catalogues)


@app.command(cls=Verb)
@examples(
    "medassay campaign demo",
    "medassay campaign demo my-room --rate pairs",
)
def demo(
    path: Annotated[Path, typer.Argument(help="The folder to write the study into.")] = Path(
        "medassay-room"
    ),
    *,
    rate: Annotated[
        Literal["answers", "conversations", "pairs", "parts"],
        typer.Option(
            help="What is rated: answers with citations, conversations by criteria, pairs of "
            "answers, or documents, passages and a number."
        ),
    ] = "answers",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.")] = 8000,
) -> None:
    """Open a rating room on an invented study, to see what raters and their lead see.

    Only this machine can open it. Run it again to continue where you left off.
    """
    from medassay.campaign.room import open_demo
    from medassay.web import Served, Setup

    served = Served(port=port)
    with open_demo(path, rate) as room:
        setup = Setup(f"http://{served.host}:{port}")
        typer.echo(f"The study is in {path}, its campaign is called {rate}; all is invented.")
        _serve(room, setup, served, ("rater", "lead", "reviewer"))


def signing_on(said: str) -> tuple[str, tuple[str, ...]]:
    """Read which header names a person, and whose word that is.

    Raises:
        InvalidInput: A header stands there without a proxy, or a proxy without a header.
    """
    from medassay.errors import InvalidInput, Problem

    header, _, listed = said.partition("@")
    proxies = tuple(proxy.strip() for proxy in listed.split(",") if proxy.strip())
    if said and not (header and proxies):
        must = "name a header and the proxy that sends it, HEADER@ADDRESS"
        hint = "Without the proxy's address anybody could send that header."
        raise InvalidInput(Problem("--sign-on", must, f'"{said}"', hint))
    return header, proxies


def _serve(
    room: "Room",
    setup: "Setup",
    served: "Served",
    links_of: "Collection[Role]",
    catalogues: "Catalogues | None" = None,
) -> None:
    """Serve a room, and say by which links one comes in."""
    from dataclasses import replace

    from medassay.web import room_app, serve, warning_of

    def ready(listening: str) -> None:
        chosen = setup.address.endswith(":0")
        here = replace(setup, address=listening) if chosen else setup
        typer.echo(f"The room is open at {here.address}")
        for person in room.access.people():
            if person.role in links_of and not person.ended:
                token = room.access.renew(person.name, room.design.options.link_days)
                typer.echo(f"{person.name}: {here.link(token)}")
        if links_of:
            typer.echo("note: These links end the earlier ones of the same people.")
        typer.echo("Stop it with Ctrl+C; what raters said is kept.")

    if warning := warning_of(served, setup.address):
        typer.echo(f"warning: {warning}", err=True)
    serve(room_app(room, setup, catalogues), served, ready)
