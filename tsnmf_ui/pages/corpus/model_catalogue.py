"""The ten models in plain words: what each is for, what matters about it, where its page is.

Knows the models' names and options, draws nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from core.spec import ModelSpec
from tsnmf_ui.pages.corpus.model_options import ChoiceOption, NumberOption, Option, PartsPerLabel

MAX_TOPICS = 300


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One model as the analyst chooses it."""

    name: str
    title: str
    line: str  # what it is for, and when to choose it
    options: tuple[Option, ...] = field(default=())

    @property
    def labels_own_topics(self) -> bool:
        return ModelSpec(self.name).labels_own_topics


LOSS_OPTION = ChoiceOption(
    "Loss",
    {
        "Squared error": {},
        "Divergence": {"loss": "i_divergence", "solver": "mu"},
    },
    "Squared error suits weighted words; divergence suits plain counts and rare words.",
)
SWEEPS_OPTION = NumberOption(
    "max_iter", "Sweeps", 500, 50, 5_000, 50, "Gibbs samples; the first half is burn-in."
)
WORD_PRIOR = NumberOption(
    "word_prior",
    "Words per topic",
    0.1,
    0.01,
    1.0,
    0.05,
    "Smaller values give topics fewer words.",
)
REPEATED_OPTION = ChoiceOption(
    "Repeated words",
    {"Count each time": {}, "Count once": {"data": "binary"}},
    "Count once: only whether a word occurs matters, not how often.",
)
SAMPLER_OPTIONS = (REPEATED_OPTION, SWEEPS_OPTION, WORD_PRIOR)

MODEL_CHOICES = (
    ModelChoice(
        "tsnmf",
        "Topic-supervised NMF",
        "Labels are rules: each label has its own topic. Choose it to teach topics by example.",
        (
            PartsPerLabel(),
            ChoiceOption(
                "Guidance of unlabelled texts",
                {
                    "Automatic": {},
                    "Strong": {"guidance": 1.0},
                    "None, as in the paper": {"guidance": 0.0},
                },
                "A classifier learnt from your labels keeps other texts off unlikely topics.",
            ),
            ChoiceOption(
                "Weight of a labelled text",
                {
                    "Like any other": {},
                    "Three times": {"labelled_weight": 3.0},
                    "As in the paper": {"labelled_weight": "inverse_rate"},
                },
                "In the paper, a labelled text counts more the fewer there are.",
            ),
            ChoiceOption(
                "Start and steps",
                {
                    "From the labels, fast": {},
                    "As in the paper": {"solver": "mu", "init": "acol"},
                },
                "The paper starts at random and takes multiplicative steps; it needs more passes.",
            ),
        ),
    ),
    ModelChoice(
        "ssnmf",
        "Semi-supervised NMF",
        "Labels are evidence; a label may need several topics. Choose it to predict labels.",
        (
            NumberOption(
                "label_strength",
                "Label strength",
                1.0,
                0.0,
                1_000.0,
                0.5,
                "0 ignores labels; large values put labels before words. Maximum likelihood weighs "
                "both by their noise; validated keeps what predicts held-out labels best.",
                {
                    "Maximum likelihood": "likelihood",
                    "Validated on held-out labels": "validate",
                },
            ),
            ChoiceOption(
                "Loss for words",
                {"Squared error": {}, "Divergence": {"x_loss": "i_divergence"}},
                LOSS_OPTION.help,
            ),
            ChoiceOption(
                "Loss for labels",
                {"Squared error": {}, "Divergence": {"y_loss": "i_divergence"}},
                "Divergence punishes a label that is missed more than one that is exaggerated.",
            ),
            ChoiceOption(
                "A label not given",
                {"Does not apply": {}, "Is unknown": {"unnamed_labels": "unknown"}},
                "Whether a missing label on a labelled text counts as a no.",
            ),
        ),
    ),
    ModelChoice(
        "cnmf",
        "Constrained NMF",
        "Texts with one label share one mixture. Choose it when a label names one kind of text.",
    ),
    ModelChoice(
        "nmf_alpha",
        "Max-margin NMF",
        "Keeps the words that separate labels. Choose it to classify with few labels.",
        (
            ChoiceOption(
                "Margin strength",
                {
                    "Mild": {},
                    "Weak": {"margin_strength": 0.1},
                    "Strong": {"margin_strength": 1.0},
                    "Validated on held-out labels": {"margin_strength": "validate"},
                },
                "Validated: holds out a quarter of the labels and keeps what predicts them best.",
            ),
            NumberOption(
                "cost",
                "Cost of a mistake",
                1.0,
                0.01,
                100.0,
                0.5,
                "Cost parameter (C) of the support vector machines.",
            ),
        ),
    ),
    ModelChoice(
        "supervised_vbnmf",
        "Bayesian NMF with labels",
        "Labels make some topics more likely. Choose it when many texts are labelled.",
        (
            NumberOption(
                "label_sparsity",
                "Label prior",
                1.0,
                0.1,
                1_000.0,
                1.0,
                "Far above the number of texts per label, all labels look the same.",
            ),
            NumberOption(
                "burn_in",
                "Passes before labels are used",
                10,
                0,
                100,
                5,
                "Topics form first, then labels are applied.",
            ),
        ),
    ),
    ModelChoice(
        "pfa_ssi",
        "Poisson factor analysis with labels",
        "A label and its texts share topics. Choose it for counts when labels are groups.",
        SAMPLER_OPTIONS,
    ),
    ModelChoice(
        "nmf",
        "Plain NMF",
        "Ignores labels. Choose it for a first look, or as a baseline.",
        (LOSS_OPTION,),
    ),
    ModelChoice(
        "vbnmf",
        "Bayesian NMF",
        "Ignores labels. Choose it for short texts, where plain NMF overfits.",
        (
            NumberOption(
                "weight_shape",
                "Topics per text",
                1.0,
                0.05,
                5.0,
                0.05,
                "At 1 or below, texts use few topics: the smaller, the fewer.",
            ),
        ),
    ),
    ModelChoice(
        "pfa",
        "Poisson factor analysis",
        "Ignores labels. Choose it to find out how many topics the counts support.",
        SAMPLER_OPTIONS,
    ),
    ModelChoice(
        "lda",
        "Latent Dirichlet allocation",
        "Ignores labels. Choose it as a well-known baseline.",
        (
            ChoiceOption(
                "Topics per text",
                {
                    "Usual": {},
                    "Few": {"doc_topic_prior": 0.02},
                    "Many": {"doc_topic_prior": 1.0},
                },
                "Prior for how evenly a text spreads over topics.",
            ),
            NumberOption(
                "max_iter",
                "Maximum passes",
                50,
                5,
                500,
                10,
                "More passes fit better but take longer.",
            ),
        ),
    ),
)
BY_NAME = {choice.name: choice for choice in MODEL_CHOICES}


def title(name: str) -> str:
    """What a model is called."""
    return BY_NAME[name].title if name in BY_NAME else name


@cache
def model_page_markdown(name: str) -> str:
    """The model's page as Markdown, its headings small enough to stand inside a panel."""
    page = files("core.models").joinpath("docs", f"{name}.md").read_text(encoding="utf-8")
    _title, _, body = page.partition("\n")
    return re.sub(r"^#+ ", "##### ", body.strip(), flags=re.MULTILINE)
