"""Label: say which topics a text may contain, by keyboard; the model follows."""

from __future__ import annotations

from tsnmf_ui import access, state, texts
from tsnmf_ui.widgets.label_pane import label_pane


def page() -> None:
    """Require a project, then hand over to the labelling pane."""
    project = state.require_project()
    author = state.author()
    label_pane(project.id, author, access.token(author), texts.MODES)
