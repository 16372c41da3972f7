"""Highlighted words in a report: why people say that texts belong to a topic."""

from __future__ import annotations

from core.report.description import ReportHighlight
from core.report.inputs import ReportInput
from core.report.masking import Masker
from core.report.privacy import PersonNames


def highlights_by_topic(
    inputs: ReportInput, masker: Masker, names: PersonNames
) -> dict[str, tuple[ReportHighlight, ...]]:
    """By the topics' keys, in the order of the texts.

    They are verbatim: where quotes are withheld there are none, and where quotes are chosen by hand
    only those of the chosen texts.
    """
    found: dict[str, list[ReportHighlight]] = {}
    for position in sorted(at for at in inputs.highlights if at < len(inputs.corpus)):
        text = masker.mask(inputs.corpus.texts[position])
        document = inputs.corpus.ids[position] if inputs.privacy.shows_ids else ""
        for each in inputs.highlights[position]:
            words = masker.mask(each.quote)
            if words not in text:  # the text is another one by now, or half a number is left
                continue
            who = names.name(each.author) if names.shown else ""
            shown = ReportHighlight(" ".join(words.split()), masker.mask(document), who)
            for key in map(str, each.topics):
                if may_be_quoted(inputs, key, position):
                    found.setdefault(key, []).append(shown)
    return {key: tuple(highlights) for key, highlights in found.items()}


def may_be_quoted(inputs: ReportInput, key: str, position: int) -> bool:
    """Whether words of a text may stand under a topic: always, if it was chosen, or never."""
    quotes = inputs.privacy.quotes
    return quotes == "shown" or (
        quotes == "chosen" and position in inputs.arrangement.chosen.get(key, ())
    )
