"""How well people agree, in words: the same on the History page and in every report."""

from __future__ import annotations

import math

from core.store.history.disagreement import MAX_JUDGEMENTS, MIN_BLIND_TEXTS, Agreement
from core.values import count

GOOD_ALPHA, FAIR_ALPHA = 0.8, 0.667  # Krippendorff's own bounds


def agreement_sentence(found: Agreement) -> str:
    """What Krippendorff's alpha means, in one sentence."""
    if not found.shared:
        return "No text has been double coded yet, so agreement cannot be measured."
    if found.judgements > MAX_JUDGEMENTS:
        return (
            f"People gave {found.judgements:,} different sets of labels; over all topics agreement "
            f"is measured for up to {MAX_JUDGEMENTS:,}."
        )
    if math.isnan(found.alpha):
        return "All labels are the same, so agreement cannot be measured against chance."
    if found.shared < MIN_BLIND_TEXTS:
        return f"There are too few texts to judge agreement: at least {MIN_BLIND_TEXTS} are needed."
    if found.alpha >= GOOD_ALPHA:
        return "Agreement is good: labels of different people can be used together."
    if found.alpha >= FAIR_ALPHA:
        return "Agreement is fair: draw conclusions with care."
    if found.alpha > 0:
        return "People often differ: discuss the topics below and sharpen the codebook."
    return "Agreement is no better than chance: people may understand the topics differently."


def counted_sentence(found: Agreement) -> str:
    """Which texts the numbers count, and what is left out; empty if there is neither."""
    return " ".join(filter(None, (_blind_sentence(found.shared), _in_sight(found.in_sight))))


def _blind_sentence(n: int) -> str:
    if not n:
        return ""
    blind = count(n, "text")
    return f"Counts only the {blind} two people labelled without seeing each other’s label."


def _in_sight(n: int) -> str:
    if not n:
        return ""
    others = count(n, "text that two people labelled", "texts that two people labelled")
    return f"{others} in sight of each other’s label {'is' if n == 1 else 'are'} not counted."


def alpha_words(alpha: float, interval: tuple[float, float] | None) -> str:
    """“0.71 (95 % interval 0.52 to 0.86)”."""
    if math.isnan(alpha):
        return "–"
    between = "" if interval is None else f" (95 % interval {interval_words(interval)})"
    return f"{_signed(alpha)}{between}"


def interval_words(interval: tuple[float, float]) -> str:
    """“0.52 to 0.86”."""
    return f"{_signed(interval[0])} to {_signed(interval[1])}"


def _signed(value: float) -> str:
    """With two decimals, a minus sign below zero, and none before 0.00."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")
