"""Selections: written once, found by their key, kept apart by project."""

from __future__ import annotations

from tsnmf_ui.label import selections
from tsnmf_ui.label.selections import Selection


def test_a_selection_is_found_by_its_key(tmp_path):
    chosen = Selection.of(3, "  Lasso \n on the map ", [5, 1, 5, 9], topic=2)
    key = selections.save(tmp_path, chosen)
    assert selections.load(tmp_path, 3, key) == chosen
    assert (chosen.title, chosen.positions) == ("Lasso on the map", (5, 1, 9))
    assert selections.save(tmp_path, chosen) == key


def test_keys_of_other_projects_and_nonsense_find_nothing(tmp_path):
    key = selections.save(tmp_path, Selection.of(3, "Cell", [1]))
    assert selections.load(tmp_path, 4, key) is None
    for nonsense in ("", "../../etc", "0" * 12, key.upper() + "x"):
        assert selections.load(tmp_path, 3, nonsense) is None


def test_a_broken_file_is_no_selection(tmp_path):
    key = selections.save(tmp_path, Selection.of(1, "Cell", [1]))
    path = tmp_path / "selections" / "1" / f"{key}.json"
    path.write_text("{", encoding="utf-8")
    assert selections.load(tmp_path, 1, key) is None


def test_old_selections_go(tmp_path, monkeypatch):
    monkeypatch.setattr(selections, "MAX_SELECTIONS", 2)
    keys = [selections.save(tmp_path, Selection.of(1, f"Lasso {i}", [i])) for i in range(4)]
    assert sum(selections.load(tmp_path, 1, key) is not None for key in keys) == 2
