"""Masking: what is masked, what is left alone, and that it is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ReportError
from core.report import PRIVACY_PRESETS, PersonNames, Privacy, count_personal
from core.report.masking import SEVERAL_DIGITS, Masker, PersonalData, has_several_digits
from core.report.privacy import privacy_sentences


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("mail ann.lee+x@example.co.uk now", "mail [e-mail] now"),
        ("call +49 89 1234-5678 or 089/12345678", "call [phone] or [phone]"),
        ("(030) 123 45 67, or 555-123-4567", "[phone], or [phone]"),
        ("card 4111 1111 1111 1111", "card [card number]"),
        ("IBAN DE89 3704 0044 0532 0130 00.", "IBAN [account number]."),
        ("account no. 12345 678", "account no. [account number]"),
        ("order 123456789", "order [account number]"),
    ],
)
def test_personal_numbers_are_masked(text, masked):
    assert Masker().mask(text) == masked
    assert Masker(on=False).mask(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "on 01.02.2026 and 2026-03-04, at 08:30-09:15",
        "1,234,567.89 euros, 0.0512345678 of it",
        "the years 2019 2020 2021",
        "lamp 4417 at 10 Wren Terrace",
        "a @ b, and 192.168.100.200",
    ],
)
def test_dates_sums_and_years_are_left_alone(text):
    assert Masker().mask(text) == text


def test_a_very_long_word_is_looked_at_once():
    text = "a" * 300_000 + " @ b"  # takes minutes if an address may begin at any letter
    assert Masker().mask(text) == text


@given(st.text(max_size=60))
def test_masking_twice_is_masking_once(text):
    once = Masker().mask(text)
    assert Masker().mask(once) == once


@given(st.text(alphabet="0123456789٣ -.aé", max_size=40))
def test_the_quick_look_for_digits_agrees_with_the_pattern(text):
    assert has_several_digits(text) == (SEVERAL_DIGITS.search(text) is not None)


def test_what_is_masked_is_counted_and_told():
    found = count_personal(["a@b.org c@d.org", "+49 89 1234 5678", "plain"])
    assert found == PersonalData(emails=2, phones=1)
    sentence = privacy_sentences(Privacy(), found)[3]
    assert sentence.endswith("masked: 2 e-mail addresses, 1 phone number in the texts.")


def test_people_are_named_numbered_or_left_out():
    def names(how):
        told = PersonNames(Privacy(people=how), ["ann", "bob"])
        return [told.name(each) for each in ("bob", "ann", "eve")]

    assert names("named") == ["bob", "ann", "eve"]
    assert names("numbered") == ["person 2", "person 1", "person 3"]
    assert names("omitted") == ["somebody"] * 3


def test_a_setting_that_does_not_exist_is_refused():
    with pytest.raises(ReportError, match="quotes: shown, chosen, withheld"):
        Privacy(quotes="all")
    assert Privacy.of({"people": "named", "title": "x"}) == Privacy(people="named")
    assert PRIVACY_PRESETS["others"] == Privacy()


def test_only_the_team_gets_every_text_in_tables_unless_somebody_chose_so():
    shown = [name for name, privacy in PRIVACY_PRESETS.items() if privacy.shows_texts]
    assert shown == ["team"]
    assert Privacy.of({"texts": "with"}).shows_texts
