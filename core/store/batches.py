"""Several acts that stand or fall together: a head on the log, and the acts right behind it.

The acts of a batch are ordinary events, so everything that reads labels or topics reads them
without knowing of batches; only undo and redo look at the head.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BindParameter, Connection, bindparam, update

from core.errors import StoreError
from core.store import log
from core.store.acts import Restore
from core.store.checks import checked_name
from core.store.collecting import uncollected
from core.store.label_runs import Step, count
from core.store.log import Origin
from core.store.tables import NOBODY, acts
from core.store.values import Event

_p: BindParameter[int] = bindparam("p_project")
_DISOWN = (
    update(acts)
    .where(acts.c.project == _p, acts.c.event.between(bindparam("p_first"), bindparam("p_last")))
    .where(acts.c.author != NOBODY)
    .values(author=NOBODY)
)


@uncollected()
def record_batch(
    connection: Connection,
    project: int,
    title: str,
    given: Sequence[Step],
    origin: Origin,
    *,
    at: int | None = None,
) -> Event:
    """Put several acts, made ready, on the log as one; a resend returns the head already there.

    ``at``: the revision the acts were made for; refused when anybody has acted since.
    """
    title = checked_name(title, "A batch")
    if not given:
        raise StoreError("There is nothing to do.")
    if any(isinstance(act, Restore) for act in given):
        raise StoreError("A restore stands alone.")
    head, fresh = log.record_head(connection, project, title, count(given), origin)
    if not fresh:
        return head
    if at is not None and head.id != at + 1:
        raise StoreError("Somebody has acted meanwhile. Look again at what would change.")
    told = Origin(origin.author, time=head.time)
    done = log.record_many(connection, project, given, told, owner=NOBODY)
    ends = {"p_project": project, "p_first": done.start, "p_last": done.stop - 1}
    connection.execute(_DISOWN, ends)
    return head
