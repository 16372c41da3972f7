"""Which model suits: a question in the analyst's terms, an answer with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Labels = Literal["none", "few", "many"]
Goal = Literal["teach", "predict", "explore", "number"]
Words = Literal["typical", "often", "there"]
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
    words: Words = "typical"  # more the rarer elsewhere, as often as they occur, or once at most


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
        return Recommendation(_how_many(needs), _plain(needs))
    if needs.groups:
        also = _taught(needs) if needs.labels != "none" else _plain(needs)
        return Recommendation(_grouped(needs), also)
    if needs.goal == "explore" or needs.labels == "none":
        return _looking_around(needs)
    if needs.goal == "predict":
        return _predicting(needs)
    if needs.noisy:
        return Recommendation(_evidence(needs), _counter(needs) or _taught(needs))
    also = _evidence(needs) if needs.several else _TIED
    return Recommendation(_taught(needs), _counter(needs) or also)


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
    return Suggestion("tsnmf", why + _AS_WEIGHTED[needs.words], options)


def _evidence(needs: Needs) -> Suggestion:
    if needs.noisy and needs.labels == "many" and not needs.several:
        return Suggestion(
            "supervised_vbnmf",
            "Labels only advise which topics are likely, so single wrong ones do little harm; it "
            "needs many labels, and one per text suits it best." + _AS_WEIGHTED[needs.words],
        )
    return _joint(
        needs,
        "Labels are evidence, weighed against the words: a wrong label bends the topics a little "
        "instead of being obeyed.",
    )


def _joint(needs: Needs, why: str) -> Suggestion:
    """SSNMF; where occurrences count, with the misfit that is made for counts."""
    if needs.words == "often":
        return Suggestion("ssnmf", f"{why} {_DIVERGENCE}", {"x_loss": "i_divergence"})
    return Suggestion("ssnmf", why + _AS_WEIGHTED[needs.words])


def _counter(needs: Needs) -> Suggestion | None:
    """A model that hears labels and counts words in the way that was asked for, if any was."""
    if needs.words == "typical":
        return None
    return _counting(
        "pfa_ssi",
        "Texts of one label share what they talk about. It takes its time.",
        needs,
    )


def _predicting(needs: Needs) -> Recommendation:
    joint = _joint(
        needs,
        "It explains words and labels together, so it says which labels a new text would get, "
        "and several at once.",
    )
    margins = Suggestion(
        "nmf_alpha",
        "It keeps what tells labels apart, which counts when each text has one label and few are "
        "labelled." + _AS_WEIGHTED[needs.words],
    )
    also = _counter(needs) or _taught(needs)
    if needs.labels == "few" and not needs.several and not needs.noisy:
        return Recommendation(margins, also)
    return Recommendation(joint, also)


def _looking_around(needs: Needs) -> Recommendation:
    if needs.words == "there":
        there = _counting("pfa", "It hears no labels and takes its time.", needs)
        return Recommendation(there, _short(needs) if needs.short else _PLAIN)
    if needs.short:
        return Recommendation(_short(needs), _plain(needs))
    if needs.words == "often":
        return Recommendation(_counting("lda", "It hears no labels.", needs), _plain(needs))
    return Recommendation(
        _PLAIN,
        Suggestion("lda", "What everybody knows; slower, but a fair thing to compare with."),
    )


def _short(needs: Needs) -> Suggestion:
    why = "Short texts say little, and this model does not believe every single word."
    if needs.words == "often":
        why += " In a sentence or two a word hardly occurs twice, so counts decide little."
    return Suggestion("vbnmf", f"{why} It hears no labels.")


def _how_many(needs: Needs) -> Suggestion:
    if needs.groups:
        return _grouped(needs)
    why = "It starts with more topics than needed and drops those the words do not support."
    if needs.words == "there":
        return _counting("pfa", f"{why} It takes its time.", needs)
    return Suggestion("pfa", f"{why} It reads plain counts and takes its time.")


def _grouped(needs: Needs) -> Suggestion:
    why = (
        "Texts of one group share what they talk about, and groups of one kind share it too; you "
        "see which topics a group stands for."
    )
    if needs.words == "there":
        return _counting("pfa_ssi", f"{why} It takes its time.", needs)
    return Suggestion("pfa_ssi", f"{why} It reads plain counts and takes its time.")


def _counting(model: str, why: str, needs: Needs) -> Suggestion:
    """A model of counts, or of whether a word is there at all."""
    if needs.words == "there":
        said = "It asks only whether a word is in a text, so one that is repeated counts once."
        return Suggestion(model, f"{said} {why}", {"data": "binary"})
    said = "It reads plain counts: each time a word occurs is one more piece of evidence."
    return Suggestion(model, f"{said} {why}")


def _plain(needs: Needs) -> Suggestion:
    if needs.words != "often":
        return _PLAIN
    why = f"Quick, without labels. {_DIVERGENCE}"
    return Suggestion("nmf", why, {"loss": "i_divergence", "solver": "mu"})


_DIVERGENCE = "Its divergence is made for counts; set the weights of words to plain counts for it."
_AS_WEIGHTED: Mapping[Words, str] = {
    "typical": "",
    "often": " It reads words as they are weighted: set their weights to plain counts for it.",
    "there": " Labels matter more here than repeated words; the other model counts each once.",
}
_PLAIN = Suggestion(
    "nmf", "Quick, without labels: a first look, and the yardstick that labels have to beat."
)
_TIED = Suggestion(
    "cnmf", "Where a text has one label and texts of a label are all of one kind, it ties them."
)
