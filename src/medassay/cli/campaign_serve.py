"""medassay campaign serve: the rating room in the browser."""

from typing import Annotated

import typer

from medassay.cli.campaign import CampaignName
from medassay.cli.campaign_room import app
from medassay.cli.options import StudyFolder
from medassay.cli.verb import Verb, examples

__all__ = ["app"]


@app.command(cls=Verb)
@examples(
    "medassay campaign serve my-study",
    "medassay campaign serve my-study --port 8100 --address https://rate.ward.example",
)
def serve(
    folder: StudyFolder,
    *,
    name: CampaignName = "main",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.")] = 8000,
    address: Annotated[
        str, typer.Option(help="What raters type, where a reverse proxy stands before the room.")
    ] = "",
    sign_on: Annotated[
        str, typer.Option(metavar="HEADER", help="The header in which a named proxy says who asks.")
    ] = "",
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="An address of a proxy whose header is believed; may be given again."),
    ] = None,
) -> None:
    """Serve the rating room, on this machine alone unless told otherwise.

    It prints new links for the lead and the reviewer; `campaign invite` writes those of raters.
    """
    from medassay.campaign.room import open_room
    from medassay.errors import InvalidInput, Problem
    from medassay.study import Study, only_writer
    from medassay.web import Served, Setup, room_app, warning_of
    from medassay.web import serve as run

    if sign_on and not proxy:
        hint = "Else anybody could send that header."
        raise InvalidInput(Problem("--proxy", "name the proxy that sends it", "none", hint))
    served = Served(host, port)
    reached = address or f"http://{host}:{port}"
    with only_writer(folder):
        room = open_room(Study.open_whole(folder), name)
    with room:
        options = room.design.options

        def ready(listening: str) -> None:
            setup_of_links = Setup(address or listening)
            typer.echo(f"The room is open at {setup_of_links.address}")
            for person in room.access.people():
                if person.role != "rater":
                    token = room.access.invite(person.name, options.link_days)
                    typer.echo(f"{person.role}: {setup_of_links.link(token)}")
            typer.echo("Stop it with Ctrl+C; what raters said is kept.")

        if warning := warning_of(served, reached):
            typer.echo(f"warning: {warning}", err=True)
        setup = Setup(reached, tuple(proxy or ()), sign_on, options.session_hours)
        run(room_app(room, setup), served, ready)
