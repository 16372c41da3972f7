"""Analyzer: one text → tokens, terms, and where in the original each term stands.

A *token* is what the text says, a *term* what the model counts: lower-cased, lemmatised, stop words
left out. Everything that depends on the token alone is decided once per distinct token, never per
occurrence; that is what makes a large corpus quick.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.text import words
from core.text.normalise import MARKS, normalise, normalise_with_places
from core.text.settings import TextSettings

LETTERS = rf"[^\W_]+(?:[{MARKS}]+[^\W_]*)*"
WEB_ADDRESS = r"(?:https?://|www\.)\S+"
WORD = re.compile(rf"{WEB_ADDRESS}|{LETTERS}(?:'{LETTERS})*")
WORD_WITHOUT_ELISION = re.compile(rf"{WEB_ADDRESS}|{LETTERS}")
ELIDING = frozenset({"ca", "fr", "it"})  # l'eau is two words
NOUN_CAPITALS = frozenset({"de"})  # Müll is a noun, müll a verb: lemmas need the capital
EDGES = re.compile(r"^[\W_]+|[\W_]+$")
BLANKS = re.compile(r"\s*")
REWRITTEN_QUOTES = ("``", "''")  # what Treebank makes of a straight double quote
LONGEST_TOKEN = 60  # longer ones are codes and keys, not words

NO_WORDNET = "NLTK's WordNet is not on this machine; simplemma made the lemmas instead."
NO_NLTK_STOP_WORDS = "NLTK's stop words are not on this machine; the studio's own list was used."


class Span(NamedTuple):
    """A term and the characters of the original text it stands for."""

    start: int
    end: int
    term: str


class Analyzer:
    """The settings made ready to read texts; ``notes`` tells of every stand-in that was used."""

    def __init__(self, settings: TextSettings | None = None) -> None:
        self.settings = settings or TextSettings()
        self.notes: tuple[str, ...] = ()
        self._treebank = _treebank() if self.settings.preset == "tsnmf_paper" else None
        self._word = WORD_WITHOUT_ELISION if self.settings.language in ELIDING else WORD
        self._stop = self._stop_words()
        self._lemma = self._lemmatizer() if self.settings.lemmas else None
        self._known: dict[str, str | None] = {}

    def tokens(self, text: str) -> list[str]:
        """What the text says, in order, before anything is left out."""
        if self._treebank is not None:
            return list(self._treebank.tokenize(normalise(text)))
        return self._word.findall(normalise(text))

    def terms(self, text: str) -> list[str]:
        """What the model counts, in the order of ``spans``."""
        return [span.term for span in self.spans(text)]

    def term(self, token: str) -> str | None:
        """The term of a token; None when it is left out."""
        try:
            return self._known[token]
        except KeyError:
            return self._known.setdefault(token, self._decide(token))

    def spans(self, text: str) -> list[Span]:
        """Terms with their places in the original text; a phrase spans its words.

        A phrase is made of neighbours only: a word left out between two others keeps them apart.
        """
        whole, places = normalise_with_places(text)
        singles = [
            None if (term := self.term(whole[start:end])) is None else Span(start, end, term)
            for start, end in self._token_places(whole)
        ]
        found = sorted(_phrases(singles, self.settings.ngrams))
        if places is None:
            return found
        return [Span(places[s][0], places[e - 1][1], term) for s, e, term in found]

    def _token_places(self, whole: str) -> Iterator[tuple[int, int]]:
        if self._treebank is None:
            yield from (match.span() for match in self._word.finditer(whole))
            return
        cursor = 0
        for token in self._treebank.tokenize(whole):
            start = BLANKS.match(whole, cursor).end()  # type: ignore[union-attr]  # always matches
            rewritten = token in REWRITTEN_QUOTES and whole[start : start + 1] == '"'
            cursor = start + (1 if rewritten else len(token))
            yield start, cursor

    def _decide(self, token: str) -> str | None:
        settings = self.settings
        token = self._trim(token)
        if not token or len(token) > LONGEST_TOKEN or "://" in token:
            return None
        if token[0].isdigit() and not settings.numbers:
            return None
        low = token.lower()
        if low in self._stop:
            return None
        lemma = self._lemma_of(token, low)
        term = lemma.lower() if settings.lowercase else lemma
        left_out = len(term) < settings.min_token or lemma.lower() in self._stop
        return None if left_out else term

    def _trim(self, token: str) -> str:
        """Without a possessive s and, for Treebank tokens, without punctuation at the edges."""
        if self._treebank is not None:
            return EDGES.sub("", token) if token.lower() not in words.TREEBANK_PIECES else ""
        if token.lower().startswith("www."):
            return ""
        possessive = self.settings.language == "en" and token[-2:] in ("'s", "'S")
        return token[:-2] if possessive and token.lower() not in self._stop else token

    def _lemma_of(self, token: str, low: str) -> str:
        if self._lemma is None:
            return token
        if self.settings.language in NOUN_CAPITALS or not self.settings.lowercase:
            return self._lemma(token)
        return self._lemma(low)

    def _stop_words(self) -> frozenset[str]:
        extra = frozenset(normalise(word).lower() for word in self.settings.extra_stop_words)
        if not self.settings.stop_words:
            return extra
        if self._treebank is not None and self.settings.language == "en":
            found = words.nltk_stop_words()
            if found is not None:
                return extra | found
            self.notes += (NO_NLTK_STOP_WORDS,)
        return extra | words.stop_words(self.settings.language)

    def _lemmatizer(self) -> words.Lemma:
        if self._treebank is not None and self.settings.language == "en":
            found = words.wordnet_lemmatizer()
            if found is not None:
                return found
            self.notes += (NO_WORDNET,)
        return words.lemmatizer(self.settings.language)


def _phrases(singles: list[Span | None], ngrams: int) -> Iterator[Span]:
    """Runs of 1 to ``ngrams`` neighbouring terms."""
    for length in range(1, ngrams + 1):
        for first in range(len(singles) - length + 1):
            run = [span for span in singles[first : first + length] if span is not None]
            if len(run) == length:
                yield Span(run[0].start, run[-1].end, " ".join(span.term for span in run))


def _treebank():  # type: ignore[no-untyped-def]
    from nltk.tokenize import TreebankWordTokenizer

    return TreebankWordTokenizer()
