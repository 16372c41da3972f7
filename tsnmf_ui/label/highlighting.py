"""Highlights at the desk: what a person is shown of them, and their words as seed words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.corpus import Document
from core.errors import StudioError
from core.store import AddWord, Event, Highlight, Store
from core.store.coding.highlights import HighlightInForce
from core.text import analyzer_of
from tsnmf_ui.label import requests
from tsnmf_ui.label.place import Signature
from tsnmf_ui.label.snapshot import Fitted, Snapshot
from tsnmf_ui.theme import texts

TEXT_HAS_CHANGED = "These words do not stand there in the text. Select them again."
MAX_SEED_WORDS = 20  # of one highlight


def visible_highlights(
    snapshot: Snapshot, position: int, author: str
) -> tuple[HighlightInForce, ...]:
    """Those of a text that a person may see: only their own while two people label it."""
    found = snapshot.highlights.get(position, ())
    if not snapshot.is_doubled(position):
        return found
    return tuple(each for each in found if each.author == author)


def highlight_fields(found: Sequence[HighlightInForce], text: str) -> list[dict[str, Any]]:
    """As the pane shows them; ``found`` says whether the words are still in the text."""
    return [
        {
            "event": each.event,
            "author": each.author,
            "topics": list(each.topics),
            "quote": each.quote,
            "found": each.place_in(text) is not None,
        }
        for each in found
    ]


def require_quote(document: Document, new: Highlight) -> None:
    """Refuse words that are not where they are said to be."""
    whole = isinstance(new.start, int) and isinstance(new.end, int) and new.start >= 0
    if not whole or document.text[new.start : new.end] != new.quote:
        raise StudioError(TEXT_HAS_CHANGED)


def add_seed_words(
    store: Store, fitted: Fitted, request: Mapping[str, Any], by: Signature
) -> tuple[Event, str]:
    """The words of a highlight become words of its topic, as far as the model knows them."""
    position, number = requests.position_of(request), requests.highlight_of(request)
    if fitted.snapshot.is_doubled(position):
        raise StudioError("Words can be added once two people have labelled this text.")
    known = fitted.snapshot.highlights.get(position, ())
    chosen = next((each for each in known if each.event == number), None)
    if chosen is None:
        raise StudioError("This highlight is gone.")
    words = _words_of(fitted, chosen.quote)
    if not words:
        raise StudioError("The model knows none of these words.")
    names = {topic.id: topic.name for topic in fitted.snapshot.topics}
    named = ", ".join(names[topic] for topic in chosen.topics)
    head = store.record_batch(
        fitted.project.id,
        f"Added {texts.count(len(words), 'word')} of a highlight to {named}"[:120],
        [AddWord(topic, word) for topic in chosen.topics for word in words],
        author=by.author,
        client=by.client,
        sequence=by.sequence,
    )
    return head, f"Added to {named}: {', '.join(words)}. You can undo this."


def _words_of(fitted: Fitted, quote: str) -> list[str]:
    """The words of a quote that are in the vocabulary of the last fit, each once."""
    terms = set() if fitted.topics is None else set(fitted.topics.terms)
    spans = analyzer_of(fitted.project.settings.text).spans(quote)
    return list(dict.fromkeys(span.term for span in spans if span.term in terms))[:MAX_SEED_WORDS]
