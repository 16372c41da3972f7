"""Words in column names that suggest a role: text, id, date or labels."""

from __future__ import annotations

import re

ROLE_WORD_LISTS = {
    "text": "text texts body message messages comment comments content description abstract review "
    "answer response feedback complaint question narrative note notes story article document "
    "verbatim sentence tweet post transcript summary details remark remarks inquiry request "
    "antwort antworten kommentar kommentare freitext anmerkung anmerkungen bemerkung nachricht "
    "beschreibung beschwerde inhalt",
    "id": "id ids key uuid guid number no nr ref reference identifier ticket case docid row index "
    "doi pmid accession file filename kennung lfd nummer vorgang",
    "date": "date day time datetime timestamp created received posted published updated when "
    "submitted opened closed sent year month datum eingang erstellt zeitpunkt jahr monat",
    "labels": "topic topics label labels category categories tag tags class classes theme themes "
    "subject subjects keyword keywords mesh code codes target truth gold intent genre "
    "thema themen kategorie kategorien schlagwort schlagworte kode kodes",
}
ROLE_WORDS = {role: frozenset(words.split()) for role, words in ROLE_WORD_LISTS.items()}
TRUTH_WORDS = frozenset({"truth", "true", "gold"})  # of labels that everybody agrees on
NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def name_words(name: str) -> list[str]:
    """``received_at``, ``receivedAt`` and ``Received at`` are the same two words."""
    return [part.lower() for part in NAME_PARTS.findall(name)]


def suggests_role(name: str, role: str) -> bool:
    """Whether a column's name suggests a role."""
    return any(word in ROLE_WORDS[role] for word in name_words(name))


def suggests_truth(name: str) -> bool:
    """Whether a column's name says that its labels are the true ones."""
    return any(word in TRUTH_WORDS for word in name_words(name))


def is_known(name: str) -> bool:
    """Whether a short name suggests any role."""
    return len(name_words(name)) <= 3 and any(suggests_role(name, role) for role in ROLE_WORDS)
