"""Analyzer: one text → tokens, terms, and the position of each term in the original.

A *token* is a word as it is written, a *term* what the model counts: lower-cased, lemmatised, stop
words left out. The term of a token is computed once per distinct token, not per occurrence, which
makes a large corpus fast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from core.text import words
from core.text.normalise import (
    COMBINING_MARKS,
    normalise,
    normalise_with_offsets,
    without_edges,
)
from core.text.settings import TextSettings

LETTERS = rf"[^\W_]+(?:[{COMBINING_MARKS}]+[^\W_]*)*"
WEB_ADDRESS = r"(?:https?://|www\.)\S+"
EMAIL_ADDRESS = r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
WORD_PATTERN = re.compile(rf"{WEB_ADDRESS}|{EMAIL_ADDRESS}|{LETTERS}(?:'{LETTERS})*")
PLAIN_LETTERS = re.compile("[a-zA-Z]+")
PLAIN_LETTER_PRESETS = frozenset({"ssnmf_paper", "vbnmf_paper"})
WORD_PATTERN_WITHOUT_ELISION = re.compile(rf"{WEB_ADDRESS}|{EMAIL_ADDRESS}|{LETTERS}")
ADDRESS_END = ".,;:!?)]}>'\""  # ends a sentence, not an address
ELIDING_LANGUAGES = frozenset({"ca", "fr", "it"})  # l'eau is two words
LANGUAGES_WITH_NOUN_CAPITALS = frozenset(
    {"de"}
)  # Müll is a noun, müll a verb: lemmas need the capital
WHITE_SPACE = re.compile(r"\s*")
REWRITTEN_QUOTES = ("``", "''")  # Treebank writes these for a straight double quote
MAX_TOKEN_LENGTH = 60  # longer ones are codes and keys, not words

NLTK_PRESETS = frozenset(
    {"tsnmf_paper", "ssnmf_paper", "vbnmf_paper"}
)  # whose stop words are NLTK's

NO_WORDNET = "NLTK's WordNet is not on this machine; lemmas are simplemma's instead."
NO_NLTK_STOP_WORDS = "NLTK's stop words are not on this machine; stop words are the studio's own."


class Span(NamedTuple):
    """A term and the characters of the original text it stands for."""

    start: int
    end: int
    term: str


class Analyzer:
    """Reads texts as the settings say; ``notes`` lists the fallbacks that were used."""

    def __init__(self, settings: TextSettings | None = None) -> None:
        self.settings = settings or TextSettings()
        self.notes: tuple[str, ...] = ()
        self._treebank = _treebank() if self.settings.preset == "tsnmf_paper" else None
        self._word = _word_pattern(self.settings)
        self._stop = self._stop_words()
        self._lemma = self._lemmatizer() if self.settings.lemmas else None
        self._term_cache: dict[str, str | None] = {}

    def tokens(self, text: str) -> list[str]:
        """All tokens in order, before anything is left out."""
        if self._treebank is not None:
            return list(self._treebank.tokenize(normalise(text)))
        return self._word.findall(normalise(text))

    @property
    def scan_options(self) -> dict[str, bool] | None:
        """How ``scanner`` finds the same tokens; None where it cannot."""
        if self._treebank is not None:
            return None
        plain_letters = self._word is PLAIN_LETTERS
        return {"plain_letters": plain_letters, "apostrophes": self._word is WORD_PATTERN}

    def may_hold_address(self, text: str) -> bool:
        """Whether a web or e-mail address may be among the tokens of a text."""
        if self._word is PLAIN_LETTERS:
            return False
        return "@" in text or "http" in text or "www." in text

    def terms(self, text: str) -> list[str]:
        """The terms that the model counts, in the order of ``spans``."""
        return [span.term for span in self.spans(text)]

    def term(self, token: str) -> str | None:
        """The term of a token; None when it is left out."""
        try:
            return self._term_cache[token]
        except KeyError:
            return self._term_cache.setdefault(token, self.make_term(token))

    def spans(self, text: str) -> list[Span]:
        """Terms with their positions in the original text; a phrase spans its words.

        A phrase is made of adjacent words only: a word left out between two others separates them.
        """
        whole, places = normalise_with_offsets(text)
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
            start = WHITE_SPACE.match(whole, cursor).end()  # type: ignore[union-attr]  # always matches
            rewritten = token in REWRITTEN_QUOTES and whole[start : start + 1] == '"'
            cursor = start + (1 if rewritten else len(token))
            yield start, cursor

    def make_term(self, token: str) -> str | None:
        """``term`` for who remembers it himself."""
        settings = self.settings
        if self._treebank is None and (address := self._address(token)) is not None:
            return address or None
        token = self._trim_token(token)
        if not token or len(token) > MAX_TOKEN_LENGTH or "://" in token:
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

    def _address(self, token: str) -> str | None:
        """A web or e-mail address as a term, "" where those are left out; None for a word."""
        low = token.lower()
        is_web = low.startswith(("http://", "https://", "www."))
        if not is_web and "@" not in token:
            return None
        wanted = self.settings.web_addresses if is_web else self.settings.emails
        term = low.rstrip(ADDRESS_END)
        return term if wanted and len(term) <= MAX_TOKEN_LENGTH and term not in self._stop else ""

    def _trim_token(self, token: str) -> str:
        """Without a possessive s and, for Treebank tokens, without punctuation at the edges."""
        if self._treebank is not None:
            return without_edges(token) if token.lower() not in words.TREEBANK_PIECES else ""
        possessive = self.settings.language == "en" and token[-2:] in ("'s", "'S")
        return token[:-2] if possessive and token.lower() not in self._stop else token

    def _lemma_of(self, token: str, low: str) -> str:
        if self._lemma is None:
            return token
        if self.settings.language in LANGUAGES_WITH_NOUN_CAPITALS or not self.settings.lowercase:
            return self._lemma(token)
        return self._lemma(low)

    def _stop_words(self) -> frozenset[str]:
        extra = frozenset(normalise(word).lower() for word in self.settings.extra_stop_words)
        if not self.settings.stop_words:
            return extra
        if self.settings.preset in NLTK_PRESETS and self.settings.language == "en":
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
        if self.settings.preset == "vbnmf_paper" and self.settings.language == "en":
            return words.porter_stemmer()
        return words.lemmatizer(self.settings.language)


@lru_cache(maxsize=8)
def analyzer_of(settings: TextSettings) -> Analyzer:
    """One analyzer for the same settings, which remembers the terms of the tokens it has met."""
    return Analyzer(settings)


def _phrases(singles: list[Span | None], ngrams: int) -> Iterator[Span]:
    """Runs of 1 to ``ngrams`` neighbouring terms."""
    for length in range(1, ngrams + 1):
        for first in range(len(singles) - length + 1):
            run = [span for span in singles[first : first + length] if span is not None]
            if len(run) == length:
                yield Span(run[0].start, run[-1].end, " ".join(span.term for span in run))


def _word_pattern(settings: TextSettings) -> re.Pattern[str]:
    if settings.preset in PLAIN_LETTER_PRESETS:
        return PLAIN_LETTERS
    elides = settings.language in ELIDING_LANGUAGES
    return WORD_PATTERN_WITHOUT_ELISION if elides else WORD_PATTERN


def _treebank():  # type: ignore[no-untyped-def]
    from nltk.tokenize import TreebankWordTokenizer

    return TreebankWordTokenizer()
