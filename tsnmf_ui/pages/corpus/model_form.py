"""The model chooser: ten models in plain words, what matters about each, and its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import streamlit as st

from core.engine.gibbs.levels import GROUPED_MODEL, levels_fit
from core.spec import ModelSpec
from core.store import ProjectSettings
from tsnmf_ui.pages.corpus.model_advice import suggested_spec
from tsnmf_ui.pages.corpus.model_catalogue import (
    BY_NAME,
    MAX_TOPICS,
    MODEL_CHOICES,
    ModelChoice,
    model_page_markdown,
)
from tsnmf_ui.pages.corpus.model_options import (
    NUMBER_BY_HAND,
    NumberOption,
    Option,
    PartsPerLabel,
)
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

FREE_HELP = "Topics without a label, for themes you have not named."
TOPICS_HELP = "Each label gives its name to the topic it matches best."
MAX_TOPICS_HELP = "An upper limit; topics that the texts do not need are dropped."
SEED_HELP = "The same seed gives the same topics; another seed shows how stable they are."
LEVELS_HELP = (
    "Texts of one group share topics, and so do the groups of a larger group. Choose the smallest "
    "group first, for example district, then area."
)
MODELS_WITH_A_BOUND = ("pfa", "pfa_ssi")  # models that find the number of topics below a bound
COUNTS_NOTE = "This model uses plain counts; the word weights set above do not apply."


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """The model as it is chosen now."""

    spec: ModelSpec
    n_free: int
    levels: tuple[str, ...] = ()

    def differs(self, settings: ProjectSettings) -> bool:
        now = (settings.spec, settings.n_free, settings.levels)
        return (self.spec, self.n_free, self.levels) != now


def model_form(
    settings: ProjectSettings, n_named: int, key: str, side: Mapping[str, Sequence[str]]
) -> ChosenModel:
    """Draw the chooser; ``side`` are the columns that groups of texts can be told by."""
    listed, detail = st.columns([0.54, 0.46], gap="medium")
    with listed:
        choice = BY_NAME[_model(settings.spec.model, key)]
    suggested = suggested_spec(choice.name, settings.spec)
    same = choice.name == settings.spec.model and suggested is None
    now = settings.spec if same else suggested or ModelSpec(choice.name)
    key = f"{key}.{choice.name}"
    with detail:
        st.html(f'<div class="ts-model">{escape(choice.title)}</div>')
        n_topics, n_free = _topic_numbers(choice, now, settings, n_named, key)
        seed = _seed(settings.spec.random_state, key)
        options = options_form(choice, now, key if suggested is None else f"{key}.suggested")
        levels = settings.levels if choice.name != GROUPED_MODEL else _levels(settings, side, key)
        note = _note(choice, settings, n_named + n_free)
        st.html(f'<div class="ts-quiet">{escape(note)}</div>')
    spec = ModelSpec(choice.name, n_topics=n_topics, random_state=seed, options=options)
    return ChosenModel(spec, n_free, levels)


def _levels(
    settings: ProjectSettings, side: Mapping[str, Sequence[str]], key: str
) -> tuple[str, ...]:
    """Which side columns are groups of texts, and groups of groups; an odd order is told."""
    if not side:
        return ()
    now = [name for name in settings.levels if name in side]
    chosen = st.multiselect(
        "Groups of texts, smallest first",
        list(side),
        now,
        key=f"{key}.levels",
        help=LEVELS_HELP,
        placeholder="None: labels are the only groups",
    )
    odd = levels_fit(side, chosen)
    if odd is not None:
        st.warning(texts.escape_markdown(odd))
    return tuple(chosen)


def model_page(name: str) -> None:
    """The model's own page; the text is the project's, so it may be Markdown."""
    with st.expander(f"About {BY_NAME[name].title}: the equation, the options, the paper"):
        st.markdown(model_page_markdown(name))


def _model(now: str, key: str) -> str:
    names = [choice.name for choice in MODEL_CHOICES]
    advised = state.get_value(f"{key}.model") is not None  # then it is set already
    return st.radio(
        "Model",
        names,
        index=0 if advised or now not in names else names.index(now),
        format_func=lambda name: BY_NAME[name].title,
        captions=[choice.line for choice in MODEL_CHOICES],
        key=f"{key}.model",
        label_visibility="collapsed",
    )


def _topic_numbers(
    choice: ModelChoice, now: ModelSpec, settings: ProjectSettings, n_named: int, key: str
) -> tuple[int | None, int]:
    """Topics in all, None where labels own them, and free topics."""
    if choice.labels_own_topics:
        least = 0 if n_named else 1
        free = _whole_number(
            "Free topics",
            settings.n_free,
            least,
            100,
            f"{key}.free",
            FREE_HELP,
        )
        return None, free
    bounded = choice.name in MODELS_WITH_A_BOUND
    n_topics = _whole_number(
        "Maximum number of topics" if bounded else "Number of topics",
        now.n_topics or max(2, n_named + settings.n_free),
        1,
        max(MAX_TOPICS, n_named + settings.n_free),
        f"{key}.topics",
        MAX_TOPICS_HELP if bounded else TOPICS_HELP,
    )
    return n_topics, settings.n_free


def _seed(now: int, key: str) -> int:
    return _whole_number("Seed", now, 0, 1_000_000, f"{key}.seed", SEED_HELP)


def _whole_number(label: str, now: int, least: int, most: int, key: str, help: str) -> int:
    value = min(max(now, least), most)
    step = 1 if most <= 1_000 else 50 if most <= 10_000 else 1
    return int(st.number_input(label, least, most, value, step, key=key, help=help or None))


def options_form(choice: ModelChoice, now: ModelSpec, key: str) -> dict[str, Any]:
    """The options that differ from the model's defaults."""
    chosen: dict[str, Any] = {}
    for place, option in enumerate(choice.options):
        chosen |= _option(option, now, f"{key}.option.{place}")
    return chosen


