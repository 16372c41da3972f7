"""The engine behind TS-NMF Studio: from a file of texts to supervised topics.

>>> from core import ModelSpec, Supervision, TextSettings, build_matrix, fit, read_corpus

Glossary, the same words on screen, in code and in the documents:

===============  ================================================================================
document         one text of a corpus; on screen a *text*
label            a name that the analyst gives to documents
annotation       the label in force of one document: topics, author, time, confidence
supervision      all annotations of a corpus, as a model reads them
topic            what a model finds: *named* if it belongs to a label, otherwise *free*
part             one of several topics that make up one label's topic
key              what a topic is known by: its id in a project, its name outside one
event            one entry of a project's log; the log only grows
request          what a browser or a caller asks for; it may end in an event
spec             a model, its number of topics and its options
fit, refit       one computation of topics; a refit follows new labels
full fit         one that starts from nothing fitted before; its topics rest on screen
preview          one that continues from the last full fit, shown until the next is done
run              one fit that was kept
guide            the classifier learnt from the labels, which tells the other documents where to go
hint             what the guide says about one document, for the queue
queue            which documents to label next, and why
steering         what people say about topics and words: merge, split, lock, add, remove
verdict          whether a fit honoured an operation, or whether labels helped
score            a number with its interval
job              long work outside the server: a fit, an evaluation, a comparison, a download
===============  ================================================================================
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core import errors, queue, report, store
    from core.cluster import Cluster
    from core.corpus import Corpus
    from core.evaluation import comparison, metrics
    from core.fitted import FittedModel
    from core.fitting import fit
    from core.insight import summaries
    from core.loading import read_corpus
    from core.matrix import DocumentTermMatrix, build_matrix
    from core.models import MODELS
    from core.spec import ModelSpec
    from core.steering import operations
    from core.supervision import Supervision
    from core.text import TextSettings
    from core.topics import Topics

__all__ = [
    "Cluster",
    "Corpus",
    "DocumentTermMatrix",
    "FittedModel",
    "MODELS",
    "ModelSpec",
    "Supervision",
    "TextSettings",
    "Topics",
    "build_matrix",
    "comparison",
    "errors",
    "fit",
    "metrics",
    "operations",
    "queue",
    "read_corpus",
    "report",
    "store",
    "summaries",
]

# Where each name lives. It is imported when somebody asks for it: a command that only says what
# was mistyped must not load the compiled engine first.
_PLACES = {
    "Cluster": "core.cluster",
    "Corpus": "core.corpus",
    "DocumentTermMatrix": "core.matrix",
    "FittedModel": "core.fitted",
    "MODELS": "core.models",
    "ModelSpec": "core.spec",
    "Supervision": "core.supervision",
    "TextSettings": "core.text",
    "Topics": "core.topics",
    "build_matrix": "core.matrix",
    "fit": "core.fitting",
    "read_corpus": "core.loading",
}
# Public modules that live in a package: ``import core.metrics`` works as ``core.metrics`` does.
_MODULES = {
    "comparison": "core.evaluation.comparison",
    "metrics": "core.evaluation.metrics",
    "operations": "core.steering.operations",
    "summaries": "core.insight.summaries",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        value = getattr(import_module(_PLACES[name]), name)
    elif name in __all__:
        value = import_module(_MODULES.get(name, f"core.{name}"))
    else:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _PublicModules(MetaPathFinder, Loader):
    """Finds the modules of ``_MODULES`` under their public names, too."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        public = name.removeprefix("core.")
        known = public != name and public in _MODULES
        return ModuleSpec(name, self, origin=_MODULES[public]) if known else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(str(spec.origin))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state  # it stays what it was


if not any(isinstance(finder, _PublicModules) for finder in sys.meta_path):
    sys.meta_path.append(_PublicModules())
