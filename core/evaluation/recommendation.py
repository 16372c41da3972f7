"""Which model to use: from what the analyst says about texts and labels, with reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Labels = Literal["none", "few", "many"]
Goal = Literal["teach", "predict", "explore", "number"]
Words = Literal["typical", "often", "there"]
MANY_LABELS_SHARE = 0.2  # of the documents, from which labels are many
FREE_TOPICS_BELOW = ((60, 1), (150, 2))  # (documents, free topics below this number)
MAX_FREE_TOPICS = 3


def free_topics(n_documents: int) -> int:
    """How many topics beyond the named ones a corpus is given to begin with.

    In a few dozen texts three free topics would split the topics of the labels.
    """
    return next((n for below, n in FREE_TOPICS_BELOW if n_documents < below), MAX_FREE_TOPICS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What the analyst says about texts and labels."""

    goal: Goal = "teach"  # teach topics, predict labels, explore, or find the number of topics
    labels: Labels = "few"
    several: bool = True  # topics per text
    noisy: bool = False  # labels may be wrong
    groups: bool = False  # texts come from groups that matter, as authors or regions
    short: bool = False  # texts of a sentence or two
    broad: bool = False  # a label covers unlike things
    words: Words = "typical"  # weighted by rarity, by count, or once at most


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A model, the options that go with it, and why."""

    model: str
    why: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The model to take, and another worth a look."""

    best: Suggestion
    also: Suggestion


def recommend(needs: Needs) -> Recommendation:
    """The model for these needs; the same needs give the same model."""
    if needs.goal == "number":
        return Recommendation(_suggest_pfa(needs), _suggest_nmf(needs))
    if needs.groups:
        also = _suggest_tsnmf(needs) if needs.labels != "none" else _suggest_nmf(needs)
        return Recommendation(_suggest_pfa_ssi(needs), also)
    if needs.goal == "explore" or needs.labels == "none":
        return _recommend_exploration(needs)
    if needs.goal == "predict":
        return _recommend_prediction(needs)
    if needs.noisy:
        return Recommendation(
            _suggest_tolerant(needs), _suggest_supervised_counts(needs) or _suggest_tsnmf(needs)
        )
    also = _suggest_tolerant(needs) if needs.several else CNMF_SUGGESTION
    return Recommendation(_suggest_tsnmf(needs), _suggest_supervised_counts(needs) or also)


def needs_of(
    *, n_docs: int, n_labelled: int, several: bool, words_per_text: float, groups: bool
) -> Needs:
    """The needs that follow from a project's data; the analyst corrects them."""
    share = n_labelled / n_docs if n_docs else 0.0
    labels: Labels = "many" if share >= MANY_LABELS_SHARE else "few"
    return Needs(labels=labels, several=several, short=words_per_text < 25, groups=groups)


def _suggest_tsnmf(needs: Needs) -> Suggestion:
    """TS-NMF, the app's own."""
    why = (
        "Your labels are rules: a labelled text can only have the topics you permit, and every "
        "topic keeps the meaning you gave it."
    )
    if needs.labels == "few":
        why += " A classifier learnt from your few labels guides the topics of all other texts."
    options = {"parts": "auto"} if needs.broad else {}
    if needs.broad:
        why += " A label that covers different things may have several topics, shown as one."
    return Suggestion("tsnmf", why + WORD_COUNT_NOTES[needs.words], options)


def _suggest_tolerant(needs: Needs) -> Suggestion:
    if needs.noisy and needs.labels == "many" and not needs.several:
        return Suggestion(
            "supervised_vbnmf",
            "Labels only make topics more likely, so a few wrong ones do little harm. It needs "
            "many labels and works best with one label per text." + WORD_COUNT_NOTES[needs.words],
        )
    return _suggest_ssnmf(
        needs,
        "Labels are weighed against the words, so a wrong label changes the topics only a little.",
    )


def _suggest_ssnmf(needs: Needs, why: str) -> Suggestion:
    """SSNMF; with the divergence for counts if words count as often as they occur."""
    if needs.words == "often":
        return Suggestion("ssnmf", f"{why} {SET_PLAIN_COUNTS}", {"x_loss": "i_divergence"})
    return Suggestion("ssnmf", why + WORD_COUNT_NOTES[needs.words])


