"""What helps a topic that needs a look: a button for each reason, where there is a cure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.insight import summaries
from core.insight.attention import Attention, Reason
from core.steering import operations
from core.workspace import topic_facts
from core.workspace.adoption import ShownFreeTopic
from core.workspace.results import Results
from tsnmf_ui.pages.topics.operations import free_topic_merge, operation_requests
from tsnmf_ui.pages.widgets import selection_link
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

LIKELY_TEXTS = 20  # texts of a topic that are offered for labelling
MAX_NAME = 28  # characters of a topic's name on a button

Cure = Callable[[Results, int, Reason], None]


def render(found: Results, judged: Attention) -> None:
    """The cures in a row, the most urgent first; each once. Nothing where there is none."""
    cures = _cures(found, judged)
    if not cures or not state.may_change(found.project.id):
        return
    with st.container(horizontal=True, gap="small", key=f"cures-{judged.topic}"):
        for cure, reason in cures:
            cure(found, judged.topic, reason)


def _cures(found: Results, judged: Attention) -> list[tuple[Cure, Reason]]:
    """What draws each button, and for which reason."""
    named = found.ids[judged.topic] is not None
    chosen: dict[str, tuple[Cure, Reason]] = {}
    for reason in judged.reasons:
        if reason.kind == "overlapping" and _can_merge(found, judged.topic, reason):
            chosen[f"merge {reason.other}"] = _merge, reason
        elif named and reason.kind in CURES:
            cure = CURES[reason.kind]
            chosen.setdefault(cure.__name__, (cure, reason))
    return list(chosen.values())


def _review_labelled(found: Results, topic: int, reason: Reason) -> None:
    """The texts people gave the topic to, newest first."""
    positions = topic_facts.labelled_positions(found, topic)
    _open_texts(found, topic, "Labelled", positions, "Review its labelled texts")


def _review_doubted(found: Results, topic: int, reason: Reason) -> None:
    """Those that the guide would give another label."""
    label = f"Review {texts.count(len(reason.positions), 'possible mistake')}"
    _open_texts(found, topic, "Possible mistakes in", reason.positions, label)


def _label_more(found: Results, topic: int, reason: Reason) -> None:
    """Texts that the topic holds most of and nobody has labelled."""
    top = summaries.top_documents(found.topics, topic, LIKELY_TEXTS + len(found.annotations))
    likely = [at for at, _ in top if at not in found.annotations][:LIKELY_TEXTS]
    label = f"Label {texts.count(len(likely), 'likely text')}"
    _open_texts(found, topic, "Likely to be about", likely, label)


def _open_texts(
    found: Results, topic: int, title: str, positions: Sequence[int], label: str
) -> None:
    selection_link.offer(
        found.project,
        f"{title} {found.topics.names[topic]}",
        positions,
        key=f"cure.{title.split()[0].lower()}.{topic}",
        topic=found.ids[topic],
        label=label,
    )


def _describe(found: Results, topic: int, reason: Reason) -> None:
    """The codebook lies on the Label page."""
    if st.button(
        "Describe it in the codebook",
        key=f"cure.describe.{topic}",
        icon=":material/menu_book:",
        help="A sentence or two about a topic teach it before the first label.",
    ):
        state.open_page("label", codebook=str(found.ids[topic]))


def _can_merge(found: Results, topic: int, reason: Reason) -> bool:
    """Two free topics cannot be merged; a free one only where labels own topics."""
    numbers = [found.ids[k] for k in (topic, reason.other) if k is not None]
    named = sum(number is not None for number in numbers)
    return named == 2 or (named == 1 and found.run.spec.labels_own_topics)


def _merge(found: Results, topic: int, reason: Reason) -> None:
    """With the topic it overlaps with; a free one becomes part of the named one."""
    other = reason.other
    assert other is not None
    name = found.topics.names[other]
    shown = name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"
    key = operation_requests.fresh_key(f"cure.merge.{topic}.{other}")
    with st.popover(f"Merge with “{texts.escape_markdown(shown)}”", key=f"{key}.box"):
        st.caption(_what_a_merge_does(found, topic, other))
        st.button(
            "Merge topics", key=key, type="primary", on_click=_merged, args=(found, topic, other)
        )


def _what_a_merge_does(found: Results, topic: int, other: int) -> str:
    if found.ids[topic] is None or found.ids[other] is None:
        return free_topic_merge.WHAT_IT_DOES
    name = texts.escape_markdown(found.topics.names[topic])
    return f"Texts labelled with either of them get “{name}”. One undo reverts it."


def _merged(found: Results, topic: int, other: int) -> None:
    one, two, project = found.ids[topic], found.ids[other], found.project.id
    if one is not None and two is not None:
        operation_requests.perform(project, lambda now: operations.merge(now, (one, two)))
    elif one is not None:
        free_topic_merge.merge(project, one, _shown(found, other))
    elif two is not None:
        free_topic_merge.merge(project, two, _shown(found, topic))


def _shown(found: Results, topic: int) -> ShownFreeTopic:
    return ShownFreeTopic(found.run.id, topic, found.topics.keys[topic])


CURES: dict[str, Cure] = {
    "foreign words": _review_labelled,
    "read elsewhere": _review_doubted,
    "no words": _describe,
    "empty": _describe,
    "few labels": _label_more,
    "incoherent": _label_more,
}
