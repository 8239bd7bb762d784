"""Endpoints: whatever is asked over a wire or in this process, one question at a time.

What enters: a body, the JSON that an endpoint is sent. What leaves: a `Reply`, which says how it
ended: answered, empty, refused, cut off, or failed and why. A `Journal` keeps every reply in an
append-only file under the hash of all that decides it; an `Asker` holds rate, budget and journal
together, so that whatever asks through it can be stopped anywhere and goes on where it was.

A `Backend` sends; `open_backend` finds one for settings: the OpenAI protocol through its client,
or the embedded model. Nothing here knows cases, answers or judgements.
"""

from medassay.models.endpoints.asker import Ask, Asker, Journal, NotKept, Stopped, run_all
from medassay.models.endpoints.backend import Backend, open_backend
from medassay.models.endpoints.messages import (
    ENDED,
    Ended,
    Failure,
    JsonSchema,
    Message,
    Reply,
    chat_body,
    reply_of_completion,
)
from medassay.models.endpoints.protocol import refuse_address
from medassay.models.endpoints.settings import (
    Allowed,
    EndpointSettings,
    Limits,
    host_of,
    key_variable,
)

__all__ = [
    "ENDED",
    "Allowed",
    "Ask",
    "Asker",
    "Backend",
    "Ended",
    "EndpointSettings",
    "Failure",
    "Journal",
    "JsonSchema",
    "Limits",
    "Message",
    "NotKept",
    "Reply",
    "Stopped",
    "chat_body",
    "host_of",
    "key_variable",
    "open_backend",
    "refuse_address",
    "reply_of_completion",
    "run_all",
]
