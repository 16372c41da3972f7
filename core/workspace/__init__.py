"""What a project does, without a screen.

``Workspace`` is the whole of it over one store: open, create, label, refit, look at topics,
evaluate, compare, report. The modules hold the functions behind it, one noun each; pages, jobs and
commands may call either.
"""

from core.workspace.workspace import Workspace, machine_user

__all__ = [
    "Workspace",
    "added_texts",
    "adoption",
    "assignment",
    "caches",
    "column_roles",
    "comparisons",
    "doctor",
    "fitted_models",
    "intake",
    "labels",
    "machine_user",
    "maps",
    "meaning",
    "new_texts",
    "projects",
    "queue",
    "refits",
    "reports",
    "results",
    "scores",
    "searches",
    "topic_facts",
    "topic_operations",
]
