"""The default mode: takes documents from every reason in turn, each document once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from core.queue.context import QueueContext, QueueItem

Ranker = Callable[[QueueContext], Iterator[QueueItem]]

COVERING_LABELS = 20  # so many first labels go to documents that cover the corpus
COVERING_TURNS = ("influential",) * 9 + ("random",)
TEACHING_TURNS = ("influential", "informative") * 4
OTHER_REASONS = ("mislabelled", "thin", "novel", "random")
LATER_TURNS = tuple(name for other in OTHER_REASONS for name in (*TEACHING_TURNS, other))
# Without a neighbour index these two rank nothing: use the uncertainty of the label instead.
FALLBACK_KINDS = {"informative": "undecided", "influential": "undecided"}


def rank(context: QueueContext, rankers: Mapping[str, Ranker]) -> Iterator[QueueItem]:
    """The reasons in turn; one that has no document left is passed over."""
    waiting = {name: ranker(context) for name, ranker in rankers.items()}
    seen: set[int] = set()
    for name in _turns(context, waiting):
        item = next((each for each in waiting[name] if each.position not in seen), None)
        if item is None:
            del waiting[name]
        else:
            seen.add(item.position)
            yield item


def _turns(context: QueueContext, waiting: Mapping[str, object]) -> Iterator[str]:
    """The name of the next reason, as long as one of them has documents left."""
    turn = len(context.labels)
    while waiting.keys() & set(LATER_TURNS):
        early = turn < COVERING_LABELS and "influential" in waiting
        pattern = COVERING_TURNS if early else LATER_TURNS
        name = pattern[turn % len(pattern)]
        name = name if name in waiting else FALLBACK_KINDS.get(name, name)
        turn += 1
        if name in waiting:
            yield name
