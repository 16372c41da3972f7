"""The Corpus page: opens empty, reads a file, creates a project, refuses bad files."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.corpus import Corpus
from core.store import ProjectSettings
from core.text import TextSettings
from core.workspace.caches import corpora
from core.workspace.projects import NewProject, first_labels_sentence
from tests.ui.pages.results_app import corpus_page
from tsnmf_ui.pages.corpus import intake, new_project

TABLE = (
    b"id,received,message,topics,district\n"
    b"a1,2024-03-01,The street lamp in front of our house is dark,Lighting,North\n"
    b"a2,2024-03-15,The lamp and the bins in our street,Waste; Lighting,South\n"
    b"a3,2024-04-02,Bins in our street were not emptied,Waste,North\n"
    b"a4,2024-05-20,,Waste,South\n"
    b"a5,2024-06-02,Flowers in the park were trampled,,North\n"
    b"a6,2024-06-11,A bench in the park is rotten,,South\n"
    b"a7,2024-07-05,Thank you for the new flowers,,South\n"
)


@pytest.fixture
def app(store):
    return AppTest.from_function(corpus_page, default_timeout=30)


def uploaded(app: AppTest, data: bytes, name: str = "desk.csv") -> AppTest:
    app.run()
    return app.file_uploader(key="corpus.file").upload(name, data).run()


def html(app: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in app.get("html"))


def box(app: AppTest, label: str):
    return next(element for element in app.selectbox if element.label == label)


def test_it_opens_empty_and_says_what_to_do(app):
    app.run()
    assert not app.exception
    assert "Upload texts, name a few topics" in html(app)
    assert len(app.file_uploader) == 1


def test_an_upload_shows_its_guesses(app):
    uploaded(app, TABLE)
    assert not app.exception
    assert [box(app, name).value for name in ("Text", "Id", "Date", "Labels")] == [
        "message",
        "id",
        "received",
        "topics",
    ]
    assert "<b>6</b><span>texts" in html(app)
    assert "the text is empty" in app.expander[0].label + app.expander[1].label


def test_a_guess_can_be_overridden(app):
    uploaded(app, TABLE)
    box(app, "Labels").select("district").run()
    assert not app.exception
    assert app.text_area[0].value == "North\nSouth"


def test_create_makes_a_project_with_topics(app, store):
    uploaded(app, TABLE)
    app.button(key="corpus.create").click().run()
    assert not app.exception
    (project,) = store.projects()
    assert (project.name, project.n_docs, project.n_labelled) == ("desk", 6, 0)
    assert project.settings.truth
    assert [topic.name for topic in store.topics(project.id)] == ["Lighting", "Waste"]


def test_a_small_corpus_is_given_one_free_topic(app):
    uploaded(app, TABLE)
    (free,) = (each for each in app.number_input if each.label.startswith("Free topics"))
    assert free.value == 1


def test_given_labels_can_start_the_project(app, store):
    uploaded(app, TABLE)
    box(app, "The 2 labels in the file").select("labels").run()
    app.button(key="corpus.create").click().run()
    (project,) = store.projects()
    assert (project.n_labelled, project.settings.truth) == (3, False)
    assert store.annotation(project.id, 1).permitted == (2, 1)


def test_the_language_is_guessed(app):
    uploaded(
        app,
        "Nummer;Meldung\n1;Der Müll wurde nicht abgeholt\n2;Die Tonne ist noch nicht leer\n"
        "3;Wir haben die Tonne und den Müll".encode("cp1252"),
    )
    assert not app.exception
    assert box(app, "Language").value == "de"


def test_a_bad_file_is_one_sentence_and_changes_nothing(app, store):
    uploaded(app, b'id,text\n1,fine\n2,"never closed\n', "bad.csv")
    assert not app.exception
    (said,) = app.error
    assert said.value.replace("\\", "") == (
        "bad.csv, row 3: a quotation mark is opened and never closed."
    )
    assert store.projects() == []


def test_settings_that_leave_no_word_cannot_be_used(app):
    uploaded(app, b"id,text\n1,lamp\n2,bins\n3,park\n")
    assert "None of the 3 words" in app.error[0].value
    assert app.button(key="corpus.create").disabled


def test_an_open_project_shows_its_corpus_and_changes_its_words(app, store):
    corpus = Corpus(ids=("1", "2"), texts=("lamps are dark", "the lamp and a bin"))
    project = store.create_project("Desk", corpus, author="me")
    app.query_params["project"] = str(project.id)
    app.run()
    assert "<b>2</b><span>texts" in html(app)
    assert app.button(key="corpus.refit").disabled
    number = next(element for element in app.number_input if "In at most" in element.label)
    number.set_value(100).run()
    app.button(key="corpus.refit").click().run()
    assert not app.exception
    assert store.project(project.id).settings.text == TextSettings(max_share=1.0)


def test_an_open_project_reads_a_sample_of_its_texts_only(app, store, monkeypatch):
    monkeypatch.setattr(corpora, "sampled_positions", lambda n: [0, n - 1])
    corpus = Corpus(ids=("1", "2", "3"), texts=("lamps are dark", "the bin", "a dark lamp"))
    settings = ProjectSettings(text=TextSettings(max_share=1.0))
    project = store.create_project("Desk", corpus, settings, author="me")
    read = store.corpus

    def without_texts(project: int, *, texts: bool = True) -> Corpus:
        assert not texts
        return read(project, texts=False)

    monkeypatch.setattr(store, "corpus", without_texts)
    app.query_params["project"] = str(project.id)
    app.run()
    assert not app.exception
    assert "in a sample of 2 texts" in html(app)
    assert 'are <mark title="dark">dark</mark>' in html(app)
    assert list(app.dataframe[0].value["Text"]) == ["lamps are dark", "the bin", "a dark lamp"]


def test_a_kept_column_is_taken_for_truth_and_back_or_made_labels(app, store):
    side = {"district": ("North", "South")}
    corpus = Corpus(ids=("1", "2"), texts=("lamps are dark", "the lamp and a bin"), side=side)
    project = store.create_project("Desk", corpus, author="me")
    app.query_params["project"] = str(project.id)
    app.run()
    role = lambda: next(box for box in app.selectbox if "district" in box.label)  # noqa: E731
    role().set_value("truth").run()
    assert store.project(project.id).settings.column_roles == {"district": "truth"}
    assert "North</span>" in html(app)
    role().set_value("date").run()
    assert store.project(project.id).settings.column_roles == {"district": "truth"}
    assert "is a date" in app.error[0].value
    role().set_value("group").run()
    assert not store.project(project.id).settings.column_roles
    role().set_value("labels").run()
    app.button(key="history.labels.do").click().run()
    assert not app.exception
    assert [topic.name for topic in store.topics(project.id)] == ["North", "South"]
    assert len(store.annotations(project.id)) == 2


def test_the_choice_for_a_kept_column_is_called_by_its_plain_name(app, store):
    side = {"Score_2 (1-10) ![x](y)": ("7", "9")}
    corpus = Corpus(ids=("1", "2"), texts=("lamps are dark", "the lamp and a bin"), side=side)
    app.query_params["project"] = str(store.create_project("Desk", corpus, author="me").id)
    app.run()
    assert box(app, "What “Score 2 (1-10) x (y)” is").value == "group"


def test_topic_names_are_taken_once():
    assert intake.topic_names(" Roads \n\nroads\nPublic   transport") == (
        "Roads",
        "Public transport",
    )


def test_a_plan_without_topics_says_so():
    plan = NewProject(name="x", text=TextSettings(), use="ignore", topics=(), n_free=0)
    assert plan.problem() == "Name at least one topic, or let the model find some."


def test_first_labels_that_name_no_topic_are_said_to_be_left_out():
    labels = (("Roads",), ("Roads", "Raods"), ("Bins",), ())
    corpus = Corpus(ids=tuple("abcd"), texts=("lamp", "tram", "bin", "bus"), labels=labels)
    plan = NewProject(name="x", use="labels", topics=("roads",))
    assert first_labels_sentence(corpus, plan) == (
        "2 texts start labelled. 2 labels without a topic above will be left out: “Bins”, “Raods”. "
        "1 text keeps only the other labels."
    )
    assert first_labels_sentence(corpus, replace(plan, topics=("Roads", "Bins", "Raods"))) == (
        "3 texts start labelled."
    )
    assert first_labels_sentence(corpus, replace(plan, use="truth")) == ""


def test_texts_in_two_languages_are_said_to_be(app):
    lines = ["The tram is late again and the driver is rude to us", "Der Bus war zu spät und voll"]
    uploaded(app, ("id,text\n" + "".join(f"{i},{lines[i % 2]}\n" for i in range(20))).encode())
    warned = app.warning[0].value.replace("\\", "")
    assert "About 50\u00a0% of the texts look German; the list of stop words is English." in warned


def test_a_word_that_counts_most_is_removed_by_a_click(app):
    uploaded(app, TABLE)
    words = next(each for each in app.get("button_group") if "count most" in each.label)
    assert "street" in words.options
    app = words.set_value("street").run()
    assert not app.exception
    extra = next(each for each in app.text_input if each.label == "More stop words")
    assert extra.value == "street"
    words = next(each for each in app.get("button_group") if "count most" in each.label)
    assert "street" not in words.options


def test_labels_and_truth_are_two_columns(app, store):
    uploaded(app, TABLE)
    box(app, "First labels from another column").select("district").run()
    assert app.text_area[0].value.splitlines() == ["Lighting", "Waste", "North", "South"]
    app.button(key="corpus.create").click().run()
    (project,) = store.projects()
    assert (project.n_labelled, project.settings.truth) == (6, True)


def test_first_labels_of_another_column_are_split(app, store):
    uploaded(app, TABLE)
    box(app, "Labels").select("district").run()
    app.multiselect[0].select("topics").run()
    box(app, "First labels from another column").select("topics").run()
    assert app.text_area[0].value.splitlines() == ["North", "South", "Lighting", "Waste"]
    app.button(key="corpus.create").click().run()
    (project,) = store.projects()
    assert store.annotation(project.id, 1).permitted == (4, 3)


def test_other_choices_stay_when_a_column_gets_a_role(app):
    uploaded(app, TABLE)
    box(app, "Labels").select("(none)").run()
    app.multiselect[0].select("topics").run()
    box(app, "First labels from another column").select("topics").run()
    for column, kept in (("(none)", ["district", "topics"]), ("district", ["topics"])):
        box(app, "Id").select(column).run()
        assert not app.exception
        assert app.multiselect[0].value == kept
        assert box(app, "First labels from another column").value == "topics"


def test_it_says_which_columns_first_labels_can_come_from(app):
    uploaded(app, TABLE)
    assert new_project.KEEP_FIRST in html(app)


def test_html_is_offered_to_be_removed_where_there_is_some(app, store):
    uploaded(app, TABLE)
    assert not [each for each in app.checkbox if "HTML" in each.label]
    marked = TABLE.replace(b"The lamp and", b"The <b>lamp</b><br>and")
    uploaded(app, marked, "marked.csv")
    (strip,) = (each for each in app.checkbox if "HTML" in each.label)
    assert strip.value
    app.button(key="corpus.create").click().run()
    (project,) = store.projects()
    assert store.document(project.id, 1).text.startswith("The lamp\nand")


def test_likely_misspellings_are_offered_and_joined_where_chosen(app, store):
    uploaded(app, TABLE)
    assert not [each for each in app.multiselect if "misspellings" in each.label]
    rows = b"".join(b"t%d,2024-06-02,a text %d,Lighting,North\n" % (n, n) for n in range(6))
    uploaded(app, TABLE + rows + b"t9,2024-06-02,a mistake,Lightng,North\n", "misspelled.csv")
    (offered,) = (each for each in app.multiselect if "misspellings" in each.label)
    assert offered.value == []
    assert "Lightng" in app.text_area[0].value.splitlines()
    offered.select(offered.options[0]).run()
    assert not app.exception
    assert "Lightng" not in app.text_area[0].value.splitlines()
    assert "joined by choice: “Lightng” as “Lighting”" in html(app)
    app.button(key="corpus.create").click().run()
    (project,) = store.projects()
    assert corpora.corpus_of(store, project.id).labels[-1] == ("Lighting",)


def test_it_says_which_columns_are_not_used(app):
    uploaded(app, TABLE)
    assert "Not used" not in html(app)
    app.multiselect[0].unselect("district").run()
    assert "Not used: district. A column is there later only if it is kept now." in html(app)


def test_columns_can_be_joined_with_the_text(app, store):
    uploaded(app, TABLE)
    (joined,) = (each for each in app.multiselect if each.label == "Join with the text")
    joined.select("district").run()
    assert not app.exception
    assert "district" not in app.multiselect[0].value
    app.button(key="corpus.create").click().run()
    (project,) = store.projects()
    assert corpora.corpus_of(store, project.id).reading.columns.more_text == ("district",)
    text = store.document(project.id, 1).text
    assert len(text.split("\n\n")) == 2
    assert "The lamp and" in text


def test_repeated_ids_are_warned_of_and_what_happens_is_said(app):
    uploaded(app, TABLE)
    assert not app.warning
    uploaded(app, TABLE.replace(b"a7,", b"a6,").replace(b"a3,", b"a1,"), "again.csv")
    box(app, "Id").select("id").run()
    told = app.warning[0].value.replace("\\", "")
    assert told.startswith("2 rows repeat an id of “id” that an earlier row has (first: row 4).")
    assert "They are left out. To keep all rows, choose another Id column, or none." in told


def test_dates_that_cannot_be_read_are_said_before_the_project_is_made(app):
    uploaded(app, TABLE.replace(b"2024-06-02", b"soon").replace(b"2024-06-11", b""))
    box(app, "Date").select("received").run()
    told = "4 of 6 rows have a date in “received”; 1 cell is empty; 1 could not be read: “soon”"
    assert told in html(app)


def test_dates_of_one_month_are_shown_as_that_month(app):
    uploaded(app, TABLE)
    box(app, "Date").select("received").run()
    assert "<b>Mar 2024 – Jul 2024</b><span>dates</span>" in html(app)
    rows = TABLE.splitlines(keepends=True)
    uploaded(app, b"".join(rows[:3]), "march.csv")
    box(app, "Date").select("received").run()
    assert "<b>Mar 2024</b><span>dates</span>" in html(app)
