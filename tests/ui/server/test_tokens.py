import pytest

from tsnmf_ui.server import tokens


@pytest.mark.parametrize("author", ["ann", "Ænne von Übel", "a.b", ""])
def test_a_token_names_its_author(author):
    assert tokens.author_of(tokens.token(author)) == author


@pytest.mark.parametrize("given", ["", ".", "YW5u.", "YW5u.00", "ü.ü", "x" * 500])
def test_made_up_tokens_are_nobody(given):
    assert tokens.author_of(given) is None


def test_a_signature_serves_one_author_only():
    _, _, signature = tokens.token("ann").partition(".")
    name, _, _ = tokens.token("bob").partition(".")
    assert tokens.author_of(f"{name}.{signature}") is None
