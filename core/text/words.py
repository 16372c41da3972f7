"""Stop words and lemmas without network access; NLTK's if its data are on this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from core.errors import TextError
from core.loading.shipped_files import asset
from core.text.settings import LANGUAGES

Lemma = Callable[[str], str]

SIMPLEMMA_CODE = {"no": "nb", "hr": "hbs"}
# What simplemma's English dictionary misspells, as it says it and as it should.
_CORRECTIONS = """
assaile:assail cancell:cancel deposite:deposit determin:determine develope:develop
dispell:dispel exemplifie:exemplify extoll:extol fantasie:fantasy fixe:fix gaine:gain
growe:grow guarde:guard housewive:housewife labell:label mixe:mix modell:model outputt:output
panick:panic playe:play preferr:prefer proclaime:proclaim signall:signal smoothe:smooth
springe:spring sweare:swear thanke:thank thinke:think travell:travel unfolde:unfold
"""
LEMMA_CORRECTIONS = dict(pair.split(":") for pair in _CORRECTIONS.split())
TREEBANK_PIECES = frozenset({"n't", "'ll", "'re", "'ve"})


@lru_cache(maxsize=8)
def stop_words(language: str) -> frozenset[str]:
    """Function words of a language: our own list for English, stopwordsiso's for the others."""
    if language == "en":
        lines = asset("stopwords", "en.txt").read_text(encoding="utf8").splitlines()
        return frozenset(line for line in lines if line and not line.startswith("#"))
    _require(language, "stop words")
    import stopwordsiso

    return frozenset(word.lower() for word in stopwordsiso.stopwords(language))


def lemmatizer(language: str) -> Lemma:
    """Word → lemma by simplemma's dictionaries; loading one takes part of a second, once."""
    _require(language, "lemmas")
    import simplemma

    if language == "en":
        return lambda word: _english(word, simplemma.lemmatize)
    code = SIMPLEMMA_CODE.get(language, language)
    return lambda word: simplemma.lemmatize(word, lang=code)


def _english(word: str, lemmatize: Callable[..., str]) -> str:
    """simplemma's lemma, put right; unpaid and united are no forms of “unpay” and “unite”."""
    low = word.lower()
    if low.startswith("un") and low.endswith(("ed", "ing", "aid", "old", "oken")):
        return word
    lemma = lemmatize(word, lang="en")
    return LEMMA_CORRECTIONS.get(lemma, lemma)


def nltk_stop_words() -> frozenset[str] | None:
    """NLTK's English stop words and Treebank's split-off pieces; None without NLTK's data."""
    from nltk.corpus import stopwords

    try:
        return frozenset(stopwords.words("english")) | TREEBANK_PIECES
    except LookupError:
        return None


def wordnet_lemmatizer() -> Lemma | None:
    """NLTK's WordNet lemmatiser (every word read as a noun, its default); None without the data."""
    from nltk.corpus import wordnet
    from nltk.stem import WordNetLemmatizer

    try:
        wordnet.ensure_loaded()
    except LookupError:
        return None
    return WordNetLemmatizer().lemmatize


def porter_stemmer() -> Lemma:
    """Word → stem by Porter's rules, as NLTK has them; they need no data."""
    from nltk.stem import PorterStemmer

    stem: Lemma = PorterStemmer().stem
    return stem


def _require(language: str, what: str) -> None:
    if language not in LANGUAGES:
        raise TextError(f"There are no {what} for the language “{language}”; turn them off.")
