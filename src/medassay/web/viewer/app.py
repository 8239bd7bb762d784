"""The viewer's application: four pages to read, for whoever holds the key of this start."""

import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from medassay.errors import MedassayError
from medassay.web.answers import Refused
from medassay.web.catalogues import shipped
from medassay.web.pages import page, page_of_error
from medassay.web.security import MOST_BYTES, Guarded
from medassay.web.static_files import static_file
from medassay.web.viewer.chosen import ViewerFilter
from medassay.web.viewer.tried import metrics_of, try_metric
from medassay.web.viewer.viewed import Viewed, neighbours

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["Key", "view_app"]

_A_PAGE: Final = 100
_HOSTS: Final = ["127.0.0.1", "localhost", "[::1]"]


@dataclass(frozen=True, slots=True)
class Key:
    """What lets somebody look: other accounts of a machine reach its loopback as well.

    Attributes:
        secret: Drawn at each start, so that an address in a browser's history opens nothing later.
    """

    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    @property
    def cookie(self) -> str:
        """Name the cookie; two viewers on one machine do not sign each other out."""
        import hashlib

        return f"view-{hashlib.sha256(self.secret.encode()).hexdigest()[:8]}"

    def address(self, listening: str) -> str:
        """Give the address to open."""
        return f"{listening}/in?key={self.secret}"

    def fits(self, said: str) -> bool:
        """Say whether this is the key, in the same time for every guess."""
        return hmac.compare_digest(said.encode(), self.secret.encode())


def view_app(viewed: Viewed, key: Key) -> Guarded:
    """Make the application that shows a study; it has no route that writes.

    Args:
        viewed: The study.
        key: What lets somebody look.

    Raises:
        MissingBackend: A package of the extra `web` is not installed.
    """
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.routing import Route

    pages = _Pages(viewed, key)
    views = {
        "/in": pages.come_in,
        "/": pages.cases,
        "/case": pages.case,
        "/try": pages.trying,
        "/static/{file}": pages.file,
    }
    app = Starlette(
        routes=[Route(path, view, methods=["GET"]) for path, view in views.items()],
        # A page of another site may have its name point here: it does not get an answer.
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS)],
        exception_handlers={
            Refused: _told,
            MedassayError: _told,
            HTTPException: _told,
            Exception: _told,
        },
        max_body_size=MOST_BYTES,
    )
    return Guarded(app, secure=False)


def _told(_: "Request", error: Exception) -> "Response":
    status: Any = getattr(error, "status_code", 500)
    refused = Refused(status, "not_there" if status < 500 else "broken", "")  # noqa: PLR2004 - ours
    if isinstance(error, MedassayError):
        refused = error if isinstance(error, Refused) else Refused(422, "", str(error))
    return page_of_error(shipped().texts["en"], refused)


def _asked(request: "Request") -> ViewerFilter:
    return ViewerFilter.of(request.query_params.multi_items())


class _Pages:
    """The pages; each is a function of the study and of its address."""

    def __init__(self, viewed: Viewed, key: Key) -> None:
        self._viewed, self._key = viewed, key

    def _let_in(self, request: "Request") -> None:
        if not self._key.fits(request.cookies.get(self._key.cookie, "")):
            must = "Please open the address that medassay view printed in your terminal."
            raise Refused(403, "", must)

    def _shown(self, request: "Request", name: str, **values: object) -> "Response":
        viewed, chosen = self._viewed, _asked(request)
        return page(
            f"view_{name}", shipped().texts["en"], 200,
            viewed=viewed, study=viewed.study, chosen=chosen, **values,
        )  # fmt: skip

    def come_in(self, request: "Request") -> "Response":
        """Swap the key for a cookie, so that it leaves the address bar."""
        from starlette.responses import RedirectResponse

        said = request.query_params.get("key", "")
        if not self._key.fits(said):
            self._let_in(request)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            self._key.cookie, self._key.secret, path="/", httponly=True, samesite="strict"
        )
        return answer

    def cases(self, request: "Request") -> "Response":
        """List the cases that fit."""
        self._let_in(request)
        chosen = _asked(request)
        lines = self._viewed.lines(chosen)
        pages = max(1, -(-len(lines) // _A_PAGE))
        at = min(chosen.page, pages)
        here = lines[(at - 1) * _A_PAGE : at * _A_PAGE]
        return self._shown(
            request,
            "cases",
            lines=here,
            count=len(lines),
            answers=sum(line.answers for line in lines),
            first=(at - 1) * _A_PAGE,
            earlier=chosen.at(at - 1).address() if at > 1 else None,
            later=chosen.at(at + 1).address() if at < pages else None,
        )

    def case(self, request: "Request") -> "Response":
        """Show one case with its answers side by side."""
        self._let_in(request)
        chosen = _asked(request)
        name = request.query_params.get("case", "")
        shown = self._viewed.case(name, chosen)
        if shown is None:
            raise Refused(404, "not_there", "")
        lines = self._viewed.lines(chosen)
        before, after = neighbours(lines, name)
        place = next((i for i, line in enumerate(lines, start=1) if line.case == name), None)
        return self._shown(
            request, "case", shown=shown, before=before, after=after, place=place, count=len(lines)
        )

    def trying(self, request: "Request") -> "Response":
        """Try a metric on one answer; nothing of it is kept."""
        self._let_in(request)
        asked = request.query_params
        system, name = asked.get("system_tried", ""), asked.get("case", "")
        shown = self._viewed.case(name, ViewerFilter(systems=(system,)))
        if shown is None or system not in self._viewed.systems:
            raise Refused(404, "not_there", "")
        metrics, wanted = metrics_of(self._viewed.study, system, name), asked.get("metric", "")
        if wanted and wanted not in metrics:
            raise Refused(404, "not_there", "")
        tried = try_metric(self._viewed.study, metrics[wanted], system, name) if wanted else None
        answer = next(answer for answer in shown.answers if answer.system == system)
        return self._shown(
            request, "try", shown=shown, answer=answer, tried=tried, metrics=list(metrics)
        )

    def file(self, request: "Request") -> "Response":
        """Give one of the browser's own files; they hold nothing of any study."""
        known = request.headers.get("if-none-match", "")
        return static_file(request.path_params["file"], known)
