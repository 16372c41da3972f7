"""Label: say which topics a text may contain, by keyboard; the model follows."""

from __future__ import annotations

from tsnmf_ui.label.pane import label_pane
from tsnmf_ui.server import state, tokens
from tsnmf_ui.theme import texts


def page() -> None:
    """Require a project, then hand over to the labelling pane."""
    project = state.require_project()
    author = state.author()
    label_pane(
        project.id,
        author,
        tokens.token(author),
        texts.QUEUE_MODE_TEXTS,
        named=not state.is_unnamed(),
        reader=not state.may_change(project.id),
    )
