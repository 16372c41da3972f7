"""The Label page (``page``): it requires a project and mounts the pane of tsnmf_ui.label."""

__all__ = []
