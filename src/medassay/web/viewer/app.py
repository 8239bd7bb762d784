"""The viewer as an application, and what metrics say of a text that is tried."""

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from medassay.campaign.catalogues import shipped
from medassay.errors import MedassayError
from medassay.exhibits.numbers import Style
from medassay.web.answers import Refused
from medassay.web.gate import MOST_BYTES, Guarded
from medassay.web.pages import page, page_of_error, static_file
from medassay.web.viewer.chosen import ViewerFilter
from medassay.web.viewer.viewed import Viewed, neighbours

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from medassay.metrics import BoundMetric
    from medassay.metrics.declaration import Content
    from medassay.study import Study


@dataclass(frozen=True, slots=True)
class Read:
    """One thing that a metric reads.

    Attributes:
        words: What it is, as the metric's declaration says.
        of: Whether it stands in the case or the answer.
        there: Whether it is there at all.
        lines: What it found, a piece a line; empty where the study keeps its texts.
    """

    words: str
    of: str
    there: bool
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatementTried:
    """One statement of the answer as the metric looked at it."""

    text: str
    verdict: str
    strength: str
    evidence: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it.

    Attributes:
        name: The metric's canonical name.
        question: The question that it answers.
        unit: What one unit of the number is.
        range: The least and the largest value, in words.
        direction: Which way is better, in words.
        value: The value, as it prints; empty where there is none.
        why: Why there is none.
        parts: The sums behind the value, by name.
        read: What it read.
        statements: What it found of each statement, where it looks at statements.
        blind_spots: What it cannot see.
        reference: Its source.
        signature: All that the number depends on.
    """

    name: str
    question: str
    unit: str
    range: str
    direction: str
    value: str
    why: str
    parts: tuple[tuple[str, str], ...]
    read: tuple[Read, ...]
    statements: tuple[StatementTried, ...]
    blind_spots: tuple[str, ...]
    reference: str
    signature: str


_BETTER: Mapping[str, str] = {
    "higher": "higher is better",
    "lower": "lower is better",
    "none": "neither way is better",
}


def _metrics_of(study: "Study", system: str, case: str) -> "dict[str, BoundMetric]":
    """Give the metrics to try on an answer, by canonical name.

    First those that study.toml names, whether they can score it or not: each then says what it
    lacks. Then those that can on this machine, in their usual forms.
    """
    from medassay.metrics import Level, declarations, resolve, usual_names
    from medassay.models import use_models
    from medassay.study.config.study_toml import as_shown
    from medassay.study.folder import models_of
    from medassay.study.metric_choice import named_metrics

    asked, answer = study.cases[case], study.answers.get(system, case)
    own = {str(one.name): one for one in named_metrics(study.config)}
    with use_models(models_of(study)):
        for name in (name for one in declarations() for name in usual_names(one)):
            metric = as_shown(resolve(name), study.config)
            lacks = metric.case_lacks(asked) if answer is None else metric.why_not(asked, answer)
            if lacks is None and metric.missing is None:
                own.setdefault(str(metric.name), metric)
    return {name: one for name, one in own.items() if one.declaration.level is Level.ANSWER}


def _try_metric(study: "Study", metric: "BoundMetric", system: str, case: str) -> Tried:
    """Score one answer, and tell what the metric read of it and of its case.

    No model is fetched: one that is not on this machine is a reason why there is no value.
    """
    from dataclasses import replace

    from medassay.metrics.run import reference_corpora
    from medassay.models import use_models
    from medassay.scores import Score
    from medassay.study.folder import models_of

    asked, answer = study.cases[case], study.answers.get(system, case)
    full = study.config.privacy.texts == "full"
    setup = replace(models_of(study), corpora=reference_corpora(study.cases))
    declared = metric.declaration
    statements: tuple[StatementTried, ...] = ()
    with use_models(setup):
        if answer is None:
            outcome = metric.score_no_answer(asked)
        else:
            outcome = metric.score_batch([(asked, answer)])[0]
            if declared.statements is not None and isinstance(outcome, Score) and full:
                rows = declared.statements.check([(asked, answer)], metric.arguments)[0]
                statements = tuple(
                    StatementTried(
                        row.statement, row.finding.verdict.value,
                        Style(2, bounded=True)(row.finding.strength),
                        row.source or "", row.sentence if row.source else "",
                    )
                    for row in rows
                )  # fmt: skip
        signature = str(metric.signature)
    read = []
    for need in metric.needs:
        content: Content | None = None
        if need.of_case is not None:
            content = need.of_case(asked)
        elif need.of_answer is not None and answer is not None:
            content = need.in_answer(answer) if need.is_met_by(answer) else None
        of = "case" if need.of_case is not None else "answer"
        lines = _lines(content) if full and content is not None else ()
        read.append(Read(need.words, of, content is not None, lines))
    low, high = metric.range
    style = Style.of_scale(low, high)
    return Tried(
        str(metric.name),
        declared.question,
        declared.unit,
        f"{'no least value' if low is None else f'{low:g}'} to "
        f"{'no largest' if high is None else f'{high:g}'}",
        _BETTER[declared.direction.value],
        style(outcome.value) if isinstance(outcome, Score) else "",
        "" if isinstance(outcome, Score) else str(outcome) if full else outcome.reason.words,
        tuple(
            (name.replace("_", " "), f"{value:g}")
            for name, value in zip(declared.parts, outcome.parts, strict=False)
        )
        if isinstance(outcome, Score)
        else (),
        tuple(read),
        statements,
        declared.blind_spots,
        declared.reference,
        signature,
    )


def _lines(content: "Content") -> tuple[str, ...]:
    """Write down what a need found, a piece a line."""
    if isinstance(content, str):
        return (content,)
    if isinstance(content, Mapping):
        return tuple(f"{name}: {value:g}" for name, value in content.items())
    return tuple(_line(piece) for piece in content if piece is not None)


def _line(piece: object) -> str:
    if isinstance(piece, tuple | list):
        return " · ".join(_line(part) for part in piece if part not in (None, "", ()))
    return str(piece)


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

    def address(self, listening: str, to: str = "") -> str:
        """Give the address to open.

        Args:
            listening: Where the viewer listens.
            to: The path of a page to go on to; the table of answers if empty.
        """
        return f"{listening}/in?{urlencode({'key': self.secret, **({'to': to} if to else {})})}"

    def fits(self, said: str) -> bool:
        """Say whether this is the key, in the same time for every guess."""
        return hmac.compare_digest(said.encode(), self.secret.encode())


def view_app(viewed: Viewed, key: Key) -> Guarded:
    """Make the application that shows a study to this machine; it has no route that writes.

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
        "/": pages.answers,
        "/answers.csv": pages.rows,
        "/case": pages.case,
        "/changed": pages.changed,
        "/try": pages.trying,
        "/static/{file}": pages.file,
    }
    app = Starlette(
        routes=[Route(path, view, methods=["GET"]) for path, view in views.items()],
        # A page of another site may have its name point here: it does not get an answer.
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS)],
        exception_handlers={
            _Shut: _door,
            Refused: _told,
            MedassayError: _told,
            HTTPException: _told,
            Exception: _told,
        },
        max_body_size=MOST_BYTES,
    )
    return Guarded(app, "")


