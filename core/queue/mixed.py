"""A bit of everything, each document once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from core.queue.view import QueueItem, View

Line = Callable[[View], Iterator[QueueItem]]

COVER = 20  # the first labels go where they reach most of the corpus
FIRST = ("influential",) * 9 + ("random",)
TEACHING = ("telling", "telling", "torn", "telling", "telling", "influential")
INSTEAD = {"telling": "torn", "influential": "torn"}  # who speaks when nobody knows who is alike
LATER = (*TEACHING, "mislabelled", "thin", *TEACHING, "mislabelled", "novel", *TEACHING, "random")


def line(view: View, lines: Mapping[str, Line]) -> Iterator[QueueItem]:
    """The reasons in turn, each document once; one that runs dry gives its turns away."""
    waiting = {name: each(view) for name, each in lines.items()}
    seen: set[int] = set()
    for name in _turns(view, waiting):
        item = next((each for each in waiting[name] if each.position not in seen), None)
        if item is None:
            del waiting[name]
        else:
            seen.add(item.position)
            yield item


def _turns(view: View, waiting: Mapping[str, object]) -> Iterator[str]:
    """Whose turn it is, as long as anyone is waiting who ever has one."""
    turn = len(view.labels)
    while waiting.keys() & set(LATER):
        early = turn < COVER and "influential" in waiting
        pattern = FIRST if early else LATER
        name = pattern[turn % len(pattern)]
        name = name if name in waiting else INSTEAD.get(name, name)
        turn += 1
        if name in waiting:
            yield name
