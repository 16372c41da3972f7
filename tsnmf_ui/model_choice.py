"""The ten models in plain words: what each is for, what matters about it, where its page is.

Knows the models' names and options, draws nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from core.fitting import ModelSpec
from core.groups import rule_of, with_rule

MOST_TOPICS = 300


@dataclass(frozen=True, slots=True)
class Number:
    """An option that is a number between limits."""

    name: str
    label: str
    default: float
    least: float
    most: float
    step: float
    help: str

    @property
    def whole(self) -> bool:
        return float(self.step).is_integer() and float(self.default).is_integer()

    def value(self, options: Mapping[str, Any]) -> float:
        """The value in use, inside the limits."""
        given = options.get(self.name, self.default)
        return min(max(float(given), self.least), self.most)

    def chosen(self, value: float) -> dict[str, Any]:
        """The options a value stands for; the default needs none."""
        if value == self.default:
            return {}
        return {self.name: int(value) if self.whole else float(value)}


@dataclass(frozen=True, slots=True)
class Ways:
    """An option that is one of a few ways, each a set of the model's options."""

    label: str
    ways: Mapping[str, Mapping[str, Any]]
    help: str

    def value(self, options: Mapping[str, Any]) -> str:
        """The way in use; without any option of its own, the one that needs none."""
        for name, meant in self.ways.items():
            if meant and all(options.get(key) == each for key, each in meant.items()):
                return name
        return next(name for name, meant in self.ways.items() if not meant)

    def chosen(self, value: str) -> dict[str, Any]:
        return dict(self.ways[value])


@dataclass(frozen=True, slots=True)
class TopicsPerLabel:
    """How many topics make up a label's one; sizes set by hand for a label stay as they are."""

    label: str = "Topics per label"
    ways: tuple[str, ...] = ("One", "Chosen from the data", "A number")
    most: int = 20
    help: str = (
        "A label of many unlike texts is told better by several topics; they are permitted as one, "
        "and their sum is the label's share."
    )

    def value(self, options: Mapping[str, Any]) -> str:
        rule = rule_of(ModelSpec(options=options))
        return self.ways[1] if rule == "auto" else self.ways[0 if rule == 1 else 2]

    def number(self, options: Mapping[str, Any]) -> int:
        """The number in use, or the one to begin with."""
        rule = rule_of(ModelSpec(options=options))
        return min(rule, self.most) if isinstance(rule, int) and rule > 1 else 2

    def chosen(self, value: str, number: int, options: Mapping[str, Any]) -> dict[str, Any]:
        size: Any = {self.ways[0]: 1, self.ways[1]: "auto"}.get(value, number)
        spec = with_rule(ModelSpec(options=options), size)
        return {"parts": spec.options["parts"]} if "parts" in spec.options else {}