def _per_label(option: PartsPerLabel, now: ModelSpec, key: str) -> dict[str, Any]:
    index = option.ways.index(option.value(now.options))
    value = st.selectbox(option.label, option.ways, index, key=key, help=option.help)
    number = option.number(now.options)
    if value == option.ways[2]:
        number = _whole_number("Topics for each label", number, 2, option.most, f"{key}.number", "")
    return option.chosen(value, number, now.options)


def _option(option: Option, now: ModelSpec, key: str) -> dict[str, Any]:
    if isinstance(option, PartsPerLabel):
        return _per_label(option, now, key)
    if isinstance(option, NumberOption):
        return option.chosen(_number_or_rule(option, now, key))
    value = option.value(now.options)
    ways = list(option.ways)
    index = ways.index(str(value))
    return option.chosen(st.selectbox(option.label, ways, index, key=key, help=option.help))


def _number_or_rule(option: NumberOption, now: ModelSpec, key: str) -> float | str:
    if option.rules:
        ways = [NUMBER_BY_HAND, *option.rules]
        index, label = ways.index(option.rule(now.options)), f"{option.label}, how"
        rule = st.selectbox(label, ways, index, key=f"{key}.rule", help=option.help)
        if rule != NUMBER_BY_HAND:
            return rule
    return _number(option, option.value(now.options), key)


def _number(option: NumberOption, value: float, key: str) -> float:
    if option.whole:
        return _whole_number(
            option.label, int(value), int(option.least), int(option.most), key, option.help
        )
    return st.number_input(
        option.label, option.least, option.most, value, option.step, key=key, help=option.help
    )


def _note(choice: ModelChoice, settings: ProjectSettings, n_topics: int) -> str:
    if choice.labels_own_topics:
        return f"{texts.count(n_topics, 'topic')} in total, including the named ones."
    counts = ModelSpec(choice.name).text_settings(settings.text) != settings.text
    return COUNTS_NOTE if counts else ""
