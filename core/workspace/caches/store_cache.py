"""A bounded cache in memory for what is made from a store."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from core.store import Store

T = TypeVar("T")


class _Entry(Generic[T]):
    """One value, made under its own lock so that nothing else waits for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.made = False
        self.value: T

    def get(self, make: Callable[[], T]) -> T:
        with self.lock:
            if not self.made:
                self.value = make()
                self.made = True
            return self.value


class StoreCache(Generic[T]):
    """Values by store and key; the least recently used one is dropped first.

    A value is made once, however many threads ask for it, and whoever of the people that share
    the store. What could not be made is not kept.
    """

    def __init__(self, max_entries: int) -> None:
        self.max_entries = max_entries
        self._stores: WeakKeyDictionary[Store, OrderedDict[Hashable, _Entry[T]]]
        self._stores = WeakKeyDictionary()
        self._lock = threading.Lock()

    def get(self, store: Store, key: Hashable, make: Callable[[], T]) -> T:
        """The value under a key, made if it is not there."""
        with self._lock:
            entries = self._stores.setdefault(store.shared, OrderedDict())
            entry = entries.setdefault(key, _Entry())
            entries.move_to_end(key)
            while len(entries) > self.max_entries:
                entries.popitem(last=False)
        return entry.get(make)

    def put(self, store: Store, key: Hashable, value: T) -> None:
        """Keep a value in place of what was there."""
        self.forget(store, key)
        self.get(store, key, lambda: value)

    def forget(self, store: Store, key: Hashable) -> None:
        """Drop the value under a key."""
        with self._lock:
            self._stores.get(store.shared, OrderedDict()).pop(key, None)

    def find(self, store: Store, key: Hashable) -> T | None:
        """The value under a key, if it has been made and is still kept."""
        entry = self._entry(store, key)
        return entry.value if entry is not None and entry.made else None

    def has(self, store: Store, key: Hashable) -> bool:
        """Whether a value has been made and is still kept."""
        entry = self._entry(store, key)
        return entry is not None and entry.made

    def _entry(self, store: Store, key: Hashable) -> _Entry[T] | None:
        with self._lock:
            return self._stores.get(store.shared, OrderedDict()).get(key)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._stores.clear()