def _suggest_supervised_counts(needs: Needs) -> Suggestion | None:
    """A model that uses labels and counts words as asked; None for weighted words."""
    if needs.words == "typical":
        return None
    return _suggest_counts(
        "pfa_ssi",
        "Texts with the same label share topics. It is slow.",
        needs,
    )


def _recommend_prediction(needs: Needs) -> Recommendation:
    joint = _suggest_ssnmf(
        needs,
        "It models words and labels together, so it predicts the labels of a new text, several "
        "at once if need be.",
    )
    margins = Suggestion(
        "nmf_alpha",
        "It keeps the differences between labels, which helps when each text has one label and "
        "few texts are labelled." + WORD_COUNT_NOTES[needs.words],
    )
    also = _suggest_supervised_counts(needs) or _suggest_tsnmf(needs)
    if needs.labels == "few" and not needs.several and not needs.noisy:
        return Recommendation(margins, also)
    return Recommendation(joint, also)


def _recommend_exploration(needs: Needs) -> Recommendation:
    if needs.words == "there":
        there = _suggest_counts("pfa", "It does not use labels, and it is slow.", needs)
        return Recommendation(there, _suggest_vbnmf(needs) if needs.short else NMF_SUGGESTION)
    if needs.short:
        return Recommendation(_suggest_vbnmf(needs), _suggest_nmf(needs))
    if needs.words == "often":
        return Recommendation(
            _suggest_counts("lda", "It does not use labels.", needs), _suggest_nmf(needs)
        )
    return Recommendation(
        NMF_SUGGESTION,
        Suggestion("lda", "The best-known topic model: slower, but good to compare with."),
    )


def _suggest_vbnmf(needs: Needs) -> Suggestion:
    why = "Short texts have few words, and this model does not rely on single words."
    if needs.words == "often":
        why += " In a sentence or two a word rarely occurs twice, so counts matter little."
    return Suggestion("vbnmf", f"{why} It does not use labels.")


def _suggest_pfa(needs: Needs) -> Suggestion:
    if needs.groups:
        return _suggest_pfa_ssi(needs)
    why = "It starts with more topics than needed and drops those the words do not support."
    if needs.words == "there":
        return _suggest_counts("pfa", f"{why} It is slow.", needs)
    return Suggestion("pfa", f"{why} It reads plain counts, and it is slow.")


def _suggest_pfa_ssi(needs: Needs) -> Suggestion:
    why = (
        "Texts of one group share topics, and so do similar groups; you see the topics of each "
        "group."
    )
    if needs.words == "there":
        return _suggest_counts("pfa_ssi", f"{why} It is slow.", needs)
    return Suggestion("pfa_ssi", f"{why} It reads plain counts, and it is slow.")


def _suggest_counts(model: str, why: str, needs: Needs) -> Suggestion:
    """A model of counts, or of whether a word is there at all."""
    if needs.words == "there":
        counting = "It only uses whether a word occurs in a text, so a repeated word counts once."
        return Suggestion(model, f"{counting} {why}", {"data": "binary"})
    counting = "It reads plain counts: every occurrence of a word counts."
    return Suggestion(model, f"{counting} {why}")


def _suggest_nmf(needs: Needs) -> Suggestion:
    if needs.words != "often":
        return NMF_SUGGESTION
    why = f"Fast and without labels. {SET_PLAIN_COUNTS}"
    return Suggestion("nmf", why, {"loss": "i_divergence", "solver": "mu"})


SET_PLAIN_COUNTS = "Its divergence is made for counts: set the weights of words to plain counts."
WORD_COUNT_NOTES: Mapping[Words, str] = {
    "typical": "",
    "often": " Set the weights of words to plain counts for it.",
    "there": " It counts repeated words; the other model counts each word once.",
}
NMF_SUGGESTION = Suggestion(
    "nmf", "Fast and without labels: a first look, and a baseline for models with labels."
)
CNMF_SUGGESTION = Suggestion(
    "cnmf", "It gives texts with the same label the same topics, if each text has one label."
)
