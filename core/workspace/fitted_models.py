"""The model of a project for texts beyond it, with its card, and what it says about them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from core.corpus import Corpus
from core.errors import ModelError, NotFound
from core.evaluation.score_format import is_shown
from core.evaluation.scoring import SCORE_INFO
from core.fitted import AnswerProgress, CardScore, FittedModel, ModelCard
from core.store import Project, Run, Store
from core.store.files.spreadsheet_cells import BYTE_ORDER_MARK, formula_safe
from core.supervision import TopicKey
from core.text import LANGUAGES, Encoder
from core.text.encoders import encoder_from
from core.values import count, whole_file
from core.workspace.caches.models import read_model
from core.workspace.caches.vectors import encoder_key
from core.workspace.reports import scores_of
from core.workspace.results import topics_of_run
from core.workspace.scores import score_history

MODEL_NOT_KEPT = (
    "The model of the last full fit of “{}” is not on disk any more; fit the project afresh."
)


def model_of(store: Store, project: Project) -> FittedModel:
    """The model of the last full fit under today's names, with its card.

    NotFound before the first fit; ModelError where the model is not kept any more.
    """
    run = store.resting_run(project.id)
    if run is None:
        raise NotFound(f"“{project.name}” has no fit yet; fit it first.")
    model = read_model(store, run)
    if model is None:
        raise ModelError(MODEL_NOT_KEPT.format(project.name))
    topics = topics_of_run(store, run)
    names: dict[TopicKey, str] = {topic.id: topic.name for topic in store.topics(project.id)}
    named = model.renamed(names, topics.names)
    card = card_of(store, project, run, named)
    nodes = None if topics.learned is None else topics.learned.nodes
    return replace(named, card=card, encoder=_encoder(project, model), nodes=nodes)


def _encoder(project: Project, model: FittedModel) -> Encoder | None:
    """A model folder of this machine, which the file itself does not name."""
    key = encoder_key(project.settings)
    if key is None or not model.state.n_dimensions or model.meaning is None:
        return None
    return None if model.meaning.encoder else encoder_from(key)


def card_of(store: Store, project: Project, run: Run, model: FittedModel) -> ModelCard:
    """What the model was fitted to, how it scored, and what it cannot do."""
    scores = scores_of(score_history(store, project))
    counts = model.state.arrays["class_count_"].tolist()
    return ModelCard(
        title=project.name,
        facts=tuple(_facts(project, run, model)),
        labels=tuple(zip(model.label_names, map(int, counts), strict=True)),
        scores=tuple(
            CardScore(SCORE_INFO[name].title, value, low, high, note or "")
            for name, (value, low, high, note) in scores.values.items()
            if name in SCORE_INFO and is_shown(name, value)
        ),
        scored_on=scores.basis if scores.judged else scores.missing,
    )


def _facts(project: Project, run: Run, model: FittedModel) -> Iterator[tuple[str, str]]:
    text, spec = model.vocabulary.settings, model.spec
    named = sum(isinstance(key, int) for key in model.state.label_keys)
    labelled = int(model.state.arrays["class_count_"].sum())
    yield "texts", f"{model.vocabulary.n_docs:,}"
    yield "language", LANGUAGES.get(text.language, text.language)
    yield "words", f"{len(model.vocabulary.terms):,}, weighted by {text.weighting}"
    yield "labels", f"{named:,}, given {labelled:,} times"
    yield "topics", f"{len(model.topic_names):,}"
    yield "model", f"{spec.model}, seed {spec.random_state}"
    if spec.options:
        yield "options", ", ".join(f"{name}={value}" for name, value in spec.options.items())
    if model.meaning is not None:
        yield "vectors", model.meaning.name
    yield "fitted", f"{run.finished:%Y-%m-%d %H:%M} UTC, run {run.id}"
    yield "corpus", project.fingerprint


def write_predictions(
    model: FittedModel,
    corpus: Corpus,
    path: Path | str,
    *,
    texts: bool = False,
    progress: AnswerProgress | None = None,
) -> int:
    """What the model says about each text, as CSV or JSON lines by the name of the file.

    How many texts said nothing to it.
    """
    wordless = 0
    with whole_file(path) as file:
        lines = _json_lines if Path(path).suffix.lower() in (".jsonl", ".json") else _csv_lines
        start = 0
        for block in model.blocks(corpus, progress=progress):
            wordless += int((block["main topic"] == "").sum())
            if texts:
                block.insert(0, "text", list(corpus.texts[start : start + len(block)]))
            file.write(lines(block, first=start == 0).encode("utf-8", "replace"))
            start += len(block)
    return wordless


def _json_lines(block: pd.DataFrame, *, first: bool) -> str:
    twice = block.columns[block.columns.duplicated()]
    if len(twice):
        raise ModelError(f"Two columns would be called “{twice[0]}”: rename a topic, or write CSV.")
    named = block.reset_index(names="id")
    return str(named.to_json(orient="records", lines=True, force_ascii=False))


def _csv_lines(block: pd.DataFrame, *, first: bool) -> str:
    """Cells that could start a formula get an apostrophe in front, as in the report's table."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    if first:
        out.write(BYTE_ORDER_MARK)
        writer.writerow([formula_safe(name) for name in ("id", *block.columns)])
    for row in block.itertuples(name=None):
        writer.writerow([_cell(value) for value in row])
    return out.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.4f}"
    return formula_safe(str(value))


def wordless_sentence(n: int) -> str:
    """That some texts got no topic; empty if all got one."""
    return f"No topic for {count(n, 'text')}: no word that the model knows." if n else ""
