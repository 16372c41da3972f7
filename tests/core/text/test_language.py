"""The language of a corpus, by its little words."""

from __future__ import annotations

import pytest

from core.loading import read_demo
from core.text.language import guess_language


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
