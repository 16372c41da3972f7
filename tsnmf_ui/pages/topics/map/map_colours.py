"""What the dots of the map may be coloured by: topic, label, class or date."""

from __future__ import annotations

from core.insight.document_classes import by_date, by_first_label, largest_classes
from core.insight.document_facts import DocumentClasses, DocumentFacts
from core.workspace import topic_facts
from core.workspace.results import LabelSet, Results
from tsnmf_ui.figures import Colouring, by_topic
from tsnmf_ui.pages import results
from tsnmf_ui.server import state
from tsnmf_ui.theme import palette, style

BY_TOPIC, BY_LABEL_GIVEN, BY_CORPUS_LABEL, BY_DATE = (
    "topic",
    "your label",
    "label in the file",
    "date",
)
MAX_CLASSES = 12  # classes with a colour of their own
DATE_STEPS = 8  # of a scale from early to late
EARLY_COLOUR, LATE_COLOUR = (222, 165, 40), (52, 74, 140)


def choices(found: Results) -> list[str]:
    """The ways that make sense for this corpus."""
    facts = topic_facts.document_facts(state.store(), found.project)
    options = [BY_TOPIC, BY_LABEL_GIVEN]
    options += [BY_CORPUS_LABEL] if facts.labels is not None else []
    options += [name for name in facts.classes if name not in options]
    return [*options, BY_DATE] if facts.dated else options


def colouring(found: Results, wanted: str) -> Colouring:
    """Colours of all documents."""
    facts = topic_facts.document_facts(state.store(), found.project)
    if wanted == BY_LABEL_GIVEN:
        return _by_label(found, found.people_labels, BY_LABEL_GIVEN)
    if wanted == BY_CORPUS_LABEL and facts.labels is not None:
        return _by_label(
            found, LabelSet(facts.label_names, facts.labels, true=True), BY_CORPUS_LABEL
        )
    if wanted == BY_DATE and facts.dated:
        return _by_date(facts)
    if wanted in facts.classes:
        return _by_class(facts.classes[wanted], wanted)
    return by_topic(found.topics, results.colours(found))


def _by_label(found: Results, labels: LabelSet, title: str) -> Colouring:
    """The first label of each document; a label that a topic bears has the topic's colour."""
    own = dict(zip(found.topics.names, results.colours(found), strict=True))
    spare = iter(range(len(palette.PALETTE), 400))
    colours = [own.get(name) or style.topic_colour(next(spare)) for name in labels.names]
    codes = by_first_label(labels.indicator, labels.names).codes
    return _most_frequent(Colouring(title, codes, labels.names, colours))


def _by_class(classes: DocumentClasses, title: str) -> Colouring:
    colours = [style.topic_colour(i) for i in range(len(classes.names))]
    return _most_frequent(Colouring(title, classes.codes, classes.names, colours))


def _most_frequent(whole: Colouring) -> Colouring:
    """The most frequent names; the others become one."""
    codes, kept = largest_classes(whole.codes, len(whole.names), MAX_CLASSES)
    names, colours = [whole.names[i] for i in kept], [whole.colours[i] for i in kept]
    if others := len(whole.names) - len(kept):
        names, colours = [*names, f"{others} others"], [*colours, style.FREE_COLOUR]
    return Colouring(whole.title, codes, names, colours)


def _by_date(facts: DocumentFacts) -> Colouring:
    """Even steps from the first day to the last, from warm to cool."""
    codes, starts = by_date(facts.days, DATE_STEPS)
    names = [f"from {start.day} {start:%b %Y}" for start in starts]
    colours = [_blend(step / (DATE_STEPS - 1)) for step in range(DATE_STEPS)]
    return Colouring("date", codes, names, colours)


def _blend(share: float) -> str:
    parts = (round(a + share * (b - a)) for a, b in zip(EARLY_COLOUR, LATE_COLOUR, strict=True))
    return "#" + "".join(f"{part:02X}" for part in parts)
