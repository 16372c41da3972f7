"""TextSettings: how texts become terms, as plain values that can be stored and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, get_type_hints

from core.errors import TextError
from core.values import html_table

LANGUAGES: Mapping[str, str] = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "ca": "Catalan",
    "hr": "Croatian",
    "cs": "Czech",
    "da": "Danish",
    "nl": "Dutch",
    "en": "English",
    "eo": "Esperanto",
    "et": "Estonian",
    "fi": "Finnish",
    "fr": "French",
    "gl": "Galician",
    "de": "German",
    "el": "Greek",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "id": "Indonesian",
    "ga": "Irish",
    "it": "Italian",
    "la": "Latin",
    "lv": "Latvian",
    "lt": "Lithuanian",
    "ms": "Malay",
    "no": "Norwegian",
    "fa": "Persian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "es": "Spanish",
    "sw": "Swahili",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
}

USUAL_WEIGHTS: Mapping[str, Any] = {"weighting": "tfidf", "l2": True}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "plain": {
        "lemmas": True,
        "numbers": False,
        "min_token": 3,
        "min_documents": 2,
        "max_share": 0.5,
        "max_terms": 20_000,
        **USUAL_WEIGHTS,
    },
    "tsnmf_paper": {
        "lemmas": True,
        "numbers": True,
        "min_token": 3,
        "min_documents": 1,
        "max_share": 1.0,
        "max_terms": 2_000,
        **USUAL_WEIGHTS,
    },
    "ssnmf_paper": {
        "lemmas": False,
        "numbers": False,
        "min_token": 1,
        "min_documents": 5,
        "max_share": 0.7,
        "max_terms": 5_000,
        **USUAL_WEIGHTS,
    },
    "vbnmf_paper": {
        "lemmas": True,
        "numbers": False,
        "min_token": 2,
        "min_documents": 1,
        "max_share": 1.0,
        "max_terms": 10_000,
        "weighting": "max_tfidf",
        "l2": False,
    },
}
WEIGHTINGS = ("tfidf", "max_tfidf", "counts")
MAX_NGRAMS = 3

_PRESET: Any = None  # a field left alone takes the value of its preset


@dataclass(frozen=True, slots=True)
class TextSettings:
    """How a text becomes terms and a corpus becomes a matrix.

    ``preset`` picks the tokens and the defaults of the fields below it: ``plain`` reads words with
    letters in them; ``tsnmf_paper`` follows MacMillan & Wilson (2017): NLTK's Treebank tokens,
    WordNet lemmas, stop words and tokens under 3 characters removed, TF-IDF, 2,000 terms, L2;
    ``ssnmf_paper`` follows Haddock et al. (2020): runs of the letters a to z, NLTK's stop words,
    words of at least 5 texts and at most 70 % of them, 5,000 terms; ``vbnmf_paper`` follows Ivek
    (2014): runs of letters, Porter's stems, 10,000 terms by their largest TF-IDF.

    ``min_documents`` is a count when 1 or more, a share of the corpus when below 1. ``max_terms``
    keeps the terms with the most occurrences. ``weighting="tfidf"`` multiplies a count by the
    smooth idf ln((1 + n) / (1 + df)) + 1; ``"max_tfidf"`` divides it by the largest count of its
    text, multiplies by ln(n / df), and keeps the terms whose largest weight is greatest. ``l2``
    then gives every document unit length.
    ``web_addresses`` and ``emails`` count a whole address as a word, where it is left out else.
    """

    preset: str = "plain"
    language: str = "en"
    lowercase: bool = True
    stop_words: bool = True
    extra_stop_words: tuple[str, ...] = ()
    lemmas: bool = _PRESET
    numbers: bool = _PRESET
    min_token: int = _PRESET
    ngrams: int = 1
    min_documents: float = _PRESET
    max_share: float = _PRESET
    max_terms: int = _PRESET
    weighting: str = _PRESET
    l2: bool = _PRESET
    web_addresses: bool = False
    emails: bool = False

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise TextError(f"There is no text preset “{self.preset}”; choose {_any_of(PRESETS)}.")
        for name, value in PRESETS[self.preset].items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        extra = dict.fromkeys(word.strip() for word in self.extra_stop_words)
        object.__setattr__(self, "extra_stop_words", tuple(word for word in extra if word))
        self._check()

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self._chosen().items())
        return f"TextSettings({shown})"

    def _repr_html_(self) -> str:
        return html_table("Text settings", self._chosen().items())

    def _chosen(self) -> dict[str, Any]:
        """The preset, the language, and whatever differs from the preset's defaults."""
        plain = {each.name: each.default for each in fields(self)}
        default = {**plain, **PRESETS[self.preset]}
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        kept = {name: value for name, value in values.items() if value != default[name]}
        if self.extra_stop_words:
            kept["extra_stop_words"] = f"{len(self.extra_stop_words)} words"
        return {"preset": self.preset, "language": self.language} | kept

    def _check(self) -> None:
        wrong = {
            f"Weighting must be {_any_of(WEIGHTINGS)}.": self.weighting not in WEIGHTINGS,
            f"Phrases may have 1 to {MAX_NGRAMS} words.": not 1 <= self.ngrams <= MAX_NGRAMS,
            "The shortest word must have at least 1 character.": self.min_token < 1,
            "A word must be in more than 0 texts.": not self.min_documents > 0,
            "The largest share of texts must lie between 0 and 1.": not 0 < self.max_share <= 1,
            "The vocabulary needs room for at least 1 term.": self.max_terms < 1,
        }
        for sentence, is_wrong in wrong.items():
            if is_wrong:
                raise TextError(sentence)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self) | {"extra_stop_words": list(self.extra_stop_words)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TextSettings:
        """The settings that ``to_dict`` wrote; an unknown name is an error."""
        unknown = set(values) - {field.name for field in fields(cls)}
        if unknown:
            raise TextError(f"Unknown text setting “{sorted(unknown)[0]}”.")
        for name, kind in get_type_hints(cls).items():
            if name in values and not _is_of(values[name], kind):
                raise TextError(f"The text setting “{name}” has an impossible value.")
        words = tuple(values.get("extra_stop_words", ()))
        return cls(**{**values, "extra_stop_words": words})


def _is_of(value: Any, kind: Any) -> bool:
    """Whether a plain value is of a field's type; None takes the preset's."""
    if kind in (bool, str, int):
        return value is None or type(value) is kind
    if kind is float:
        return value is None or type(value) in (int, float)
    return isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value)


def _any_of(names: Mapping[str, Any] | tuple[str, ...]) -> str:
    return " or ".join(f"“{name}”" for name in names)
