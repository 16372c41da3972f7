"""Projects and the model chooser in a browser: copied, deleted, back again; advised, fitted."""

from __future__ import annotations

import pytest

from core.store import Store
from tests.browser.conftest import PATIENCE
from tests.core.workspace import small

pytestmark = pytest.mark.browser


@pytest.fixture
def project(server) -> int:
    with Store.open(home=server.home) as store:
        return small.project(store).id


def names(server) -> list[str]:
    with Store.open(home=server.home) as store:
        return sorted(project.name for project in store.projects())


def test_a_project_is_renamed_copied_deleted_and_brought_back(server, project, page):
    page.goto(server.address)
    page.get_by_role("button", name="More").click()
    page.get_by_label("Name", exact=True).fill("Harbour desk")
    page.get_by_role("button", name="Rename").click()
    page.get_by_text("Harbour desk").first.wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More").first.click()
    page.get_by_role("button", name="Duplicate").click()
    page.get_by_text("Harbour desk (copy)").first.wait_for()
    assert names(server) == ["Harbour desk", "Harbour desk (copy)"]
    page.goto(server.address)
    page.get_by_role("button", name="More").first.click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("was deleted.").wait_for()
    assert len(names(server)) == 1
    page.locator(".st-key-projects-undo button").click()
    page.get_by_text("was restored.").wait_for()
    assert names(server) == ["Harbour desk", "Harbour desk (copy)"]


def test_advice_is_taken_and_the_model_fitted(desk_server, desk_store, page):
    project = small.project(desk_store).id
    page.goto(f"{desk_server.address}/corpus?project={project}")
    page.get_by_text("Which model suits me?").click()
    page.get_by_text("A first look", exact=True).click()
    page.get_by_role("button", name="Choose Plain NMF").click()
    page.get_by_role("button", name="Use this model").and_(page.locator(":enabled")).click()
    # The one fit process of this shared server may be busy with a project of another test.
    page.get_by_text("Fitted with Plain NMF").wait_for(timeout=4 * PATIENCE)
    assert page.get_by_role("button", name="Use this model").is_disabled()  # it is in use
    assert desk_store.project(project).settings.spec.model == "nmf"
    run = desk_store.current_run(project)
    assert run is not None
    assert run.spec.model == "nmf"


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """Collections are not here, and the way out ends at a closed port of this machine."""
    for name in ("https_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NLTK_DATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))


def test_offline_a_collection_says_so(offline, server, page):
    page.goto(f"{server.address}/corpus")
    page.get_by_role("button", name="Download Reuters").click()
    page.get_by_text("Reuters could not be downloaded: this machine seems to be offline").wait_for()
    page.get_by_role("button", name="Download Reuters").wait_for()
