"""What a report may show: one setting, applied before anything is written in any format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Literal

from core.errors import ReportError
from core.report.masking import PersonalData
from core.store import PRIVACY_CHOICES
from core.values import count

MIN_GROUP = 5  # texts; a smaller group could point to a person
SMALL_GROUP = "(fewer than five)"  # written in place of the name of a small group


@dataclass(frozen=True, slots=True)
class Privacy:
    """Quotes, ids, people, personal numbers, small groups, texts, memos: what is shown of each."""

    quotes: Literal["shown", "chosen", "withheld"] = "shown"
    ids: Literal["shown", "hidden"] = "shown"
    people: Literal["named", "numbered", "omitted"] = "numbered"
    masking: Literal["on", "off"] = "on"  # of e-mail addresses, phone, card and account numbers
    small_groups: Literal["hidden", "shown"] = "hidden"
    texts: Literal["with", "without"] = "without"  # in tables of all texts
    memos: Literal["withheld", "shown"] = "withheld"  # what people noted for one another

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value not in PRIVACY_CHOICES[name]:
                raise ReportError(
                    f"Privacy of {name}: {', '.join(PRIVACY_CHOICES[name])}; not “{value}”."
                )

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Privacy:
        """From the fields that somebody has set; the others are at their defaults."""
        given: dict[str, Any] = {f.name: values[f.name] for f in fields(cls) if f.name in values}
        return cls(**given)

    def to_dict(self) -> dict[str, str]:
        return asdict(self)

    @property
    def masks(self) -> bool:
        return self.masking == "on"

    @property
    def shows_ids(self) -> bool:
        return self.ids == "shown"

    @property
    def shows_texts(self) -> bool:
        return self.texts == "with"

    @property
    def smallest_group(self) -> int:
        """Groups with fewer texts are hidden."""
        return MIN_GROUP if self.small_groups == "hidden" else 1


PRIVACY_PRESETS: Mapping[str, Privacy] = MappingProxyType(
    {
        "team": Privacy(people="named", masking="off", small_groups="shown", texts="with"),
        "others": Privacy(),
        "public": Privacy(quotes="withheld", ids="hidden", people="omitted"),
    }
)


class PersonNames:
    """What the people of a project are called in a report; the same in all of its parts."""

    def __init__(self, privacy: Privacy, people: Sequence[str] = ()) -> None:
        self._how = privacy.people
        self._numbers: dict[str, int] = {}
        for person in people:
            self._numbers.setdefault(person, len(self._numbers) + 1)

    @property
    def shown(self) -> bool:
        """Whether people appear one by one."""
        return self._how != "omitted"

    def name(self, person: str) -> str:
        """Their name, “person 2”, or “somebody”."""
        if self._how == "named":
            return person
        if self._how == "omitted":
            return "somebody"
        return f"person {self._numbers.setdefault(person, len(self._numbers) + 1)}"


def privacy_sentences(
    privacy: Privacy, personal: PersonalData | None, *, n_hidden: int = 0
) -> tuple[str, ...]:
    """What was shown and what was not, as the report prints it; ``n_hidden`` topics are hidden."""
    return (
        *([_hidden_sentence(n_hidden)] if n_hidden else []),
        {
            "shown": "Quotes are shown as the model found them.",
            "chosen": "Quotes were chosen by hand.",
            "withheld": "Quotes are withheld.",
        }[privacy.quotes],
        "Texts are named by their ids."
        if privacy.shows_ids
        else "Ids of texts are left out; tables count their rows instead.",
        {
            "named": "People are named.",
            "numbered": "People are numbered, not named.",
            "omitted": "People are left out.",
        }[privacy.people],
        _masking_sentence(privacy, personal),
        f"Groups of fewer than {MIN_GROUP} texts are hidden."
        if privacy.small_groups == "hidden"
        else "Groups of any size are shown.",
        "Tables of all texts hold the texts."
        if privacy.shows_texts
        else "Tables of all texts leave the texts out.",
        f"Memos and notes are {privacy.memos}.",
    )


def _hidden_sentence(n: int) -> str:
    its, names = ("its", "Its name is") if n == 1 else ("their", "Their names are")
    return (
        f"{count(n, 'topic is', 'topics are')} hidden. {names} left out wherever the report lists "
        f"topics, labels or events, and {its} labels are not in its recipe: the run can be "
        "repeated where the project is."
    )


def _masking_sentence(privacy: Privacy, personal: PersonalData | None) -> str:
    if not privacy.masks:
        return "E-mail addresses, phone, card and account numbers are shown as they are."
    masked = "E-mail addresses, phone, card and account numbers are masked"
    if personal is None:
        return f"{masked}."
    found = [count(n, one, many) for one, many, n in personal.counted() if n]
    return f"{masked}: {', '.join(found) if found else 'none was found'} in the texts."
