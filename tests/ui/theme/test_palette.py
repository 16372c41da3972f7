"""Colours that can be told apart, and text that can be read on them."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image

from tsnmf_ui.server import lifecycle
from tsnmf_ui.theme import style
from tsnmf_ui.theme.palette import (
    BACKGROUNDS,
    MIN_CONTRAST,
    PALETTE,
    contrast,
    distance,
    topic_colour,
)


def test_contrast_is_wcags():
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_thirty_topics_differ():
    colours = [topic_colour(i) for i in range(30)]
    assert min(distance(*pair) for pair in combinations(colours, 2)) > 0.06
    assert colours[: len(PALETTE)] == list(PALETTE)


def test_every_topic_shows_on_light_and_on_dark():
    for index in range(60):
        assert min(contrast(topic_colour(index), ground) for ground in BACKGROUNDS) >= MIN_CONTRAST


@pytest.mark.parametrize(("name", "text"), [("light", "#FFFFFF"), ("dark", "#000000")])
def test_text_on_a_filled_button_can_be_read(name, text):
    assert contrast(text, lifecycle.shipped_settings()[f"theme.{name}.primaryColor"]) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("text", ["textColor", "primaryColor"])
def test_text_can_be_read_on_the_page(name, text):
    settings = lifecycle.shipped_settings()
    for ground in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(settings[f"theme.{name}.{text}"], settings[f"theme.{name}.{ground}"]) >= 4.5


def test_the_tab_icon_is_drawn_here():
    assert isinstance(style.icon(), Image.Image)
