"""Our own routes beside Streamlit's: filled in below by the label desk."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
