"""Pages of projects with more topics than a form or a map was made for."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.core.workspace import small
from tests.ui.pages.results_app import compare_page, corpus_page, fitted, html, opened, topics_page
from tsnmf_ui import figures
from tsnmf_ui.figures import heat
from tsnmf_ui.pages.compare import form
from tsnmf_ui.pages.corpus import model_form


def test_compare_offers_as_many_topics_as_the_project_has(store, monkeypatch):
    monkeypatch.setattr(form, "MAX_TOPICS", 2)
    app = opened(compare_page, small.project(store))
    assert not app.error
    assert app.number_input(key="compare.topics").value == 4


def test_another_model_can_have_as_many_topics_as_the_project(store, monkeypatch):
    monkeypatch.setattr(model_form, "MAX_TOPICS", 2)
    project = small.project(store)
    app = opened(corpus_page, project)
    app.radio(key=f"corpus.project.{project.id}.model").set_value("ssnmf").run()
    assert {each.label: each.value for each in app.number_input}["Number of topics"] == 4


@pytest.fixture
def large_map(store, monkeypatch):
    """Opens a view whose map has more cells than can be clicked; the table beside it."""
    project = fitted(store)

    def listed(view: str):
        assert "Largest cells" not in html(opened(topics_page, project, view=view))
        monkeypatch.setattr(heat, "MAX_MARKED_CELLS", 4)
        app = opened(topics_page, project, view=view)
        assert not app.error
        assert "Largest cells" in html(app)
        return app.dataframe[0].value

    return listed


def test_beside_a_large_map_of_pairs_each_is_listed_once(large_map):
    table = large_map("Similarity")
    pairs = [frozenset(row[:2]) for row in table.itertuples(index=False)]
    assert len(pairs) == len(set(pairs)) > 1


def test_beside_a_large_map_of_labels_every_cell_is_listed(large_map, monkeypatch):
    """A label in another's topic is not the other label in the first one's."""
    crossed = pd.DataFrame({"Label": ["a", "b"], "Topic": ["b", "a"], "Value": [0.4, 0.3]})
    monkeypatch.setattr(figures, "numbers", lambda figure: crossed)
    assert len(large_map("Labels and topics")) == 2
