"""Which events a fit hears of: a run is not behind because somebody skipped a text."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from core.store.coding.assignments import ASSIGN_TEXTS
from core.store.coding.double_coding import SET_DOUBLE_CODING
from core.store.coding.highlights import DROP_HIGHLIGHT, HIGHLIGHT
from core.store.events.in_force import USE_RUN
from core.store.events.memos import WRITE_MEMO
from core.store.events.new_events import BLIND_LABEL
from core.store.events.report_fields import EDIT_REPORT
from core.store.events.saved_searches import SAVE_SEARCH
from core.store.tables import events

KINDS_WITHOUT_EFFECT = frozenset(
    {
        *("skip", BLIND_LABEL, SET_DOUBLE_CODING, ASSIGN_TEXTS),
        *(HIGHLIGHT, DROP_HIGHLIGHT, EDIT_REPORT, SAVE_SEARCH, WRITE_MEMO, USE_RUN),
    }
)


def count_changes(connection: Connection, project: int, after: int) -> int:
    """Events after one of them that change what a fit is made from, undos and redos included."""
    target = events.alias()
    joined = events.outerjoin(
        target, (target.c.project == events.c.project) & (target.c.id == events.c.undoes)
    )
    query = select(func.count()).select_from(joined)
    query = query.where(events.c.project == project, events.c.id > after)
    query = query.where(events.c.kind.not_in(KINDS_WITHOUT_EFFECT))
    query = query.where(target.c.kind.is_(None) | target.c.kind.not_in(KINDS_WITHOUT_EFFECT))
    return int(connection.scalar(query) or 0)
