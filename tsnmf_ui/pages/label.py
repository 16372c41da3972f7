"""Label: say which topics a text may contain, by keyboard; the model follows."""

from __future__ import annotations

from tsnmf_ui import access, state, texts
from tsnmf_ui.widgets.label_pane import label_pane


def page() -> None:
    """Require a project, then hand over to the labelling pane."""
    project = state.require_project()
    label_pane(project.id, access.token(state.author()), texts.MODES)
