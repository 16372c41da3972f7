"""A dozen tables as people have them: each column must get the role a person would give it."""

from __future__ import annotations

import pytest

from core.loading import preview
from tests.core.loading.test_loading import csv_bytes

PROSE = [
    "The lamp in front of our house has been dark for a week now",
    "Please empty the bins in Mill Lane, they have not been touched since Easter",
    "There is a deep hole in the road by the school gate",
    "Thank you for repairing the swing so quickly, the children love it",
    "My bus never came and the driver on the next one was rude",
    "The playground fence is bent and a child could get hurt",
    "Why does the library close at five when everybody works until six?",
    "A neighbour keeps parking on the pavement and nobody acts",
    "The river smells bad after the rain, is the water safe?",
    "Could somebody cut back the hedge at the corner of Park Road",
]


def rows(*columns: list[str]) -> list[list[str]]:
    return [list(cells) for cells in zip(*columns, strict=True)]


NUMBERS = [str(i) for i in range(1, 11)]
CODES = [f"T-{i:04}" for i in range(10)]
DAYS = [f"2024-0{1 + i % 9}-1{i}" for i in range(10)]
SLASHED = [f"{i + 10}/03/2024 09:3{i}" for i in range(10)]
YEARS = [str(2015 + i % 4) for i in range(10)]
AREAS = ["North", "South"] * 5
TOPICS = ["Light", "Waste", "Roads", "Parks", "Buses"] * 2
LISTS = ["Light;Roads", "Waste", "Roads", "Parks;Light", "Buses"] * 2
COMMAS = ["light, road", "waste", "road", "park, light", "bus, road"] * 2
PROSE_LABELS = ["Roads, paths and kerbs", "Waste, bins"] * 5
PRINTED = ["['light', 'road']", "['waste']", "['road']", "['park', 'light']", "[]"] * 2
TITLES = [f"Complaint about {code}" for code in CODES]
SCORES = [f"0.{i}7" for i in range(10)]
GRADES = [f"{i},{i + 1}" for i in range(10)]
STARS = ["1", "5", "3", "4", "5"] * 2
LINKS = [f"https://example.org/{i}" for i in range(10)]

CASES = {
    "service desk": (
        {"id": CODES, "received": DAYS, "message": PROSE, "topics": LISTS, "district": AREAS},
        {"id": "id", "date": "received", "text": "message", "labels": "topics", "sep": ";",
         "side": ("district",)},
    ),
    "two plain columns": ({"text": PROSE, "label": TOPICS}, {"text": "text", "labels": "label"}),
    "names that say nothing": (
        {"a": CODES, "b": PROSE, "c": AREAS},
        {"id": "a", "text": "b", "labels": "c"},
    ),
    "title and body": (
        {"ticket_no": NUMBERS, "title": TITLES, "body": PROSE, "category": TOPICS},
        {"id": "ticket_no", "text": "body", "labels": "category"},
    ),
    "reviews with stars": (
        {"review": PROSE, "stars": STARS, "city": AREAS},
        {"text": "review", "labels": "city", "side": ("stars",)},
    ),
    "two side columns": (
        {"comment": PROSE, "region": AREAS, "team": TOPICS},
        {"text": "comment", "side": ("region", "team")},
    ),
    "abstracts with keywords": (
        {"pmid": [str(9_000 + i) for i in range(10)], "abstract": PROSE, "year": YEARS,
         "keywords": COMMAS},
        {"id": "pmid", "text": "abstract", "date": "year", "labels": "keywords", "sep": ","},
    ),
    "labels with commas of their own": (
        {"text": PROSE, "category": PROSE_LABELS},
        {"text": "text", "labels": "category"},
    ),
    "lists printed by a program": (
        {"tags": PRINTED, "post": PROSE},
        {"text": "post", "labels": "tags", "sep": ","},
    ),
    "tags whose column has no meaningful name": (
        {"answer": PROSE, "areas": LISTS, "gender": AREAS},
        {"text": "answer", "labels": "areas", "sep": ";", "side": ("gender",)},
    ),
    "numbers and links": (
        {"score": SCORES, "url": LINKS, "content": PROSE, "createdAt": SLASHED},
        {"text": "content", "date": "createdAt", "id": "url"},
    ),
    "a survey with long questions": (
        {"Respondent ID": NUMBERS, "What should the city do better, and why?": PROSE,
         "Where do you live (district)?": AREAS, "Date of interview": DAYS},
        {"id": "Respondent ID", "text": "What should the city do better, and why?",
         "date": "Date of interview", "labels": "Where do you live (district)?"},
    ),
    "codes of one person beside the true labels": (
        {"text": PROSE, "codes_anna": LISTS, "gold": TOPICS},
        {"text": "text", "labels": "gold", "side": ("codes_anna",)},
    ),
    "only texts": ({"text": PROSE}, {"text": "text"}),
    "an empty column": (
        {"notes": [""] * 10, "message": PROSE, "id": NUMBERS},
        {"id": "id", "text": "message"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("table", "expected"), CASES.values(), ids=CASES)
def test_columns_get_the_role_a_person_would_give_them(table, expected):
    found = preview(csv_bytes([list(table), *rows(*table.values())])).columns
    assert {
        "text": found.text,
        "id": found.id,
        "date": found.date,
        "labels": found.labels,
        "sep": found.label_separator,
        "side": found.side,
    } == {"id": None, "date": None, "labels": None, "sep": None, "side": (), **expected}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_among_texts_full_of_others(delimiter):
    data = [["id", "text", "tags"], *rows(NUMBERS, PROSE, COMMAS)]
    assert preview(csv_bytes(data, delimiter)).delimiter == delimiter


def test_a_row_that_stands_twice_has_its_id_twice():
    table = rows(CODES, PROSE, GRADES)
    found = preview(csv_bytes([["Fall-Nr", "message", "grade"], *table, *table[:3]])).columns
    assert (found.id, found.labels) == ("Fall-Nr", None)
    others = rows(CODES[:5], PROSE[5:], GRADES[5:])  # further texts of the same people
    found = preview(csv_bytes([["person_id", "message", "grade"], *table, *others])).columns
    assert found.id is None


def test_a_file_without_header_gets_numbered_columns():
    found = preview(csv_bytes(rows(NUMBERS, PROSE)))
    assert found.header == ("column 1", "column 2")
    assert found.columns.text == "column 2"
    assert found.n_rows == 10
