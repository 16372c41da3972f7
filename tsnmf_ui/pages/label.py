"""Label: say which topics a text may contain, by keyboard; the model follows."""

from __future__ import annotations

from tsnmf_ui import state


def page() -> None:
    """Require a project, then hand over to the labelling pane."""
    state.require_project()
