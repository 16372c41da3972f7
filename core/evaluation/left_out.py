"""What the guide gets right on labelled documents that it was taught without.

Ridge regression tells each labelled document's score as if it had been left out, so this costs
nothing beyond the fit. It is the one quality that a handful of labels can show: that labels hold in
the topics is true by construction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from core.guide.classifier import Guide
    from core.supervision import Supervision

MIN_JUDGED = 5  # documents below which a share of right ones says nothing
SAME_WITHIN = 0.02  # a smaller difference of two shares is none

Direction = Literal["up", "down", "same"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """For how many documents the guide's likeliest label was right, of how many.

    ``alone`` more are the only example of each of their labels: left out, nothing is known of
    these labels, so such documents are not counted.
    """

    right: int
    of: int
    alone: int = 0

    @property
    def enough(self) -> bool:
        return self.of >= MIN_JUDGED

    @property
    def missing(self) -> int:
        """How many more labels can make it enough; one beside a document alone counts both."""
        if self.enough:
            return 0
        pairs = -(-(MIN_JUDGED - self.of) // 2) if self.alone else MIN_JUDGED - self.of
        return max(MIN_JUDGED - self.of - self.alone, pairs)

    @property
    def second_labels_missing(self) -> bool:
        """Whether there are labels enough, but too few labels were given twice."""
        return not self.enough and self.of + self.alone >= MIN_JUDGED

    @property
    def share(self) -> float:
        return self.right / max(self.of, 1)


def judge_left_out(guide: Guide, supervision: Supervision) -> LeftOut:
    """Count the documents the guide learnt from; a tie with a wrong label is not right."""
    carried = supervision.indicator()[guide.positions].toarray() > 0
    chances = np.asarray(guide.left_out)[: len(carried)]
    known = (carried & (carried.sum(axis=0) > 1)).any(axis=1)
    own = np.where(carried, chances, -1.0).max(axis=1, initial=-1.0)
    rival = np.where(carried, -1.0, chances).max(axis=1, initial=-1.0)
    right = known & (own > rival)
    return LeftOut(int(right.sum()), int(known.sum()), int((~known).sum()))


def direction(now: LeftOut, before: LeftOut) -> Direction:
    """Whether the share of right ones rose, fell or stayed."""
    difference = now.share - before.share
    if abs(difference) < SAME_WITHIN:
        return "same"
    return "up" if difference > 0 else "down"
