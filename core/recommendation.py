"""Which model suits: a question in the analyst's terms, an answer with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Labels = Literal["none", "few", "many"]
Goal = Literal["teach", "predict", "explore", "number"]
MANY = 0.2  # share of labelled documents from which labels are many
FREE = ((60, 1), (150, 2))  # below so many documents, so many free topics
MOST_FREE = 3


def free_topics(n_documents: int) -> int:
    """How many topics beyond the named ones a corpus is given to begin with.

    In a few dozen texts three free topics would take apart what the labels name.
    """
    return next((n for below, n in FREE if n_documents < below), MOST_FREE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What the analyst says about texts and labels."""

    goal: Goal = "teach"  # teach topics, predict labels, look around, or find how many there are
    labels: Labels = "few"
    several: bool = True  # topics per text
    noisy: bool = False  # labels may be wrong
    groups: bool = False  # texts come from groups that matter, as authors or regions
    short: bool = False  # texts of a sentence or two
    broad: bool = False  # a label covers unlike things


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
    """The model that fits what was said; the same answers give the same model."""
    if needs.goal == "number":
        return Recommendation(_how_many(needs), _PLAIN)
    if needs.groups:
        return Recommendation(_GROUPS, _taught(needs) if needs.labels != "none" else _PLAIN)
    if needs.goal == "explore" or needs.labels == "none":
        return _looking_around(needs)
    if needs.goal == "predict":
        return _predicting(needs)
    if needs.noisy:
        return Recommendation(_evidence(needs), _taught(needs))
    return Recommendation(_taught(needs), _evidence(needs) if needs.several else _TIED)


def needs_of(
    *, n_docs: int, n_labelled: int, several: bool, words_per_text: float, groups: bool
) -> Needs:
    """What a project shows by itself; the analyst corrects it."""
    share = n_labelled / n_docs if n_docs else 0.0
    labels: Labels = "many" if share >= MANY else "few"
    return Needs(labels=labels, several=several, short=words_per_text < 25, groups=groups)


def _taught(needs: Needs) -> Suggestion:
    """TS-NMF, the app's own."""
    why = (
        "Your labels are rules: a labelled text can only be about the topics you permit, and every "
        "topic keeps the meaning you gave it."
    )
    if needs.labels == "few":
        why += " What few labels teach is carried over to the texts nobody has labelled."
    options = {"parts": "auto"} if needs.broad else {}
    if needs.broad:
        why += " A label of unlike things may have several topics, summed up for you."
    return Suggestion("tsnmf", why, options)


def _evidence(needs: Needs) -> Suggestion:
    if needs.noisy and needs.labels == "many" and not needs.several:
        return Suggestion(
            "supervised_vbnmf",
            "Labels only advise which topics are likely, so single wrong ones do little harm; it "
            "needs many labels, and one per text suits it best.",
        )
    return Suggestion(
        "ssnmf",
        "Labels are evidence, weighed against the words: a wrong label bends the topics a little "
        "instead of being obeyed.",
    )


def _predicting(needs: Needs) -> Recommendation:
    joint = Suggestion(
        "ssnmf",
        "It explains words and labels together, so it says which labels a new text would get, "
        "and several at once.",
    )
    margins = Suggestion(
        "nmf_alpha",
        "It keeps what tells labels apart, which counts when each text has one label and few are "
        "labelled.",
    )
    if needs.labels == "few" and not needs.several and not needs.noisy:
        return Recommendation(margins, _taught(needs))
    return Recommendation(joint, _taught(needs))


def _looking_around(needs: Needs) -> Recommendation:
    if needs.short:
        return Recommendation(
            Suggestion(
                "vbnmf",
                "Short texts say little, and this model does not believe every single word. It "
                "hears no labels.",
            ),
            _PLAIN,
        )
    return Recommendation(
        _PLAIN,
        Suggestion("lda", "What everybody knows; slower, but a fair thing to compare with."),
    )


def _how_many(needs: Needs) -> Suggestion:
    if needs.groups:
        return _GROUPS
    return Suggestion(
        "pfa",
        "It starts with more topics than needed and drops those the words do not support. It "
        "reads plain counts and takes its time.",
    )


_PLAIN = Suggestion(
    "nmf", "Quick, without labels: a first look, and the yardstick that labels have to beat."
)
_GROUPS = Suggestion(
    "pfa_ssi",
    "Texts of one group share what they talk about, and groups of one kind share it too; you see "
    "which topics a group stands for. It reads plain counts and takes its time.",
)
_TIED = Suggestion(
    "cnmf", "Where a text has one label and texts of a label are all of one kind, it ties them."
)
