"""``tsnmf-studio fit FILES --cluster ADDRESS``: files read and fitted on the workers of Dask."""

from __future__ import annotations

import argparse
import json
from typing import Any

from core.cluster import Cluster, FileTopics, TextColumns
from core.engine.descent import Progress
from core.errors import StudioError
from core.spec import ModelSpec
from core.text import TextSettings
from core.values import count, whole_file
from tsnmf_ui.cli.output import Output

TOP_WORDS = 8
PROJECT_OPTIONS = (
    "project",
    "labels",
    "truth",
    "date",
    "side",
    "format",
    "more_text",
)  # need one machine


def fit_on_cluster(chosen: argparse.Namespace, options: dict[str, Any]) -> int:
    """Topics, shares of every text, and the model if it is asked for."""
    _refuse_project_options(chosen)
    output = Output(chosen)
    spec = ModelSpec(chosen.model, chosen.topics, chosen.seed, options)
    with Cluster(chosen.cluster) as cluster:
        fitting = output.progress("fitting")

        def callback(step: Progress) -> bool:
            return fitting(step.iteration / step.max_iter)

        found = cluster.fit_files(
            chosen.file or chosen.file_option,
            spec,
            columns=TextColumns(chosen.text, chosen.id, chosen.label, chosen.separator),
            settings=_text_settings(chosen),
            shares=str((chosen.out / "shares").resolve()),
            callback=callback,
        )
    output.note(f"{count(found.n_docs, 'text')} of {count(len(found.files), 'file')} fitted.")
    values, files = _values(found), [chosen.out / "topics.json", chosen.out / "shares"]
    with whole_file(files[0]) as file:
        file.write(json.dumps(values, ensure_ascii=False, indent=2).encode("utf8"))
    if chosen.save_model:
        found.topics.fitted_model(found.matrix).save(chosen.save_model)
        files.append(chosen.save_model)
    names = [str(file) for file in files]
    output.result(names, values | {"files": names})
    return 0


def _refuse_project_options(chosen: argparse.Namespace) -> None:
    for name in PROJECT_OPTIONS:
        if getattr(chosen, name):
            raise StudioError(
                f"--{name.replace('_', '-')} needs one machine; leave it out, or --cluster."
            )


def _text_settings(chosen: argparse.Namespace) -> TextSettings:
    changed = {
        name.removeprefix("text."): value
        for name, value in chosen.set or ()
        if name.startswith("text.")
    }
    return TextSettings.from_dict({"language": chosen.language or "en", **changed})


def _values(found: FileTopics) -> dict[str, Any]:
    """The outcome for programs: topics, and the heat map of labels and topics."""
    topics, summary = found.topics, found.summary
    return {
        "texts": found.n_docs,
        "topics": [
            {
                "name": name,
                "words": [word for word, _ in topics.top_terms(topic, TOP_WORDS)],
                "texts": int(summary.main_topic[topic]),
                "share": float(summary.shares[topic] / max(summary.n_docs, 1)),
                "top": [each.id for each in summary.top[topic]],
            }
            for topic, name in enumerate(topics.names)
        ],
        "shares_by_label": dict(zip(found.labels, found.label_topic.tolist(), strict=True)),
    }
