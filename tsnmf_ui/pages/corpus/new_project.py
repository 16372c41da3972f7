"""A new project: read an upload or a collection, set how words are counted, create."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import chain
from pathlib import Path

import streamlit as st

from core.corpus import ColumnRoles, Corpus
from core.evaluation.recommendation import free_topics
from core.loading.columns.dates import DATE_FORMATS
from core.loading.columns.label_cells import guessed_labels
from core.loading.columns.misspellings import Misspelling
from core.text import TextSettings
from core.workspace.intake import ReadFile, ReadingOptions
from core.workspace.projects import NewProject, Use, first_labels_sentence
from tsnmf_ui.pages.corpus import column_choice, intake, overview
from tsnmf_ui.pages.corpus.collections import OPEN_COLLECTION, collections_list
from tsnmf_ui.pages.corpus.intake import Upload, VectorColumn
from tsnmf_ui.pages.corpus.word_settings import word_settings
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

FILE_KINDS = "CSV, TSV, XLSX, JSON lines, Parquet, or a ZIP of .txt files, up to 200 MB."
ONE_FILE, TEXT_FOLDER = "One file", "A folder of .txt files"
LABEL_USES: dict[Use, str] = {
    "truth": "True labels, for scoring",
    "labels": "First labels, for the model",
    "ignore": "Ignore",
}
USE_HELP: dict[Use, str] = {
    "truth": "The model does not see them; scores compare its topics with them.",
    "labels": "They become your first labels, and the model follows them.",
    "ignore": "They stay with the texts but are not used.",
}
MISSPELLINGS_HELP = (
    "Names that are rare and one letter away from a frequent one. Those you choose are read as the "
    "frequent one; the others stay as they are."
)
KEEP_FIRST = "A column is listed here once it is kept with the texts, above."
NOT_USED = "Not used: {}. A column is there later only if it is kept now."
HTML_HELP = "Tags such as <br> and <a> were found in the texts; the words between them stay."
DATES_HELP = (
    "Every date is read in the way it is written. The format decides where day and month could be "
    "swapped."
)
DETECT = "Detect"
ENCODING_CHOICES = (
    DETECT,
    "utf-8",
    "cp1252",
    "latin-1",
    "cp1250",
    "cp1251",
    "utf-16",
    "shift_jis",
)
DELIMITER_CHOICES = {DETECT: None, "Comma ,": ",", "Semicolon ;": ";", "Tab": "\t", "Pipe |": "|"}


def render() -> None:
    """Choose a file or a collection; then its form."""
    chosen = state.get_value(OPEN_COLLECTION)
    if chosen:
        _new_from_collection(chosen)
        return
    overview.page_title("New project", "Upload texts, name a few topics and start labelling.")
    left, right = st.columns([0.66, 0.34])
    with left, st.container(key="panel-drop"):
        upload = _drop()
    with right, st.container(key="panel-collections"):
        collections_list()
    if upload is not None:
        _new_from_upload(upload)


def _drop() -> Upload | None:
    overview.heading("Your texts")
    way = st.segmented_control(
        "What to read",
        (ONE_FILE, TEXT_FOLDER),
        default=ONE_FILE,
        required=True,
        key="corpus.way",
        label_visibility="collapsed",
    )
    if way == TEXT_FOLDER:
        files = st.file_uploader(
            "Drop a folder of .txt files here",
            accept_multiple_files="directory",
            key="corpus.folder",
        )
        return intake.upload_of_folder(files) if files else None
    file = st.file_uploader("Drop a file here", key="corpus.file", help=FILE_KINDS)
    st.html(f'<div class="ts-quiet">{FILE_KINDS}</div>')
    return None if file is None else intake.upload_of(file)


def _new_from_collection(name: str) -> None:
    title, what, _ = intake.COLLECTIONS[name]
    head, back = st.columns([0.8, 0.2], vertical_alignment="center")
    with head:
        overview.page_title(title, f"{what}.")
    back.button(
        "Choose another",
        key="corpus.back",
        width="stretch",
        on_click=state.clear_values,
        args=(OPEN_COLLECTION,),
    )
    try_or_show_error(_collection_form, name, title)


def _collection_form(name: str, title: str) -> None:
    corpus = intake.collection(name)
    with st.container(key="panel-columns"):
        overview.heading("What is in the collection")
        overview.figures(corpus)
    _form(corpus, f"corpus.{name}", title)


def _new_from_upload(upload: Upload) -> None:
    key = f"corpus.{upload.key}"
    with st.container(key="panel-columns"):
        overview.heading("What is in the file")
        place = st.container()  # the ways out of a bad guess stay below, whatever is shown here
        options = _overrides(key)
        with place:
            chosen = try_or_show_error(_choose_columns, upload, key, options)
    if chosen is not None:
        corpus, vectors = chosen
        _form(corpus, key, Path(upload.name).stem or "New project", vectors)


def _choose_columns(
    upload: Upload, key: str, options: ReadingOptions
) -> tuple[Corpus, VectorColumn | None]:
    """The corpus, and the column of the file that tells what its texts mean, if there is one."""
    shown = intake.preview_upload(upload, options.encoding, options.delimiter)
    columns = column_choice.column_choice(shown, f"{key}.{options.encoding}.{options.delimiter}")
    named = column_choice.vector_column(shown, key)
    strip = any(name in shown.html_columns for name in columns.texts) and st.checkbox(
        "Remove HTML tags", True, key=f"{key}.html", help=HTML_HELP
    )
    column_choice.rows(shown, columns)
    read_by = replace(options, columns=columns, strip_html=strip)
    corpus = intake.read_upload(upload, read_by)
    corpus = _join_misspellings(upload, key, str(read_by), corpus)
    overview.figures(corpus)
    unused = ReadFile(corpus, shown.header, named).unused
    if unused:
        st.html(f'<div class="ts-quiet">{escape(NOT_USED.format(", ".join(unused)))}</div>')
    if repeated := overview.repeated_ids(corpus):
        st.warning(texts.escape_markdown(repeated))
    return corpus, None if named is None else VectorColumn(upload, named)


def _join_misspellings(upload: Upload, key: str, read_by: str, corpus: Corpus) -> Corpus:
    """The corpus with the misspelled names joined that somebody chooses; nobody else knows."""
    found = intake.misspellings(upload.key, read_by, corpus)
    if not found:
        return corpus
    chosen = st.multiselect(
        "Likely misspellings; choose those to join",
        found,
        format_func=_misspelling_title,
        key=f"{key}.misspellings",
        placeholder=f"None; for example {_misspelling_title(found[0])}",
        help=MISSPELLINGS_HELP,
    )
    if not chosen:
        return corpus
    return intake.joined(upload.key, read_by, tuple(chosen), corpus)


def _misspelling_title(one: Misspelling) -> str:
    return f"{one.column}: {one.name} ({one.times:,}) → {one.meant} ({one.times_meant:,})"


def _overrides(key: str) -> ReadingOptions:
    with st.expander("Encoding, delimiter, dates and short texts"):
        one, two, three, four = st.columns(4)
        encoding = one.selectbox("Encoding", ENCODING_CHOICES, key=f"{key}.encoding")
        delimiter = two.selectbox("Delimiter", list(DELIMITER_CHOICES), key=f"{key}.delimiter")
        least = three.number_input(
            "Skip texts shorter than … characters", 1, 10_000, 1, key=f"{key}.least"
        )
        dates = four.selectbox(
            "Date format", [DETECT, *DATE_FORMATS], key=f"{key}.dates", help=DATES_HELP
        )
    return ReadingOptions(
        ColumnRoles(),
        None if encoding == DETECT else encoding,
        DELIMITER_CHOICES[delimiter],
        int(least),
        None if dates == DETECT else dates,
    )


def _form(corpus: Corpus, key: str, name: str, vectors: VectorColumn | None = None) -> None:
    left, right = st.columns([0.66, 0.34])
    with left, st.container(key="panel-words"):
        seen = intake.SampledTexts.of_corpus(corpus)
        text = word_settings(seen, key, intake.usual_settings(corpus), "the default settings")
    with right, st.container(key="panel-create"):
        _create(corpus, key, name, text, vectors)


def _create(
    corpus: Corpus, key: str, name: str, text: TextSettings | None, vectors: VectorColumn | None
) -> None:
    overview.heading("Project")
    named = st.text_input("Name", name, key=f"{key}.name", max_chars=120)
    use = _use(corpus, key)
    first = _first_labels(corpus, key, use)
    names = "\n".join(_names_to_start_with(corpus, use, first))
    typed = st.text_area(
        "Topics to start with, one per line",
        names,
        key=f"{key}.topics.{use}.{first}.{corpus.reading.columns.labels}.{len(corpus.label_names)}",
        height=190,
        placeholder="Billing\nNetwork\nStaff",
    )
    usual = free_topics(len(corpus))
    n_free = st.number_input("Free topics, found by the model", 0, 100, usual, key=f"{key}.free")
    plan = NewProject(
        name=named,
        text=text or TextSettings(),
        use=use,
        first_labels=first,
        topics=intake.topic_names(typed),
        n_free=int(n_free),
    )
    problem = plan.problem()
    ready = text is not None and problem is None
    if st.button(
        "Create project", key="corpus.create", type="primary", width="stretch", disabled=not ready
    ):
        try_or_show_error(_created, corpus, plan, vectors)
    st.html(f'<div class="ts-quiet">{escape(problem or _summary(corpus, plan))}</div>')


def _use(corpus: Corpus, key: str) -> Use:
    """What the labels that came with the corpus are for; nothing to ask when there are none."""
    if not corpus.label_names:
        return "ignore"
    use: Use = st.selectbox(
        f"The {texts.count(len(corpus.label_names), 'label')} in the file",
        list(LABEL_USES),
        format_func=lambda one: LABEL_USES[one],
        key=f"{key}.use",
    )
    st.html(f'<div class="ts-quiet">{USE_HELP[use]}</div>')
    return use


def _first_labels(corpus: Corpus, key: str, use: Use) -> str | None:
    """Another column whose values start the labelling, beside the truth."""
    if use == "labels" or not corpus.side:
        return None
    first = st.selectbox(
        "First labels from another column",
        list(corpus.side),
        index=None,
        key=f"{key}.first",
        placeholder="None",
        help=USE_HELP["labels"],
    )
    if corpus.reading.columns.text is not None:  # a table: a collection has no columns to choose
        st.html(f'<div class="ts-quiet">{KEEP_FIRST}</div>')
    return first


def _names_to_start_with(corpus: Corpus, use: Use, first: str | None) -> list[str]:
    names = list(corpus.label_names) if use != "ignore" else []
    cells = guessed_labels(corpus.side[first], first) if first is not None else ()
    return list(dict.fromkeys([*names, *chain.from_iterable(cells)]))


def _summary(corpus: Corpus, plan: NewProject) -> str:
    named, free = (
        texts.count(len(plan.topics), "named topic"),
        texts.count(plan.n_free, "free topic"),
    )
    first = first_labels_sentence(corpus, plan)
    return f"{texts.count(len(corpus), 'text')}, {named} and {free}. {first}".strip()


def _created(corpus: Corpus, plan: NewProject, vectors: VectorColumn | None) -> None:
    with st.spinner("Creating the project…"):
        project = intake.create(corpus, plan, vectors)
    state.clear_values(OPEN_COLLECTION)
    state.notify(f"“{texts.escape_markdown(project.name)}” is ready to label.")
    state.open_page("label")
