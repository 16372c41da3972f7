"""What is known of texts and topics, as pages show it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from core.corpus import Corpus
from core.store import ProjectSettings
from core.workspace.column_roles import change_role
from core.workspace.topic_facts import shown_date


def test_a_column_of_years_is_shown_as_years(store):
    days = tuple(date(year, 1, 1) for year in (2020, 2021, 2022))
    corpus = Corpus(ids=("a", "b", "c"), texts=("one", "two", "three"), dates=days)
    project = store.create_project("Years", corpus, ProjectSettings(), author="ann")
    assert shown_date(store, project, corpus[2]) == "2022"
    assert shown_date(store, project, replace(corpus[2], date=None)) == ""
    assert shown_date(store, project, replace(corpus[2], date=date(2022, 3, 4))) == "4 March 2022"


def test_the_date_shown_is_that_of_the_column_that_holds_dates(store):
    seen = ("04/03/2022", "25/03/2022", "soon")  # the second says that days come first
    corpus = Corpus(
        ids=("a", "b", "c"),
        texts=("one", "two", "three"),
        dates=(date(1999, 1, 2),) * 3,
        side={"seen": seen},
    )
    project = store.create_project("Seen", corpus, ProjectSettings(), author="ann")
    assert shown_date(store, project, corpus[0]) == "2 January 1999"
    taken = change_role(store, project, "seen", "date")
    shown = [shown_date(store, taken, each) for each in store.documents(project.id, [0, 1, 2])]
    assert shown == ["4 March 2022", "25 March 2022", ""]
