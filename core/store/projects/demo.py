"""The demo project: a city's service desk with its first labels."""

from __future__ import annotations

from collections.abc import Iterator

from core.corpus import Corpus
from core.loading import read_demo, read_demo_labels
from core.store.events.new_events import CreateTopic, Label, NewEvent
from core.store.store import Store
from core.store.values import Project, ProjectSettings

DEMO_NAME = "Port Ellery service desk"
DEMO_AUTHOR = "Ines"


def create_demo(store: Store) -> Project:
    """A new demo project: its topics named, some of its documents labelled."""
    corpus = read_demo()
    settings = ProjectSettings(truth=True, demo=True, n_free=1)
    return store.create_project(
        DEMO_NAME, corpus, settings, author=DEMO_AUTHOR, first_events=_first_events(corpus)
    )


def _first_events(corpus: Corpus) -> Iterator[tuple[NewEvent, str]]:
    """The topics, most frequent first, then labels of some documents."""
    number = {name: place for place, name in enumerate(corpus.label_names, start=1)}
    position = {name: place for place, name in enumerate(corpus.ids)}
    for name in number:
        yield CreateTopic(name), DEMO_AUTHOR
    for label in read_demo_labels():
        permitted = tuple(number[name] for name in label.permitted)
        forbidden = tuple(number[name] for name in label.forbidden)
        yield Label(position[label.id], permitted, forbidden, label.confidence), label.author
