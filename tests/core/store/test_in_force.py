"""The status of events, in time linear in the log, is what the definition says."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.store.events.in_force import status_of_events
from core.store.state.planned_change import LogLine
from tests.oracles import status_of_events as definition

pytestmark = pytest.mark.sqlite_only

KINDS = ("label", "label", "undo", "undo", "redo", "restore", "restore", "batch", "use_run")
AUTHORS = st.sampled_from(["ann", "ben"])


@st.composite
def logs(draw: st.DrawFn) -> list[LogLine]:
    """Logs as the store writes them, and some that it never would."""
    log: list[LogLine] = []
    wild, length, last = draw(st.booleans()), draw(st.integers(0, 30)), 60
    while len(log) < length and (last := last - 1):
        n, author = len(log) + 1, draw(AUTHORS)
        kind = draw(
            st.sampled_from(["label", "label", "undo", "redo", "restore", "batch", "use_run"])
        )
        if kind == "restore":
            log.append(LogLine(n, kind, author, None, {"to": draw(st.integers(0, n - 1))}))
        elif kind == "batch":
            size = draw(st.integers(1, 3))
            log.append(LogLine(n, kind, author, None, {"count": size}))
            log += [LogLine(n + i, "label", author, None, {}) for i in range(1, size + 1)]
        elif kind in ("undo", "redo"):
            target = _target(draw, log, kind, author, wild)
            if target is not None:
                log.append(LogLine(n, kind, author, target, {}))
        else:
            log.append(LogLine(n, kind, author, None, {}))
    return log


def _target(draw: st.DrawFn, log: list[LogLine], kind: str, author: str, wild: bool) -> int | None:
    """The last own event in force, or the first own one undone; a wild log names any."""
    if wild:
        return draw(st.integers(1, len(log))) if log else None
    status = definition.status_of_events(log)
    wanted = "done" if kind == "undo" else "undone"
    members = {each for line in log for each in definition.batch_members(line)}
    own = [e.id for e in log if e.author == author and status.get(e.id) == wanted]
    own = [event for event in own if event not in members]
    return (own[-1] if kind == "undo" else own[0]) if own else None


@settings(max_examples=400, deadline=None)
@given(logs())
def test_the_status_of_every_event_is_what_the_definition_says(log: list[LogLine]) -> None:
    assert status_of_events(log) == definition.status_of_events(log)


def test_a_thousand_restores_of_each_other_take_no_longer_than_the_log() -> None:
    """Each restores the state after the one before it: by the definition 2 ** 1,000 readings."""
    log = [LogLine(n, "label", "ann", None, {}) for n in range(1, 100_001)]
    log += [LogLine(n, "restore", "ann", None, {"to": n - 1}) for n in range(100_001, 101_001)]
    began = time.process_time()
    status = status_of_events(log)
    assert list(status.values()).count("done") == 100_001
    assert time.process_time() - began < 20  # a fraction of a second on an idle machine
