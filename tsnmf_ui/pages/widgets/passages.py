"""Documents, quotes and topic names as safe HTML. Texts are data: every one is escaped here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from core.corpus import Document
from core.insight.summaries import Quote, Span
from core.insight.topic_titles import NO_WORDS
from core.topics import TermWeight
from tsnmf_ui.theme import texts

DateWriter = Callable[[Document], str]

EXCERPT_CHARACTERS = 420  # characters of a document in a list


def topic_name(name: str, colour: str) -> str:
    """The topic's colour and name."""
    return f'<span class="ts-topic" style="--c:{escape(colour)}">{escape(name)}</span>'


def words(terms: Sequence[TermWeight], colour: str) -> str:
    """Keywords as chips, stronger the heavier, with their weights."""
    if not terms:
        return f'<p class="ts-quiet">{NO_WORDS.capitalize()}.</p>'
    heaviest = terms[0].weight
    chips = "".join(
        f'<span style="--w:{6 + 24 * weight / heaviest:.0f}%" title="weight {weight:.3f}">'
        f"{escape(term)} <small>{weight:.2f}</small></span>"
        for term, weight in terms
    )
    return f'<div class="ts-words" style="--c:{escape(colour)}">{chips}</div>'


def quote(
    passage: Quote, document: Document, colour: str, spans: Iterable[Span], shown: DateWriter
) -> str:
    """A verbatim passage with the topic's words marked, and its source."""
    before, after = ("… " if passage.cut_before else ""), (" …" if passage.cut_after else "")
    return (
        f'<div class="ts-quote" style="--c:{escape(colour)}">'
        f'<div class="ts-clamp">{before}{marked(passage.text, spans)}{after}</div>'
        f"<footer>{facts(document, passage.share, shown)}</footer></div>"
    )


def marked(text: str, spans: Iterable[Span]) -> str:
    """The text with the spans marked; everything escaped."""
    parts, cursor = [], 0
    for start, end, _ in spans:
        if start >= cursor:
            parts += [escape(text[cursor:start]), f"<mark>{escape(text[start:end])}</mark>"]
            cursor = end
    return "".join((*parts, escape(text[cursor:])))


def rows(found: Sequence[tuple[Document, float]], shown: DateWriter) -> str:
    """Documents one under the other: where from, how much of the topic, how they begin."""
    if not found:
        return '<p class="ts-quiet">No texts.</p>'
    return "".join(
        f'<div class="ts-doc-row"><div class="ts-quiet">'
        f"{facts(document, share, shown, '</span><span>')}"
        f'</div><div class="ts-text">{escape(beginning(document.text))}</div></div>'
        for document, share in found
    )


Claim = tuple[str, str, float]  # a topic's name, colour and share


def contested(document: Document, one: Claim, other: Claim) -> str:
    """A document between two topics, with what each holds of it."""
    claims = "".join(
        f"<span>{topic_name(name, colour)} {texts.percent(share)}</span>"
        for name, colour, share in (one, other)
    )
    return (
        f'<div class="ts-doc-row"><div class="ts-quiet"><span>{document_id(document)}</span>'
        f'{claims}</div><div class="ts-text">{escape(beginning(document.text))}</div></div>'
    )


def document_id(document: Document) -> str:
    """The id of a document, escaped; signs in it that turn text around end with it."""
    return f"<bdi>{escape(document.id)}</bdi>"


def facts(document: Document, share: float, shown: DateWriter, between: str = " · ") -> str:
    """Id, date and share of a document, escaped."""
    parts = [document_id(document), shown(document), f"{texts.percent(share)} of this text"]
    joined = between.join(filter(None, parts))
    return f"<span>{joined}</span>"


def beginning(text: str) -> str:
    """The beginning of a text, cut between two words; not escaped."""
    flat = text.strip()
    return (
        flat
        if len(flat) <= EXCERPT_CHARACTERS
        else flat[:EXCERPT_CHARACTERS].rsplit(None, 1)[0] + " …"
    )
