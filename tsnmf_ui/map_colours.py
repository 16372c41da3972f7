"""What the dots of the map may be coloured by: topic, label, class or date."""

from __future__ import annotations

from datetime import date

import numpy as np

from core.facts import Classes
from tsnmf_ui import palette, results, theme, topic_facts
from tsnmf_ui.figures import Colouring, by_topic
from tsnmf_ui.results import Labels, Results

TOPIC, PEOPLE, GIVEN, DATE = "topic", "label given by people", "label from the corpus", "date"
MOST = 12  # classes with a colour of their own
STEPS = 8  # of a scale from early to late
EARLY, LATE = (222, 165, 40), (52, 74, 140)


def choices(found: Results) -> list[str]:
    """The ways that make sense for this corpus."""
    facts = topic_facts.facts(found.project)
    options = [TOPIC, PEOPLE]
    options += [GIVEN] if facts.labels is not None else []
    options += [name for name in facts.classes if name not in options]
    return [*options, DATE] if facts.dated else options


def colouring(found: Results, wanted: str) -> Colouring:
    """Colours of all documents."""
    facts = topic_facts.facts(found.project)
    if wanted == PEOPLE:
        return _by_label(found, results.people(found), PEOPLE)
    if wanted == GIVEN and facts.labels is not None:
        return _by_label(found, Labels(facts.label_names, facts.labels, true=True), GIVEN)
    if wanted == DATE and facts.dated:
        return _by_date(facts.days)
    if wanted in facts.classes:
        return _by_class(facts.classes[wanted], wanted)
    return by_topic(found.topics, found.colours)


def _by_label(found: Results, labels: Labels, title: str) -> Colouring:
    """The first label of each document; a label that a topic bears has the topic's colour."""
    n_docs = labels.indicator.shape[0]
    starts = labels.indicator.indptr
    carried = np.flatnonzero(np.diff(starts) > 0)
    codes = np.full(n_docs, -1, dtype=np.int32)
    codes[carried] = labels.indicator.indices[starts[carried]]
    own = dict(zip(found.topics.names, found.colours, strict=True))
    spare = iter(range(len(palette.PALETTE), 400))
    colours = [own.get(name) or theme.topic_colour(next(spare)) for name in labels.names]
    return _few(Colouring(title, codes, labels.names, colours))


def _by_class(classes: Classes, title: str) -> Colouring:
    colours = [theme.topic_colour(i) for i in range(len(classes.names))]
    return _few(Colouring(title, classes.codes, classes.names, colours))


def _few(whole: Colouring) -> Colouring:
    """The most frequent names; the others become one."""
    if len(whole.names) <= MOST:
        return whole
    counts = np.bincount(whole.codes[whole.codes >= 0], minlength=len(whole.names))
    kept = np.argsort(-counts, kind="stable")[:MOST]
    new = np.full(len(whole.names) + 1, MOST, dtype=np.int32)
    new[kept], new[-1] = np.arange(MOST), -1
    names = [*(whole.names[i] for i in kept), f"{len(whole.names) - MOST} others"]
    colours = [*(whole.colours[i] for i in kept), theme.FREE]
    return Colouring(whole.title, new[whole.codes], names, colours)


def _by_date(days: np.ndarray) -> Colouring:
    """Even steps from the first day to the last, from warm to cool."""
    known = ~np.isnat(days)
    first, last = days[known].min().astype(int), days[known].max().astype(int)
    width = (last - first + 1) / STEPS
    codes = np.full(days.size, -1, dtype=np.int32)
    codes[known] = np.minimum((days[known].astype(int) - first) // width, STEPS - 1)
    starts = [np.datetime64(int(first + step * width), "D").astype(date) for step in range(STEPS)]
    names = [f"from {start.day} {start:%b %Y}" for start in starts]
    return Colouring("date", codes, names, [_blend(step / (STEPS - 1)) for step in range(STEPS)])


def _blend(share: float) -> str:
    parts = (round(a + share * (b - a)) for a, b in zip(EARLY, LATE, strict=True))
    return "#" + "".join(f"{part:02X}" for part in parts)
