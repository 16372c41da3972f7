"""A small corpus and a project on it, for tests of the desk, the routes and the worker."""

from __future__ import annotations

import random
from datetime import date

from core.corpus import Corpus
from core.spec import ModelSpec
from core.store import CreateTopic, Label, Project, ProjectSettings, Store
from core.workspace.comparisons import ComparisonRequest
from core.workspace.refits.refit import refit

WATER = "water pipe burst pressure leak tap"
NOISE = "noise night music loud party neighbour"
PARKS = "park tree bench grass garden playground"
TRUTH = ("Water", "Noise", "Parks")


def corpus(n: int = 30) -> Corpus:
    """Three plain topics in turn."""
    kinds = [(WATER, NOISE, PARKS)[i % 3] for i in range(n)]
    return Corpus(
        ids=tuple(f"d{i}" for i in range(n)),
        texts=tuple(f"{words} and again {words.split()[i % 6]}" for i, words in enumerate(kinds)),
        labels=tuple((TRUTH[i % 3],) for i in range(n)),
        dates=tuple(date(2026, 3, 1 + i % 28) for i in range(n)),
        side={"district": tuple(("North", "South")[i % 2] for i in range(n))},
    )


def varied(n: int) -> Corpus:
    """Texts of which none is nearly another: copies are offered once, so they shorten a queue."""
    words = [first + vowel + "ke" for first in "bdfglmnprst" for vowel in "aeiou"]
    draw = random.Random(0)
    texts = tuple(" ".join(draw.sample(words, 9)) for _ in range(n))
    return Corpus(ids=tuple(map(str, range(n))), texts=texts)


def project(
    store: Store, *, topics: int = 3, labelled: int = 6, n: int = 30, meaning: str = "off"
) -> Project:
    """A project with its first topics named and its first documents labelled as they are.

    Meaning is off: its texts differ by one word, and which of them are near-copies, so that the
    queue offers them once, would depend on whether the extra is installed.
    """
    settings = ProjectSettings(truth=True, n_free=1, meaning=meaning)
    made = store.create_project("Desk", corpus(n), settings, author="ann")
    for name in TRUTH[:topics]:
        store.record(made.id, CreateTopic(name), author="ann")
    for position in range(labelled if topics == len(TRUTH) else 0):
        store.record(made.id, Label(position, (1 + position % 3,)), author="ann")
    return store.project(made.id)


def fitted(store: Store, **about: int) -> Project:
    """A small project after its first fit."""
    made = project(store, **about)
    refit(store, made.id)
    return store.project(made.id)


def parks_free(store: Store) -> Project:
    """A project with two topics named; its only free topic is the one about parks."""
    made = project(store, topics=2)
    for position in range(12):
        if position % 3 < 2:
            store.record(made.id, Label(position, (1 + position % 3,)), author="ann")
    refit(store, made.id)
    return store.project(made.id)


def comparison(number: int = 1, *models: str, **changed) -> ComparisonRequest:
    """A comparison to ask for: TS-NMF and plain NMF, if nothing else is named."""
    candidates = tuple(
        {"title": name, "spec": ModelSpec(name, 4).to_dict(), "run": None}
        for name in models or ("tsnmf", "nmf")
    )
    given = {"judge": "truth", "seeds": (0, 1), "candidates": candidates, **changed}
    return ComparisonRequest(
        project=number, **{"kind": "models", "title": "Both", "author": "ann", **given}
    )
