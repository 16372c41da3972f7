"""Sentences that more than one page says."""

from __future__ import annotations

import re

from core.values import bytes_in_words as bytes_in_words
from core.values import count as count
from core.values import percent as percent

APP_NAME = "TS-NMF Studio"
PAGE_FAILED = "Something went wrong on this page. Nothing you entered was lost; reload to continue."
NEED_PROJECT = "Open a project first, or try the demo."
READ_ONLY = "You can read this project, but not change it."
TO_PROJECTS = "Go to projects"
PREVIEW = "preview; the full fit follows"
PREVIEW_ONLY = "preview; the full fit was stopped"
NO_TOPICS_YET = "The first fit is running. Topics appear here when it is done."

REPLACED_TEXT = re.compile(  # the beginnings of what Streamlit replaces in a text
    r"www(?=\.)|https?(?=:)|[-.\w+](?=@)|:(?=material/|streamlit:)|[-<>=~](?=[-<>=])",
    re.IGNORECASE,
)
WORD_JOINER = "\u2060"  # has no width, and no line breaks at it

FEW_LABELS_MODE = "thin"
QUEUE_MODE_TEXTS = [  # orders of the queue: name, what the button says, why one would choose it
    ("mixed", "Mixed", "Most useful first: typical texts, close calls, topics with few labels"),
    ("uncertain", "Uncertain", "Texts between two topics first"),
    (FEW_LABELS_MODE, "Few labels", "Texts for the topics with the fewest labels"),
    ("mislabelled", "Possible mistakes", "Labels that contradict the others"),
    ("random", "Random", "Random order, for an unbiased sample"),
    ("in_order", "In order", "In the order of the file"),
]


def escape_markdown(text: str) -> str:
    """Text of others inside a label or message that Streamlit reads as Markdown.

    Nothing in it formats, links or loads a picture: it is shown as it is, in one line. Addresses,
    icons and arrows are looked for in what is shown, so that no backslash helps: a character
    without width parts what would be one.
    """
    one_line = REPLACED_TEXT.sub(rf"\g<0>{WORD_JOINER}", " ".join(text.splitlines()))
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~<>$:&=])", r"\\\1", one_line)


def plain_label(text: str) -> str:
    """Text of others inside a label that is heard and not seen.

    A backslash would be read out, so the characters that Markdown needs for pictures, links, code
    and emphasis are left out instead, and an address is no link.
    """
    plain = " ".join(re.sub(r"[\\`*_{}\[\]#!|~<>$]", " ", text).split())
    return REPLACED_TEXT.sub(rf"\g<0>{WORD_JOINER}", plain)


def distinct_label(label: str, name: str) -> str:
    """The label of a button that a page repeats: whose it is can be heard, and is not seen."""
    return f"{label} :gray[{escape_markdown(name)}]"


def and_more(hidden: str, n: int, noun: str = "more") -> str:
    """A line that opens on what was left out, ``n`` things as markup; nothing if there is none."""
    words = f"{n:,} more" if noun == "more" else count(n, noun)
    summary = f"<summary>and {words}</summary>"
    return f'<details class="ts-more">{summary}{hidden}</details>' if n > 0 else ""


def file_stem(name: str) -> str:
    """A name of a file that every file system takes, without its ending."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")[:60] or "report"


def seconds(value: float) -> str:
    """0.094 as 0.09 s, 12.3 as 12 s, 95 as 1 min 35 s."""
    if value < 10:
        return f"{value:.2f}\u00a0s"
    if value < 60:
        return f"{value:.0f}\u00a0s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes}\u00a0min {rest}\u00a0s"
