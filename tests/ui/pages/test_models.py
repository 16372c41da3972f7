"""Every model fits through the worker's function, and every page opens on what it found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core import MODELS
from core.errors import ModelError
from core.spec import ModelSpec, with_size
from core.store import Label, ProjectSettings, Store
from core.store.projects.demo import create_demo
from core.workspace.caches.matrices import matrix_of
from core.workspace.refits.refit import refit
from core.workspace.refits.when_to_refit import worth_a_refit
from tests.core.workspace import small
from tests.ui.pages import results_app
from tests.ui.pages.results_app import corpus_page, report_page, scores_page, topics_page
from tsnmf_ui.label.desk import Desk, Place
from tsnmf_ui.pages.corpus import intake, model_catalogue, model_options

QUICK = {"pfa": {"max_iter": 60}, "pfa_ssi": {"max_iter": 60}, "lda": {"max_iter": 5}}
OTHERS = [name for name in MODELS if name != "tsnmf"]


PAGES = {
    "topics": topics_page,
    "scores": scores_page,
    "report": report_page,
    "corpus": corpus_page,
}


def choose(store: Store, project: int, name: str, n_topics: int | None = None) -> None:
    spec = ModelSpec(name, n_topics=n_topics, options=QUICK.get(name, {}))
    settings = replace(store.project(project).settings, spec=spec)
    store.update_settings(project, settings)


@pytest.mark.parametrize("name", MODELS)
def test_a_model_fits_the_demo_and_every_page_opens_on_it(store, name):
    demo = create_demo(store)
    choose(store, demo.id, name)
    run = refit(store, demo.id)
    assert run.spec.model == name
    assert (run.outcome.scores.adherence is not None) == (name == "tsnmf")
    assert (run.outcome.scores.n_resolved or 0) >= 1
    project = store.project(demo.id)
    for page in PAGES.values():
        results_app.opened(page, project)
    for view in ("One topic", "Labels and topics"):
        results_app.opened(topics_page, project, view=view)
    shown = Desk(store).view(Place(demo.id))
    assert shown["obeys"] == (name == "tsnmf")
    assert shown["card"]["shares"]


@pytest.mark.parametrize("name", OTHERS)
def test_labels_lend_their_names_to_topics_they_match(store, name):
    made = small.project(store, labelled=12)
    choose(store, made.id, name, n_topics=5)
    run = refit(store, made.id)
    topics = store.run_topics(run)
    assert topics.n_supervised == len(run.topic_ids)
    assert set(topics.names[: len(run.topic_ids)]) <= set(small.TRUTH)
    assert all(each.startswith("Topic ") for each in topics.names[len(run.topic_ids) :])
    assert len(topics) <= 5


def test_a_refit_goes_on_from_topics_that_labels_named(store):
    made = small.project(store, labelled=12)
    choose(store, made.id, "nmf", n_topics=4)
    first = refit(store, made.id)
    store.record(made.id, Label(12, (1,)), author="ann")
    again = refit(store, made.id)
    assert again.outcome.change.stability > 0.9
    assert store.run_topics(again).trace.n_iter <= store.run_topics(first).trace.n_iter


def test_another_model_starts_afresh_and_tells_no_change(store):
    made = small.project(store)
    refit(store, made.id)
    choose(store, made.id, "ssnmf", n_topics=4)
    assert refit(store, made.id).outcome.change is None


def test_counting_models_have_a_matrix_of_counts(store):
    made = small.project(store)
    weighted = matrix_of(store, made)
    choose(store, made.id, "pfa", n_topics=4)
    counted = matrix_of(store, store.project(made.id))
    assert weighted.terms == counted.terms
    assert (counted.X.data == counted.X.data.round()).all()
    assert not (weighted.X.data == weighted.X.data.round()).all()


def test_every_model_is_offered_with_options_it_knows():
    assert list(model_catalogue.BY_NAME) == [
        choice.name for choice in model_catalogue.MODEL_CHOICES
    ]
    assert set(model_catalogue.BY_NAME) == set(MODELS)
    for choice in model_catalogue.MODEL_CHOICES:
        for option in choice.options:
            if isinstance(option, model_options.NumberOption):
                rules = [option.chosen(rule) for rule in option.rules]
                assert [option.rule(rule) for rule in rules] == list(option.rules)
                ways = [option.chosen(option.least), option.chosen(option.most), *rules]
                assert option.chosen(option.default) == {}
            elif isinstance(option, model_options.PartsPerLabel):
                ways = [option.chosen(way, 3, {}) for way in option.ways]
                assert [option.value(way) for way in ways] == list(option.ways)
            else:
                ways = [option.chosen(way) for way in option.ways]
                assert [option.value(way) for way in ways] == list(option.ways)
            for options in ways:
                ModelSpec(choice.name, n_topics=3, options=options).estimator()
        assert choice.line.count(".") == 2
        assert "paper" in model_catalogue.model_page_markdown(choice.name).lower()


def opened(project: int) -> AppTest:
    app = AppTest.from_function(corpus_page, default_timeout=30)
    app.query_params["project"] = str(project)
    return app.run()


def test_the_chooser_stores_what_was_chosen(store):
    made = small.project(store)
    app = opened(made.id)
    assert app.button(key="corpus.model").disabled
    app.radio(key=f"corpus.project.{made.id}.model").set_value("ssnmf").run()
    number = {element.label: element for element in app.number_input}
    number["Number of topics"].set_value(7)
    number["Seed"].set_value(3)
    number["Label strength"].set_value(2.5).run()
    app.button(key="corpus.model").click().run()
    assert not app.exception
    settings = store.project(made.id).settings
    assert settings.spec == ModelSpec("ssnmf", 7, 3, {"label_strength": 2.5})
    assert app.button(key="corpus.model").disabled
    assert "What counts as known" in "".join(element.value for element in app.markdown)


def test_a_rule_finds_the_number(store):
    made = small.project(store)
    app = opened(made.id)
    app.radio(key=f"corpus.project.{made.id}.model").set_value("ssnmf").run()
    how = next(box for box in app.selectbox if box.label == "Label strength, how")
    how.select("Maximum likelihood").run()
    assert "Label strength" not in [element.label for element in app.number_input]
    app.button(key="corpus.model").click().run()
    assert store.project(made.id).settings.spec.options == {"label_strength": "likelihood"}
    again = next(box for box in opened(made.id).selectbox if box.label == "Label strength, how")
    assert again.value == "Maximum likelihood"


def test_a_way_is_stored_as_what_it_means(store):
    made = small.project(store)
    app = opened(made.id)
    assert app.button(key="corpus.model").disabled
    next(box for box in app.selectbox if box.label == "Weight of a labelled text").select(
        "As in the paper"
    ).run()
    app.button(key="corpus.model").click().run()
    options = store.project(made.id).settings.spec.options
    assert dict(options) == {"labelled_weight": "inverse_rate"}


def test_topics_per_label_are_chosen_and_a_size_by_hand_stays(store):
    made = small.project(store)
    by_hand = with_size(made.settings.spec, 1, 2)
    store.update_settings(made.id, replace(made.settings, spec=by_hand))
    app = opened(made.id)
    box = next(box for box in app.selectbox if box.label == "Parts per label")
    assert box.value == "One"
    box.select("Fixed number").run()
    next(box for box in app.number_input if box.label == "Topics for each label").set_value(3)
    app.run()
    app.button(key="corpus.model").click().run()
    assert not app.exception
    options = store.project(made.id).settings.spec.options
    assert options["parts"] == {"*": 3, "1": 2}


def test_a_model_that_refuses_says_why_and_nothing_is_stored(store):
    made = small.project(store)
    with pytest.raises(ModelError, match="no option"):
        intake.change_model(made, ModelSpec("nmf", options={"tolerance": 1}), n_free=1)
    assert store.project(made.id).settings.spec.model == "tsnmf"


def test_groups_of_texts_are_levels_above_them(store):
    made = small.project(store)
    spec = ModelSpec("pfa_ssi", n_topics=3, options={"max_iter": 60})
    intake.change_model(made, spec, n_free=1, levels=["district"])
    run = refit(store, made.id)
    names = store.run_topics(run).learned.nodes.names[0]
    assert {"district: North", "district: South"} <= set(names)
    assert store.project(made.id).settings.levels == ("district",)


def test_the_form_offers_side_columns_to_the_model_that_hears_groups(store):
    made = small.project(store)
    app = opened(made.id)
    assert not [box for box in app.multiselect if box.label.startswith("Groups of texts")]
    app.radio(key=f"corpus.project.{made.id}.model").set_value("pfa_ssi").run()
    next(box for box in app.multiselect if box.label.startswith("Groups")).select("district").run()
    app.button(key="corpus.model").click().run()
    assert store.project(made.id).settings.levels == ("district",)


def test_groups_in_an_odd_order_are_told_before_anything_is_fitted(store):
    side = {"street": ("a", "b", "c", "d") * 5, "town": ("x", "x", "y", "y") * 5}
    corpus = replace(small.corpus(20), side=side)
    made = store.create_project("Streets", corpus, ProjectSettings(n_free=1), author="ann")
    app = opened(made.id)
    app.radio(key=f"corpus.project.{made.id}.model").set_value("pfa_ssi").run()
    groups = next(box for box in app.multiselect if box.label.startswith("Groups"))
    groups.set_value(["town", "street"]).run()
    assert "the wrong way round" in app.warning[0].value
    groups = next(box for box in app.multiselect if box.label.startswith("Groups"))
    groups.set_value(["street", "town"]).run()
    assert not app.warning


def test_advice_is_asked_in_plain_terms_and_taken_with_a_click(store):
    made = small.project(store)
    app, key = opened(made.id), f"corpus.project.{made.id}.advice"
    assert "Topic-supervised NMF" in results_app.html(app)
    assert app.radio(key=f"{key}.labels").value == "many"  # a fifth of the texts
    app.radio(key=f"{key}.labels").set_value("few")
    app.radio(key=f"{key}.goal").set_value("predict").run()
    assert "Max-margin NMF" in app.button(key=f"{key}.take.best").label  # one label per text
    app.checkbox(key=f"{key}.several").check().run()
    app.button(key=f"{key}.take.best").click().run()
    assert not app.exception
    assert app.radio(key=f"corpus.project.{made.id}.model").value == "ssnmf"
    app.button(key="corpus.model").click().run()
    assert store.project(made.id).settings.spec.model == "ssnmf"


def test_a_word_that_counts_once_asks_for_a_model_of_presence(store):
    made = small.project(store)
    app, key = opened(made.id), f"corpus.project.{made.id}.advice"
    assert app.radio(key=f"{key}.words").value == "typical"
    app.radio(key=f"{key}.goal").set_value("explore")
    app.radio(key=f"{key}.words").set_value("there").run()
    assert "only uses whether a word occurs in a text" in results_app.html(app)
    app.button(key=f"{key}.take.best").click().run()
    box = next(box for box in app.selectbox if box.label == "Repeated words")
    assert box.value == "Count once"
    app.button(key="corpus.model").click().run()
    spec = store.project(made.id).settings.spec
    assert (spec.model, spec.options["data"]) == ("pfa", "binary")


def test_suggested_options_come_along(store):
    made = small.project(store)
    app, key = opened(made.id), f"corpus.project.{made.id}.advice"
    app.checkbox(key=f"{key}.broad").check().run()
    app.button(key=f"{key}.take.best").click().run()
    box = next(box for box in app.selectbox if box.label == "Parts per label")
    assert box.value == "Chosen from the data"
    app.button(key="corpus.model").click().run()
    assert store.project(made.id).settings.spec.options["parts"] == "auto"


@pytest.mark.parametrize(
    ("model", "n_docs", "worth"),
    [
        ("tsnmf", 200_000, True),
        ("lda", 200_000, False),
        ("lda", 30, True),
        ("pfa_ssi", 10**6, True),
    ],
)
def test_a_label_asks_for_a_fit_only_if_it_changes_something(store, model, n_docs, worth):
    project = results_app.fitted(store)
    settings = replace(project.settings, spec=ModelSpec(model))
    large = replace(project, n_docs=n_docs, settings=settings)
    assert worth_a_refit(large) == worth
    assert worth_a_refit(replace(large, last_run=None))  # the first fit is always wanted
