"""The example notebook runs from top to bottom; what it shows is there."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.corpus import Corpus
from core.errors import CorpusError
from tsnmf_ui import figures

NOTEBOOK = Path(__file__).parents[2] / "assets" / "notebook" / "from_texts_to_topics.ipynb"


@pytest.fixture(scope="module")
def names(tmp_path_factory) -> dict[str, Any]:
    """What the cells leave behind, run in a folder of their own as a notebook would."""
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    left: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("notebook"))
        for cell in cells:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), cell["id"], "exec"), left)
    return left


def test_the_notebook_ends_with_topics_figures_and_a_model(names):
    topics = names["topics"]
    assert names["supervision"].n_labels > 5
    assert "<table>" in topics._repr_html_()
    assert names["again"].names[0] == "First two"
    assert len(names["again"]) == len(topics) - 1
    assert names["shares"].data[0].x is not None
    assert names["model"].topic_names == topics.names
    assert "Waste collection" in names["model"].predict(["My bin was not emptied"]).to_string()


def test_it_holds_no_output_and_no_path_of_a_machine():
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    assert not any(cell.get("outputs") for cell in notebook["cells"])


def test_frames_go_in_and_come_out(names):
    frame = pd.DataFrame(
        {
            "body": ["a b", None, "c d", " "],
            "topic": ["X", "X", np.nan, "Y"],
            "day": ["2026-03-01", "", None, "x"],
            "place": ["N", "S", None, "W"],
        },
        index=[10, 11, 12, 13],
    )
    corpus = Corpus.of(frame, text="body", labels="topic", date="day")
    assert corpus.ids == ("10", "12")
    assert corpus.labels == (("X",), ())
    assert corpus.dates == (date(2026, 3, 1), None)
    assert corpus.side == {"place": ("N", "")}
    again = Corpus.of(corpus.to_frame().reset_index(), text="text", id="id", labels="labels")
    assert (again.texts, again.labels) == (corpus.texts, corpus.labels)
    with pytest.raises(CorpusError, match="no column “text”"):
        Corpus.of(frame, text="text")
    weights = names["topics"].to_frame(shares=True)
    assert list(weights.columns) == list(names["topics"].names)
    assert weights.index[0] == names["corpus"].ids[0]


def test_every_figure_of_the_app_is_exported():
    """Whatever a module of figures offers to pages, a notebook finds under one name."""
    modules = ("comparison", "labels", "maps", "progress", "similarity", "supervision_rates")
    for name in (*modules, "topics", "training", "trends"):
        module = __import__(f"tsnmf_ui.figures.{name}", fromlist=["x"])
        drawn = [
            each
            for each, value in vars(module).items()
            if getattr(value, "__module__", "") == module.__name__
            and not each.startswith("_")
            and "go.Figure" in str(getattr(value, "__annotations__", {}).get("return"))
        ]
        assert set(drawn) <= set(figures.__all__), name
