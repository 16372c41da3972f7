"""The guide: what labels, names and codebook say about the rest of the documents.

``classifier`` is the guide itself, learnt by ridge regression (``ridge``) from ``teachers``:
labelled documents and ``descriptions`` of labels, seen by words, latent directions and meaning
(``views``, ``latent``). ``calibration`` turns scores into chances, ``uncovered`` and ``novelty``
tell how much no label covers, ``pricing`` makes doubtful topics dear, ``starts`` begins topics.
"""

__all__ = [
    "calibration",
    "classifier",
    "descriptions",
    "latent",
    "novelty",
    "pricing",
    "ridge",
    "starts",
    "teachers",
    "uncovered",
    "views",
]
