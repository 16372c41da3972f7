"""What is there for a colleague, or for the analyst on another page, to do."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from core.store import CreateTopic, ProjectSettings, Store
from tests.core.workspace import small
from tests.endurance.audit import ANYONE
from tests.endurance.colleague import Errand

ERRANDS = {  # and how often each
    "restore": 20,
    "label": 25,
    "delete_topic": 15,
    "import_labels": 20,
    "import_project": 10,
    "delete_project": 10,
}
VISITS = {"restore": 40, "import_labels": 30, "import_project": 15, "delete_project": 15}
ERRANDS_PER_STEP = 0.25
MIN_TOPICS = 4  # below which none is deleted
IMPORTED_ROWS = 25
EVENT_KINDS = {  # what it leaves on the log, if anything
    "restore": "restore",
    "label": "label",
    "delete_topic": "delete_topic",
    "import_labels": "batch",
}


TOPICS = ("Water", "Noise", "Parks", "Streets", "Lamps")


class Projects(NamedTuple):
    """One to label, and a small one."""

    main: int
    n_docs: int
    side: int


def create_projects(home: Path, n_docs: int) -> Projects:
    """Texts of which none is nearly another, some topics, and no meaning: it would take long."""
    settings = ProjectSettings(n_free=1, meaning="off")
    with Store.open(home=home) as store:
        main = store.create_project("Desk", small.varied(n_docs), settings, author="ann")
        for name in TOPICS:
            store.record(main.id, CreateTopic(name), author="ann")
        return Projects(main.id, n_docs, small.fitted(store).id)


def source_of(kind: str, author: str) -> tuple[str, str]:
    """How the ledger knows what was done."""
    return (author, EVENT_KINDS[kind]) if kind in EVENT_KINDS else (ANYONE, kind)


class RandomErrands:
    """Draws errands for a project, and for a small one that is copied and deleted."""

    def __init__(self, home: Path, projects: Projects, draw: random.Random) -> None:
        self.home, self.projects, self.draw = home, projects, draw
        self.drawn = 0

    def errand(self, revision: int, copies: list[int], *, finished: bool) -> Errand | None:
        """Now and then something; when every text is labelled, a restore to have some again."""
        if self.draw.random() > ERRANDS_PER_STEP and not finished:
            return None
        kind = "restore" if finished else self._kind(ERRANDS, copies)
        topics = self._topics()
        if kind == "delete_topic" and len(topics) < MIN_TOPICS:
            kind = "label"
        self.drawn += 1
        project = self.projects.main if kind in EVENT_KINDS else self.projects.side
        about = {
            "to": self.draw.randint(len(TOPICS), revision),
            "topic": self.draw.choice(topics),
            "position": self.draw.randrange(self.projects.n_docs),
            "table": self.table() if kind == "import_labels" else "",
            "copy": self.draw.choice(copies or [0]),
        }
        return Errand(kind, str(self.home), self.drawn, project, about)

    def visit(self, copies: list[int]) -> str:
        """What to do on another page."""
        return self._kind(VISITS, copies)

    def table(self) -> str:
        """A file of labels, as a spreadsheet saves it."""
        draw, n_docs = self.draw, self.projects.n_docs
        rows = [f"{draw.randrange(n_docs)},{draw.choice(TOPICS)}" for _ in range(IMPORTED_ROWS)]
        return "\n".join(["id,labels", *rows, ""])

    def _kind(self, weights: Mapping[str, int], copies: list[int]) -> str:
        kind = self.draw.choices(tuple(weights), weights=tuple(weights.values()))[0]
        return "import_project" if kind == "delete_project" and not copies else kind

    def _topics(self) -> list[int]:
        with Store.open(home=self.home) as store:
            return [topic.id for topic in store.topics(self.projects.main)]
