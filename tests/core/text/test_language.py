"""The language of a corpus, by its little words."""

from __future__ import annotations

import pytest

from core.loading import read_demo
from core.text.language import guess_language, second_language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Die Straßenbahn kam wieder zu spät und der Fahrer war unfreundlich"),
        ("fr", "Le tramway est encore arrivé en retard et le conducteur était pressé"),
        ("es", "El tranvía llegó tarde otra vez y el conductor no fue amable"),
        ("nl", "De tram kwam weer te laat en de bestuurder was niet vriendelijk"),
        ("ru", "Трамвай снова опоздал, и водитель был невежлив"),
    ],
)
def test_a_sentence_tells_its_language(language, text):
    assert guess_language([text]) == language


def test_the_demo_is_english_and_so_is_what_gives_no_hint():
    assert guess_language(read_demo().texts) == "en"
    assert guess_language(["vpn 404 error", "laptop reset"]) == "en"
    assert guess_language([]) == "en"


def test_a_second_language_is_found_with_its_share():
    english = "The tram is late again and the driver is rude to all of us"
    german = "Die Straßenbahn kam wieder zu spät und der Fahrer war unfreundlich"
    assert second_language([english, german, english, "vpn 404"], "en") == ("de", 0.25)
    assert second_language([english, german, german], "de") == ("en", 1 / 3)
    assert second_language([english, *["vpn 404 error", "laptop reset"] * 9], "en") is None
    assert second_language([*[english] * 20, german], "en") is None  # too few to matter
    assert second_language(read_demo().texts, "en") is None
