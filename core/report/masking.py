"""E-mail addresses, phone, card and account numbers in a text: found, counted and masked.

Patterns find candidates; checksums and shapes say what they are: a card number passes Luhn's check,
an IBAN the remainder of 97, and a date is no phone number. Other long numbers count as accounts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

# From the beginning of a word only: a try at every letter takes minutes on one long word.
EMAIL = re.compile(r"(?<![\w.+%'-])[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+")
IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")
NAMED_ACCOUNT = re.compile(
    r"(?i)(\b(?:account|acct|a/c|konto|compte|cuenta|conto|customer|client|policy|membership)"
    r"(?:[ -]?(?:no|nr|num|number|nummer|id))?\b[.:# ]{0,3})(\d[\d -]{3,20}\d)(?!\d)"
)
PHONE = re.compile(
    r"(?<![\w.])(?:(?:\+|00)\d[\d ()/.-]{5,18}\d"
    r"|\(?0\d{1,5}\)?[ /.-]?\d[\d /.-]{3,14}\d"
    r"|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\d\w])"
)
LONG_NUMBER = re.compile(r"(?<![\d.,])\d{9,}(?![\d.,]\d|\d)")
DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}(?!\d)")
MIN_DIGITS = 6  # fewer are no number of a person
SEVERAL_DIGITS = re.compile(r"\D{0,3}".join([r"\d"] * MIN_DIGITS))
NOT_DIGITS = bytes(set(range(256)) - set(b"0123456789"))
PHONE_DIGITS = range(7, 16)


@dataclass(slots=True)
class PersonalData:
    """How many of each kind were found."""

    emails: int = 0
    phones: int = 0
    cards: int = 0
    accounts: int = 0

    def counted(self) -> tuple[tuple[str, str, int], ...]:
        """Each kind in the singular and the plural, with its number."""
        return (
            ("e-mail address", "e-mail addresses", self.emails),
            ("phone number", "phone numbers", self.phones),
            ("card number", "card numbers", self.cards),
            ("account number", "account numbers", self.accounts),
        )


@dataclass(slots=True)
class Masker:
    """Masks texts and counts what it masked; one that is off leaves them as they are."""

    on: bool = True
    found: PersonalData = field(default_factory=PersonalData)

    def mask(self, text: str) -> str:
        if not self.on:
            return text
        if "@" in text:
            text = EMAIL.sub(self._masked("emails", "[e-mail]", lambda _: True), text)
        if not has_several_digits(text):
            return text
        text = IBAN.sub(self._masked("accounts", "[account number]", _is_iban), text)
        text = CARD.sub(self._masked("cards", "[card number]", _is_card), text)
        text = CARD.sub(self._masked("accounts", "[account number]", lambda _: True), text)
        text = NAMED_ACCOUNT.sub(self._named_account, text)
        text = PHONE.sub(self._masked("phones", "[phone]", _is_phone), text)
        return LONG_NUMBER.sub(self._masked("accounts", "[account number]", lambda _: True), text)

    def leaves(self, word: str) -> bool:
        """Whether there is nothing in a word to mask."""
        return self.mask(word) == word

    def _masked(
        self, kind: str, mask: str, is_one: Callable[[str], bool]
    ) -> Callable[[re.Match[str]], str]:
        def replace(match: re.Match[str]) -> str:
            if not is_one(match.group()):
                return match.group()
            setattr(self.found, kind, getattr(self.found, kind) + 1)
            return mask

        return replace

    def _named_account(self, match: re.Match[str]) -> str:
        if DATE.match(match.group(2)):
            return match.group()
        self.found.accounts += 1
        return f"{match.group(1)}[account number]"


def count_personal(texts: Iterable[str]) -> PersonalData:
    """How much there is to mask in these texts."""
    masker = Masker()
    for text in texts:
        masker.mask(text)
    return masker.found


def has_several_digits(text: str) -> bool:
    """Whether a number may be there; texts of few digits are found without the slow pattern."""
    if text.isascii() and len(text.encode("ascii").translate(None, NOT_DIGITS)) < MIN_DIGITS:
        return False
    return SEVERAL_DIGITS.search(text) is not None


def _digits(text: str) -> list[int]:
    return [int(letter) for letter in text if letter.isdecimal()]


def _is_card(text: str) -> bool:
    """Luhn's check: every second digit from the right doubled, the sum a multiple of ten."""
    digits = _digits(text)[::-1]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "")
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


def _is_phone(text: str) -> bool:
    return len(_digits(text)) in PHONE_DIGITS and DATE.match(text) is None
