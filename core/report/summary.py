"""The summary that a report writes for itself: the largest topics, the labels, the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from core.insight import summaries
from core.insight.shares import main_topics
from core.report.inputs import ReportInput
from core.report.quality import plain_score_sentence
from core.text import Analyzer
from core.topics import Topics
from core.values import count, percent

LABELS_ARE_HINTS = "topics are named after the labels they match"
LARGEST_TOPICS = 3  # named in the summary
WORDS_READ = 12  # heaviest words of a topic among which those that describe it are found
DESCRIBING_WORDS = 3  # words that describe a topic nobody has labelled
TEXTS_READ = 200  # of a topic, in which its words are looked for
MIN_TEXTS_SHARE = 0.05  # of a topic's texts that hold a word; a rarer one does not describe it


def default_summary(inputs: ReportInput) -> str:
    """A generated summary in two paragraphs."""
    labels = f"{_labels_in_words(inputs)} {plain_score_sentence(inputs.scores)}".strip()
    return f"{_sizes_in_words(inputs)}\n\n{labels}"


def _sizes_in_words(inputs: ReportInput) -> str:
    """The largest topics: those that labels stand for, else those that the model found."""
    topics, n_documents = inputs.topics, len(inputs.corpus)
    sizes = summaries.topic_sizes(topics)
    labelled = _labelled_topics(inputs)
    shown = sizes[sizes["topic"].isin(inputs.shown_columns)]
    chosen = shown[shown["topic"].isin(labelled)] if labelled else shown
    largest = chosen[chosen["share"] > 0].sort_values("share", ascending=False, kind="stable")
    largest = largest[:LARGEST_TOPICS]
    if largest.empty:
        return f"This report describes {n_documents:,} texts; there are no topics in them yet."
    names = largest["name"] if labelled else [_found_words(inputs, t) for t in largest["topic"]]
    parts = zip(names, largest["share"], strict=True)
    listed = _listed([f"{name} ({percent(share)})" for name, share in parts])
    sentence = (
        f"{_opening(inputs, bool(labelled))} The largest are {listed} of "
        f"{int(sizes['of'].iloc[0]):,} texts, each counted once, for the topic that it is mostly "
        "about."
    )
    free = shown[shown["topic"] >= topics.n_supervised]
    in_free_topics = float(free["share"].sum()) if labelled else 0.0
    if not in_free_topics:
        return sentence
    return f"{sentence} Topics that nobody has named yet hold {percent(in_free_topics)}."


def _opening(inputs: ReportInput, labelled: bool) -> str:
    n = count(len(inputs.shown_columns), "topic")
    texts = f"{len(inputs.corpus):,} texts"
    if labelled:
        return f"This report describes {n} in {texts}."
    return (
        f"This report describes {n} that the model found in {texts}. No text is labelled, so they "
        "are described by their words."
    )


def _labelled_topics(inputs: ReportInput) -> set[int]:
    """The topics that labelled texts stand for; a name alone stands for nothing yet."""
    if not inputs.people.n_labelled:
        return set()
    counts, topics = inputs.supervision.counts(), inputs.topics
    named = set(range(topics.n_supervised)) - inputs.hidden_columns
    return {k for k in named if counts.get(topics.keys[k], 0)}


def _found_words(inputs: ReportInput, topic: int) -> str:
    """The title of a free topic if its texts hold these words, else words that they do hold.

    A word can weigh much in a topic and stand in a handful of its texts: then it says what these
    are about, and nothing of the topic.
    """
    heaviest = [word.term for word in inputs.topics.top_terms(topic, WORDS_READ)]
    common = _common_words(inputs, topic, heaviest)
    title = inputs.topics.names[topic].split(", ")
    if topic >= inputs.topics.n_supervised and set(title) <= set(common):
        return f"“{inputs.topics.names[topic]}”"
    return f"“{', '.join((common or heaviest)[:DESCRIBING_WORDS])}”"


def _common_words(inputs: ReportInput, topic: int, words: Sequence[str]) -> list[str]:
    """Those of the words that enough of a topic's texts hold, the most common first."""
    rows = _some_texts(inputs.topics, topic)
    spans = Analyzer(inputs.text).spans
    held = Counter(
        term
        for row in rows.tolist()
        for term in {span.term for span in spans(inputs.corpus.texts[row])} & set(words)
    )
    least = max(1.0, MIN_TEXTS_SHARE * len(rows))
    return sorted((term for term in words if held[term] >= least), key=lambda term: -held[term])


def _some_texts(topics: Topics, topic: int) -> np.ndarray:
    """Texts of which it is the main topic, evenly spread over the corpus."""
    rows = np.flatnonzero(main_topics(topics) == topic)
    return rows[:: max(1, -(-rows.size // TEXTS_READ))]


def _labels_in_words(inputs: ReportInput) -> str:
    """How many texts are labelled, by whom, and what the model makes of it."""
    people = inputs.people
    if not people.n_labelled:
        return ""  # the sentence about the topics says so
    adherence = adherence_of(inputs)
    if not inputs.topics.spec.labels_own_topics:
        return f"{people.labelled_sentence}; {LABELS_ARE_HINTS}."
    if adherence is not None and adherence < 1:
        broken = percent(1 - adherence)
        sentence = f"{broken} of them have topics that their labels rule out"
        return f"{people.labelled_sentence}; {sentence}."
    others = ", and sorted the others" if people.n_labelled < len(inputs.corpus) else ""
    learnt = f"a computer model learnt from these labels, which say what a text is about{others}"
    return f"{people.labelled_sentence}; {learnt}."


def adherence_of(inputs: ReportInput) -> float | None:
    """The share of labelled texts with permitted topics only; None if labels are no rules.

    A label that came after the fit is not broken by it.
    """
    if not inputs.topics.spec.labels_own_topics or not inputs.people.n_labelled:
        return None
    if inputs.behind:
        return inputs.adherence_at_fit
    return summaries.adherence(inputs.topics, inputs.supervision)


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
