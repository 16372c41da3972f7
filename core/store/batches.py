"""Several acts that stand or fall together: a head on the log, and the acts right behind it.

The acts of a batch are ordinary events, so everything that reads labels or topics reads them
without knowing of batches; only undo and redo look at the head.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BindParameter, Connection, bindparam, update

from core.errors import StoreError
from core.store import log
from core.store.acts import Act, Restore
from core.store.checks import checked_name
from core.store.log import Origin
from core.store.tables import acts
from core.store.values import Event

NOBODY = ""  # no author's undo takes back one act of a batch

_p: BindParameter[int] = bindparam("p_project")
_DISOWN = (
    update(acts)
    .where(acts.c.project == _p, acts.c.event.between(bindparam("p_first"), bindparam("p_last")))
    .values(author=NOBODY)
)


def record_batch(
    connection: Connection,
    project: int,
    title: str,
    given: Sequence[Act],
    origin: Origin,
    *,
    at: int | None = None,
) -> Event:
    """Put several acts on the log as one; a resend returns the head that is there already.

    ``at``: the revision the acts were made for; refused when anybody has acted since.
    """
    title = checked_name(title, "A batch")
    if not given:
        raise StoreError("There is nothing to do.")
    if any(isinstance(act, Restore) for act in given):
        raise StoreError("A restore stands alone.")
    head, fresh = log.record_head(connection, project, title, len(given), origin)
    if not fresh:
        return head
    if at is not None and head.id != at + 1:
        raise StoreError("Somebody has acted meanwhile. Look again at what would change.")
    done = log.record_many(connection, project, given, Origin(origin.author, time=head.time))
    ends = {"p_project": project, "p_first": done[0].id, "p_last": done[-1].id}
    connection.execute(_DISOWN, ends)
    return head
