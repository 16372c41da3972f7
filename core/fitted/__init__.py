"""A fitted model that travels: it answers about new texts, without the texts it was fitted to.

``FittedModel`` answers ``transform``, ``predict`` and ``predict_proba`` by name. ``state`` lists
what of each model it needs, ``checks`` holds a file against that list, ``model_file`` describes,
writes and reads the file, ``card`` is the page that goes with it.
"""

from core.fitted.card import CardScore, ModelCard
from core.fitted.model import AnswerProgress, FittedModel, MeaningSource
from core.fitted.state import PredictionState, state_of

__all__ = [
    "AnswerProgress",
    "CardScore",
    "FittedModel",
    "MeaningSource",
    "ModelCard",
    "PredictionState",
    "model_file",
    "state_of",
]
