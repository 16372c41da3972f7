"""From topics, labels and scores to a Report: what it contains and how it is worded."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from textwrap import shorten
from typing import Any

import numpy as np

from core.corpus import Corpus
from core.errors import ReportError
from core.insight import summaries
from core.insight.document_facts import DocumentClasses
from core.insight.topic_titles import titles_without
from core.insight.trends import best_period
from core.report.description import (
    MANY_TOPICS,
    CodebookEntry,
    HeatMap,
    Report,
    ReportMemo,
    ShareTable,
    TopicSection,
)
from core.report.highlights import may_be_quoted
from core.report.inputs import LabelTable, ReportInput
from core.report.last_report import changes_since
from core.report.masking import Masker
from core.report.method import method_of
from core.report.privacy import PersonNames, privacy_sentences
from core.report.quality import label_table, score_sentence, score_table, score_values
from core.report.rows import DocumentRows, ReportRows
from core.report.summary import adherence_of, default_summary
from core.report.texts_read import texts_read
from core.report.topic_sections import group_topics, topic_sections
from core.values import count, written_date

NO_TOPICS = "There are no topics to report yet."
ALL_HIDDEN = "All topics are hidden; show at least one."
EXAMPLE_CHARACTERS = 160  # of an example text of the codebook
MAX_CLASSES = 12  # a side column with more values is not tabulated
NO_GROUP = "(none)"  # texts without a value
SEVERAL_VALUES = " A text with several values counts in each of them."
MAX_HEAT_MAP = 40  # labels and topics that a heat map can show
REPORTED_PACKAGES = ("tsnmf-studio", "numpy", "scipy", "scikit-learn", "numba", "pandas")
STOP_REASONS = {"converged": "converged", "max_iter": "limit of steps", "cancelled": "cancelled"}


def build_report(
    inputs: ReportInput,
    *,
    title: str = "",
    summary: str | None = None,
    made: datetime | None = None,
) -> Report:
    """Gather everything; without title and summary those of the input, else the report's own."""
    if not len(inputs.topics):
        raise ReportError(NO_TOPICS)
    privacy, masker = inputs.privacy, Masker(inputs.privacy.masks)
    # A free topic is called by its words, and these may be personal data.
    titles = titles_without(inputs.topics, masker.leaves)
    inputs = replace(inputs, topics=inputs.topics.renamed(titles))
    names = PersonNames(privacy, [author for author, _ in inputs.people.authors])
    many = len(inputs.shown_columns) > MANY_TOPICS
    columns, sections = topic_sections(inputs, masker, names, many=many)
    if not columns:
        raise ReportError(ALL_HIDDEN if inputs.hidden_columns else NO_TOPICS)
    text = summary or inputs.summary or default_summary(inputs)
    scores = score_values(inputs.scores)
    report = Report(
        title=title.strip() or inputs.title or "Topics",
        summary=tuple(masker.mask(part.strip()) for part in text.split("\n\n") if part.strip()),
        summary_note="" if summary else inputs.summary_note,
        made=made or datetime.now(UTC),
        logo=inputs.arrangement.logo,
        n_documents=len(inputs.corpus),
        n_read=sections[0].of,
        topics=sections,
        hidden_topics=len(inputs.hidden_columns),
        groups=group_topics(inputs, columns, sections) if many else (),
        heat_map=_heat_map(inputs, columns),
        scores=scores,
        quality=score_table(scores),
        labels=label_table(inputs.scores, inputs.hides, masker.mask),
        score_sentence=score_sentence(inputs.scores),
        score_basis=inputs.scores.basis,
        resolved=inputs.scores.resolved,
        tables=_by_class(inputs, columns),
        period=best_period(inputs.corpus.dates) or "",
        people=inputs.people.shown_as(names),
        adherence=adherence_of(inputs),
        labels_are_rules=inputs.topics.spec.labels_own_topics,
        behind=inputs.behind,
        codebook=_codebook(inputs, sections, masker),
        memos=_memos(inputs, sections, masker, names),
        texts_read=texts_read(
            inputs.corpus,
            inputs.topics,
            inputs.supervision,
            near_copies=inputs.near_copies,
            wordless=inputs.wordless,
            unread=inputs.unread,
        ),
        privacy=privacy,
        privacy_sentences=privacy_sentences(
            privacy, inputs.personal, n_hidden=len(inputs.hidden_columns)
        ),
        method=method_of(inputs),
        reproducibility=_reproducibility(inputs),
        recipe=inputs.recipe,
        rows=_rows(inputs, names),
    )
    hidden = inputs.arrangement.hidden
    changes = changes_since(inputs.last_report, report, hidden)  # that one may have masked nothing
    return replace(report, changes=tuple(map(masker.mask, changes)))


