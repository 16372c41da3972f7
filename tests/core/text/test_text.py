"""Tokens, terms and their places in the original text."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import TextError
from core.store.projects.search_words import folded_words
from core.text import LANGUAGES, Analyzer, TextSettings, few_marks, without_edges, words
from core.text.normalise import normalise, normalise_with_offsets


@pytest.fixture(scope="module")
def plain() -> Analyzer:
    return Analyzer(TextSettings())


def shown(analyzer: Analyzer, text: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.term) for span in analyzer.spans(text)]


def test_function_words_go_and_lemmas_stay(plain):
    assert plain.terms("The street lamps don't work on our streets") == [
        "street",
        "lamp",
        "work",
        "street",
    ]


def test_lemmas_are_words(plain):
    said = "preferred growing developed fixes unpaid bills in the United Nations unfolded"
    assert plain.terms(said) == [
        *("prefer", "grow", "develop", "fix", "unpaid", "bill", "united", "nation", "unfolded")
    ]


def test_typographic_quotes_and_entities_read_like_plain_text(plain):
    assert plain.terms("the city’s parks &amp; ﬁelds") == plain.terms("the city's parks & fields")


def test_spans_point_into_the_original(plain):
    text = "Tom &amp; the &eacute;lite’s ﬁelds"
    assert shown(plain, text) == [
        ("Tom", "tom"),
        ("&eacute;lite’s", "élite"),
        ("ﬁelds", "field"),
    ]


def test_a_soft_hyphen_does_not_cut_a_word(plain):
    assert shown(plain, "play\u00adground open") == [
        ("play\u00adground", "playground"),
        ("open", "open"),
    ]


def test_web_addresses_and_numbers_are_left_out(plain):
    assert plain.terms("see https://example.org/parking?x=1 or www.example.org on 12 2024 3rd") == [
        "see"
    ]


def test_numbers_can_be_kept():
    assert Analyzer(TextSettings(numbers=True)).terms("opened 1987") == ["open", "1987"]


def test_extra_stop_words_catch_every_form():
    analyzer = Analyzer(TextSettings(extra_stop_words=(" Street ", "")))
    assert analyzer.terms("streets and STREET lights") == ["light"]


def test_case_is_kept_when_asked():
    analyzer = Analyzer(TextSettings(lowercase=False, lemmas=False))
    assert analyzer.terms("The Park and the park") == ["Park", "park"]


def test_phrases_do_not_cross_a_word_that_was_left_out():
    analyzer = Analyzer(TextSettings(ngrams=2))
    assert analyzer.terms("rusty street lamp by the bridge") == [
        "rusty",
        "rusty street",
        "street",
        "street lamp",
        "lamp",
        "bridge",
    ]


def test_elided_articles_are_separate_words_in_french():
    assert Analyzer(TextSettings(language="fr")).terms("l’eau des rivières") == ["eau", "rivière"]


def test_german_nouns_use_their_capital():
    assert Analyzer(TextSettings(language="de")).terms("Der Müll in den Straßen") == [
        "müll",
        "straße",
    ]


def test_hindi_vowel_signs_stay_inside_words():
    analyzer = Analyzer(TextSettings(language="hi", stop_words=False, lemmas=False))
    assert analyzer.tokens("पानी की समस्या") == ["पानी", "की", "समस्या"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_stop_words(language):
    assert len(words.stop_words(language)) > 30


def test_our_stop_words_are_words_once():
    listed = words.stop_words("en")
    assert 250 <= len(listed) <= 350
    assert all(word == word.lower().strip() for word in listed)
    assert not listed & {"water", "city", "year", "new", "good", "work", "problem"}


def test_an_unknown_language_asks_to_turn_lists_off():
    with pytest.raises(TextError, match="no stop words for the language “xx”"):
        Analyzer(TextSettings(language="xx"))
    assert Analyzer(TextSettings(language="xx", stop_words=False, lemmas=False)).terms("abc") == [
        "abc"
    ]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"preset": "mine"}, "no text preset “mine”"),
        ({"weighting": "bm25"}, "Weighting must be"),
        ({"ngrams": 4}, "1 to 3 words"),
        ({"max_share": 0.0}, "between 0 and 1"),
        ({"max_terms": 0}, "at least 1 term"),
        ({"min_documents": 0}, "more than 0 texts"),
        ({"min_token": 0}, "at least 1 character"),
    ],
)
def test_settings_that_cannot_work_say_so(change, sentence):
    with pytest.raises(TextError, match=sentence):
        TextSettings(**change)


def test_settings_survive_json():
    settings = TextSettings(preset="tsnmf_paper", extra_stop_words=("dlrs",), ngrams=2)
    assert TextSettings.from_dict(settings.to_dict()) == settings
    assert settings.max_terms == 2_000


def test_a_misspelt_setting_is_an_error():
    with pytest.raises(TextError, match="Unknown text setting “ngram”"):
        TextSettings.from_dict({"ngram": 2})


@pytest.fixture
def without_nltk_data(monkeypatch):
    monkeypatch.setattr(words, "nltk_stop_words", lambda: None)
    monkeypatch.setattr(words, "wordnet_lemmatizer", lambda: None)


@pytest.mark.usefixtures("without_nltk_data")
def test_the_paper_preset_tells_what_stood_in():
    analyzer = Analyzer(TextSettings(preset="tsnmf_paper"))
    assert len(analyzer.notes) == 2
    assert all("not on this machine" in note for note in analyzer.notes)
    assert analyzer.terms('He said: "lamps aren\'t on." In 1987.') == ["say", "lamp", "1987"]


@pytest.mark.usefixtures("without_nltk_data")
@pytest.mark.parametrize("signs", ["_", "_."])
def test_a_row_of_signs_in_a_word_is_read_once(signs):
    """Tried from every sign to the end of the row, this takes an hour."""
    word = f"a{signs * 200_000}b"
    assert without_edges(f"{signs}{word}{signs}") == word
    assert Analyzer(TextSettings(preset="tsnmf_paper")).terms(f"lamp {word}") == ["lamp"]


def test_treebank_places_survive_quotes():
    analyzer = Analyzer(TextSettings(preset="tsnmf_paper"))
    text = "“Crude” rose to ''record'' heights, \"they\" cannot fall… &quot;ever&quot;"
    found = shown(analyzer, text)
    assert ("Crude", "crude") in found
    assert ("record", "record") in found
    assert ("fall", "fall") in found


messy = st.text(
    st.sampled_from(list("aé ’'&;#<\"“lampﬁ\u0301\u200b각ᄀ\u1161\u11a8İ.,4Ωǆ")), max_size=40
)


@given(st.one_of(messy, st.text(max_size=60)))
def test_places_belong_to_the_normalised_text(text):
    whole, places = normalise_with_offsets(text)
    assert whole == normalise(text)
    if places is not None:
        assert len(places) == len(whole)
        assert all(0 <= start < end <= len(text) for start, end in places)
        assert places == sorted(places)


@given(messy)
def test_plain_letters_keep_their_exact_place(text):
    for start, end, _ in Analyzer(TextSettings(lemmas=False, min_token=1)).spans(f"{text} lamp"):
        assert 0 <= start < end <= len(text) + 5
    assert normalise(f"{text} lamp").endswith("lamp")


@given(st.text(max_size=80))
def test_normalising_twice_changes_no_letters(text):
    once = normalise(text.replace("&", ""))
    assert unicodedata.is_normalized("NFKC", normalise(once))


@pytest.mark.parametrize("marks", ["\u0301\u0316", "\u0301", "\uff9e\u0301", "\U0001e8d0\u0301"])
def test_a_letter_has_thirty_marks_at_most(marks):
    """Unicode compares each with all before it: minutes in which the server answers nobody."""
    text = f"lamp a{marks * 100_000} lamp"
    assert len(normalise(text)) <= len("lamp a lamp") + 30
    assert Analyzer(TextSettings()).terms(text)[-1] == "lamp"
    assert normalise_with_offsets(text)[0] == normalise(text)
    assert folded_words(text)[-1] == "lamp"


def test_every_mark_of_unicode_is_found_in_a_row():
    marks = [chr(code) for code in range(sys.maxunicode) if unicodedata.combining(chr(code))]
    rare = "".join(marks) * 2
    assert len(few_marks(rare)) == 30
    plain = "".join(map(chr, range(0x1D400, 0x1D800))) * 2  # letters of mathematics, in a row
    assert few_marks(plain) == plain


def test_addresses_are_left_out_or_counted_whole():
    text = "Write to Ann.Lee@city.example, or see https://city.example/pay?id=3."
    plain = Analyzer(TextSettings()).terms(text)
    assert plain == ["write", "see"]
    kept = Analyzer(TextSettings(web_addresses=True, emails=True)).terms(text)
    assert kept == ["write", "ann.lee@city.example", "see", "https://city.example/pay?id=3"]


def test_long_rows_of_signs_are_passed_over_at_once():
    """Tried at every sign of a row, an address would take the square of its length."""
    text = "first " + "-." * 200_000 + " last ann@"
    assert Analyzer(TextSettings()).terms(text) == ["first", "last", "ann"]


def test_the_words_of_the_ssnmf_paper_are_runs_of_letters(monkeypatch):
    monkeypatch.setattr(words, "nltk_stop_words", lambda: frozenset({"the"}))
    settings = TextSettings(preset="ssnmf_paper")
    assert Analyzer(settings).terms("The dog's 2 cats, naïve x-rays") == [
        *("dog", "s", "cats", "na", "ve", "x", "rays"),
    ]
    assert (settings.lemmas, settings.min_documents, settings.max_terms) == (False, 5, 5_000)


def test_the_words_of_the_vbnmf_paper_are_porters_stems(monkeypatch):
    monkeypatch.setattr(words, "nltk_stop_words", lambda: frozenset({"the"}))
    settings = TextSettings(preset="vbnmf_paper")
    assert Analyzer(settings).terms("The classified dogs' 2 relations") == [
        *("classifi", "dog", "relat"),
    ]
    assert (settings.weighting, settings.l2, settings.max_terms) == ("max_tfidf", False, 10_000)
    assert TextSettings(preset="vbnmf_paper", weighting="counts").weighting == "counts"
    assert TextSettings.from_dict(settings.to_dict()) == settings
