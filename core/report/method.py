"""How the topics were found: for readers who have never heard of the model, and for those who have.

The equations are those of the models' own pages, ``core/models/docs``.
"""

from __future__ import annotations

from core.report.description import Method
from core.report.inputs import ReportInput
from core.text import TextSettings
from core.values import count

OPENING = (
    "The computer counted the words of every text and looked for words that occur together. Each "
    "such set of words is a topic; each text is a mixture of topics, and counts for the one that "
    "holds most of it."
)
IDEAS = {
    "tsnmf": "A labelled text may only use the topics of its labels, so every label gets a topic "
    "of its own; the words of that topic are learnt from labelled and unlabelled texts together.",
    "nmf": "Labels played no part: topics were found from the words alone.",
    "ssnmf": "One set of topics explains the words of the texts and predicts their labels at the "
    "same time.",
    "nmf_alpha": "Topics must also be able to rebuild what tells the labels apart.",
    "cnmf": "All texts that carry the same label are the same mixture of topics.",
    "vbnmf": "Labels played no part; every weight has a distribution instead of a value, and "
    "topics that the texts do not support shrink.",
    "supervised_vbnmf": "Each label learns which topics its texts use; labels advise, they do not "
    "decide.",
    "pfa": "Labels played no part; the number of topics was found by sampling, up to a bound.",
    "pfa_ssi": "Texts share the topics of the labels and groups they belong to.",
    "lda": "Labels played no part: texts are mixtures of distributions over words.",
}
EQUATIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "tsnmf": (
        (
            "minimise  Σᵢ eᵢ ‖ xᵢ − (wᵢ ∘ lᵢ) H ‖²   over W, H ≥ 0",
            "xᵢ is text i as weights of words, wᵢ its weights of topics, H the words of every "
            "topic. lᵢ is 1 where text i may use a topic and 0 elsewhere: what a label rules out "
            "is exactly zero. eᵢ is how much a text counts.",
        ),
        (
            "+ 2 βᵢ Σⱼ log(pᵢ* / pᵢⱼ) wᵢⱼ   for unlabelled texts",
            "With guidance, an unlabelled text pays for a topic in proportion to the doubt of a "
            "classifier that learnt from labels, names and codebook. pᵢⱼ is the chance of topic j, "
            "pᵢ* that of the likeliest one.",
        ),
    ),
    "nmf": (
        (
            "minimise  Σ (X − W H)²   or   Σ X log(X / WH) − X + WH",
            "Squared error or I-divergence, over W, H ≥ 0.",
        ),
    ),
    "ssnmf": (
        (
            "minimise  R(X, W H) + λ · S(Y, W Bᵀ)   over W, H, B ≥ 0",
            "X holds the words and Y the labels of the texts; B says which labels a topic "
            "predicts. R and S are squared error or I-divergence.",
        ),
    ),
    "nmf_alpha": (
        (
            "minimise  D(X ‖ WH) + λ D(SᵀX ‖ SᵀWH)",
            "D is the I-divergence; the columns of S are the texts that linear classifiers lean "
            "on.",
        ),
    ),
    "cnmf": (
        (
            "minimise  ‖ X − A Z H ‖²   over Z, H ≥ 0",
            "Z has a row for each label and one for each unlabelled text; A says which row a text "
            "takes.",
        ),
    ),
    "vbnmf": (
        (
            "xₙₜ = Σᵢ sₙₜᵢ,  sₙₜᵢ ~ Poisson(wₙᵢ hᵢₜ)",
            "Counts of words as sums over topics; weights have Gamma priors, fitted by raising a "
            "bound on the likelihood.",
        ),
    ),
    "supervised_vbnmf": (
        (
            "xₙₜ = Σᵢ sₙₜᵢ,  sₙₜᵢ ~ Poisson(wₙᵢ hᵢₜ),  wₙᵢ ~ Gamma(1, rate of the labels of n)",
            "Texts of one label share the rates of their topics.",
        ),
    ),
    "pfa": (
        (
            "xₙₘ ~ Poisson(Σᵣ vₙᵣ uᵣₘ),  uᵣ ~ Dirichlet(α),  vₙᵣ ~ Gamma(gᵣ, qᵣ / (1 − qᵣ))",
            "Drawn by Gibbs sampling; topics that nobody needs are dropped.",
        ),
    ),
    "pfa_ssi": (
        (
            "xₙₘ ~ Poisson(Σᵣ vₙᵣ uᵣₘ),  vₙᵣ = Σₗ vₙᵣₗ over the groups l of text n",
            "Groups have weights over the same topics, and so have the groups above them.",
        ),
    ),
    "lda": (
        (
            "θₙ ~ Dirichlet(α),  βₖ ~ Dirichlet(η),  a word of text n is t with chance Σₖ θₙₖ βₖₜ",
            "Proportions of topics and distributions over words.",
        ),
    ),
}


def method_of(inputs: ReportInput) -> Method:
    """The method of this run."""
    topics = inputs.topics
    trace = topics.trace
    sizes = (
        f"{count(len(inputs.corpus), 'text')}, {count(len(topics.terms), 'word')} and "
        f"{count(len(topics), 'topic')}{_empty(inputs)}; {_reading(inputs.text)} The fit took "
        f"{count(trace.n_iter, 'step')} from seed {topics.spec.random_state}."
    )
    paragraph = f"{OPENING} {IDEAS[topics.spec.model]} In this report: {sizes}"
    return Method(paragraph, EQUATIONS[topics.spec.model])


def _empty(inputs: ReportInput) -> str:
    n = len(inputs.empty_columns)
    return f" ({count(n, 'free topic')} found nothing)" if n else ""


def _reading(text: TextSettings) -> str:
    weighting = "by how often they occur" if text.weighting == "counts" else "by how rare they are"
    return f"words are weighed {weighting}."
