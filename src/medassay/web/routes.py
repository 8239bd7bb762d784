"""The one table: every route, who may, and whose things it touches."""

from medassay.web import bodies
from medassay.web.routing import ANYONE, LEAD, RATER, REVIEWERS, Route
from medassay.web.views import door, lead, rating, review, settle, signing

__all__ = ["ROUTES"]

SIGNED_IN = RATER | REVIEWERS

# fmt: off - a table is read down its columns
ROUTES: tuple[Route, ...] = (
    Route("GET", "/", ANYONE, "nobody", door.home, "Lead everybody to where they work.", page=True),
    Route("GET", "/in", ANYONE, "nobody", door.door, "Show the door.", page=True),
    Route(
        "POST",
        "/in",
        ANYONE,
        "nobody",
        door.come_in,
        "Swap a link for a cookie.",
        bodies.Link,
        page=True,
    ),
    Route(
        "POST", "/out", SIGNED_IN, "own", door.leave, "End the session.", bodies.Nothing, page=True
    ),
    Route(
        "POST",
        "/language",
        ANYONE,
        "nobody",
        door.speak,
        "Choose a language.",
        bodies.Speaks,
        page=True,
    ),
    Route("GET", "/static/{file}", ANYONE, "nobody", door.file, "Give a file of the browser's."),
    Route("GET", "/api/ping", ANYONE, "nobody", door.ping, "Say that this is the room."),
    Route("GET", "/rate", RATER, "own", rating.room_page, "Show the rating room.", page=True),
    Route("GET", "/api/now", RATER, "own", rating.now, "Say where the rater stands."),
    Route(
        "GET", "/api/tasks/{code}", RATER, "own", rating.task, "Give one of the rater's answers."
    ),
    Route(
        "POST",
        "/api/said",
        RATER,
        "own",
        rating.say,
        "Take what the rater said.",
        bodies.SaidTogether,
    ),
    Route(
        "POST",
        "/api/consent",
        RATER,
        "own",
        rating.agree,
        "Keep the rater's consent.",
        bodies.Agreed,
    ),
    Route(
        "POST",
        "/api/first-answers",
        RATER,
        "own",
        rating.hand_in,
        "Hand first answers in again.",
        bodies.Nothing,
    ),
    Route(
        "POST",
        "/api/reviews-read",
        RATER,
        "own",
        rating.read_review,
        "Go on after a reviewer's words.",
        bodies.HasRead,
    ),
    Route("POST", "/api/later", RATER, "own", rating.later, "Put an answer off.", bodies.PutsOff),
    Route("POST", "/api/breaks", RATER, "own", rating.rest, "Go on after a break.", bodies.Rested),
    Route(
        "POST",
        "/api/passphrase",
        RATER,
        "own",
        signing.set_passphrase,
        "Set the rater's passphrase.",
        bodies.Passphrase,
    ),
    Route(
        "POST",
        "/api/signatures",
        RATER,
        "own",
        signing.sign,
        "Sign finished batches.",
        bodies.Signs,
    ),
    Route("GET", "/api/guesses", RATER, "own", rating.guesses, "Give what is to be guessed."),
    Route("POST", "/api/guesses", RATER, "own", rating.guess, "Take a guess.", bodies.Guessed),
    Route(
        "GET", "/lead", LEAD, "campaign", lead.lead_page, "Show how far everybody is.", page=True
    ),
    Route(
        "GET", "/lead/hours.csv", LEAD, "campaign", lead.hours, "Give hours for payment.", page=True
    ),
    Route(
        "GET",
        "/lead/agreement",
        LEAD,
        "campaign",
        lead.agreement,
        "Show agreement so far.",
        page=True,
    ),
    Route(
        "GET",
        "/lead/signatures",
        LEAD,
        "campaign",
        signing.signatures,
        "Show who has signed what.",
        page=True,
    ),
    Route(
        "POST",
        "/lead/passphrase",
        LEAD,
        "campaign",
        signing.reset,
        "Take away a forgotten passphrase.",
        bodies.Resets,
        page=True,
    ),
    Route(
        "POST",
        "/lead/status",
        LEAD,
        "campaign",
        lead.set_status,
        "Open, pause or close.",
        bodies.Status,
        page=True,
    ),
    Route(
        "GET",
        "/review",
        REVIEWERS,
        "campaign",
        review.waiting,
        "List calibration to review.",
        page=True,
    ),
    Route(
        "GET",
        "/review/{rater}",
        REVIEWERS,
        "campaign",
        review.review_page,
        "Show a rater's calibration.",
        page=True,
    ),
    Route(
        "POST",
        "/review/{rater}",
        REVIEWERS,
        "campaign",
        review.decide,
        "Decide on calibration.",
        bodies.Decided,
        page=True,
    ),
    Route(
        "GET",
        "/settle",
        REVIEWERS,
        "campaign",
        settle.differing,
        "List what raters differ on.",
        page=True,
    ),
    Route(
        "GET",
        "/settle/{item}",
        REVIEWERS,
        "campaign",
        settle.settle_page,
        "Show one difference.",
        page=True,
    ),
    Route(
        "POST",
        "/settle/{item}",
        REVIEWERS,
        "campaign",
        settle.settle,
        "Settle one difference.",
        bodies.Settles,
        page=True,
    ),
)
# fmt: on
