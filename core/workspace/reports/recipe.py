"""What a run was made from, as plain values that a report carries: all but the texts.

With the same texts, ``repeat`` makes the run again. Fingerprints tell whether what it finds is what
the run was made from, and whether the factors are the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np

from core.engine.limits import Steering
from core.errors import NotFound
from core.report import Masker, software_versions
from core.spec import ModelSpec
from core.store import (
    Annotation,
    Codebook,
    Project,
    ProjectSettings,
    Run,
    State,
    Store,
    Topic,
    replay,
)
from core.store.values import MEANING_SETTINGS
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.vectors import vectors_of
from core.workspace.refits.inputs import in_order_of_documents, supervision_of
from core.workspace.results import Results

RECIPE_VERSION = 1
MODEL_FOLDER = "folder"  # of the machine where the run was made; its name is nobody's business


def shown_recipe(
    store: Store, found: Results, *, masks: bool, hidden: Collection[str]
) -> dict[str, Any]:
    """The recipe of a run as a report may show it.

    ``masks``: personal numbers in what people wrote are masked. ``hidden``: keys of topics of which
    nothing is told. What is missing is found where the project is (``whole_recipe``).
    """
    inputs = run_inputs(store, found.project, found.run, fresh=found.fresh)
    written = {name: inputs[name] for name in ("codebook", "steering", "stop_words")}
    masked = _masked(written, Masker(masks))
    secret = {topic["key"] for topic in inputs["topics"] if str(topic["key"]) in hidden}
    return {
        "version": RECIPE_VERSION,
        "run": found.run.id,
        **without_topics({**inputs, **masked}, secret),
        "masked": masked != written,
        "withheld": len(secret),
        "fingerprints": {
            "corpus": found.project.fingerprint,
            "matrix": found.topics.fingerprint,
            "vectors": _vectors_read(store, found),
            **input_fingerprints(inputs),
            "factors": factors_fingerprint(found.topics),
        },
        "versions": software_versions(),
    }


def _masked(written: Mapping[str, Any], masker: Masker) -> dict[str, Any]:
    """The codebook with personal numbers masked, the word rules without words that are some."""
    codebook = masker.mask(json.dumps(written["codebook"], ensure_ascii=False))
    rules = {
        name: {key: _kept_words(words, masker) for key, words in topics.items()}
        for name, topics in written["steering"].items()
    }
    stop_words = _kept_words(written["stop_words"], masker)
    return {"codebook": json.loads(codebook), "steering": rules, "stop_words": stop_words}


def _kept_words(words: Any, masker: Masker) -> Any:
    kept = list(filter(masker.leaves, words))
    return {word: words[word] for word in kept} if isinstance(words, Mapping) else kept


def run_inputs(store: Store, project: Project, run: Run, *, fresh: bool = False) -> dict[str, Any]:
    """Everything that a run was made from but its texts; ``fresh``: no event since then."""
    state = state_at(store, run, fresh=fresh)
    settings = ProjectSettings.from_dict(run.settings)
    named = _in_order(run.spec, state.topics, state.annotations)
    reading = corpus_of(store, project.id, texts=False).reading
    return {
        "spec": run.spec.to_dict(),
        "text": run.spec.text_settings(settings.text).to_dict(),
        "meaning": settings.meaning if settings.meaning in MEANING_SETTINGS else MODEL_FOLDER,
        "levels": list(settings.levels),
        "vocabulary_texts": settings.vocabulary_texts,
        "columns": asdict(reading.columns),
        "html_removed": reading.html_removed,
        "stop_words": list(state.word_rules.stop_words),
        "topics": [{"key": topic.id, "name": topic.name} for topic in named],
        "labels": _labels(state.annotations),
        "steering": _steering(state.word_rules.topics),
        "codebook": _codebook(state.codebook),
    }


def input_fingerprints(inputs: Mapping[str, Any]) -> dict[str, str]:
    return {
        "labels": fingerprint_of([inputs["topics"], inputs["labels"]]),
        "steering": fingerprint_of([inputs["steering"], inputs["stop_words"]]),
        "codebook": fingerprint_of(inputs["codebook"]),
    }


def without_topics(inputs: Mapping[str, Any], secret: Collection[int]) -> dict[str, Any]:
    """The same with nothing about some topics: names, labels, words and what they mean."""
    if not secret:
        return dict(inputs)
    texts = set(map(str, secret))
    lists = ("permitted", "forbidden")
    labels = [
        {**each, **{name: [k for k in each[name] if k not in secret] for name in lists}}
        for each in inputs["labels"]
    ]
    shown = (each for each in labels if each["nothing_fits"] or any(each[name] for name in lists))
    return {
        **inputs,
        "topics": [topic for topic in inputs["topics"] if topic["key"] not in secret],
        "labels": list(shown),
        "steering": {
            name: {key: words for key, words in rules.items() if key not in texts}
            for name, rules in inputs["steering"].items()
        },
        "codebook": {k: each for k, each in inputs["codebook"].items() if k not in texts},
    }


def whole_recipe(store: Store, recipe: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The recipe with what its report left out, from the log of the project here that holds the
    run; None if none does."""
    wanted = recipe["fingerprints"]
    for project in store.projects():
        if project.fingerprint != wanted["corpus"]:
            continue
        try:
            inputs = run_inputs(store, project, store.run(project.id, int(recipe["run"])))
        except NotFound:
            continue
        if input_fingerprints(inputs).items() <= wanted.items():
            return {**recipe, **inputs, "masked": False, "withheld": 0}
    return None


