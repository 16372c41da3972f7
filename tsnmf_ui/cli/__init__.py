"""``tsnmf-studio``: each command is a thin call of the workspace."""

from tsnmf_ui.cli.main import main

__all__ = ["main"]
