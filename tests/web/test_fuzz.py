"""Whatever is sent to the interface, the server answers in its one form and never breaks."""

from typing import Any

import pytest

from medassay.campaign.room import Room
from medassay.web.room_app import openapi
from medassay.web.routes import ROUTES

from .conftest import Visitor

pytestmark = [pytest.mark.web, pytest.mark.slow]
LEAVE_ALONE = {"/out", "/lead/status"}  # they would end what the others are tried with


@pytest.mark.parametrize("who", ["rater-1", "reviewer", "lead", ""])
def test_nothing_that_is_sent_breaks_the_server(room: Room, who: str) -> None:
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings

    document = openapi(route for route in ROUTES if route.path not in LEAVE_ALONE)
    schema = schemathesis.openapi.from_dict(document)
    visitor = Visitor(room, who)
    statuses: dict[int, int] = {}
    quick = settings(
        max_examples=15,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
        derandomize=True,
    )
    for found in schema.get_all_operations():
        operation: Any = found.ok()

        @quick
        @given(case=operation.as_strategy())
        def send(case: Any) -> None:  # noqa: ANN401 - schemathesis has no type for it
            asked = case.as_transport_kwargs(base_url="http://127.0.0.1:8000")
            headers = {**dict(asked.get("headers") or {}), "x-csrf": visitor.csrf}
            answer = visitor.http.request(
                asked["method"],
                asked["url"],
                headers={name: str(value) for name, value in headers.items() if name != "Cookie"},
                json=asked.get("json"),
                data=asked.get("data"),
            )
            statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
            assert answer.status_code < 500, (asked, answer.text)

        send()
    assert sum(statuses.values()) > 100
    assert 200 in statuses, statuses
    assert set(statuses) & {400, 401, 403, 404, 409, 415, 422}, statuses
