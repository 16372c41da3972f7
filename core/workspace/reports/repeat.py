"""Make the run of a report again, and say whether the topics are the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.corpus import Corpus
from core.engine.descent import Callback
from core.engine.gibbs.levels import GROUPED_MODEL, columns_of, with_levels
from core.errors import ReportError, StudioError
from core.evaluation.label_names import name_after_labels
from core.fitting import fit
from core.matrix import DocumentTermMatrix
from core.report import Report, software_versions
from core.spec import ModelSpec
from core.steering.stop_words import without_words
from core.store import Project, Store
from core.text import DocumentVectors
from core.text.encoders import WORDLLAMA, encoder_from, wordllama_installed
from core.text.vectors import encode_documents
from core.topics import Topics
from core.values import percent
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.matrices import build_with_vocabulary
from core.workspace.caches.vectors import vectors_of
from core.workspace.reports.recipe import (
    RECIPE_VERSION,
    factors_fingerprint,
    steering_from,
    supervision_from,
    text_from,
    whole_recipe,
)

WORDS_COMPARED = 10
SAME_SIZE = 0.005  # shares of texts that differ by less are written the same


@dataclass(frozen=True, kw_only=True, eq=False)
class Repetition:
    """A run that was made again, beside what the report says of the first."""

    topics: Topics
    identical: bool  # every number of the factors is the same
    same_words: int  # topics of the report with the same ten words
    compared: int  # topics of the report that were compared
    largest_difference: float  # in a topic's share of the texts
    remarks: tuple[str, ...]  # what was not the same to begin with

    @property
    def repeated(self) -> bool:
        """The same topics: number by number, or in their words and sizes."""
        alike = self.same_words == self.compared and self.largest_difference < SAME_SIZE
        return self.identical or (self.compared > 0 and alike)

    @property
    def sentence(self) -> str:
        if self.identical:
            return "The run was repeated: every number of the factors is the same."
        verdict = "The topics are the same" if self.repeated else "The topics differ"
        return (
            f"{verdict}: {self.same_words} of {self.compared} have the same ten words, and no "
            f"share of texts differs by more than {percent(self.largest_difference, 1)}."
        )


def repeat_report(
    report: Report,
    store: Store | None = None,
    *,
    corpus: Corpus | None = None,
    callback: Callback | None = None,
) -> Repetition:
    """Fit once more what a report was made from; the texts from a corpus or from the store."""
    with _reading_recipe():
        recipe = _whole(_recipe(report), store)
        project = None if corpus is not None else _project(store, recipe)
        if corpus is None:
            assert store is not None
            assert project is not None
            corpus = corpus_of(store, project.id)
        _require_texts(corpus, recipe)
        vectors, remarks = _vectors(store, project, corpus, recipe)
        topics = _fit(recipe, corpus, vectors, callback)
        return _compared(report, recipe, topics, (*remarks, *_differences(recipe, topics)))


@contextmanager
def _reading_recipe() -> Iterator[None]:
    """A report may come from anybody: whatever its recipe lacks is one sentence."""
    try:
        yield
    except StudioError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise ReportError("The recipe in this report is damaged or was made by hand.") from error


def _recipe(report: Report) -> Mapping[str, Any]:
    recipe: Mapping[str, Any] = report.recipe
    if not recipe:
        raise ReportError("The report has no recipe: it was not made from a project.")
    if recipe.get("version") != RECIPE_VERSION:
        raise ReportError("The recipe was written by another version of TS-NMF Studio.")
    return recipe


def _whole(recipe: Mapping[str, Any], store: Store | None) -> Mapping[str, Any]:
    """With what the report hides or masks, where the project is here."""
    if not recipe.get("withheld") and not recipe.get("masked"):
        return recipe
    found = None if store is None else whole_recipe(store, recipe)
    if found is None and recipe.get("withheld"):
        raise ReportError(
            "The report hides topics, so its run can be repeated only where its project is."
        )
    return recipe if found is None else found


def _project(store: Store | None, recipe: Mapping[str, Any]) -> Project:
    wanted = recipe["fingerprints"]["corpus"]
    known = [] if store is None else store.projects()
    found = next((each for each in known if each.fingerprint == wanted), None)
    if found is None:
        raise ReportError(
            "No project here holds the texts of this report; name the file they came from."
        )
    return found


def _require_texts(corpus: Corpus, recipe: Mapping[str, Any]) -> None:
    if corpus.fingerprint != recipe["fingerprints"]["corpus"]:
        raise ReportError(
            "These are not the texts of the report: an id, a text or a label in the file differs."
        )


def _vectors(
    store: Store | None, project: Project | None, corpus: Corpus, recipe: Mapping[str, Any]
) -> tuple[DocumentVectors | None, list[str]]:
    """The vectors that the run read, as far as they can be had."""
    wanted = recipe["fingerprints"]["vectors"]
    if not wanted:
        return None, []
    found = vectors_of(store, project) if store is not None and project is not None else None
    if found is not None and found.fingerprint == wanted:
        return found, []
    if recipe["meaning"] == "auto" and wordllama_installed():
        found = encode_documents(encoder_from(WORDLLAMA), corpus.texts, None)
    if found is None:
        return None, ["The run read vectors of the texts that are not here."]
    same = found.fingerprint == wanted
    return found, [] if same else ["The vectors of the texts are not those of the run."]


def _fit(
    recipe: Mapping[str, Any],
    corpus: Corpus,
    vectors: DocumentVectors | None,
    callback: Callback | None,
) -> Topics:
    matrix = _matrix(recipe, corpus).with_vectors(vectors)
    spec = ModelSpec.from_dict(recipe["spec"])
    supervision = supervision_from(recipe, len(corpus))
    levels = recipe["levels"] if spec.model == GROUPED_MODEL else []
    grouped = with_levels(supervision, columns_of(corpus.side, levels), tuple(levels))
    steering = steering_from(recipe) if spec.labels_own_topics else None
    topics = fit(matrix, grouped, spec, steering=steering, callback=callback)
    return topics if spec.labels_own_topics else name_after_labels(topics, supervision)


def _matrix(recipe: Mapping[str, Any], corpus: Corpus) -> DocumentTermMatrix:
    first = int(recipe.get("vocabulary_texts", 0))  # earlier versions wrote none
    matrix = build_with_vocabulary(corpus, text_from(recipe), first if first < len(corpus) else 0)
    words = recipe["stop_words"]
    return without_words(matrix, words) if words else matrix


def _differences(recipe: Mapping[str, Any], topics: Topics) -> list[str]:
    remarks = []
    if recipe.get("masked"):
        remarks.append("What people wrote was masked in the report, so the guide read less.")
    if recipe["fingerprints"]["matrix"] != topics.fingerprint:
        remarks.append("The words were counted differently.")
    now = software_versions()
    changed = [n for n, v in recipe["versions"].items() if now.get(n) != v]
    if changed:
        listed = ", ".join(f"{n} {recipe['versions'][n]} → {now.get(n, '–')}" for n in changed)
        remarks.append(f"Other versions: {listed}.")
    return remarks


def _compared(
    report: Report, recipe: Mapping[str, Any], topics: Topics, remarks: tuple[str, ...]
) -> Repetition:
    """By key; a free topic by the one with most of its words."""
    sizes = np.bincount(topics.doc_topic.argmax(axis=1), minlength=len(topics))
    of = max(1, int((topics.doc_topic.max(axis=1, initial=0) > 0).sum()))
    words = [{t.term for t in topics.top_terms(k, WORDS_COMPARED)} for k in range(len(topics))]
    same_words, largest = 0, 0.0
    for section in report.topics:
        wanted = {word.term for word in section.keywords}
        key = int(section.key) if section.key.isdecimal() else section.key
        column = topics.column(key) if section.named else None
        if column is None:
            column = max(range(len(topics)), key=lambda k: len(words[k] & wanted))
        same_words += words[column] == wanted
        largest = max(largest, abs(sizes[column] / of - section.share))
    return Repetition(
        topics=topics,
        identical=factors_fingerprint(topics) == recipe["fingerprints"]["factors"],
        same_words=same_words,
        compared=len(report.topics),
        largest_difference=float(largest),
        remarks=remarks,
    )