Option = Number | Ways | TopicsPerLabel


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One model as the analyst chooses it."""

    name: str
    title: str
    line: str  # what it is for, and when to choose it
    options: tuple[Option, ...] = field(default=())

    @property
    def obeys(self) -> bool:
        return ModelSpec(self.name).obeys


LOSS = Ways(
    "How misfit is counted",
    {
        "Squared error": {},
        "Divergence": {"loss": "i_divergence", "solver": "mu"},
    },
    "Squared error suits weighted words. The divergence suits plain counts and minds rare words.",
)
SWEEPS = Number(
    "max_iter", "Sweeps", 500, 50, 5_000, 50, "Samples drawn; the first half only warms up."
)
WORD_PRIOR = Number(
    "word_prior",
    "Words per topic",
    0.1,
    0.01,
    1.0,
    0.05,
    "The smaller, the fewer words a topic has.",
)
REPEATED = Ways(
    "A word that is repeated",
    {"Counts each time": {}, "Counts once": {"data": "binary"}},
    "Once: only whether a word is in a text is asked, not how often.",
)
SAMPLED = (REPEATED, SWEEPS, WORD_PRIOR)

CHOICES = (
    ModelChoice(
        "tsnmf",
        "Topic-supervised NMF",
        "Labels are rules: every label has its own topic. Choose it to teach topics by example.",
        (
            TopicsPerLabel(),
            Ways(
                "Guidance of unlabelled texts",
                {
                    "As measured best": {},
                    "Strong": {"guidance": 1.0},
                    "None, as in the paper": {"guidance": 0.0},
                },
                "What the labels teach about other texts makes unlikely topics dearer to them.",
            ),
            Ways(
                "A labelled text counts",
                {
                    "Like any other": {},
                    "Three times": {"labelled_weight": 3.0},
                    "As in the paper": {"labelled_weight": "inverse_rate"},
                },
                "In the paper, the fewer texts are labelled, the more each of them counts.",
            ),
        ),
    ),
    ModelChoice(
        "ssnmf",
        "Semi-supervised NMF",
        "Labels are evidence; a label may need several topics. Choose it to predict labels.",
        (
            Number(
                "label_strength",
                "Strength of labels",
                1.0,
                0.0,
                1_000.0,
                0.5,
                "0 ignores the labels, large numbers serve the labels before the words.",
            ),
            Ways(
                "How misfit of words is counted",
                {"Squared error": {}, "Divergence": {"x_loss": "i_divergence"}},
                LOSS.help,
            ),
            Ways(
                "A label you did not give",
                {"Does not apply": {}, "Is unknown": {"unnamed_labels": "unknown"}},
                "On a labelled text: whether silence about a label means no.",
            ),
        ),
    ),
    ModelChoice(
        "cnmf",
        "NMF with tied texts",
        "Texts with one label are the same mixture. Choose it when a label names one kind of text.",
    ),
    ModelChoice(
        "nmf_alpha",
        "Margin-keeping NMF",
        "Keeps what tells labels apart. Choose it to classify with few labels.",
        (
            Ways(
                "Strength of margins",
                {
                    "Mild": {},
                    "Weak": {"margin_strength": 0.1},
                    "Strong": {"margin_strength": 1.0},
                    "Tried on hidden labels": {"margin_strength": "validate"},
                },
                "The last hides a quarter of the labels and keeps what predicts them best.",
            ),
            Number(
                "cost",
                "Cost of a mistake",
                1.0,
                0.01,
                100.0,
                0.5,
                "For the machines that separate labels.",
            ),
        ),
    ),
    ModelChoice(
        "supervised_vbnmf",
        "Bayesian NMF with labels",
        "Labels advise which topics are likely. Choose it when many texts are labelled.",
        (
            Number(
                "label_sparsity",
                "Prior of labels",
                1.0,
                0.1,
                1_000.0,
                1.0,
                "Far above the number of texts per label, all labels become alike.",
            ),
            Number(
                "burn_in",
                "Passes before labels count",
                10,
                0,
                100,
                5,
                "Topics form first, then labels choose.",
            ),
        ),
    ),
    ModelChoice(
        "pfa_ssi",
        "Poisson factors with labels",
        "Labels share topics with their texts. Choose it for counts when labels are groups.",
        SAMPLED,
    ),
    ModelChoice(
        "nmf",
        "Plain NMF",
        "Hears no labels. Choose it for a first look, or as the yardstick to beat.",
        (LOSS,),
    ),
    ModelChoice(
        "vbnmf",
        "Bayesian NMF",
        "Hears no labels. Choose it for short texts, where plain NMF believes every word.",
        (
            Number(
                "weight_shape",
                "Topics per text",
                1.0,
                0.05,
                5.0,
                0.05,
                "At 1 or below a text keeps to few topics, the less the fewer.",
            ),
        ),
    ),
    ModelChoice(
        "pfa",
        "Poisson factors",
        "Hears no labels. Choose it to find out how many topics the counts support.",
        SAMPLED,
    ),
    ModelChoice(
        "lda",
        "Latent Dirichlet allocation",
        "Hears no labels. Choose it to compare with what everybody knows.",
        (
            Ways(
                "Topics per text",
                {
                    "Usual": {},
                    "Few": {"doc_topic_prior": 0.02},
                    "Many": {"doc_topic_prior": 1.0},
                },
                "How evenly a text is thought to spread over topics before it is read.",
            ),
            Number(
                "max_iter",
                "Passes at most",
                50,
                5,
                500,
                10,
                "More passes fit closer and take longer.",
            ),
        ),
    ),
)
BY_NAME = {choice.name: choice for choice in CHOICES}


def title(name: str) -> str:
    """What a model is called."""
    return BY_NAME[name].title if name in BY_NAME else name


@cache
def explained(name: str) -> str:
    """The model's page as Markdown, its headings small enough to stand inside a panel."""
    page = files("core.models").joinpath("docs", f"{name}.md").read_text(encoding="utf-8")
    _title, _, body = page.partition("\n")
    return re.sub(r"^#+ ", "##### ", body.strip(), flags=re.MULTILINE)
