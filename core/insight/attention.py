"""Which topics need a look, why, and which first.

Every problem is told, and weighed by how bad it is and by how many documents it concerns. Only the
heaviest count as needing a look, and never more than a third of the topics: a list in which
everything needs a look ranks nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.insight.changes import Changes
from core.insight.label_checks import LabelCheck
from core.insight.overlap import Overlap, find_overlaps
from core.insight.summaries import topic_sizes
from core.topics import Topics
from core.values import percent

ReasonKind = Literal[
    "no words",
    "nothing left",
    "empty",
    "few labels",
    "foreign words",
    "read elsewhere",
    "incoherent",
    "overlapping",
    "drifting",
]

MIN_LABELS = 5  # a named topic should have
MAX_FOREIGN_SHARE = 0.2  # of a topic's labelled documents with its first words; more is well
MIN_JUDGED = 3  # labelled documents from which on the guide's view of a topic counts
MIN_ELSEWHERE = 0.5  # share of them that the guide gives another label, above which it is told
COHERENT_NPMI = 0.05  # a topic with this NPMI is coherent, whatever the others have
MAX_NPMI_BELOW_MEDIAN = 0.15  # a lower topic is incoherent; short texts lower all topics
MIN_STABILITY = 0.6  # share of words kept in the last fit, below which a topic drifts
MIN_URGENCY = 1.0  # of a topic that needs a look
LEAST_LOOKS, LOOKS_PER_TOPIC = 3, 1 / 3  # how many topics need a look at most
REASON_WEIGHTS: dict[ReasonKind, float] = {
    "foreign words": 3.0,
    "read elsewhere": 3.0,
    "no words": 2.0,
    "overlapping": 2.0,
    "empty": 1.5,
    "incoherent": 1.5,
    "few labels": 1.0,
    "drifting": 0.75,
    "nothing left": 0.0,  # is said, and nobody has to do anything
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a topic needs a look, as a sentence, and how strongly, from 0 to 1."""

    kind: ReasonKind
    sentence: str
    strength: float
    other: int | None = None  # a topic that has to do with it
    positions: tuple[int, ...] = ()  # documents that have to do with it

    @property
    def weight(self) -> float:
        return REASON_WEIGHTS[self.kind] * (0.5 + self.strength)


@dataclass(frozen=True, slots=True)
class Attention:
    """One topic and the reasons to look at it, heaviest first; none if there is no problem."""

    topic: int
    reasons: tuple[Reason, ...]
    size: float = 1.0  # 0.5 for a topic of no documents, 1.5 for one of many
    first: bool = False  # it is among those that need a look

    @property
    def urgency(self) -> float:
        return self.size * sum(reason.weight for reason in self.reasons)


def needs_attention(
    topics: Topics,
    *,
    labelled: Sequence[int] | None = None,
    coherence: Sequence[float] | np.ndarray | None = None,
    changes: Changes | None = None,
    checks: Sequence[LabelCheck] = (),
) -> list[Attention]:
    """All topics, those that need a look most first; ties stay in the topics' own order.

    ``labelled`` counts the labelled documents of each topic (used for named topics only),
    ``coherence`` is NPMI per topic, ``changes`` is what the last refit changed, ``checks`` are
    the named topics beside their labelled documents. What is not given is not checked.
    """
    overlaps, sizes = find_overlaps(topics), topic_sizes(topics)["documents"].tolist()
    limit = _coherence_limit(coherence)
    found = []
    for topic in range(len(topics)):
        check = checks[topic] if topic < len(checks) else LabelCheck()
        wordless = _no_words(topics, topic, sizes)
        reasons = wordless or [
            *_empty(topics, topic, sizes),
            *_few_labels(topics, topic, labelled),
            *_foreign_words(check),
            *_read_elsewhere(topics, check),
            *_incoherent(topic, limit, coherence),
            *(_overlapping(topics, each) for each in overlaps[topic]),
            *_drifting(topic, changes),
        ]
        ranked = tuple(sorted(reasons, key=lambda reason: -reason.weight))
        found.append(Attention(topic, ranked, _size_factor(topic, sizes)))
    return _with_first(sorted(found, key=lambda each: (-each.urgency, bool(each.reasons))))


def _with_first(found: Sequence[Attention]) -> list[Attention]:
    """The most urgent ones first and marked, as far as they are urgent at all; then the others.

    Several small remarks do not make a trouble: one reason has to be heavy enough.
    """
    most = max(LEAST_LOOKS, round(LOOKS_PER_TOPIC * len(found)))
    urgent: dict[int, Attention] = {}
    for each in found:
        if len(urgent) < most and _is_urgent(each, urgent):
            urgent[each.topic] = replace(each, first=True)
    return [*urgent.values(), *(each for each in found if each.topic not in urgent)]


def _is_urgent(found: Attention, others: Collection[int]) -> bool:
    """An overlap with a topic that needs a look already is one trouble, not two."""
    heavy = (each for each in found.reasons if found.size * each.weight >= MIN_URGENCY)
    return any(not (each.kind == "overlapping" and each.other in others) for each in heavy)