def _rows(inputs: ReportInput, names: PersonNames) -> ReportRows:
    documents = DocumentRows(
        topics=inputs.topics,
        corpus=inputs.corpus,
        supervision=inputs.supervision,
        privacy=inputs.privacy,
        hidden=inputs.hidden_columns,
    )
    return ReportRows(
        documents=documents, history=inputs.history, people=names, masks=inputs.privacy.masks
    )


def _codebook(
    inputs: ReportInput, sections: Sequence[TopicSection], masker: Masker
) -> tuple[CodebookEntry, ...]:
    """What analysts wrote about the topics that are shown, in their order."""
    entries = {str(key): entry for key, entry in inputs.codebook.items()}
    found = [(each, entries[each.key]) for each in sections if each.key in entries]
    book = (
        CodebookEntry(
            section.name,
            masker.mask(entry.definition),
            masker.mask(entry.include),
            masker.mask(entry.exclude),
            _examples(inputs, section.key, entry.examples, masker),
        )
        for section, entry in found
    )
    return tuple(e for e in book if e.definition or e.include or e.exclude or e.examples)


def _examples(
    inputs: ReportInput, key: str, positions: Sequence[int], masker: Masker
) -> tuple[str, ...]:
    """Example texts of a topic: their ids and beginnings, as far as both may be told."""
    found = []
    for position in (at for at in positions if at < len(inputs.corpus)):
        text = " ".join(masker.mask(inputs.corpus.texts[position]).split())
        quote = f"“{shorten(text, EXAMPLE_CHARACTERS, placeholder=' …')}”"
        quote = quote if may_be_quoted(inputs, key, position) else ""
        document = masker.mask(inputs.corpus.ids[position]) if inputs.privacy.shows_ids else ""
        found.append(": ".join(filter(None, (document, quote))))
    return tuple(filter(None, found))


def _memos(
    inputs: ReportInput, sections: Sequence[TopicSection], masker: Masker, names: PersonNames
) -> tuple[ReportMemo, ...]:
    """Memos on the project, on the topics that are shown and on texts, if they may be read."""
    if inputs.privacy.memos != "shown":
        return ()
    titles = {each.key: each.name for each in sections}
    found = []
    for memo in inputs.memos:
        about = "The project" if memo.topic is None else titles.get(str(memo.topic))
        if memo.document is not None:
            about = f"Text {memo.document}" if inputs.privacy.shows_ids else "A text"
        if about is not None:
            who = names.name(memo.author) if names.shown else ""
            found.append(ReportMemo(about, masker.mask(memo.text), who, written_date(memo.time)))
    return tuple(found)


def _heat_map(inputs: ReportInput, columns: Sequence[int]) -> HeatMap | None:
    """Labels against topics; of very many, the largest of both."""
    given = inputs.supervision
    labels = inputs.labels or LabelTable(names=given.names, indicator=given.indicator())
    if not labels.indicator.nnz:
        return None
    table = summaries.association(inputs.topics, labels.indicator, labels.names)
    sizes = np.asarray(labels.indicator.sum(axis=0)).ravel()
    used = [int(j) for j in np.argsort(-sizes, kind="stable") if sizes[j]]
    used = [j for j in used if not inputs.hides(labels.names[j])]
    rows, left_out = used[:MAX_HEAT_MAP], len(used) - MAX_HEAT_MAP
    shown = _largest_topics(inputs, columns)
    whose = "that came with the texts" if labels.true else "that people gave"
    more = f" The {len(rows)} most frequent labels are shown." if left_out > 0 else ""
    more += f" The {len(shown)} largest topics are shown." if len(shown) < len(columns) else ""
    values = table.to_numpy()[np.ix_(rows, shown)]
    return HeatMap(
        note=f"Each column is a topic: of its weight in labelled texts, the share under each of "
        f"the labels {whose}.{more}",
        labels=tuple(labels.names[j] for j in rows),
        topics=tuple(inputs.topics.names[k] for k in shown),
        shares=tuple(tuple(round(float(v), 4) for v in row) for row in values),
    )


