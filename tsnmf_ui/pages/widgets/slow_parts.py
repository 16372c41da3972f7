"""A part of a page that takes seconds: made in a thread, and drawn when it is there.

The page stands without it meanwhile and can be used; a line says what is being made.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import partial
from html import escape
from typing import Generic, TypeVar

import streamlit as st

from core.store import Store
from core.workspace.caches.store_cache import StoreCache

T = TypeVar("T")
Place = tuple[Store, Hashable]

TEXTS_WAITED_FOR = 20_000  # in so few texts nothing is slow enough for a thread
PATIENCE_SECONDS = 0.3  # what is there sooner is drawn without a line that flashes
POLL_SECONDS = 2.0  # between two looks; after each Streamlit collects all garbage, which is slow
AT_ONCE = 2  # parts that are made at the same time
THREAD_NAME = "slow part"


class SlowParts(Generic[T]):
    """Values by store and key, each made once, by a thread of its own."""

    def __init__(self, max_entries: int) -> None:
        self._values: StoreCache[T] = StoreCache(max_entries)
        self._tasks: dict[Place, Future[T]] = {}
        self._lock = threading.Lock()
        self._room = threading.Semaphore(AT_ONCE)

    def show(
        self, store: Store, key: Hashable, make: Callable[[], T], sentence: str, *, wait: bool
    ) -> T | None:
        """The value, or None and the sentence on the page until it is there; ``wait``: never None.

        What goes wrong in the thread is raised here.
        """
        if wait:
            return self._values.get(store, key, make)
        found = self._values.find(store, key)
        if found is not None:
            return found
        place = (store.shared, key)
        task = self._begun(place, store, make)
        try:
            return task.result(PATIENCE_SECONDS)
        except TimeoutError:
            if task.done():
                raise
        finally:
            self._drop_done()
        _wait(task.done, sentence)
        return None

    def _begun(self, place: Place, store: Store, make: Callable[[], T]) -> Future[T]:
        """The making of a value; one that failed unseen is still to be told of."""
        with self._lock:
            task = self._tasks.get(place)
            if task is None:
                task = self._tasks[place] = Future()
                work = partial(self._make, task, store, place[1], make)
                threading.Thread(target=work, name=THREAD_NAME, daemon=True).start()
        return task

    def _drop_done(self) -> None:
        with self._lock:
            self._tasks = {place: task for place, task in self._tasks.items() if not task.done()}

    def _make(self, task: Future[T], store: Store, key: Hashable, make: Callable[[], T]) -> None:
        try:
            with self._room:
                task.set_result(self._values.get(store, key, make))
        except BaseException as error:  # noqa: BLE001 - for whoever waits
            task.set_exception(error)


@st.fragment(run_every=POLL_SECONDS)
def _wait(is_there: Callable[[], bool], sentence: str) -> None:
    """Looks while the part is being made, and not a moment longer."""
    if is_there():
        st.rerun()
    st.html(f'<div class="ts-quiet">{escape(sentence)}</div>')
