"""Names that are probably misspellings of another: found, and joined where somebody says so."""

from __future__ import annotations

import pytest

from core.corpus import ColumnRoles, Corpus, Reading
from core.loading.columns.misspellings import MAX_NAMES, likely_misspellings, one_letter_apart
from core.workspace.intake import join_misspellings, misspelling_sentence, misspellings_in


@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [
        ("refnd", "refund", True),
        ("taxess", "taxes", True),
        ("ambulnaz", "ambulanz", True),
        ("travel bookng", "travel booking", True),
        ("billimg", "billing", True),
        ("billing", "billing", False),
        ("billing", "filings", False),
        ("ward 1", "ward 2", False),
        ("ward 1", "ward 12", False),
        ("abcde", "abced", True),
        ("abcde", "acbed", False),
    ],
)
def test_names_one_letter_apart(a, b, apart):
    assert one_letter_apart(a, b) is apart
    assert one_letter_apart(b, a) is apart


def test_a_rare_name_beside_a_frequent_one_is_a_likely_slip():
    names = ["Refund"] * 9 + ["Refnd"] * 2 + ["Refundd"] + ["Noise"] * 4 + ["Nose"] + ["Noises"] * 3
    found = likely_misspellings(names, "codes")
    assert [(each.name, each.times, each.meant, each.times_meant) for each in found] == [
        ("Refnd", 2, "Refund", 9),
        ("Refundd", 1, "Refund", 9),
    ]  # “Nose” is short, “Noises” is as frequent as “Noise”
    assert not likely_misspellings([f"name {i:x}" for i in range(MAX_NAMES + 1)], "codes")


def test_chosen_ones_are_joined_in_their_column_and_said():
    labels = (("Refund",), ("Refund", "Refnd"), ("Refnd", "Late"), ("Refund",), ("Refund",))
    wards = ("Surgery", "Surgry", "Surgery", "", "Refnd")
    roles = ColumnRoles(text="body", labels="codes", side=("ward",))
    corpus = Corpus(
        ids=tuple("abcde"),
        texts=("one text",) * 5,
        labels=labels,
        side={"ward": wards},
        reading=Reading(columns=roles),
    )
    found = misspellings_in(corpus)
    assert [(each.column, each.name) for each in found] == [("codes", "Refnd"), ("ward", "Surgry")]
    assert misspelling_sentence(found) == (
        "Likely misspellings: “Refnd” (2) of “Refund”, “Surgry” (1) of “Surgery”."
    )
    joined = join_misspellings(corpus, found[:1])
    assert joined.labels == (("Refund",), ("Refund",), ("Refund", "Late"), *labels[3:])
    assert joined.side["ward"] == wards
    assert joined.reading.notes == ("In “codes”, joined by choice: “Refnd” as “Refund”.",)
    assert misspelling_sentence(()) == ""