def _vectors_read(store: Store, found: Results) -> str:
    """The fingerprint of the vectors that the run read; "" if it read none.

    Not of those that are there now: after an import they are yet to be made, and those of a large
    corpus come after its first run. Runs of earlier versions did not note it.
    """
    noted = found.run.outcome.vectors
    if noted is not None:
        return noted
    vectors = vectors_of(store, found.project)
    return "" if vectors is None else vectors.fingerprint


def state_at(store: Store, run: Run, *, fresh: bool) -> State:
    """Labels, topics, word rules and codebook as the run knew them."""
    if fresh:
        return State(
            topics=tuple(store.topics(run.project)),
            annotations=store.annotations(run.project),
            skipped=frozenset(),
            word_rules=store.word_rules(run.project),
            codebook=store.codebook(run.project),
        )
    return replay(event for event in store.events(run.project) if event.id <= run.revision)


def _in_order(
    spec: ModelSpec, named: Sequence[Topic], annotations: Mapping[int, Annotation]
) -> Sequence[Topic]:
    return in_order_of_documents(named, annotations) if spec.labels_own_topics else named


def _labels(annotations: Mapping[int, Annotation]) -> list[dict[str, Any]]:
    """Labels by the place of their text; who gave them does not change a fit."""
    return [
        {
            "position": at,
            "permitted": list(each.permitted),
            "forbidden": list(each.forbidden),
            "confidence": each.confidence,
            "nothing_fits": each.nothing_fits,
        }
        for at, each in sorted(annotations.items())
    ]


def _steering(rules: Steering[int]) -> dict[str, dict[str, Any]]:
    """Word rules by topic; keys as text, as JSON has them."""
    return {
        name: {str(key): _plain_words(words) for key, words in sorted(getattr(rules, name).items())}
        for name in ("held", "removed", "added", "begun")
    }


def _plain_words(words: Any) -> Any:
    return {w: float(n) for w, n in words.items()} if isinstance(words, Mapping) else list(words)


def _codebook(entries: Mapping[int, Codebook]) -> dict[str, dict[str, str]]:
    return {
        str(key): {"definition": e.definition, "include": e.include, "exclude": e.exclude}
        for key, e in sorted(entries.items())
    }


def supervision_from(recipe: Mapping[str, Any], n_docs: int) -> Supervision:
    """The labels that a fit read."""
    then = datetime.fromtimestamp(0, UTC)
    named = [Topic(int(each["key"]), str(each["name"]), 0, then) for each in recipe["topics"]]
    annotations = {
        int(each["position"]): Annotation(
            position=int(each["position"]),
            permitted=tuple(map(int, each["permitted"])),
            forbidden=tuple(map(int, each["forbidden"])),
            confidence=str(each["confidence"]),
            nothing_fits=bool(each["nothing_fits"]),
            author="",
            time=then,
            event=0,
        )
        for each in recipe["labels"]
    }
    codebook = {int(key): Codebook(**each) for key, each in recipe["codebook"].items()}
    return supervision_of(n_docs, named, annotations, codebook)


def steering_from(recipe: Mapping[str, Any]) -> Steering[int]:
    """The word rules that a fit followed."""
    given = recipe["steering"]
    removed = {int(key): tuple(words) for key, words in given["removed"].items()}
    words = {
        name: {int(key): dict(each) for key, each in given[name].items()}
        for name in ("held", "added", "begun")
    }
    return Steering(words["held"], removed, words["added"], words["begun"])


def text_from(recipe: Mapping[str, Any]) -> TextSettings:
    return TextSettings.from_dict(recipe["text"])


def fingerprint_of(value: Any) -> str:
    """Of plain values; the same on every machine."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def factors_fingerprint(topics: Topics) -> str:
    """Of the topics' words and documents, in whatever order the topics stand."""
    W = np.ascontiguousarray(topics.doc_topic.T, dtype=np.float32)
    H = np.ascontiguousarray(topics.topic_term, dtype=np.float32)
    pairs = zip(H, W, strict=True)
    parts = sorted(hashlib.blake2b(h.tobytes() + w.tobytes()).digest() for h, w in pairs)
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()
