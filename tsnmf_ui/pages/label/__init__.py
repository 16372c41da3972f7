"""The Label page: it requires a project and mounts the labelling pane of tsnmf_ui.label."""

__all__ = []
