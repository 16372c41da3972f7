"""Projects, documents, the append-only log of label events, and runs.

The log is the truth: every other statement about labels and topics is derived from it, so
undo and redo are exact and survive a restart. SQLite by default; PostgreSQL by
``TSNMF_STUDIO_DATABASE_URL``.
"""

from core.store.coding.assignments import Assignments, AssignTexts
from core.store.coding.double_coding import DoubleCoding
from core.store.coding.highlights import DropHighlight, Highlight
from core.store.events.added_texts import AddedTexts
from core.store.events.codebook import Codebook, EditCodebook
from core.store.events.in_force import events_in_force
from core.store.events.memos import Memo, WriteMemo
from core.store.events.new_events import (
    BlindLabel,
    CreateTopic,
    DeleteTopic,
    Label,
    NewEvent,
    RenameTopic,
    Restore,
    Skip,
)
from core.store.events.report_fields import (
    PRIVACY_CHOICES,
    REPORT_FIELD_LIMITS,
    TOPIC_FIELD_LIMITS,
    EditReport,
    ReportField,
)
from core.store.events.requirements import NEW_TOPIC
from core.store.events.saved_searches import SavedSearch, SaveSearch
from core.store.events.topic_events import (
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
from core.store.history.pages import HistoryFilter, HistoryLine, HistoryPage
from core.store.projects.added_texts import TextChanges
from core.store.runs.outcome import OperationVerdict, RefitChange, RunOutcome, RunScores
from core.store.state.difference import StateDifference
from core.store.state.labels_in_force import LabelInForce, new_annotation
from core.store.state.replay import State, replay
from core.store.state.word_rules import WordRules
from core.store.store import Store
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

__all__ = [
    "PRIVACY_CHOICES",
    "REPORT_FIELD_LIMITS",
    "TOPIC_FIELD_LIMITS",
    "NewEvent",
    "AddStopWord",
    "AddedTexts",
    "AddWord",
    "Annotation",
    "Assignments",
    "AssignTexts",
    "BlindLabel",
    "Child",
    "Codebook",
    "CreateTopic",
    "DeleteTopic",
    "StateDifference",
    "DoubleCoding",
    "DropHighlight",
    "DropStopWord",
    "EditCodebook",
    "EditReport",
    "Event",
    "Highlight",
    "HistoryFilter",
    "HistoryLine",
    "HistoryPage",
    "Label",
    "LabelInForce",
    "LockTopic",
    "Memo",
    "MergeTopics",
    "NEW_TOPIC",
    "OperationVerdict",
    "Project",
    "ProjectSettings",
    "RefitChange",
    "ReleaseWord",
    "ReportField",
    "RemoveWord",
    "RenameTopic",
    "Restore",
    "Run",
    "RunOutcome",
    "RunScores",
    "RunSummary",
    "SaveSearch",
    "SavedSearch",
    "SearchResult",
    "Skip",
    "SplitTopic",
    "TextChanges",
    "State",
    "Store",
    "Topic",
    "UnlockTopic",
    "WordRules",
    "WriteMemo",
    "channel",
    "events",
    "closing",
    "coding",
    "files",
    "history",
    "maintenance",
    "members",
    "moving",
    "new_annotation",
    "projects",
    "replay",
    "runs",
    "events_in_force",
    "state",
    "values",
]
