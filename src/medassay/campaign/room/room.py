"""The rating room: one database, and all that raters, reviewers and the lead do in it."""

from typing import TYPE_CHECKING, Self

from medassay.campaign.room.access import Access
from medassay.campaign.room.database import Database
from medassay.campaign.room.kept import Kept, facts_of
from medassay.campaign.room.lead import Lead
from medassay.campaign.room.logbook import Clock, now
from medassay.campaign.room.migrations import migrate
from medassay.campaign.room.rating import Rating
from medassay.campaign.room.settling import Settling
from medassay.campaign.room.signing import Signing
from medassay.judgements.rows import COUNTED

if TYPE_CHECKING:
    from pathlib import Path

    from medassay.campaign.room.design import Design


class Room:
    """A room that is there.

    Attributes:
        design: What it was opened with.
        access: Links and sessions.
        rating: The raters' side.
        lead: The side of the lead and of reviewers.
        settling: What raters differ on, for whoever settles it.
        signing: Passphrases and signatures, where the campaign asks for them.

    Args:
        where: Its own file, or an address such as `postgresql+psycopg://USER@HOST/NAME`.
        clock: Tells the time.
        counts: The phases whose labels count in the study; of these alone raters' labels are held
            against each other.

    Raises:
        InvalidInput: There is no room there.
        MissingBackend: SQLAlchemy is not installed.
    """

    def __init__(
        self, where: "str | Path", clock: Clock = now, counts: tuple[str, ...] = COUNTED
    ) -> None:
        self.database = Database(where)
        if facts_of(self.database):
            migrate(self.database)
        self.kept = Kept(self.database, counts)
        self.design: Design = self.kept.design
        self.access = Access(self.database, clock)
        self.rating = Rating(self.kept, clock)
        self.lead = Lead(self.kept, self.rating, clock)
        self.settling = Settling(self.kept, self.rating, clock)
        self.signing = Signing(self.kept, self.rating, clock)

    def __enter__(self) -> Self:
        """Use it in a `with` block, which closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Write what still waits, and let go of the database."""
        self.database.close()
