"""Free topics that become the analyst's from the Label page: adopted, or kept under a new name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.steering.free_topics import merge_free_topic
from core.steering.operations import Operation
from core.store import Event, Store
from core.workspace.adoption import FreeTopic, require_free_topic
from tsnmf_ui.label import notices, requests
from tsnmf_ui.label.place import Signature
from tsnmf_ui.label.snapshot import Fitted

SAME_COSINE = 0.5  # of a free topic's words before and after a refit, from which it is the same


def keep_free_topic(
    store: Store, fitted: Fitted, request: Mapping[str, Any], by: Signature
) -> tuple[Event, str]:
    """Keep a free topic under the name that a text was labelled with; the line that reports it."""
    kept = _operation(store, fitted, request)
    head = store.record_batch(
        fitted.project.id,
        kept.title,
        kept.events,
        author=by.author,
        client=by.client,
        sequence=by.sequence,
    )
    return head, notices.batch_notice(head)


def _operation(store: Store, fitted: Fitted, request: Mapping[str, Any]) -> Operation:
    into, shown = requests.topic_of(request), requests.free_topic_of(request)
    free = _in_current_run(fitted, require_free_topic(store, fitted.project.id, shown))
    state = store.state(fitted.project.id, ())
    name = next((topic.name for topic in state.topics if topic.id == into), "")
    title = f"Keep “{free.topics.names[free.column]}” as “{name}”"
    return merge_free_topic(
        state, into, topics=free.topics, column=free.column, run=free.run.id, title=title
    )


def _in_current_run(fitted: Fitted, shown: FreeTopic) -> FreeTopic:
    """A fit may have come between: the same free topic there, if it is still the same."""
    run, now, topics = fitted.run, fitted.topics, shown.topics
    if run is None or now is None or run.id == shown.run.id or now.terms != topics.terms:
        return shown
    column = now.column(topics.keys[shown.column])
    if column is None or column < now.n_supervised:
        return shown
    cosine = float(np.dot(now.topic_term[column], topics.topic_term[shown.column]))
    return FreeTopic(run, now, column) if cosine >= SAME_COSINE else shown
