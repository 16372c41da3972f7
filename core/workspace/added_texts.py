"""Add a file of texts to a project: look, say what would change, do it.

New texts go behind the old ones and updated texts keep their place, so labels and history stay. The
file is read like every other one (``intake``), by the columns that the project was made from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal

from core.corpus import Corpus, Document
from core.errors import CorpusError, StudioError
from core.loading import Preview, preview
from core.loading.columns.spellings import joined_note, usual_spellings
from core.loading.sources import Source, source_name
from core.store import AddedTexts, Event, Project, Store, TextChanges
from core.store.events.checks import NAME_LIMIT
from core.values import count
from core.workspace.caches.corpora import corpus_of
from core.workspace.intake import AskedColumns, ReadFile, ReadingOptions, read_as

Existing = Literal["skip", "update"]  # texts whose ids are in the project already
Vocabulary = Literal["same", "new"]

UNDO_NOTE = (
    "One undo takes the new texts back as long as nobody has labelled, skipped, quoted or assigned "
    "one of them. From then on they stay, because labels are kept by the place of their text. "
    "There is no redo; add the file again."
)
NO_IDS_NOTE = "The project was made without a column of ids, so every text of the file is new."
LABELS_NOTE = (
    "The labels in the file are kept with the texts; to label by them, import the same file as "
    "labels."
)
OWN_VECTORS_NOTE = (
    "The project reads your own vectors, and there are none of the new texts: fits go without "
    "meaning until you give vectors for all texts."
)


@dataclass(frozen=True, kw_only=True)
class AdditionPlan:
    """What a file would change in a project, before anything is changed."""

    project: Project
    read: ReadFile
    before: Corpus
    missing: tuple[str, ...]  # columns of the project that the file does not have
    labelled: frozenset[int]  # places of texts that people have labelled

    @property
    def file(self) -> str:
        return self.read.corpus.reading.source

    @property
    def has_ids(self) -> bool:
        """Whether ids tell which texts were there before."""
        return self.read.corpus.reading.columns.id is not None

    @cached_property
    def places(self) -> tuple[int | None, ...]:
        """Where each text of the file is in the project; None for a new one."""
        if not self.has_ids:
            return (None,) * len(self.read.corpus)
        known = {id_: at for at, id_ in reversed(list(enumerate(self.before.ids)))}
        return tuple(known.get(id_) for id_ in self.read.corpus.ids)

    @cached_property
    def differing(self) -> dict[int, Document]:
        """Texts as the file has them, by their place, where that is something else."""
        found = {
            at: self._updated(at, self.read.corpus[row])
            for row, at in enumerate(self.places)
            if at is not None
        }
        return {at: each for at, each in found.items() if each != self.before[at]}

    @property
    def n_new(self) -> int:
        return sum(at is None for at in self.places)

    @property
    def n_known(self) -> int:
        """Texts of the file whose ids are in the project already."""
        return len(self.places) - self.n_new

    @cached_property
    def n_copies(self) -> int:
        """New texts that are word for word in the project already."""
        there = {text.strip() for text in self.before.texts}
        pairs = zip(self.places, self.read.corpus.texts, strict=True)
        return sum(at is None and text.strip() in there for at, text in pairs)

    def sentences(self, existing: Existing, vocabulary: Vocabulary) -> Iterator[str]:
        """Everything there is to know before it is done."""
        yield from self.read.sentences()
        for name in self.missing:
            yield f"The file has no column “{name}”; new texts have nothing there."
        yield f"New texts: {self.n_new:,}."
        if not self.has_ids:
            yield NO_IDS_NOTE
        yield from self._about_known(existing)
        if self.n_copies:
            is_one = count(self.n_copies, "new text is", "new texts are")
            yield f"{is_one} word for word in the project already. They are added all the same."
        if any(self.read.corpus.labels) and not self.project.settings.truth:
            yield LABELS_NOTE
        if self.project.settings.meaning == "own" and self.n_new:
            yield OWN_VECTORS_NOTE
        if vocabulary == "same":
            first = self.vocabulary_texts(vocabulary)
            yield f"Words: those of the first {first:,} texts, as before."
        else:
            yield "Words: chosen anew from all texts; topics may change more."
        yield UNDO_NOTE

    def _about_known(self, existing: Existing) -> Iterator[str]:
        if not self.n_known:
            return
        differ = len(self.differing)
        yield f"Ids that are here already: {self.n_known:,}; with other content: {differ:,}."
        if existing == "skip":
            yield "They are left as they are."
        elif differ:
            labelled = len(self.labelled & self.differing.keys())
            stay = f"; {labelled:,} of them are labelled, and the labels stay" if labelled else ""
            yield f"The different ones are updated in their place{stay}."

    def vocabulary_texts(self, vocabulary: Vocabulary) -> int:
        """As in ``ProjectSettings``: the first texts that words come from."""
        settings = self.project.settings
        return 0 if vocabulary == "new" else settings.vocabulary_texts or self.project.n_docs

    def changes(self, existing: Existing, vocabulary: Vocabulary) -> TextChanges:
        """What the store writes."""
        updated = self.differing if existing == "update" else {}
        new = [self._new(row) for row, at in enumerate(self.places) if at is None]
        if not new and not updated:
            raise StudioError(f"{self.file}: there is nothing to add.")
        about = AddedTexts(
            file=self.file[:NAME_LIMIT],
            first=self.project.n_docs,
            added=len(new),
            updated=len(updated),
            skipped=self.n_known - len(updated),
            dropped=len(self.read.corpus.reading.dropped),
            vocabulary_texts=self.vocabulary_texts(vocabulary),
            vocabulary_texts_before=self.project.settings.vocabulary_texts,
        )
        documents = list(self.before)
        for at, document in updated.items():
            documents[at] = document
        names = tuple(self.before.side)
        return TextChanges(
            about=about,
            corpus=_corpus_of([*documents, *new], names),
            updated=tuple(sorted(updated)),
            texts_revision=self.project.texts_revision,
        )

    def _new(self, row: int) -> Document:
        document = self.read.corpus[row]
        side = {name: document.side.get(name, "") for name in self.before.side}
        if self.has_ids:
            return replace(document, side=side)
        return replace(document, side=side, id=self._free_ids[row])

    @cached_property
    def _free_ids(self) -> list[str]:
        """Numbers that go on where those of the project end."""
        taken, found, number = set(self.before.ids), list[str](), len(self.before)
        while len(found) < len(self.read.corpus):
            number += 1
            if str(number) not in taken:
                found.append(str(number))
        return found

    def _updated(self, at: int, document: Document) -> Document:
        """A text with what the file says of it; columns that the file lacks stay."""
        old, columns = self.before[at], self.read.corpus.reading.columns
        side = {
            name: document.side[name] if name in columns.side else value
            for name, value in old.side.items()
        }
        return Document(
            id=old.id,
            text=document.text,
            labels=document.labels if columns.labels else old.labels,
            date=document.date if columns.date else old.date,
            side=side,
        )


def plan_addition(
    store: Store,
    project: Project,
    source: Source,
    *,
    filename: str | None = None,
    columns: AskedColumns | None = None,
    strip_html: bool = False,
) -> AdditionPlan:
    """Read a file by the columns of the project, and find what it would change."""
    name = filename or source_name(source)
    before = corpus_of(store, project.id)
    shown = preview(source, filename=name)
    asked, missing = _asked(before, shown, columns, name)
    roles = asked.roles(shown, name)
    # Few tags in a short file are not found; those of the first file were taken out all the same.
    strip_html = strip_html or before.reading.html_removed
    options = ReadingOptions(roles, strip_html=strip_html, join_spellings=False)
    corpus = read_as(source, options, filename=name)
    return AdditionPlan(
        project=project,
        read=ReadFile(_spelled_as_in(before, corpus), shown.header),
        before=before,
        missing=missing,
        labelled=frozenset(store.annotations(project.id)),
    )


def add_texts(
    store: Store,
    plan: AdditionPlan,
    *,
    author: str,
    existing: Existing = "skip",
    vocabulary: Vocabulary = "same",
) -> Event:
    """Do what a plan says, all or nothing; a full fit should follow."""
    return store.add_texts(plan.project.id, plan.changes(existing, vocabulary), author=author)


def _asked(
    before: Corpus, shown: Preview, columns: AskedColumns | None, file: str
) -> tuple[AskedColumns, tuple[str, ...]]:
    """The columns of the project, as far as the file has them; text and ids it must have."""
    asked, known = columns or AskedColumns(), before.reading.columns
    if known.text is None:  # the texts came from no table: a collection, or a program
        side = tuple(name for name in before.side if name in shown.header)
        return replace(asked, side=side), tuple(set(before.side) - set(side))
    wanted = {"date": known.date, "labels": known.labels}
    names = [name for name in (*known.more_text, *wanted.values(), *before.side) if name]
    missing = tuple(name for name in names if name not in shown.header)
    found = {role: name if name in shown.header else "" for role, name in wanted.items()}
    chosen = replace(
        asked,
        text=asked.text or known.text,
        more_text=tuple(name for name in known.more_text if name in shown.header),
        id=_id_column(asked, known.id, shown, file),
        side=tuple(name for name in before.side if name in shown.header),
        label_separator=known.label_separator or "",
        **found,
    )
    return chosen, missing


def _id_column(asked: AskedColumns, known: str | None, shown: Preview, file: str) -> str:
    if asked.id is not None or known is None:
        return asked.id or ""
    if known not in shown.header:
        there = ", ".join(f"“{name}”" for name in shown.header[:12])
        raise CorpusError(f"there is no column “{known}” of ids; the file has {there}.", file=file)
    return known


def _spelled_as_in(before: Corpus, corpus: Corpus) -> Corpus:
    """Labels and values of a file as the project spells them, and what was joined."""
    usual = usual_spellings(chain.from_iterable(corpus.labels), before.label_names)
    labels = tuple(tuple(dict.fromkeys(usual[name] for name in row)) for row in corpus.labels)
    notes = corpus.reading.notes + joined_note(usual, corpus.reading.columns.labels or "")
    side: dict[str, tuple[str, ...]] = {}
    for column, values in corpus.side.items():
        usual = usual_spellings(values, before.side[column])
        side[column] = tuple(usual[value] for value in values)
        notes += joined_note(usual, column)
    return replace(corpus, labels=labels, side=side, reading=replace(corpus.reading, notes=notes))


def _corpus_of(documents: Sequence[Document], side: Sequence[str]) -> Corpus:
    return Corpus(
        ids=tuple(each.id for each in documents),
        texts=tuple(each.text for each in documents),
        labels=tuple(each.labels for each in documents),
        dates=tuple(each.date for each in documents),
        side={name: tuple(each.side[name] for each in documents) for name in side},
    )