class _Shut(Exception):
    """Somebody without the key of this start asks for a page."""

    def __init__(self, to: str) -> None:
        super().__init__(to)
        self.to = to


def _door(_: "Request", shut: Exception) -> "Response":
    """Ask for the key, and keep the page in mind: its address is the same after a new start."""
    to = shut.to if isinstance(shut, _Shut) else "/"
    return page("view_door", shipped().texts["en"], 403, root="", to=to)


def _told(_: "Request", error: Exception) -> "Response":
    status: Any = getattr(error, "status_code", 500)
    refused = Refused(status, "not_there" if status < 500 else "broken", "")  # noqa: PLR2004 - ours
    if isinstance(error, MedassayError):
        refused = error if isinstance(error, Refused) else Refused(422, "", str(error))
    return page_of_error(shipped().texts["en"], refused, "")


def _asked(request: "Request") -> ViewerFilter:
    return ViewerFilter.of(request.query_params.multi_items())


class _Pages:
    """The pages; each is a function of the study and of its address."""

    def __init__(self, viewed: Viewed, key: Key) -> None:
        self._viewed, self._key = viewed, key

    def _let_in(self, request: "Request") -> None:
        if not self._key.fits(request.cookies.get(self._key.cookie, "")):
            raise _Shut(f"{request.url.path}?{request.url.query}".rstrip("?"))

    def _shown(self, request: "Request", name: str, **values: object) -> "Response":
        viewed, chosen = self._viewed, _asked(request)
        return page(
            f"view_{name}", shipped().texts["en"], 200,
            root="", viewed=viewed, study=viewed.study, chosen=chosen, **values,
        )  # fmt: skip

    def come_in(self, request: "Request") -> "Response":
        """Swap the key for a cookie, so that it leaves the address bar, and go on."""
        from starlette.responses import RedirectResponse

        said, to = request.query_params.get("key", ""), request.query_params.get("to", "/")
        # Only to a page of this viewer: two slashes would begin another machine's name.
        to = to if re.match(r"/(?![/\\]|in\b)", to) else "/"
        answer = RedirectResponse(to, 303)
        if self._key.fits(said.strip()):
            answer.set_cookie(self._key.cookie, self._key.secret, httponly=True, samesite="strict")
        elif not self._key.fits(request.cookies.get(self._key.cookie, "")):
            raise _Shut(to)
        return answer

    def answers(self, request: "Request") -> "Response":
        """Show the systems, and the table of the answers that fit."""
        self._let_in(request)
        chosen, viewed = _asked(request), self._viewed
        places = viewed.found(chosen)
        pages = max(1, -(-len(places) // _A_PAGE))
        at = min(chosen.page, pages)
        here = places[(at - 1) * _A_PAGE : at * _A_PAGE]
        columns = [] if viewed.closed else viewed.table.shown(chosen)
        cells = [[viewed.table.cell(place, column) for column in columns] for place in here]
        return self._shown(
            request,
            "answers",
            unknown=viewed.unknown(chosen),
            columns=columns,
            overview=[] if viewed.closed else viewed.table.overview(places, columns),
            lines=list(zip(map(viewed.line, here), cells, strict=True)),
            count=len(places),
            earlier=chosen.at(at - 1).address() if at > 1 else None,
            later=chosen.at(at + 1).address() if at < pages else None,
        )

    def rows(self, request: "Request") -> "Response":
        """Give the answers that fit as a file."""
        from starlette.responses import Response

        self._let_in(request)
        if self._viewed.closed:
            raise Refused(404, "not_there", "")
        headers = {"content-disposition": 'attachment; filename="answers.csv"'}
        content = self._viewed.table.csv(_asked(request))
        return Response(content, media_type="text/csv; charset=utf-8", headers=headers)

    def case(self, request: "Request") -> "Response":
        """Show one case with its answers side by side."""
        self._let_in(request)
        chosen = _asked(request)
        name = request.query_params.get("case", "")
        shown = self._viewed.case(name, chosen)
        if shown is None:
            raise Refused(404, "not_there", "")
        answers = self._viewed.table.answers
        cases = list(dict.fromkeys(answers[at].case for at in self._viewed.found(chosen)))
        before, after = neighbours(cases, name)
        place = cases.index(name) + 1 if name in cases else None
        return self._shown(
            request, "case", shown=shown, before=before, after=after, place=place, count=len(cases)
        )

    def changed(self, request: "Request") -> "Response":
        """Show an answer beside the same one on the other side, changed words marked."""
        self._let_in(request)
        asked = request.query_params
        system, name = asked.get("answer", ""), asked.get("case", "")
        shown = self._viewed.case(name, ViewerFilter()) if system in self._viewed.systems else None
        changed = self._viewed.changed(system, name) if shown else None
        if shown is None or changed is None:
            raise Refused(404, "not_there", "")
        return self._shown(request, "changed", shown=shown, system=system, changed=changed)

    def trying(self, request: "Request") -> "Response":
        """Try a metric on one answer; nothing of it is kept."""
        self._let_in(request)
        asked = request.query_params
        system, name = asked.get("system_tried", ""), asked.get("case", "")
        shown = self._viewed.case(name, ViewerFilter(systems=(system,)))
        if shown is None or system not in self._viewed.systems:
            raise Refused(404, "not_there", "")
        metrics, wanted = _metrics_of(self._viewed.study, system, name), asked.get("metric", "")
        if wanted and wanted not in metrics:
            raise Refused(404, "not_there", "")
        tried = _try_metric(self._viewed.study, metrics[wanted], system, name) if wanted else None
        answer = next(answer for answer in shown.answers if answer.system == system)
        return self._shown(
            request, "try", shown=shown, answer=answer, tried=tried, metrics=list(metrics)
        )

    def file(self, request: "Request") -> "Response":
        """Give one of the browser's own files; they hold nothing of any study."""
        known = request.headers.get("if-none-match", "")
        return static_file(request.path_params["file"], known)
