"""How the papers put the twenty newsgroups together, as data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Haddock et al., table 3: thirteen subgroups in five classes.
SSNMF_CLASSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Computers": ("comp.graphics", "comp.sys.mac.hardware", "comp.windows.x"),
        "Sciences": ("sci.crypt", "sci.electronics", "sci.space"),
        "Politics": ("talk.politics.guns", "talk.politics.mideast"),
        "Religion": ("alt.atheism", "soc.religion.christian"),
        "Recreation": ("rec.autos", "rec.sport.baseball", "rec.sport.hockey"),
    }
)

# Hu, Rai & Carin print that there are seven super-groups: the first parts of the groups' names.
SUPER_GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "alt": ("alt.atheism",),
        "comp": (
            "comp.graphics",
            "comp.os.ms-windows.misc",
            "comp.sys.ibm.pc.hardware",
            "comp.sys.mac.hardware",
            "comp.windows.x",
        ),
        "misc": ("misc.forsale",),
        "rec": ("rec.autos", "rec.motorcycles", "rec.sport.baseball", "rec.sport.hockey"),
        "sci": ("sci.crypt", "sci.electronics", "sci.med", "sci.space"),
        "soc": ("soc.religion.christian",),
        "talk": (
            "talk.politics.guns",
            "talk.politics.mideast",
            "talk.politics.misc",
            "talk.religion.misc",
        ),
    }
)


def group_of(groups: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The other way round: the group of each member."""
    return {member: name for name, members in groups.items() for member in members}
