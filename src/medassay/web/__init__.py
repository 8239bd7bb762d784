"""The rating room in the browser, and the viewer of a study.

What enters: a room's store, or an open study, and requests. What leaves: pages, JSON and the
browser's modules. One table of routes says who may do what (`medassay.web.routes`); no SQL, no
arithmetic. Needs the packages of the extra `web`.
"""

from medassay.web.room_app import room_app
from medassay.web.routing import Setup
from medassay.web.serve import LOOPBACK, Served, serve, warning_of

__all__ = ["LOOPBACK", "Served", "Setup", "room_app", "serve", "warning_of"]
