"""Where a request comes from: only our own pages may use our routes."""

from __future__ import annotations

from starlette.requests import Request

from tsnmf_ui.server import login, tokens
from tsnmf_ui.server.guard import OTHER_SITE, SIGN_IN, UNKNOWN_HOST, same_origin
from tsnmf_ui.server.hosts import KnownHosts
from tsnmf_ui.server.request_values import RequestRefused


def author_of(request: Request, hosts: KnownHosts, *, writes: bool = False) -> str:
    """The author of a request from one of our own pages; anything else is turned away."""
    if not hosts.knows(request.headers.get("host", "")):
        raise RequestRefused(403, UNKNOWN_HOST)
    if not same_origin(request.headers, needed=writes):
        raise RequestRefused(403, OTHER_SITE)
    given = request.headers.get("x-token") or request.query_params.get("token", "")
    author = tokens.author_of(given)
    if author is None:
        raise RequestRefused(403, "This page is out of date. Reload it to go on.")
    if not login.may_act_as(request, author):
        raise RequestRefused(403, SIGN_IN)
    return author
