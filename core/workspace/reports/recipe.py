"""What a run was made from, as plain values that a report carries: all but the texts.

With the same texts, ``repeat`` makes the run again. Fingerprints tell whether what it finds is what
the run was made from, and whether the factors are the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np

from core.engine.limits import Steering
from core.report import Masker, software_versions
from core.spec import ModelSpec
from core.store import Annotation, Codebook, ProjectSettings, Run, State, Store, Topic, replay
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.vectors import vectors_of
from core.workspace.refits.inputs import in_order_of_documents, supervision_of
from core.workspace.results import Results

RECIPE_VERSION = 1


def recipe_of(store: Store, found: Results, masks: bool) -> dict[str, Any]:
    """The recipe of a run; ``masks``: personal numbers in what people wrote are masked."""
    run, project = found.run, found.project
    state = state_at(store, run, fresh=found.fresh)
    settings = ProjectSettings.from_dict(run.settings)
    vectors = vectors_of(store, project)
    named = _in_order(run.spec, state.topics, state.annotations)
    labels = _labels(state.annotations)
    steering = _steering(state.word_rules.topics)
    codebook = _codebook(state.codebook)
    topics = [{"key": topic.id, "name": topic.name} for topic in named]
    masked = Masker(masks)
    shown_codebook = json.loads(masked.mask(json.dumps(codebook, ensure_ascii=False)))
    return {
        "version": RECIPE_VERSION,
        "run": run.id,
        "spec": run.spec.to_dict(),
        "text": run.spec.text_settings(settings.text).to_dict(),
        "meaning": settings.meaning,
        "levels": list(settings.levels),
        "columns": asdict(corpus_of(store, project.id).reading.columns),
        "stop_words": list(state.word_rules.stop_words),
        "topics": topics,
        "labels": labels,
        "steering": steering,
        "codebook": shown_codebook,
        "masked": shown_codebook != codebook,
        "fingerprints": {
            "corpus": project.fingerprint,
            "matrix": found.topics.fingerprint,
            "vectors": "" if vectors is None else vectors.fingerprint,
            "labels": fingerprint_of([topics, labels]),
            "steering": fingerprint_of([steering, state.word_rules.stop_words]),
            "codebook": fingerprint_of(codebook),
            "factors": factors_fingerprint(found.topics),
        },
        "versions": software_versions(),
    }


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
