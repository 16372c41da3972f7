"""What is known of texts and topics, as pages show it."""

from __future__ import annotations

from datetime import date

from core.corpus import Corpus
from core.store import ProjectSettings
from core.workspace.topic_facts import shown_date


def test_a_column_of_years_is_shown_as_years(store):
    days = tuple(date(year, 1, 1) for year in (2020, 2021, 2022))
    corpus = Corpus(ids=("a", "b", "c"), texts=("one", "two", "three"), dates=days)
    project = store.create_project("Years", corpus, ProjectSettings(), author="ann")
    assert shown_date(store, project, days[2]) == "2022"
    assert shown_date(store, project, None) == ""
    assert shown_date(store, project, date(2022, 3, 4)) == "4 March 2022"