def _largest_topics(inputs: ReportInput, columns: Sequence[int]) -> list[int]:
    """At most as many as a table can hold, in the order of the report."""
    share = summaries.topic_sizes(inputs.topics)["share"].to_numpy()
    largest = set(sorted(columns, key=lambda k: -share[k])[:MAX_HEAT_MAP])
    return [k for k in columns if k in largest]


def _by_class(inputs: ReportInput, columns: Sequence[int]) -> tuple[ShareTable, ...]:
    names = inputs.corpus.side if inputs.groups is None else inputs.groups
    found = (_class_table(inputs, columns, name) for name in names)
    return tuple(table for table in found if table is not None)


def _class_table(inputs: ReportInput, columns: Sequence[int], name: str) -> ShareTable | None:
    """Topics in rows, values in columns, so that the table is narrow enough to print."""
    values = inputs.corpus.side[name]
    classes = summaries.class_names(sorted({value for value in values if value}))
    if not 2 <= len(classes) <= MAX_CLASSES:
        return None
    table = summaries.by_class(inputs.topics, DocumentClasses.of(values))
    shares = table.pivot(index="topic", columns="class", values="share")
    sizes = table.drop_duplicates("class").set_index("class")["of"]
    shown = [value for value in sizes.index if sizes[value] >= inputs.privacy.smallest_group]
    if not shown:
        return None
    hidden = len(sizes) - len(shown)
    small = f" {count(hidden, 'small group is', 'small groups are')} hidden." if hidden else ""
    several = SEVERAL_VALUES if set(classes) - set(values) else ""
    topics = _largest_topics(inputs, columns)
    return ShareTable(
        title=f"Topics by {name}",
        note="Share of texts by main topic; the header gives the number of texts in each column."
        + several
        + small,
        columns=tuple(str(value) or NO_GROUP for value in shown),
        of=tuple(int(sizes[value]) for value in shown),
        topics=tuple(inputs.topics.names[k] for k in topics),
        shares=tuple(tuple(row) for row in shares.loc[topics, shown].to_numpy().tolist()),
    )


def _reproducibility(inputs: ReportInput) -> dict[str, str]:
    """What somebody needs to reproduce the topics, and to check that they did."""
    topics, spec, trace = inputs.topics, inputs.topics.spec, inputs.topics.trace
    settings = inputs.text.to_dict()
    return {
        "Data fingerprint": _data_fingerprint(inputs.recipe, inputs.corpus),
        "Matrix fingerprint": topics.fingerprint or "not recorded",
        **_recipe_fingerprints(inputs.recipe),
        "Source": inputs.corpus.reading.source or "not recorded",
        "Texts × words × topics": " × ".join(
            f"{n:,}" for n in (len(inputs.corpus), len(topics.terms), len(topics))
        ),
        "Model": spec.model,
        "Model options": json.dumps(dict(spec.options), ensure_ascii=False, default=str)
        if spec.options
        else "all at their defaults",
        "Seed": str(spec.random_state),
        "Fit": f"{trace.n_iter} steps, {STOP_REASONS[trace.stopped]}, {trace.seconds:.2f} s",
        "Text settings": json.dumps(settings, ensure_ascii=False),
        "Versions": ", ".join(f"{name} {number}" for name, number in software_versions().items()),
    }


def _data_fingerprint(recipe: Any, corpus: Corpus) -> str:
    """As the project keeps it; reading every text for it takes a while where there are many."""
    return str(recipe.get("fingerprints", {}).get("corpus") or corpus.fingerprint)


def _recipe_fingerprints(recipe: Any) -> dict[str, str]:
    """Of labels, steering and codebook, where the run's recipe is known."""
    found = recipe.get("fingerprints", {})
    return {
        f"{name.capitalize()} fingerprint": str(found[name])
        for name in ("labels", "steering", "codebook", "factors")
        if name in found
    }


def software_versions() -> dict[str, str]:
    """Python and the packages that a fit depends on."""
    return {"Python": platform.python_version()} | {
        package: _version(package) for package in REPORTED_PACKAGES
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
