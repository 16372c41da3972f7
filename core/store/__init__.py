"""Projects, documents, the append-only log of label events, and runs.

The log is the truth: every other statement about labels and topics is derived from it, so
undo and redo are exact and survive a restart. SQLite by default; any database SQLAlchemy
speaks to by ``TSNMF_STUDIO_DATABASE_URL``.
"""

from core.store.acts import Act, CreateTopic, DeleteTopic, Label, RenameTopic, Restore, Skip
from core.store.codebook import Codebook, EditCodebook
from core.store.difference import Difference
from core.store.fold import State, new_annotation, replay
from core.store.fold import in_force as standing_acts
from core.store.history import HistoryFilter, HistoryLine, HistoryPage
from core.store.requirements import NEW
from core.store.store import Store
from core.store.topic_acts import (
    AddStopWord,
    AddWord,
    Child,
    DropStopWord,
    LockTopic,
    MergeTopics,
    ReleaseWord,
    RemoveWord,
    SplitTopic,
    UnlockTopic,
)
from core.store.values import (
    Annotation,
    Event,
    Project,
    ProjectSettings,
    Run,
    RunSummary,
    SearchResult,
    Topic,
)
from core.store.wording import Wording

__all__ = [
    "NEW",
    "Act",
    "AddStopWord",
    "AddWord",
    "Annotation",
    "Child",
    "Codebook",
    "CreateTopic",
    "DeleteTopic",
    "Difference",
    "DropStopWord",
    "EditCodebook",
    "Event",
    "HistoryFilter",
    "HistoryLine",
    "HistoryPage",
    "Label",
    "LockTopic",
    "MergeTopics",
    "Project",
    "ProjectSettings",
    "ReleaseWord",
    "RemoveWord",
    "RenameTopic",
    "Restore",
    "Run",
    "RunSummary",
    "SearchResult",
    "Skip",
    "SplitTopic",
    "State",
    "Store",
    "Topic",
    "UnlockTopic",
    "Wording",
    "new_annotation",
    "replay",
    "standing_acts",
]
