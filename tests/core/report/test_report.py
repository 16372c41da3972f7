"""Reports: what they say, that documents stay data, that figures are drawn in a browser."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

import numpy as np
import pytest

from core.corpus import Corpus, DroppedRow, Reading
from core.errors import ReportError
from core.report import (
    FORMATS,
    People,
    Privacy,
    ReportInput,
    ReportScores,
    build_report,
    default_summary,
    render_html,
    summarise_people,
)
from core.report.description import Citation, ReportHighlight
from core.report.people import EVENT_PHRASES
from core.spec import ModelSpec
from core.store.events.new_events import KIND_BY_TYPE
from core.store.files.spreadsheet_cells import formula_safe
from core.store.history.disagreement import Agreement, TopicAgreement
from core.store.history.sentences import KIND_TITLES
from core.store.runs.issued_reports import IssuedReport, IssuedTopic
from core.supervision import Supervision
from core.topics import Topics
from tests.core.report.material import material as small_material

EVIL = "<script>alert('x')</script> bill & refund"
NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    kind: str
    author: str = "Ada"
    time: datetime = NOON
    labelled: bool = True
    id: int = 5
    event: int = 5
    payload: dict[str, object] | None = None


SCORES = ReportScores(
    values={
        "first": [0.75, 0.5, 0.9, "on 40 texts"],
        "jaccard": [0.5, 0.4, 0.6, "over 2 labels"],
        "resolved": [2.0, 1.0, 2.0, "of 2 labels"],
        "adherence": [1.0, None, None, "on 2 labelled texts"],
    },
    labels=[
        {"label": "Net", "topic": 1, "topic_name": "<b>Network", "jaccard": 0.4, "documents": 12},
        {"label": "Billing", "topic": 0, "topic_name": "Billing", "jaccard": 0.6, "documents": 28},
    ],
    basis="Scored on labels held out (40 texts).",
)


@pytest.fixture
def material():
    topics = Topics(
        doc_topic=np.array([[3.0, 0, 0], [0, 1, 0], [1, 2, 0], [0, 0, 0]]),
        topic_term=np.array([[0.8, 0.6, 0], [0, 0, 1], [0, 0, 0.1]]),
        terms=("bill", "refund", "tower"),
        doc_ids=("a", "b", "c", "d"),
        names=("Billing", "<b>Network", "Free 1"),
        keys=("Billing", "Net", "Free 1"),
        n_supervised=2,
        spec=ModelSpec(random_state=7),
        fingerprint="matrix-print",
    )
    corpus = Corpus(
        ids=("a", "=1+1", "c", "d"),
        texts=(EVIL, "The tower is off.", "Bill for the tower.", ""),
        dates=(date(2026, 3, 4), None, None, None),
        side={"area": ("north", "south", "north", "south")},
    )
    supervision = Supervision.of([["Billing"], ["Net"], [], []], ["Billing", "Net"])
    people = summarise_people(
        [Line("label"), Line("label", "Bo"), Line("undo")], {0: Line("label")}
    )
    return ReportInput(
        topics=topics,
        corpus=corpus,
        supervision=supervision,
        scores=SCORES,
        people=people,
        colours=["#0072B2", "#D55E00", "#8794A6"],
        privacy=Privacy(people="named", small_groups="shown", texts="with"),
    )


@pytest.fixture
def report(material):
    return build_report(material, title="Desk <i>2026", made=NOON)


def test_every_kind_of_event_has_a_phrase():
    kinds = {*KIND_BY_TYPE.values(), *KIND_TITLES}
    assert kinds == set(EVENT_PHRASES)
    assert EVENT_PHRASES["edit_codebook"] == "edits of the codebook"  # several may be of one entry


def test_topics_come_largest_first_with_denominators(report):
    sizes = [(topic.documents, topic.of, topic.labelled) for topic in report.topics]
    assert sizes == [(2, 3, 1), (1, 3, 1), (0, 3, 0)]
    assert [topic.named for topic in report.topics] == [True, True, False]


def test_groups_that_are_numbers_come_by_size(material):
    numbered = replace(material.corpus, side={"area": ("10", "2", "10", "")})
    (table,) = build_report(replace(material, corpus=numbered), title="T").tables
    assert (table.columns, table.of) == (("2", "10"), (1, 2))


def test_free_topics_that_found_nothing_are_counted_once_and_not_described(material):
    words = np.array([[0.8, 0.6, 0], [0, 0, 1], [0, 0, 0]])
    found = replace(material, topics=replace(material.topics, topic_term=words))
    report = build_report(found, title="T")
    assert [topic.name for topic in report.topics] == ["<b>Network", "Billing"]
    assert report.tables[0].topics == ("<b>Network", "Billing")
    assert report.summary[0].startswith("This report describes 2 topics in 4 texts.")
    assert "3 topics (1 free topic found nothing);" in report.method.paragraph
    assert report.hidden_topics == 0
    with_text = replace(found.topics, doc_topic=np.eye(4, 3, k=1))
    assert len(build_report(replace(found, topics=with_text), title="T").topics) == 3
    nothing = replace(
        found.topics, n_supervised=0, topic_term=0 * words, doc_topic=np.zeros((4, 3))
    )
    with pytest.raises(ReportError, match="no topics to report"):
        build_report(replace(found, topics=nothing), title="T")


def test_quotes_are_verbatim_and_carry_their_document(report):
    (billing,) = [topic for topic in report.topics if topic.name == "Billing"]
    assert billing.quotes[0].text == EVIL
    assert (billing.quotes[0].document, billing.quotes[0].when) == ("a", "4 March 2026")


def test_the_summary_writes_itself(material):
    text = default_summary(material)
    assert "3 topics in 4 texts" in text
    assert "The largest are <b>Network (67\u00a0%) and Billing (33\u00a0%) of 3 texts, each" in text
    assert "free topics" not in text  # no document is mainly of the free topic
    assert "1 text is labelled by one person; a computer model learnt from" in text
    assert (
        "correct main topic for 75\u00a0% of them (95 % interval: 50\u00a0% to 90\u00a0%)." in text
    )


def test_broken_labels_are_told_and_kept_ones_are_not_praised(material):
    whole = render_html(build_report(material, title="T"))
    assert "by construction and does not measure quality" in whole
    assert 'class="bad"' not in whole
    W = material.topics.doc_topic.copy()
    W[0] = 1.0  # one of the two labelled texts has every topic
    broken = replace(material, topics=replace(material.topics, doc_topic=W))
    assert "50\u00a0% of them have topics that their labels rule out" in default_summary(broken)
    page = render_html(build_report(broken, title="T"))
    assert '<span class="bad">50\u00a0%</span> of labelled texts have topics' in page


def test_the_first_page_explains_words_intervals_and_topics_without_a_name(material):
    page = render_html(build_report(material, title="T"))
    assert "The words count most in the topic; the higher the number, the more." in page
    assert "A topic that nobody has named is called by its words." in page
    named = [replace(each, named=True) for each in build_report(material, title="T").topics]
    whole = replace(build_report(material, title="T"), topics=tuple(named))
    assert "A topic that nobody has named" not in render_html(whole)


def test_the_summary_names_what_people_named(material):
    W = np.array([[3.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 2]])
    text = default_summary(replace(material, topics=replace(material.topics, doc_topic=W)))
    assert "Topics that nobody has named yet hold 50\u00a0%." in text
    assert "Free 1" not in text


def test_texts_without_a_value_are_a_group_that_says_so(material):
    blank = replace(material.corpus, side={"area": ("north", "south", "", "")})
    (table,) = build_report(replace(material, corpus=blank), title="T").tables
    assert table.columns == ("north", "south", "(none)")


def test_a_summary_that_was_written_is_kept(material):
    report = build_report(material, title=" ", summary="One.\n\nTwo.")
    assert (report.title, report.summary) == ("Topics", ("One.", "Two."))


def test_what_people_did_is_counted(report):
    assert report.people.authors == (("Ada", 1),)
    assert report.people.events == (("labels given or changed", 2), ("changes undone", 1))


def test_shares_by_side_column(report):
    (table,) = report.tables
    assert (table.columns, table.of) == (("north", "south"), (2, 1))
    assert table.topics == ("<b>Network", "Billing", "Free 1")
    assert table.shares == ((0.5, 1.0), (0.5, 0.0), (0.0, 0.0))


def test_it_can_be_made_again(report, material):
    facts = report.reproducibility
    assert facts["Data fingerprint"] == material.corpus.fingerprint
    assert (facts["Seed"], facts["Matrix fingerprint"]) == ("7", "matrix-print")
    assert "numpy 2" in facts["Versions"]


def test_without_scores_the_report_says_so(material):
    why = "No score yet: 12 texts labelled, and a test needs 20."
    bare = replace(material, scores=ReportScores(missing=why))
    report = build_report(bare, title="x")
    assert (report.quality, report.labels, report.resolved) == (None, None, "")
    assert f"<p>{why}</p>" in render_html(report)


def test_scores_are_those_of_the_scores_page_with_interval_and_denominator(report):
    page = render_html(report)
    assert report.quality.rows[0][:3] == (
        "Main topic correct",
        "75\u00a0%",
        "50\u00a0% to 90\u00a0%",
    )
    assert report.quality.rows[0][3].endswith("(on 40 texts)")
    assert [row[0] for row in report.labels.rows] == ["Billing", "Net"]
    assert "Scored on labels held out (40 texts)." in page
    assert "Adherence" not in page


def test_without_topics_there_is_no_report(material):
    nothing = material.topics.picked([])
    with pytest.raises(ReportError, match="no topics"):
        build_report(replace(material, topics=nothing), title="x")


def test_documents_and_names_are_escaped(report):
    page = render_html(report)
    assert "<script" not in page
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; bill &amp; refund" in page
    assert "&lt;b&gt;Network" in page
    assert "<title>Desk &lt;i&gt;2026</title>" in page


def test_the_page_asks_for_nothing_from_outside_and_runs_nothing(report):
    page = render_html(report)
    assert not re.search(r"src\s*=", page)
    assert set(re.findall(r'href="(.)', page)) == {"#"}
    assert "default-src 'none'" in page
    assert "script-src" not in page


def rows_of(material):
    return list(csv.DictReader(io.StringIO(csv_of(material).decode("utf-8-sig"), newline="")))


def csv_of(material) -> bytes:
    file = io.BytesIO()
    FORMATS["csv"].write(build_report(material), file)
    return file.getvalue()


def test_csv_has_a_row_per_document(material):
    rows = rows_of(material)
    assert [row["main topic"] for row in rows] == ["Billing", "<b>Network", "<b>Network", ""]
    assert rows[2]["share of Billing"] == "0.3333"
    assert (rows[0]["labels"], rows[0]["date"], rows[0]["area"]) == (
        "Billing",
        "2026-03-04",
        "north",
    )
    assert rows[0]["text"] == EVIL


def test_every_cell_of_the_csv_is_quoted(material):
    data = csv_of(material)
    rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(rows)
    assert out.getvalue() == data.decode("utf-8-sig")


def test_csv_cannot_start_a_formula(material):
    assert rows_of(material)[1]["id"] == "'=1+1"
    for start in ("=", "+", "-", "@", "\t", "\r"):
        assert formula_safe(f"{start}cmd") == f"'{start}cmd"
    assert formula_safe("plain = text") == "plain = text"


def test_csv_says_when_nothing_fits(material):
    odd = Supervision.of([[]] * 4, ["a"], nothing_fits=[True, False, False, False])
    assert rows_of(replace(material, supervision=odd))[0]["labels"] == "(nothing fits)"


def test_agreement_is_told_where_two_people_labelled(material):
    topics = (TopicAgreement(1, 9, 5, 0.41, (0.1, 0.7)), TopicAgreement(2, 3, 1, 0.2))
    found = Agreement(
        shared=20, alike=9, alpha=0.5, interval=(0.2, 0.8), in_sight=3, by_topic=topics
    )
    people = summarise_people([Line("merge_topics")], agreement=found, topic_names={1: "<Waste>"})
    assert people.events == (("topics merged", 1),)
    assert people.agreement.startswith(
        "20 texts were labelled by two people, 9 of them in the same way. Krippendorff’s alpha: "
        "0.50 (95 % interval 0.20 to 0.80)."
    )
    assert "Counts only the 20 texts" in people.agreement
    assert "3 texts that two people labelled in sight" in people.agreement
    hidden_one_left_out = (("<Waste>", 9, 5, "0.41 (95 % interval 0.10 to 0.70)"),)
    assert people.agreement_by_topic == hidden_one_left_out
    page = render_html(build_report(replace(material, people=people), title="x"))
    assert people.agreement in page
    assert "Agreement on &lt;Waste&gt;" in page
    assert summarise_people([], agreement=Agreement()).agreement == ""


@pytest.mark.parametrize(
    ("people", "labelled"),
    [
        (People(), "No text is labelled, so they are described by their words."),
        (
            People(n_labelled=44, from_file=44),
            "44 texts are labelled from a file; a computer model",
        ),
        (People(n_labelled=3, authors=(("a", 2), ("b", 1))), "3 texts are labelled by 2 people;"),
        (
            People(n_labelled=50, from_file=44, authors=(("a", 6),)),
            "50 texts are labelled: 44 from a file, 6 by one person;",
        ),
    ],
)
def test_every_sentence_says_who_labelled(material, people, labelled):
    told = replace(material, people=people)
    page = render_html(build_report(told, title="x"))
    assert labelled in default_summary(told)
    assert f"<dd>{people.n_labelled}</dd><dt>labelled" in page
    if not people.authors:
        assert "people;" not in page
        assert "by people" not in page
    if people.from_file:
        assert f"<dt>from a file</dt><dd>{people.from_file}</dd>" in page
        assert "Nobody has labelled" not in page


def test_labels_of_the_file_are_no_labels_of_whoever_had_it_read():
    log = [Line("label", id=3), Line("label", id=4), Line("label", id=9)]
    labels = {0: Line("label", event=3), 1: Line("label", event=4), 2: Line("label", event=9)}
    people = summarise_people(log, labels, from_file_until=4)
    assert (people.n_labelled, people.from_file, people.authors) == (3, 2, (("Ada", 1),))
    assert people.events == (("labels given or changed", 1),)
    later = Line("batch", id=8, payload={"title": "Import of more.csv", "count": 1})
    people = summarise_people([*log, later], labels, from_file_until=4)
    assert (people.from_file, people.authors) == (3, ())


def test_without_labels_topics_are_found_and_described_by_words_their_texts_hold(material):
    """A heavy word that one text of fifty holds does not describe the topic."""
    n = 50
    texts = ("the icon of tacl", *["a bill and a refund of the card"] * (n - 1))
    topics = replace(
        material.topics,
        doc_topic=np.eye(3)[[0] * n],
        topic_term=np.array([[0.2, 0.3, 0.9], [0, 0, 1], [0, 0, 1]]),
        terms=("bill", "refund", "tacl"),
        doc_ids=tuple(map(str, range(n))),
    )
    found = ReportInput(
        topics=topics,
        corpus=Corpus(ids=topics.doc_ids, texts=texts),
        supervision=Supervision.none(n),
    )
    text = default_summary(found)
    assert "3 topics that the model found in 50 texts. No text is labelled" in text
    assert "The largest are “refund, bill” (100\u00a0%) of 50 texts, each counted once" in text
    assert "Billing" not in text  # a name that no label stands for
    free = replace(topics, n_supervised=0, names=("bill, refund", "tacl", "tacl (2)"))
    assert "The largest are “bill, refund”" in default_summary(replace(found, topics=free))
    odd = replace(topics, n_supervised=0, names=("tacl, refund", "tacl", "tacl (2)"))
    assert "The largest are “refund, bill”" in default_summary(replace(found, topics=odd))
    page = render_html(build_report(found, title="x"))
    assert "none labelled, known by its name only" in page


def test_nothing_that_was_read_is_dropped_in_silence(material):
    reading = Reading(
        source="a.csv",
        rows_read=9,
        dropped=(
            DroppedRow(2, "the text is empty"),
            DroppedRow(3, "the id “x” was already used in row 1"),
            DroppedRow(7, "the id “y” was already used in row 4"),
        ),
        duplicates=((2, 0),),
        notes=("Dates were read as day, month, year.",),
    )
    corpus = replace(material.corpus, reading=reading)
    report = build_report(replace(material, corpus=corpus, near_copies=3, wordless=1), title="x")
    facts = dict(report.texts_read)
    assert facts["Texts"] == "4 of 9 rows."
    assert facts["Rows left out"] == "3: the id was already used (2), the text is empty (1)."
    assert facts["Copies"].startswith("1 text repeats an earlier one word for word.")
    assert facts["Near-copies"].startswith("2 texts are nearly the same as an earlier one.")
    assert facts["Without a topic"].startswith(
        "1 text; no percentage counts them. Of them, 1 holds"
    )
    assert facts["Without a date"] == "3 texts; no chart over time counts them."
    assert facts["Note"] == "Dates were read as day, month, year."
    page = render_html(report)
    assert "Percentages are of the 3 texts with a topic; 1 text has none." in page
    for value in facts.values():
        assert value in page


def test_events_since_the_fit_are_told(material):
    page = render_html(build_report(replace(material, behind=2), title="x"))
    assert "2 events since then are not in them yet." in page
    assert "since then" not in render_html(build_report(material, title="x"))


def test_a_period_with_hardly_any_texts_is_a_gap_for_everybody():
    inputs = small_material(600, privacy=Privacy(small_groups="shown"))
    days = inputs.corpus.dates[:-2] + (date(2026, 7, 3),) * 2
    inputs = replace(inputs, corpus=replace(inputs.corpus, dates=days))
    points = build_report(inputs, title="Desk", made=NOON).topics[0].trend
    assert sum(point.share is not None for point in points) == 6  # the other weeks are empty
    assert points[-1].share is None


def test_an_id_turns_nothing_beside_it_around():
    """Pages, Word and slides would show “100 %” after such an id as “001 %”."""
    turned, kept = "\u202e74\u2066x", "74x"
    quote = Citation("water", False, False, turned, "2 May 2026", 1.0)
    assert quote.source("100 %") == f"{kept} · 2 May 2026 · 100 % of this text"
    assert ReportHighlight("water", turned, "ann").source == f"{kept}, ann"
    assert ReportHighlight("water", "שלום 7", "ann").source == "שלום 7, ann"


def test_no_topic_is_called_by_an_address_where_these_are_masked():
    given = small_material()
    topics = given.topics
    terms = ("ann.lee@example.org", *topics.terms[1:])
    weights = topics.topic_term.copy()
    weights[2] = (0.9, 0.5, 0.4, 0, 0, 0)
    called = replace(topics, terms=terms, topic_term=weights).renamed(
        (*topics.names[:2], "ann.lee@example.org, refund")
    )
    before = IssuedReport(
        NOON, 1, 24, 2, "", {"Free 1": IssuedTopic("A", 0.2, (terms[0], *"abcd"))}
    )
    row = {**given.scores.labels[0], "topic_name": "ann.lee@example.org, refund"}
    judged = replace(given.scores, labels=[row, *given.scores.labels[1:]])  # free at that time
    found = replace(given, topics=called, last_report=before, scores=judged)
    shown = build_report(found)
    assert {each.name for each in shown.topics} == {"<b>Bills", "=1+1", "refund, tower"}
    assert "ann.lee" not in render_html(shown)
    assert any("lost [e-mail]" in line for line in shown.changes)
    open_to_the_team = replace(found, privacy=Privacy(masking="off"))
    assert "ann.lee@example.org, refund" in {t.name for t in build_report(open_to_the_team).topics}