def _size_factor(topic: int, sizes: Sequence[int]) -> float:
    """1 for a topic of average size."""
    average = max(sum(sizes) / max(len(sizes), 1), 1e-9)
    return 0.5 + min(1.0, sizes[topic] / average / 2)


def _no_words(topics: Topics, topic: int, sizes: Sequence[int]) -> list[Reason]:
    """All there is to say of a topic that the model knows nothing about, or its texts alone."""
    if topics.topic_term[topic].any():
        return []
    if topic >= topics.n_supervised and not sizes[topic]:
        sentence = "The other topics explain the texts; nothing is left for it."
        return [Reason("nothing left", sentence, 0.0)]
    cure = ": label a text with it, or describe it in the codebook"
    advice = cure if topic < topics.n_supervised else ""
    known = (
        "It has texts, but no words yet" if sizes[topic] else "The model knows nothing of it yet"
    )
    return [Reason("no words", f"{known}{advice}.", 1.0)]


def _empty(topics: Topics, topic: int, sizes: Sequence[int]) -> list[Reason]:
    if sizes[topic]:
        return []
    strength = 1.0 if topic < topics.n_supervised else 0.0  # a free topic may well stay empty
    return [Reason("empty", "No text is mainly about this topic.", strength)]


def _few_labels(topics: Topics, topic: int, labelled: Sequence[int] | None) -> list[Reason]:
    """Fewer than a topic should have; it matters where the others have more."""
    if labelled is None or topic >= topics.n_supervised or labelled[topic] >= MIN_LABELS:
        return []
    count = labelled[topic]
    sentences = {0: "No text has this label yet.", 1: "Only one text has this label."}
    sentence = sentences.get(count, f"Only {count} texts have this label.")
    usual = min(MIN_LABELS, float(np.median(labelled[: topics.n_supervised])))
    return [Reason("few labels", sentence, max(0.0, 1.0 - count / usual) if usual else 0.0)]


def _foreign_words(check: LabelCheck) -> list[Reason]:
    """Its first words stand in hardly any of its labelled documents."""
    if not check.read or check.with_words > MAX_FOREIGN_SHARE * check.read:
        return []
    words = ", ".join(check.words[:3])
    held = "none" if not check.with_words else f"only {check.with_words:,}"
    texts = "its one labelled text" if check.read == 1 else f"its {check.read:,} labelled texts"
    where = f"{'not in' if check.read == 1 else f'in {held} of'} {texts}"
    strength = 1.0 - check.with_words / check.read
    return [Reason("foreign words", f"Its first words ({words}) are {where}.", strength)]


def _read_elsewhere(topics: Topics, check: LabelCheck) -> list[Reason]:
    """A guide taught without them would give most of its labelled documents another label."""
    n = len(check.elsewhere)
    if check.judged < MIN_JUDGED or n <= MIN_ELSEWHERE * check.judged:
        return []
    mostly = "" if check.rival is None else f", mostly “{topics.names[check.rival]}”"
    sentence = (
        f"{n:,} of its {check.judged:,} labelled texts read like another topic{mostly}, when each "
        "is left out."
    )
    strength = n / check.judged
    return [Reason("read elsewhere", sentence, strength, check.rival, check.elsewhere)]


def _coherence_limit(coherence: Sequence[float] | np.ndarray | None) -> float:
    """The NPMI below which a topic is incoherent, absolutely and relative to the other topics."""
    known = [value for value in (() if coherence is None else coherence) if np.isfinite(value)]
    return (
        min(COHERENT_NPMI, float(np.median(known)) - MAX_NPMI_BELOW_MEDIAN)
        if known
        else COHERENT_NPMI
    )


def _incoherent(
    topic: int, limit: float, coherence: Sequence[float] | np.ndarray | None
) -> list[Reason]:
    if coherence is None or not np.isfinite(coherence[topic]) or coherence[topic] >= limit:
        return []
    value = float(coherence[topic])
    sentence = f"Its words rarely occur together, unlike other topics' (coherence {value:.2f})."
    return [Reason("incoherent", sentence, float(np.clip((limit - value) / 0.5, 0.0, 1.0)))]


def _overlapping(topics: Topics, found: Overlap) -> Reason:
    sentence = found.sentence(topics.names[found.other])
    return Reason("overlapping", sentence, found.strength, found.other)


def _drifting(topic: int, changes: Changes | None) -> list[Reason]:
    change = next((c for c in changes.topics if c.after == topic), None) if changes else None
    if change is None or change.stability >= MIN_STABILITY:
        return []
    lost = ", ".join(change.lost[:3])
    sentence = (
        f"Changed a lot in the last fit: {percent(1 - change.stability)} of its words are new"
    )
    sentence += f" (lost: {lost})." if lost else "."
    return [Reason("drifting", sentence, 1.0 - change.stability)]
